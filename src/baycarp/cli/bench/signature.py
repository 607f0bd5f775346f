"""The behaviour of the package as one number, and a line an agent: ``baycarp bench signature``.

    baycarp bench signature > tests/golden/signature.txt

writes the file that a test holds against the present behaviour.
"""

from argparse import Namespace

from baycarp.cli.output import as_json, print_each
from baycarp.study.agent_signature import number
from baycarp.study.signature import signature

__all__ = ["run"]


def run(args: Namespace) -> int:
    """Print the number, then digest, decisions and name of each line."""
    found = signature(args.workers)
    if args.json:
        print(as_json({"signature": number(found)}))
        print_each(found)
    else:
        print(number(found), *found, sep="\n")
    return 0
