"""The processor time of a row counts its workers while they work."""

from baycarp.arena.workers import CONTEXT
from experiments.spent import worked


def _burn(pipe):
    total = 0
    for number in range(10**7):
        total += number
    pipe.send(total)
    pipe.recv()


def test_workers_count_while_they_work_and_after():
    here, there = CONTEXT.Pipe()
    before, process = worked(), CONTEXT.Process(target=_burn, args=(there,))
    process.start()
    here.recv()
    during = worked() - before
    here.send(None)
    process.join()
    assert during > 0.05
    assert worked() - before >= during - 0.05  # the system counts in hundredths
