"""The recipes of the data that the package ships: which file each makes, and how it is run."""

from argparse import Namespace

from baycarp.cli.options import JSON, options
from baycarp.cli.output import as_json
from experiments.recipes import RECIPES

__all__ = ["add", "run"]

add = options(JSON)


def run(args: Namespace) -> int:
    """Print a line a recipe."""
    if args.json:
        print(as_json(RECIPES))
        return 0
    for name, makes in RECIPES.items():
        print(f"python -m experiments.recipes.{name:14} {makes}")
    return 0
