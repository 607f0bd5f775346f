"""``baycarp solve`` of hold'em without the measurement of its end, which takes a minute; to be interrupted.

python cheap_solving.py FOLDER --iterations 40
"""

import shutil
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from baycarp.cli import main
from baycarp.solvers.buckets.tables import bucket_tables
from baycarp.solvers.limit.run import LimitRun
from baycarp.solvers.loss import Loss
from baycarp.solvers.plan import SolvePlan

GAME, BUCKETS = "holdem.limit.2p.reverse_blinds", "p2,p2,p2"


@cache
def _buckets():
    """The file of the buckets, which takes longer than all else; made once in a process."""
    path = Path(mkdtemp(), "buckets.npz")
    bucket_tables(SolvePlan.of(GAME, BUCKETS).abstraction, path)
    return path


def begin(folder):
    """A folder that has its buckets."""
    folder.mkdir()
    shutil.copy(_buckets(), folder)


def run(folder, *arguments):
    """Solve, and return the exit status."""
    LimitRun.loss = lambda self, workers, tick, on_the_way: Loss(0.0, 0.0, None, 0)
    return main(["solve", GAME, "--buckets", BUCKETS, "--workers", "1", "--out", folder, *arguments])


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
