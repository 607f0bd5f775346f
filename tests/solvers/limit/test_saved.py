"""Runs that are interrupted and continued, and strategies as files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from baycarp.card import HOLDS, cards
from baycarp.errors import ArgumentError, ModelError, VariantError
from baycarp.files import read_arrays, write_arrays
from baycarp.game import Variant
from baycarp.solvers.checkpoint import _digest
from baycarp.solvers.limit.abstraction import parse_buckets
from baycarp.solvers.limit.betting import betting_tree
from baycarp.solvers.limit.checkpoint import CHECKPOINT, Plan, read_plan, restore, save, start
from baycarp.solvers.limit.solution import Solution, load_solution, save_solution
from baycarp.solvers.limit.solver import Settings

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
SPEC = "p4,p3,p5"
PLAN = Plan(LIMIT.name, SPEC, parse_buckets(SPEC, 1), Settings(seed=3, boards=2))


class Rules:
    """The buckets of the rules themselves, without tables."""

    def buckets(self, board):
        return PLAN.abstraction.buckets(board)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder, solver = tmp_path_factory.mktemp("unbroken"), start(PLAN, Rules())
    for _ in range(3):
        solver.iterate()
    save(folder, PLAN, solver)
    return folder, solver


def test_a_continued_run_has_the_bytes_of_an_unbroken_one(unbroken, tmp_path):
    solver = start(PLAN, Rules())
    solver.iterate()
    save(tmp_path, PLAN, solver)
    solver.iterate()  # lost, as in a kill
    again = start(PLAN, Rules())
    restore(tmp_path, PLAN, again)
    assert again.iterations == 1
    again.iterate()
    again.iterate()
    save(tmp_path, PLAN, again)
    assert (tmp_path / CHECKPOINT).read_bytes() == (unbroken[0] / CHECKPOINT).read_bytes()


def test_the_seed_counts(unbroken, tmp_path):
    plan = Plan(LIMIT.name, SPEC, PLAN.abstraction, Settings(seed=4, boards=2))
    solver = start(plan, Rules())
    for _ in range(3):
        solver.iterate()
    assert (solver.tables.regret != unbroken[1].tables.regret).any()
    with pytest.raises(ModelError, match="another plan"):
        restore(unbroken[0], plan, solver)


def test_a_checkpoint_has_its_plan(unbroken):
    assert read_plan(unbroken[0]) == PLAN


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_damaged_checkpoints_are_refused(unbroken, tmp_path, at):
    data = bytearray((unbroken[0] / CHECKPOINT).read_bytes())
    data[int(at * len(data))] ^= 255
    (tmp_path / CHECKPOINT).write_bytes(data)
    with pytest.raises(ModelError, match="checkpoint"):
        read_plan(tmp_path)


@pytest.fixture(scope="module")
def solution(unbroken):
    policy = unbroken[1].policy()
    return Solution.of(betting_tree(LIMIT), PLAN.abstraction, policy, {"command": "-"}), policy


def test_probabilities_are_kept_to_a_step(solution):
    made, policy = solution
    again = made.policy()
    reached = np.concatenate([_reached(made, number).ravel() for number in range(4)])
    assert np.abs(again - policy)[reached].max() <= 1 / 255 + 1e-6
    assert 0 < reached.mean() < 1


def _reached(made, number):
    street = made.tree.streets[number]
    used = np.zeros((len(street.entries), 1, 1, 1, 8), bool)
    for spot in made.tree.spots().values():
        if spot.street == number:
            used[spot.block, ..., spot.lane] = True
    shape = (len(street.entries), len(street.actors), 3, made.abstraction.counts[number], 8)
    return np.broadcast_to(used, shape)


def test_every_decision_has_probabilities_of_legal_actions(solution):
    made, _ = solution
    spots = made.tree.spots()
    assert len(spots) == 8 + 70 + 630 + 5670
    for betting in list(spots)[::37]:
        table = made.table(betting)
        spot = spots[betting]
        legal = np.array(made.tree.streets[spot.street].children[spot.node]) != -1
        assert len(table) == made.abstraction.counts[spot.street]
        np.testing.assert_allclose(table.sum(axis=1), 1)
        assert not table[:, ~legal].any()


@pytest.mark.parametrize("betting", ["f", "rrrrr", "cc", "rc/rc/x", "cc/cc/cc/cc/"])
def test_what_is_no_decision_is_refused(solution, betting):
    with pytest.raises(VariantError, match="expected a decision"):
        solution[0].table(betting)


def test_strategies_are_read_as_they_were_written(solution, tmp_path):
    path = tmp_path / "solution.npz"
    save_solution(solution[0], path)
    again = load_solution(path)
    assert again.digest == solution[0].digest
    assert again.origin == {"command": "-"}
    assert (again.policy() == solution[0].policy()).all()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(ModelError, match="strategy"):
        load_solution(path)
    with pytest.raises(ModelError, match="expected a file of baycarp solve"):
        load_solution(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Variant.ring(3), "expected limit, 2 seats"),
        (Variant.ring(2, betting="no-limit", stacks=(200, 200)), "expected limit, 2 seats"),
        (Variant.ring(2, stacks=(40, 40)), "expected as deep as all bets"),
        (replace(Variant.ring(2), max_raises=(200,) * 4), "ways through the betting, got"),
    ],
)
def test_other_games_have_no_tree(game, reason):
    with pytest.raises(VariantError, match=reason):
        betting_tree(game)


def test_blocked_holdings_have_a_bucket_that_means_nothing():
    board = cards("KsKh2h")
    assert (PLAN.abstraction.buckets(board)[-1][HOLDS[board].any(axis=0)] == 0).all()


def test_boards_and_weights_of_a_plan_are_checked():
    with pytest.raises(ArgumentError):
        Plan.from_dict(PLAN.to_dict() | {"settings": {"seed": 1, "weights": "linear", "boards": 0}})


@pytest.mark.parametrize(
    "change",
    [
        {"plan": {}},
        {"plan": PLAN.to_dict() | {"settings": {"x": 1}}},
        {"plan": PLAN.to_dict() | {"opponent": {"rules": []}}},
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
