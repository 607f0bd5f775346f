"""Runs: the same for any number of workers, interrupted or not, on a cluster with a kill."""

import os
import re
import signal
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import partial
from multiprocessing import active_children
from multiprocessing.connection import wait

import numpy as np
import pytest

from baycarp.arena import cluster as module
from baycarp.arena.cluster import cluster
from baycarp.arena.decks import PLAYED
from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.run import play_units, run
from baycarp.arena.scores import scores
from baycarp.arena.session import Table
from baycarp.arena.workers import CONTEXT, Workers, processes
from baycarp.errors import JournalError, ModelError, TableError, WorkerError
from baycarp.game.variant import Variant

TABLE = Table(Variant.ring(3), ("Ann", "Bob", "Cleo"), ("rule", "jag", "random"), seed=5)
MATCH = Match(TABLE, seatings(3), hands=6)
ROUNDS = MATCH.rounds(24)
PLAY = partial(play_unit, MATCH)


def same(one, other):
    return list(one) == list(other) and all(
        np.array_equal(one[unit].net, other[unit].net)
        and one[unit].tallies == other[unit].tallies
        and one[unit].log == other[unit].log
        for unit in one
    )


@pytest.fixture(scope="module")
def whole():
    return run(PLAY, ROUNDS)


def test_every_unit_is_played_in_order(whole):
    assert list(whole) == [(PLAYED + session, seating) for session in range(4) for seating in range(6)]


def test_workers_change_nothing(whole):
    assert same(run(PLAY, ROUNDS, workers=Workers(2)), whole)


def test_any_executor_will_do(whole):
    with ThreadPoolExecutor(3) as pool:
        assert same(run(PLAY, ROUNDS, workers=Workers(3, pool)), whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_counts_all_hands_up(workers):
    received = []
    dict(play_units(PLAY, ROUNDS[0], Workers(workers), received.append))
    assert received == sorted(received)
    assert received[-1] == 36


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_ends_with_all_hands(whole, workers):
    received = []
    run(PLAY, ROUNDS, None, Workers(workers), received.append)
    assert received[-1] == sum(len(played.net) for played in whole.values())


@pytest.mark.parametrize("workers", [1, 2])
def test_enough_is_called_after_whole_rounds_in_order(whole, workers):
    asked = []

    def enough(results):
        asked.append(len(results))
        return len(results) == 12

    done = run(PLAY, ROUNDS, workers=Workers(workers), enough=enough)
    assert asked == [6, 12]
    assert same(done, {unit: whole[unit] for units in ROUNDS[:2] for unit in units})


def test_units_of_the_journal_are_not_played_again(whole, tmp_path):
    played = []

    def noted(unit, tick):
        played.append(unit)
        if len(played) == 9:
            raise KeyboardInterrupt
        return PLAY(unit, tick)

    path, received = tmp_path / "a.journal", []
    with Journal(path, MATCH.header()) as journal, pytest.raises(KeyboardInterrupt):
        run(noted, ROUNDS, journal)
    with Journal(path, MATCH.header()) as journal:
        assert same(run(noted, ROUNDS, journal, tick=received.append), whole)
    assert len(played) == 25  # one of them twice: it was interrupted
    assert received[0] == 8 * 6
    with Journal(path, MATCH.header()) as journal:
        assert same(run(None, ROUNDS, journal), whole)
        assert list(run(None, ROUNDS, journal, enough=lambda results: True)) == ROUNDS[0]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_unknown_agent_is_named_from_any_process(workers):
    table = Table(Variant.ring(2), ("a", "b"), ("call", "nobody"))
    with pytest.raises(ModelError, match="'nobody'"):
        list(play_units(partial(play_unit, Match(table, hands=2)), [(0, 0), (1, 0)], Workers(workers)))


def killed_after(count, unit, tick):
    """Play a unit; from the given unit on the worker dies, as one does that the system kills."""
    if unit[0] >= PLAYED + count:
        os.kill(os.getpid(), signal.SIGKILL)
    return PLAY(unit, tick)


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_killed_worker_is_named_and_the_journal_goes_on(whole, tmp_path):
    path = tmp_path / "a.journal"
    with (
        Journal(path, MATCH.header()) as journal,
        pytest.raises(
            WorkerError, match=r"worker process ended abruptly.*a\.journal is whole, with \d+ units; the same"
        ),
    ):
        run(partial(killed_after, 2), ROUNDS, journal, Workers(2))
    with Journal(path, MATCH.header()) as journal:
        assert 0 < len(journal.records) < 24
        assert same(run(PLAY, ROUNDS, journal), whole)
    with pytest.raises(WorkerError, match="worker process ended abruptly"):
        run(partial(killed_after, 0), ROUNDS, workers=Workers(2))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda record: record.pop("net"), "KeyError: 'net'"),
        (lambda record: record.update(net=5), "chips of shape"),
        (lambda record: record.update(net=[[1, 2], [3]]), "not the record of a session: ValueError"),
        (lambda record: record.update(net=[[0.5, -0.5, 0]] * 6), "not the record of a session: TypeError"),
        (lambda record: record.update(net=[[2**70, 0, 0]] * 6), "not the record of a session"),
        (lambda record: record["net"][3].__setitem__(0, 99), "chips of hand 3 do not sum to 0"),
        (lambda record: record["tallies"].pop(), "chips of shape"),
        (lambda record: record.update(tallies=7), "not the record of a session: TypeError"),
        (lambda record: record.update(tallies=[7, 7, 7]), "counts: 7: expected an object"),
        (lambda record: record["tallies"][0].pop("acts"), "counts"),
        (lambda record: record["tallies"][0].update(acts=3), "counts: acts: 3: expected a list"),
        (
            lambda record: record["tallies"][0].update(played="5"),
            "counts: played: 5: expected a whole number",
        ),
        (lambda record: record["tallies"][0].update(hands=7), "hands and chips counted"),
        (lambda record: record.update(estimates=[1]), "not the record of a session: AttributeError"),
        (lambda record: record.update(estimates={"x": [[1.0]]}), "estimate 'x'"),
        (lambda record: record.update(log=5), "not the record of a session: TypeError"),
        (lambda record: record["log"].pop(), "log of 5 lines"),
        (lambda record: record.update(log=[1] * 6), "log of 6 lines"),
    ],
)
def test_a_record_that_is_none_of_a_session_is_refused(whole, tmp_path, change, reason):
    unit = ROUNDS[0][0]
    record = whole[unit].to_dict()
    change(record)
    with Journal(tmp_path / "a.journal", MATCH.header()) as journal:
        journal.append(unit, record)
        with pytest.raises(JournalError, match=re.escape(reason)):
            run(PLAY, ROUNDS, journal)


def test_a_record_of_another_table_is_refused(tmp_path):
    other = Match(Table(Variant.ring(2), ("Ann", "Bob"), ("rule", "jag"), seed=5), hands=6)
    unit = ROUNDS[0][0]
    results = run(PLAY, ROUNDS) | {unit: play_unit(other, (0, 0))}
    with pytest.raises(TableError, match="expected 3 players"):
        scores(TABLE.variant, TABLE.players, results)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_cluster_gives_the_same_though_a_worker_is_killed(tmp_path):
    distributed = pytest.importorskip("distributed")
    match = Match(TABLE, seatings(3), hands=50)
    play, rounds, killed = partial(play_unit, match), match.rounds(300), []
    whole = run(play, rounds)
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as workers,
        cluster(workers.scheduler_address) as joined,
        Journal(tmp_path / "a.journal", match.header()) as journal,
    ):
        assert joined.count == 3

        def kill_one(results):
            if not killed:
                killed.append(workers.workers[1].pid)
                os.kill(killed[0], signal.SIGKILL)
            return False

        assert same(run(play, rounds, journal, joined, enough=kill_one), whole)
        assert set(journal.records) == set(whole)
    assert killed


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.slow
def test_a_unit_that_ends_every_worker_of_a_cluster_is_an_error(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(module, "RETRIES", 0)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as workers,
        Journal(tmp_path / "a.journal", MATCH.header()) as journal,
        pytest.raises(WorkerError, match="workers of the cluster ended abruptly"),
        cluster(workers.scheduler_address) as joined,
    ):
        run(partial(killed_after, 0), ROUNDS, journal, joined)


@pytest.mark.slow
@pytest.mark.parametrize("lost", [OSError("closed"), CancelledError()])
def test_a_result_that_is_lost_with_the_scheduler_is_an_error(tmp_path, lost):
    distributed = pytest.importorskip("distributed")

    async def closed(futures, **others):
        raise lost

    def run_on(joined):
        joined.pool._client._gather = closed
        run(PLAY, ROUNDS, journal, joined)

    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as workers,
        Journal(tmp_path / "a.journal", MATCH.header()) as journal,
        pytest.raises(WorkerError, match=r"the scheduler of the cluster 'tcp:.*' ended"),
        cluster(workers.scheduler_address) as joined,
    ):
        run_on(joined)


@pytest.mark.slow
def test_a_cluster_that_does_not_answer():
    pytest.importorskip("distributed")
    with pytest.raises(OSError, match=r"127\.0\.0\.1:9"), cluster("tcp://127.0.0.1:9"):
        pass


def test_an_interruption_ends_the_workers_and_no_other_process():
    bystander, found = CONTEXT.Process(target=time.sleep, args=(60,)), []

    def interrupted():
        with processes(1) as pool:
            pool.submit(time.sleep, 0).result()
            found.extend(set(active_children()) - {bystander})
            raise KeyboardInterrupt

    bystander.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        (worker,) = found
        # The pool's own thread may reap it first, and then its parent never learns the exit code.
        assert wait([worker.sentinel], 20)
        assert bystander.is_alive()
    finally:
        bystander.terminate()
        bystander.join()
