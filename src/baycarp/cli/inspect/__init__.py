"""Look into what was learned: a network's beliefs and what shifts them, or the cases and which are near."""

import argparse

from baycarp.cli.inspect import bn, cases

PARTS = {"bn": bn, "cases": cases}


def add(parser: argparse.ArgumentParser) -> None:
    """Name the parts."""
    parts = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    for name, module in PARTS.items():
        summary = str(module.__doc__).splitlines()[0]
        module.add(parts.add_parser(name, help=summary, description=summary))


def run(args: argparse.Namespace) -> int:
    """Look into one."""
    return int(PARTS[args.what].run(args))
