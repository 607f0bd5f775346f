"""Writers that are repeatedly killed at random times, on one store. Run as a script.

    python killed_writers.py PATH KILLS SEED [merged|hasty]

Each child retains cases one by one and records the number of each acknowledged case; the parent kills it with
SIGKILL. Prints the acknowledged numbers of all children, one per line. With "merged", cases have a symbol and
are merged; each child has five situations. With "hasty" a case is acknowledged before it is on the disk,
which is a fault.
"""

import itertools
import os
import random
import select
import signal
import sys
import time
from functools import partial

from reference.retrieval import FLOP, MERGED, draw

from baycarp.cases import Case, CaseStore, Situation


def retain_for_ever(path, child, out, hasty=False):
    import numpy as np

    columns = draw(20, seed=1)
    with CaseStore(path, [FLOP]) as store:
        for count in itertools.count(1):
            number, i = child * 1_000_000 + count, count % 20
            situation = Situation(columns["numbers"][:, i], columns["codes"][:, i], np.zeros(3))
            where = {"game": child, "hand": number, "player": 0, "board": [255] * 5, "hole": [0, 1]}
            ticket = store.retain("flop", Case(situation, "call", float(number), where))
            if count % 3 == 0:  # several cases are queued
                if not hasty:
                    ticket.result()
                os.write(out, f"{number - 2}\n{number - 1}\n{number}\n".encode())


def merge_for_ever(path, child, out):
    with CaseStore(path, [MERGED]) as store:
        for count in itertools.count(1):
            number = child * 1_000_000 + count
            situation = MERGED.situation({"x": count % 5, "child": str(child)})
            ticket = store.retain("merged", Case(situation, ("low", "high")[count % 2], 0.5))
            if count % 3 == 0:
                ticket.result()
                os.write(out, f"{number - 2}\n{number - 1}\n{number}\n".encode())


def main(path, kills, seed, write):
    queries = random.Random(seed)
    for child in range(kills):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            write(path, child, writing)
        os.close(writing)
        if child % 2:  # half of the children have acknowledged a case under any load
            select.select([reading], [], [])
        time.sleep(queries.uniform(0.01, 0.12))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        with os.fdopen(reading) as pipe:
            sys.stdout.write(pipe.read())


if __name__ == "__main__":
    writers = {"merged": merge_for_ever, "hasty": partial(retain_for_ever, hasty=True)}
    write = writers[sys.argv[4]] if sys.argv[4:] else retain_for_ever
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), write)
