"""Runs of hold'em that are interrupted and continued: to the same bytes, of the same plan."""

import json
from dataclasses import replace

import numpy as np
import pytest

from baycarp.errors import ArgumentError, ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.tables import BucketTables
from baycarp.solvers.checkpoint import CHECKPOINT, _digest, continued, read_plan, save
from baycarp.solvers.limit.run import LimitRun
from baycarp.solvers.limit.solver import LimitSettings
from baycarp.solvers.nolimit.run import NoLimitRun
from baycarp.solvers.nolimit.solver import NoLimitSettings
from baycarp.solvers.plan import SolvePlan
from baycarp.solvers.run import SolveRun

SPEC = "p3,p2,p4"
BUCKETS = parse_buckets(SPEC, 1)
LIMIT = SolvePlan("holdem.limit.2p.reverse_blinds", SPEC, BUCKETS, LimitSettings(seed=3, boards=2))
NO_LIMIT = SolvePlan("holdem.nolimit.2p.100bb", SPEC, BUCKETS, NoLimitSettings(seed=3, step=20))
TABLES = BucketTables(BUCKETS, np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16))
KINDS = {"limit": (LIMIT, LimitRun, 1), "no-limit": (NO_LIMIT, NoLimitRun, 50)}


@pytest.fixture(params=KINDS, scope="module")
def kind(request):
    return KINDS[request.param]


def iterated(kind, *parts):
    plan, run, unit = kind
    solver = run(plan, TABLES).solver
    for part in parts:
        solver.iterate(part * unit)
    return solver


def write(folder, plan, solver):
    save(folder, plan, solver.iterations, solver.sums)


@pytest.fixture(scope="module")
def unbroken(kind, tmp_path_factory):
    folder, solver = tmp_path_factory.mktemp("unbroken"), iterated(kind, 3)
    write(folder, kind[0], solver)
    return folder, solver


def test_a_continued_run_has_the_bytes_of_an_unbroken_one(kind, unbroken, tmp_path):
    plan, solver = kind[0], iterated(kind, 1)
    write(tmp_path, plan, solver)
    solver.iterate()  # lost, as in a kill
    again = iterated(kind)
    iterations, sums = continued(tmp_path, plan)
    again.restore(iterations, *sums)
    assert again.iterations == kind[2]
    for _ in range(2):
        again.iterate(kind[2])
    write(tmp_path, plan, again)
    assert (tmp_path / CHECKPOINT).read_bytes() == (unbroken[0] / CHECKPOINT).read_bytes()
    assert read_plan(tmp_path) == plan


def test_the_seed_counts(kind, unbroken):
    other = replace(kind[0], settings=replace(kind[0].settings, seed=4))
    solver = iterated((other, *kind[1:]), 3)
    assert (solver.sums[0] != unbroken[1].sums[0]).any()
    with pytest.raises(ModelError, match="another plan"):
        continued(unbroken[0], other)


def test_the_first_batch_is_in_a_checkpoint(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("baycarp.solvers.run.bucket_tables", lambda *_: TABLES)
    run = SolveRun(tmp_path, kind[0], 1, lambda *_: None)

    def killed():
        if run.solver.iterations:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run.solve(None, None, killed, lambda _: None)
    assert continued(tmp_path, kind[0])[0] == run.solver.iterations == run.solver.batch


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_damaged_checkpoints_are_refused(unbroken, tmp_path, at):
    data = bytearray((unbroken[0] / CHECKPOINT).read_bytes())
    data[int(at * len(data))] ^= 255
    (tmp_path / CHECKPOINT).write_bytes(data)
    with pytest.raises(ModelError, match="checkpoint"):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"plan": {}},
        {"plan": LIMIT.to_dict() | {"settings": {"x": 1}}},
        {"plan": LIMIT.to_dict() | {"settings": {"seed": 1, "boards": 0}}},
        {"plan": LIMIT.to_dict() | {"opponent": {"rules": []}}},
        {"plan": LIMIT.to_dict() | {"buckets": None}},
        {"plan": LIMIT.to_dict() | {"abstraction": LIMIT.abstraction.to_dict() | {"recall": [0, 1.5, "x"]}}},
        {"iterations": -1},
        {"iterations": "3"},
    ],
)
def test_checkpoints_of_a_stranger_are_refused(unbroken, tmp_path, change):
    """Their digest is right: it detects damage, not intent."""
    arrays = read_arrays(unbroken[0] / CHECKPOINT)
    head = json.loads(str(arrays["head"])) | change
    head["digest"] = _digest(head, (arrays["regret"], arrays["average"]))
    write_arrays(tmp_path / CHECKPOINT, arrays | {"head": np.array(json.dumps(head))})
    with pytest.raises(ModelError, match="checkpoint"):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("holdem.nolimit.2p.100bb", "p3,p3,v3"), "expected percentiles"),
        (("holdem.nolimit.2p.100bb", "p3,p3,p3", 1, "p3,p3"), "expected none"),
        (("holdem.limit.2p.reverse_blinds", "p3"), "expected three rules"),
        (("holdem.limit.2p.reverse_blinds", "p3,p3,p3", 1, "p0,p3"), "at least 1"),
    ],
)
def test_plans_that_cannot_be_solved_are_refused(words, reason):
    with pytest.raises(ArgumentError, match=reason):
        SolvePlan.of(*words)
