"""Serve an agent to programs, or seats to ACPC clients."""

from baycarp.cli.program import Parts
from baycarp.cli.serve import acpc, dealer, engine

__all__ = ["add", "run"]

PARTS = Parts(engine=engine, dealer=dealer, acpc=acpc)
add, run = PARTS.add, PARTS.run
