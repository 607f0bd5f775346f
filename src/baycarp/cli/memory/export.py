"""Write the cases of a memory as CSV files."""

from argparse import Namespace

from baycarp.cases import export_csv, salvage
from baycarp.cli.memory.names import FOLDER, MODEL, NAME
from baycarp.cli.options import SPREADSHEET, flag, options
from baycarp.cli.output import counted
from baycarp.strategies.memory import memory_file, recall
from baycarp.strategies.model import load_model

__all__ = ["add", "run"]

add = options(NAME, FOLDER, MODEL, SPREADSHEET, flag("--salvage", "the undamaged cases of a damaged memory"))


def run(args: Namespace) -> int:
    """Export all streets."""
    model = load_model(args.model)
    if args.salvage:
        bases, file = model.strategy.bases, memory_file(args.name)
        found = {base: salvage(file, schema) for base, schema in bases.items()}
    else:
        found = {base: (casebase, 0) for base, casebase in recall(model, args.name).casebases.items()}
    args.folder.mkdir(parents=True, exist_ok=True)
    for base, (casebase, lost) in found.items():
        path = args.folder / f"{base}.csv"
        missing = "" if lost == 0 else f", {'an unknown number' if lost is None else lost} lost"
        print(f"{path}: {counted(export_csv(casebase, path, args.spreadsheet), 'case')}{missing}")
    return 0
