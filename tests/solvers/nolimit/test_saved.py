"""A no-limit run and its strategy as files: continued, read back, and refused where they are damaged."""

import json

import numpy as np
import pytest

from baycarp.errors import ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.game import Variant
from baycarp.kernels.mccfr import Sampling
from baycarp.solvers.limit.abstraction import parse_buckets
from baycarp.solvers.limit.tables import BucketTables
from baycarp.solvers.nolimit.betting import betting_tree
from baycarp.solvers.nolimit.checkpoint import CHECKPOINT, Plan, read_plan, restore, save, start
from baycarp.solvers.nolimit.solution import Solution, load_solution, save_solution
from baycarp.solvers.nolimit.solver import Settings

SPEC = "p3,p2,p4"
PLAN = Plan("holdem.nolimit.2p.100bb", SPEC, parse_buckets(SPEC, 1), Settings(seed=3, step=20))
ZEROS = BucketTables(PLAN.abstraction, np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16))


def played(*parts):
    solver = start(PLAN, ZEROS)
    for count in parts:
        solver.iterate(count)
    return solver


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder, solver = tmp_path_factory.mktemp("unbroken"), played(150)
    save(folder, PLAN, solver)
    return folder, solver


def test_a_continued_run_has_the_bytes_of_an_unbroken_one(unbroken, tmp_path):
    first = played(30, 10)
    save(tmp_path, PLAN, first)
    first.iterate(50)  # lost, as in a kill
    again = start(PLAN, ZEROS)
    restore(tmp_path, PLAN, again)
    again.iterate(110)
    save(tmp_path, PLAN, again)
    assert (tmp_path / CHECKPOINT).read_bytes() == (unbroken[0] / CHECKPOINT).read_bytes()
    assert read_plan(tmp_path) == PLAN


def test_another_plan_is_refused(unbroken):
    plan = Plan(PLAN.game, SPEC, PLAN.abstraction, Settings(seed=4, step=20))
    solver = start(plan, ZEROS)
    solver.iterate(150)
    assert (solver.regret != unbroken[1].regret).any()
    with pytest.raises(ModelError, match="another plan"):
        restore(unbroken[0], plan, solver)


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_damaged_checkpoints_are_refused(unbroken, tmp_path, at):
    data = bytearray((unbroken[0] / CHECKPOINT).read_bytes())
    data[int(at * len(data))] ^= 255
    (tmp_path / CHECKPOINT).write_bytes(data)
    with pytest.raises(ModelError, match="checkpoint"):
        read_plan(tmp_path)


@pytest.fixture(scope="module")
def solution(unbroken):
    tree = betting_tree(Variant.load(PLAN.game))
    return Solution.of(tree, PLAN.abstraction, unbroken[1].policy(), {"command": "-"})


def test_probabilities_are_kept_to_a_step(solution, unbroken):
    policy = unbroken[1].policy()
    assert np.abs(solution.policy() - policy).max() <= 1 / 255 + 1e-6
    sampling = Sampling(solution.tree, PLAN.abstraction.counts)
    for sums in (policy, solution.policy()):
        np.testing.assert_allclose(np.add.reduceat(sums, sampling.rows), 1, atol=1e-5)
    for letters, buckets in (("", 169), ("cc", 3), ("ccccc", 2), ("pcpcc", 2)):
        node = solution.tree.node(letters)
        table = solution.table(node)
        assert table.shape == (buckets, len(solution.tree.actions(node)))
        np.testing.assert_allclose(table.sum(axis=1), 1)
    first = solution.table(0).ravel()
    np.testing.assert_allclose(first, policy[: len(first)], atol=1 / 255)


def test_a_strategy_is_read_back(solution, tmp_path):
    path = tmp_path / "solution.npz"
    save_solution(solution, path)
    again = load_solution(path)
    assert (again.steps == solution.steps).all()
    assert again.digest == solution.digest
    assert again.origin == solution.origin


@pytest.mark.parametrize(
    "change", [{"version": 2}, {"game": "holdem.nolimit.3p"}, {"abstraction": {}}, {"digest": "0"}]
)
def test_strategies_of_a_stranger_are_refused(solution, tmp_path, change):
    path = tmp_path / "solution.npz"
    save_solution(solution, path)
    arrays = read_arrays(path)
    head = json.loads(str(arrays["head"])) | change
    write_arrays(path, arrays | {"head": np.array(json.dumps(head))})
    with pytest.raises(ModelError, match="strateg"):
        load_solution(path)


def test_rows_above_one_are_refused(solution, tmp_path):
    path = tmp_path / "solution.npz"
    save_solution(solution, path)
    arrays = read_arrays(path)
    for steps, reason in (
        (np.full_like(arrays["steps"], 255), "more than 1"),
        (arrays["steps"][1:], "uint8"),
    ):
        write_arrays(path, arrays | {"steps": steps})
        with pytest.raises(ModelError, match=reason):
            load_solution(path)
    with pytest.raises(ModelError, match="expected a file of baycarp solve"):
        load_solution(tmp_path / "none.npz")
