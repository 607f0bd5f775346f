"""What an agent has learned: export a memory as CSV, import cases into it, or forget what is known best."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from baycarp.cases import export_csv, import_csv, salvage
from baycarp.cli.options import count
from baycarp.errors import ModelError
from baycarp.strategies.model import SHIPPED, Model, load_model, memory_file, recall, remember


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("name", help="of the memory, as in baycarp2(memory='NAME')")
    parser.add_argument("do", choices=("export", "import", "forget"), help="write, read and add, or thin out")
    parser.add_argument(
        "folder", type=Path, nargs="?", help="holds a file for each street: preflop.csv, ... (not to forget)"
    )
    parser.add_argument(
        "--most", type=count, default=0, help="forget where a street has more cases, down to nine tenths"
    )
    parser.add_argument("--model", type=Path, default=SHIPPED, help="what a new memory begins with")
    parser.add_argument(
        "--salvage", action="store_true", help="export what is whole of a memory whose file is damaged"
    )
    parser.add_argument("--empty", action="store_true", help="a new memory begins with none of its cases")


def run(args: argparse.Namespace) -> int:
    """Export all streets, import those of which there is a file, or thin out those that are too large.

    Only an import makes a memory that is not there.
    """
    if args.do == "forget":
        return _forget(args)
    if args.folder is None:
        raise ModelError(f"{args.do}: expected a folder")
    files = {base: args.folder / f"{base}.csv" for base in load_model(args.model).strategy.bases}
    return _export(args, files) if args.do == "export" else _import(args, files)


def _import(args: argparse.Namespace, files: Mapping[str, Path]) -> int:
    bases = load_model(args.model).strategy.bases
    read = [import_csv(path, bases[base]) for base, path in files.items() if path.exists()]
    if not read:
        raise ModelError(f"{args.folder}: expected one of {', '.join(path.name for path in files.values())}")
    _, store = remember(_model(args), args.name)
    with store:
        for casebase in read:
            for ticket in store.retain_all(casebase):
                ticket.result()
            print(f"{casebase.schema.name}: {len(casebase)} cases added")
    return 0


def _model(args: argparse.Namespace) -> Model:
    """What a new memory begins with."""
    model = load_model(args.model)
    return model.empty() if args.empty else model


def _export(args: argparse.Namespace, files: Mapping[str, Path]) -> int:
    model = load_model(args.model)
    if args.salvage:
        found = {base: salvage(memory_file(args.name), model.strategy.bases[base]) for base in files}
    else:
        found = {base: (casebase, 0) for base, casebase in recall(model, args.name).casebases.items()}
    args.folder.mkdir(parents=True, exist_ok=True)
    for base, path in files.items():
        casebase, lost = found[base]
        missing = "" if lost == 0 else f", {'an unknown number' if lost is None else lost} lost"
        print(f"{path}: {export_csv(casebase, path)} cases{missing}")
    return 0


def _forget(args: argparse.Namespace) -> int:
    if not args.most:
        raise ModelError("forget: expected --most")
    model, store = remember(load_model(args.model), args.name, args.most, new=False)
    store.close()
    for name, casebase in model.casebases.items():
        print(f"{name}: {len(casebase)} cases kept")
    return 0
