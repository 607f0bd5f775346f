"""Thin out the streets of a memory that have too many cases."""

from argparse import Namespace

from baycarp.cli.memory.names import MODEL, NAME
from baycarp.cli.options import count, option, options
from baycarp.cli.output import counted
from baycarp.strategies.memory import remember
from baycarp.strategies.model import load_model

__all__ = ["add", "run"]

add = options(
    NAME,
    option("--most", type=count, required=True, help="where a street has more cases, down to nine tenths"),
    MODEL,
)


def run(args: Namespace) -> int:
    """Forget redundant cases."""
    model, store = remember(load_model(args.model), args.name, args.most, new=False)
    store.close()
    for name, casebase in model.casebases.items():
        print(f"{name}: {counted(len(casebase), 'case')} kept")
    return 0
