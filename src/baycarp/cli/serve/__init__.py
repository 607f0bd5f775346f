"""Serve agents to programs, ACPC clients or language models."""

from baycarp.cli.program import Parts
from baycarp.cli.serve import acpc, dealer, engine, mcp

__all__ = ["add", "run"]

PARTS = Parts(engine=engine, dealer=dealer, acpc=acpc, mcp=mcp)
add, run = PARTS.add, PARTS.run
