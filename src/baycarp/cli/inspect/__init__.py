"""Inspect a model: the beliefs of its network and what shifts them, or its cases and the nearest ones."""

from argparse import ArgumentParser, Namespace

from baycarp.cli.inspect import bn, cases

PARTS = {"bn": bn, "cases": cases}


def add(parser: ArgumentParser) -> None:
    """Add a command for each part."""
    parts = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    for name, module in PARTS.items():
        summary = str(module.__doc__).splitlines()[0]
        module.add(parts.add_parser(name, help=summary, description=summary))


def run(args: Namespace) -> int:
    """Inspect one part."""
    return int(PARTS[args.what].run(args))
