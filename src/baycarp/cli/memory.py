"""The memory of an agent: export it as CSV, import cases into it, or forget redundant cases."""

import sys
from argparse import Namespace
from pathlib import Path

from baycarp.cases import export_csv, import_csv, salvage
from baycarp.cli.options import count, flag, option, options
from baycarp.errors import ModelError
from baycarp.strategies.memory import exists, memory_file, recall, remember
from baycarp.strategies.model import DEFAULT_AGENT, load_model

add = options(
    option("name", help="of the memory, as in baycarp(memory='NAME')"),
    option("do", choices=("export", "import", "forget"), help="write, read and add, or thin out"),
    option(
        "folder", type=Path, nargs="?", help="holds a file for each street: preflop.csv, ... (not to forget)"
    ),
    option("--most", type=count, default=0, help="forget where a street has more cases, down to nine tenths"),
    option(
        "--model",
        type=Path,
        default=DEFAULT_AGENT,
        help="initial cases of a new memory (default: the default agent's)",
    ),
    flag("--salvage", "export the undamaged cases of a damaged memory"),
    flag("--empty", "a new memory begins with none of its cases"),
)


def run(args: Namespace) -> int:
    """Export all streets, import those of which there is a file, or thin out those that are too large.

    Only an import creates a missing memory.
    """
    if args.do != "forget" and args.folder is None:
        raise ModelError(f"{args.do}: expected a folder")
    {"export": _export, "import": _import, "forget": _forget}[args.do](args)
    return 0


def _import(args: Namespace) -> None:
    model = load_model(args.model)
    bases = model.strategy.bases
    files = {base: args.folder / f"{base}.csv" for base in bases}
    read = [import_csv(path, bases[base]) for base, path in files.items() if path.exists()]
    if not read:
        raise ModelError(f"{args.folder}: expected one of {', '.join(path.name for path in files.values())}")
    begins = not exists(args.name)
    memory, store = remember(model.empty() if args.empty else model, args.name)
    if begins and not args.empty:
        known = sum(map(len, memory.casebases.values()))
        what = f"{args.name} is new and begins with the {known:,} cases of {args.model.name}"
        print(f"{what}; with none by --empty", file=sys.stderr)
    with store:
        for casebase in read:
            for ticket in store.retain_all(casebase):
                ticket.result()
            print(f"{casebase.schema.name}: {len(casebase)} cases added")


def _export(args: Namespace) -> None:
    model = load_model(args.model)
    if args.salvage:
        found = {
            base: salvage(memory_file(args.name), schema) for base, schema in model.strategy.bases.items()
        }
    else:
        found = {base: (casebase, 0) for base, casebase in recall(model, args.name).casebases.items()}
    args.folder.mkdir(parents=True, exist_ok=True)
    for base, (casebase, lost) in found.items():
        path = args.folder / f"{base}.csv"
        missing = "" if lost == 0 else f", {'an unknown number' if lost is None else lost} lost"
        print(f"{path}: {export_csv(casebase, path)} cases{missing}")


def _forget(args: Namespace) -> None:
    if not args.most:
        raise ModelError("forget: expected --most")
    model, store = remember(load_model(args.model), args.name, args.most, new=False)
    store.close()
    for name, casebase in model.casebases.items():
        print(f"{name}: {len(casebase)} cases kept")
