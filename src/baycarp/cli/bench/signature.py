"""The behaviour of the package as one number, and a line an agent: ``baycarp bench signature``.

    baycarp bench signature > tests/golden/signature.txt

writes the file that a test holds against the present behaviour.
"""

import json
from argparse import Namespace, _ArgumentGroup
from dataclasses import asdict

from baycarp.study.agent_signature import number
from baycarp.study.signature import signature

__all__ = ["add", "run"]


def add(group: _ArgumentGroup) -> None:
    """Name the options: none but those of every part."""


def run(args: Namespace) -> int:
    """Print the number, then digest, decisions and name of each line."""
    found = signature(args.workers)
    if args.json:
        print(json.dumps({"signature": number(found)}))
        for line in found:
            print(json.dumps(asdict(line)))
    else:
        print(number(found))
        for line in found:
            print(line)
    return 0
