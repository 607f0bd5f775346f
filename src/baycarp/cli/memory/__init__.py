"""Export, import, thin out and measure cases."""

from baycarp.cli.memory import coverage, export, forget, read
from baycarp.cli.program import Parts

__all__ = ["add", "run"]

PARTS = Parts(**{"export": export, "import": read, "forget": forget, "coverage": coverage})
add, run = PARTS.add, PARTS.run
