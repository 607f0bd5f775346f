"""Add the cases of CSV files to a memory, which is made where it is missing."""

import sys
from argparse import Namespace

from baycarp.cases import import_csv
from baycarp.cases.exchange import lacking
from baycarp.cli.memory.names import FOLDER, MODEL, NAME
from baycarp.cli.options import SPREADSHEET, flag, options
from baycarp.cli.output import counted
from baycarp.errors import ModelError
from baycarp.strategies.memory import exists, remember
from baycarp.strategies.model import load_model

__all__ = ["add", "run"]

add = options(NAME, FOLDER, MODEL, SPREADSHEET, flag("--empty", "a new memory begins with none of its cases"))


def run(args: Namespace) -> int:
    """Import the streets of which there is a file."""
    model = load_model(args.model)
    bases = model.strategy.bases
    files = {base: args.folder / f"{base}.csv" for base in bases}
    read = [import_csv(path, bases[base], args.spreadsheet) for base, path in files.items() if path.exists()]
    if not read:
        raise ModelError(f"{args.folder}: expected one of {', '.join(path.name for path in files.values())}")
    begins = not exists(args.name)
    memory, store = remember(model.empty() if args.empty else model, args.name)
    if begins and not args.empty:
        known = sum(map(len, memory.casebases.values()))
        what = f"{args.name} is new and begins with the {counted(known, 'case', ',')} of {args.model.name}"
        print(f"{what}; with none by --empty", file=sys.stderr)
    with store:
        for casebase in read:
            new = lacking(casebase, memory.casebases[casebase.schema.name])
            for ticket in store.retain_all(new):
                ticket.result()
            there = len(casebase) - len(new)
            added = f"{casebase.schema.name}: {counted(len(new), 'case')} added"
            print(added + f", {there} already there" * bool(there))
    return 0
