"""CFR, CFR+ and external sampling: against OpenSpiel, against the definition, and by what they reach."""

import numpy as np
import pytest
from reference.openspiel_games import Peer
from reference.small_games import (
    KUHN,
    LEDUC,
    TREES,
    counterfactual_value,
    counterfactual_values,
    random_strategy,
    sampled_values,
    value_by_linear_program,
)

from baycarp.errors import ArgumentError, VariantError
from baycarp.solvers import (
    ALGORITHMS,
    CFR,
    END,
    ExternalSampling,
    StrategyProfile,
    best_response,
    exploitability,
    flatten,
    nash_conv,
    solve,
    value,
)
from baycarp.solvers.small import kuhn, leduc
from baycarp.solvers.small.mccfr import DEEPEST


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]


def after(solver, iterations):
    for _ in range(iterations):
        solver.step()
    return solver


# CFR and CFR+


@pytest.mark.parametrize("plus", [False, True])
def test_every_iteration_is_that_of_openspiel(tree, plus):
    """The average strategy after each of 30 iterations, by its probabilities and its exploitability."""
    peer = Peer.of(tree)
    theirs = (peer.pyspiel.CFRPlusSolver if plus else peer.pyspiel.CFRSolver)(peer.game)
    ours = CFR(tree, plus)
    for _ in range(30):
        ours.step()
        theirs.evaluate_and_update_policy()
        average, policy = ours.average(), theirs.average_policy()
        for (player, key), name in peer.names.items():
            row = list(average.at(player, key).values())
            assert row == pytest.approx([chance for _, chance in policy.get_state_policy(name)], abs=1e-9)
        assert nash_conv(average) == pytest.approx(peer.pyspiel.nash_conv(peer.game, policy), abs=1e-9)


@pytest.mark.parametrize("player", [0, 1])
def test_counterfactual_values_are_those_of_the_definition(player):
    strategy = random_strategy(KUHN, 5)
    values, side = counterfactual_values(strategy, player), KUHN.sides[player]
    for key, actions in zip(side.informations, side.actions, strict=True):
        for number, action in enumerate(actions):
            exact = counterfactual_value(KUHN.game, strategy.tables(), player, key, action)
            assert values[side.sequence(key, number)] == pytest.approx(exact, abs=1e-14)
    assert values[0] == pytest.approx(value(strategy) * (1 - 2 * player), abs=1e-14)


def test_the_first_regrets_are_those_of_the_uniform_strategy():
    solver = CFR(LEDUC)
    before = StrategyProfile.uniform(LEDUC)
    values = counterfactual_values(before, 0)
    solver.step()
    side = LEDUC.sides[0]
    means = side.sums(values * before.probabilities[0])[side.owner]
    assert solver.regrets[0][1:] == pytest.approx(values[1:] - means, abs=1e-15)


def test_cfr_plus_is_far_below_cfr(tree):
    reached = {
        name: exploitability(after(CFR(tree, name == "cfr+"), 1000).average()) for name in ("cfr", "cfr+")
    }
    assert reached["cfr+"] < reached["cfr"] / 5
    assert reached["cfr+"] < {"kuhn": 1e-4, "leduc": 4e-4}[tree.game.name]


@pytest.mark.parametrize(("name", "published"), [("kuhn", kuhn.VALUE), ("leduc", leduc.VALUE)])
def test_the_value_is_that_of_a_linear_program(name, published):
    exact = value_by_linear_program(TREES[name].game)
    assert exact == pytest.approx(published, abs=1e-9)
    average = after(CFR(TREES[name], plus=True), 3000).average()
    assert value(average) == pytest.approx(exact, abs=3e-5)
    assert -best_response(average, 1).value <= exact <= best_response(average, 0).value


def test_regrets_of_cfr_plus_are_never_negative():
    solver = after(CFR(LEDUC, plus=True), 20)
    assert all(regrets.min() >= 0 for regrets in solver.regrets)
    assert min(regrets.min() for regrets in after(CFR(LEDUC), 20).regrets) < 0


def test_regrets_of_cfr_are_within_the_bound_of_the_theorem(tree):
    """Zinkevich et al., theorem 4: NashConv is at most D |I| sqrt(|A| / T) after T iterations."""
    spread = {"kuhn": 4, "leduc": 26}[tree.game.name]
    most = max(len(actions) for side in tree.sides for actions in side.actions)
    sets = sum(len(side.informations) for side in tree.sides)
    for iterations in (10, 100, 1000):
        lost = nash_conv(after(CFR(tree), iterations).average())
        assert lost <= spread * sets * np.sqrt(most / iterations)


# External sampling


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "strategy", [random_strategy(KUHN, 2), StrategyProfile.uniform(LEDUC)], ids=["kuhn", "leduc"]
)
@pytest.mark.slow
def test_sampled_values_are_unbiased(strategy, player):
    walks = 40_000
    sampled, exact = sampled_values(strategy, player, walks, seed=3), counterfactual_values(strategy, player)
    errors = sampled.std(axis=0, ddof=1) / np.sqrt(walks)
    often = (sampled != 0).sum(axis=0) >= 50  # the mean of fewer is not normal
    assert often.mean() > 0.9
    off = np.abs(sampled.mean(axis=0) - exact)[often] / errors[often]
    assert off.max() < 4
    assert (off < 2).mean() > 0.9  # the errors are no larger than they should be


def test_sampled_values_of_one_walk_are_those_of_pure_play():
    """Every own action is tried, so that a walk visits each information set that the deal allows."""
    strategy = random_strategy(KUHN, 2)
    walk = sampled_values(strategy, 0, 1, seed=1)[0]
    names = {KUHN.sides[0].informations[number][0] for number in KUHN.sides[0].owner[walk[1:] != 0]}
    assert len(names) == 1  # one card


@pytest.mark.slow
def test_external_sampling_approaches_an_equilibrium():
    def mean_lost(iterations):
        solvers = [after(ExternalSampling(KUHN, seed), iterations) for seed in range(4)]
        return np.mean([exploitability(solver.average()) for solver in solvers])

    lost = [mean_lost(iterations) for iterations in (100, 1000, 10_000)]
    assert lost[0] > 2 * lost[1] > 4 * lost[2]
    assert lost[2] < 0.01
    assert exploitability(after(ExternalSampling(LEDUC, 1), 10_000).average()) < 0.3


def test_a_seed_fixes_every_draw():
    def reached(seed):
        return [each.tolist() for each in after(ExternalSampling(LEDUC, seed), 200).average().probabilities]

    assert reached(7) == reached(7) != reached(8)


class Centipede:
    """The players may end the game in turn; the pot grows with every move."""

    name = "centipede"

    def __init__(self, moves):
        self.moves = moves

    def root(self):
        return 0

    def turn(self, state):
        return END if state < 0 or state == self.moves else state % 2

    def actions(self, state):
        return ("stop", "go")

    def information(self, state):
        return str(state)

    def play(self, state, move):
        return state + 1 if move else -1 - state

    def returns(self, state):
        won = float(state + 1 if state < 0 and state % 2 == 1 else -state - 1 if state < 0 else 0)
        return won, -won


def test_long_games_are_sampled_up_to_a_length():
    ExternalSampling(flatten(Centipede(DEEPEST)), 1).step()
    longer = flatten(Centipede(DEEPEST + 1))
    with pytest.raises(VariantError, match="351 moves"):
        ExternalSampling(longer, 1)
    assert np.isfinite(exploitability(after(CFR(longer), 3).average()))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_other_seeds_are_refused(seed):
    with pytest.raises(ArgumentError, match="seed"):
        ExternalSampling(KUHN, seed)


# The curve


@pytest.mark.parametrize("name", ALGORITHMS)
def test_points_are_those_of_the_solver(name):
    points = list(solve(ALGORITHMS[name](KUHN, 1), 123))
    assert [point.iterations for point in points] == [1, 2, 5, 10, 20, 50, 100, 123]
    average = after(ALGORITHMS[name](KUHN, 1), 123).average()
    assert points[-1].exploitability == exploitability(average)
    assert points[-1].value == value(average)
    assert sorted(point.seconds for point in points) == [point.seconds for point in points]


def test_a_solver_is_continued():
    solver = CFR(KUHN)
    assert [point.iterations for point in solve(solver, 7)] == [1, 2, 5, 7]
    assert [point.iterations for point in solve(solver, 7)] == [10, 14]
    assert solver.average().tables() == after(CFR(KUHN), 14).average().tables()


@pytest.mark.parametrize("iterations", [0, -1, 2**63])
def test_no_positive_number_of_iterations_is_refused_at_once(iterations):
    with pytest.raises(ArgumentError, match="iterations"):
        solve(CFR(KUHN), iterations)


def test_a_stop_ends_after_a_whole_iteration():
    calls = iter(range(100))
    points = list(solve(CFR(KUHN), 1000, lambda: next(calls) > 40))
    assert points[-1].iterations < 40
    whole = after(CFR(KUHN), points[-1].iterations).average()
    assert points[-1].exploitability == exploitability(whole)
