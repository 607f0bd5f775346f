"""The behaviour of the package as one number, and a line an agent: ``python -m experiments signature``.

    python -m experiments signature > tests/golden/signature.txt

writes the file that a test holds against the present behaviour.
"""

from argparse import Namespace

from baycarp.cli.options import options
from baycarp.cli.output import as_json, print_each
from experiments.options import JSON, ONE_WORKER
from experiments.signature.agent_signature import number
from experiments.signature.signature import signature

__all__ = ["run"]

add = options(JSON, ONE_WORKER)


def run(args: Namespace) -> int:
    """Print the number, then digest, decisions and name of each line."""
    found = signature(args.workers)
    if args.json:
        print(as_json({"signature": number(found)}))
        print_each(found)
    else:
        print(number(found), *found, sep="\n")
    return 0
