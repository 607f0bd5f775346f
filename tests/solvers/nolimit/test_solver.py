"""External sampling against exact values: Leduc hold'em, and push or fold with ten big blinds."""

from types import SimpleNamespace

import numpy as np
import pytest

from baycarp.card import CLASS_OF, HOLDINGS
from baycarp.errors import ArgumentError
from baycarp.kernels.mccfr import DEAL, Sampling
from baycarp.kernels.preflop import class_equities
from baycarp.solvers import Leduc, StrategyProfile, exploitability, flatten, value
from baycarp.solvers.nolimit.response import Responses, loss
from baycarp.solvers.nolimit.solver import BATCH, NoLimitSettings, NoLimitSolver
from baycarp.solvers.small.game import CHANCE, END
from baycarp.solvers.small.leduc import VALUE

LEDUC = Leduc()
COUNTS = (3, 9, 1, 1)


def leduc_betting():
    """The betting of Leduc as arrays, and the rounds of betting at each node; cards do not change it."""
    states, edges, children, chips, folded = [("JQ", ("",))], [0], [], [], []
    for state in states:
        for move, action in enumerate(LEDUC.actions(state)):
            after = LEDUC.play(state, move)
            if LEDUC.turn(after) == CHANCE:
                after = LEDUC.play(after, 2)  # the king
            if LEDUC.turn(after) == END:
                chips.append(abs(LEDUC.returns(after)[0]))
                folded.append(LEDUC.turn(state) if action == "fold" else -1)
                children.append(-len(chips))
            else:
                children.append(len(states))
                states.append(after)
        edges.append(len(children))
    actors = [LEDUC.turn(state) for state in states]
    streets = [len(state[1]) - 1 for state in states]
    arrays = SimpleNamespace(
        edges=np.array(edges), children=np.array(children), actors=np.array(actors),
        streets=np.array(streets), chips=np.array(chips), folded=np.array(folded),
    )  # fmt: skip
    return arrays, [state[1] for state in states]


def leduc_deals(seed, first, n):
    """Cards 0..5 of three ranks; in the second round a bucket is both ranks in sight."""
    made = np.zeros(n, DEAL)
    for number in range(n):
        one, other, public = np.random.default_rng((seed, first + number)).permutation(6)[:3] // 2
        made["buckets"][number] = [[one, 3 * one + public, 0, 0], [other, 3 * other + public, 0, 0]]
        strengths = [card + 3 * (card == public) for card in (one, other)]
        made["won"][number] = np.sign(strengths[0] - strengths[1])
    return made


def leduc_strategy(policy):
    """A policy by cell as a strategy of the small game, by its information sets."""
    arrays, rounds = leduc_betting()
    tables = ({}, {})
    cell = 0
    for node, acts in enumerate(rounds):
        actions = LEDUC.actions(("JQK"[: len(acts) + 1], acts))
        for bucket in range(COUNTS[arrays.streets[node]]):
            cards = "JQK"[bucket] if len(acts) == 1 else "JQK"[bucket // 3] + "JQK"[bucket % 3]
            row = policy[cell : cell + len(actions)].astype(float)
            tables[arrays.actors[node]][f"{cards}:{'/'.join(acts)}"] = dict(
                zip(actions, row / row.sum(), strict=True)
            )
            cell += len(actions)
    assert cell == len(policy)
    return StrategyProfile.of(flatten(LEDUC), tables)


@pytest.fixture(scope="module")
def leduc():
    solver = NoLimitSolver(leduc_betting()[0], COUNTS, leduc_deals, NoLimitSettings(seed=3, step=100))
    for _ in range(400):
        solver.iterate()
    return solver


@pytest.mark.slow
def test_leduc_is_approached(leduc):
    """By the exact best response and the value of the linear program; a uniform strategy loses 2.37."""
    assert leduc.iterations == 400 * BATCH
    strategy = leduc_strategy(leduc.policy())
    assert exploitability(strategy) < 0.05
    assert value(strategy) == pytest.approx(VALUE, abs=0.02)


def test_values_of_deals_are_those_of_the_game(leduc):
    """Over every deal, weighed by its chance."""
    policy = leduc.policy()
    deals = leduc_deals(1, 0, 6000)
    patterns, counts = np.unique(deals, return_counts=True)
    chances = np.array([_chance(*each["buckets"][:, :2].tolist()) for each in patterns])
    assert len(patterns) == 24
    assert chances.sum() == pytest.approx(1)
    assert np.abs(counts / 6000 - chances).max() < 0.02
    mean = leduc.sampling.values(patterns, policy, policy) @ chances
    assert mean == pytest.approx(value(leduc_strategy(policy)), abs=1e-6)


def _chance(first, second):
    one, other, public = first[0], second[0], first[1] % 3
    left = [2, 2, 2]
    chance = 1.0
    for card in (one, other, public):
        chance *= left[card] / sum(left)
        left[card] -= 1
    return chance


def test_responders_win_less_than_a_best_response(leduc):
    uniform = leduc.sampling.policy(np.zeros(leduc.sampling.cells, np.float32))
    for policy, share in ((uniform, 0.9), (leduc.policy(), 0.0)):
        exact = exploitability(leduc_strategy(policy))
        found = loss(leduc.sampling, policy, leduc_deals, Responses(9, 4000, 3000))
        assert share * exact - 1.96 * found.error < found.lower < exact + 1.5 * 1.96 * found.error


def test_push_or_fold_with_ten_big_blinds():
    """Exploitability by the table of exact equities of the 169 classes, and of the holdings that can meet."""
    tree = SimpleNamespace(
        edges=np.array([0, 2, 4]), children=np.array([-1, 1, -2, -3]), actors=np.array([1, 0]),
        streets=np.array([0, 0]), chips=np.array([0.5, 1, 10]), folded=np.array([1, 0, -1]),
    )  # fmt: skip
    draw = np.random.default_rng(1)

    def deals(seed, first, n):
        made = np.zeros(n, DEAL)
        cards = draw.permuted(np.tile(np.arange(52), (n, 1)), axis=1)[:, :4]
        top, low = np.maximum(cards[:, ::2], cards[:, 1::2]), np.minimum(cards[:, ::2], cards[:, 1::2])
        made["buckets"][:, :, 0] = CLASS_OF[top * (top - 1) // 2 + low]
        one, other = made["buckets"][:, 0, 0], made["buckets"][:, 1, 0]
        made["won"] = np.where(draw.random(n) < class_equities()[one, other], 1, -1)
        return made

    solver = NoLimitSolver(tree, (169, 1, 1, 1), deals, NoLimitSettings(step=1000))
    for _ in range(120):
        solver.iterate(10_000)
    push, call = solver.policy().reshape(2, 169, 2)[:, :, 1].astype(float)
    meets = ~(HOLDINGS[:, None, :, None] == HOLDINGS[None, :, None, :]).any(axis=(2, 3))
    weights = np.zeros((169, 169))
    np.add.at(weights, (np.asarray(CLASS_OF)[:, None], np.asarray(CLASS_OF)[None, :]), meets)
    showdown = 20 * class_equities() - 10
    pushed = (weights * (call * showdown + (1 - call))).sum(axis=1) / weights.sum()
    folded = -0.5 * weights.sum(axis=1) / weights.sum()
    value_small = (push * pushed + (1 - push) * folded).sum()
    best_small = np.maximum(pushed, folded).sum()
    called = (weights.T * push * showdown).sum(axis=1) / weights.sum()
    passed = -(weights.T * push).sum(axis=1) / weights.sum()
    gains = (
        best_small - value_small,
        np.maximum(called, passed).sum() - (call * called + (1 - call) * passed).sum(),
    )
    assert max(gains) < 0.01  # big blinds a hand
    frequency = (push * weights.sum(axis=1)).sum() / weights.sum()
    assert frequency == pytest.approx(0.58, abs=0.03)  # 58 % of the hands, as published for ten big blinds


def small_run():
    return NoLimitSolver(leduc_betting()[0], COUNTS, leduc_deals, NoLimitSettings(seed=5, step=7))


def test_a_broken_run_has_the_bytes_of_an_unbroken_one():
    whole, first, again = small_run(), small_run(), small_run()
    whole.iterate(200)
    first.iterate(70)
    again.restore(70, first.regret, first.average)
    first.iterate(9)  # lost, as in a kill
    again.iterate(130)
    assert again.iterations == whole.iterations == 200
    assert (again.regret == whole.regret).all()
    assert (again.average == whole.average).all()
    assert (small_run().regret == 0).all()
    with pytest.raises(ArgumentError, match="cells"):
        again.restore(1, whole.regret[1:], whole.average[1:])


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("edges", [0, 0]),
        ("edges", [0, 9]),
        ("children", [0] * 4),
        ("children", [-9] * 4),
        ("actors", [2, 0]),
        ("streets", [0, 4]),
        ("chips", [np.nan] * 3),
        ("folded", [2, 0, 0]),
    ],
)
def test_trees_that_contradict_themselves_are_refused(name, array):
    tree = SimpleNamespace(
        edges=np.array([0, 2, 4]), children=np.array([-1, 1, -2, -3]), actors=np.array([1, 0]),
        streets=np.array([0, 0]), chips=np.array([0.5, 1, 10]), folded=np.array([1, 0, -1]),
    )  # fmt: skip
    Sampling(tree, (1, 1, 1, 1))
    setattr(tree, name, np.array(array))
    with pytest.raises(ArgumentError, match=name):
        Sampling(tree, (1, 1, 1, 1))


def test_deals_of_other_buckets_are_refused():
    solver = small_run()
    deals = leduc_deals(1, 0, 3)
    deals["buckets"][1, 0, 1] = 9
    for given in (deals, deals[:0], deals["won"], None):
        with pytest.raises(ArgumentError, match="deals"):
            solver.sampling.learn(given, 0, solver.regret, solver.average, solver.settings)
    with pytest.raises(ArgumentError, match="cells"):
        solver.sampling.values(leduc_deals(1, 0, 3), solver.regret[1:], solver.average)
