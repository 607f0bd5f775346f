"""Inspect the network of a model, or its cases."""

from baycarp.cli.inspect import bn, cases
from baycarp.cli.program import Parts

__all__ = ["add", "run"]

PARTS = Parts(bn=bn, cases=cases)
add, run = PARTS.add, PARTS.run
