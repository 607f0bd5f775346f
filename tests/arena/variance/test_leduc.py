"""Control variates on Leduc hold'em, where every hand can be listed: unbiased, and intervals that cover."""

import numpy as np
import pytest
from reference.leduc_hands import DEALS, LeducShowdowns, lines
from reference.small_games import LEDUC, expected, random_strategy

from baycarp.arena.scores import Scores
from baycarp.arena.variance.control import less_luck
from baycarp.solvers import CFR, StrategyProfile

PER = 100 / 2
"""The unit of the benchmarks, big blinds in a hundred hands, where two chips are a blind."""


def solved(iterations):
    solver = CFR(LEDUC, plus=True)
    for _ in range(iterations):
        solver.step()
    return solver.average()


STRATEGIES = {
    "uniform": StrategyProfile.uniform(LEDUC).tables(),
    "random": random_strategy(LEDUC, 5).tables(),
    "equilibrium": solved(200).tables(),
}


def known_of(hand, policies, players):
    """The policies of these players' acts."""
    return [policy if act.seat in players else None for act, policy in zip(hand.acts, policies, strict=True)]


def every_hand(tables, players=(0, 1)):
    """Of all hands: deal, probability, what the first player won, its estimate."""
    rows = []
    for number, cards in enumerate(DEALS):
        for chance, hand, policies in lines(cards, tables):
            estimate = less_luck(LeducShowdowns(hand), hand, known_of(hand, policies, players))
            assert estimate.sum() == pytest.approx(0, abs=1e-12)
            rows.append((number, chance, hand.payoffs()[0], estimate[0]))
    return np.array(rows).T


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [("uniform", (0, 1)), ("random", ()), ("random", (0,)), ("random", (0, 1)), ("equilibrium", (0, 1))],
)
def test_the_mean_is_that_of_the_payoffs_exactly(name, players):
    """And the value of the game as another walk of its tree computes it."""
    _, chances, won, estimates = every_hand(STRATEGIES[name], players)
    chances /= len(DEALS)
    assert chances.sum() == pytest.approx(1)
    assert chances @ estimates == pytest.approx(chances @ won, abs=1e-12)
    assert chances @ won == pytest.approx(expected(LEDUC.game, STRATEGIES[name]), abs=1e-12)


def test_the_estimates_are_narrower():
    _, chances, won, estimates = every_hand(STRATEGIES["equilibrium"])
    chances /= len(DEALS)
    plain, left = (chances @ each**2 - (chances @ each) ** 2 for each in (won, estimates))
    assert left < 0.75 * plain


def drawn(rows, numbers, rng):
    """The estimate of a hand of each of these deals."""
    deals, chances, _, estimates = rows
    starts = np.searchsorted(deals, np.arange(len(DEALS) + 1))
    sums = np.concatenate([[0], np.cumsum(chances)])
    wanted = sums[starts[numbers]] + rng.random(len(numbers)) * (
        sums[starts[numbers + 1]] - sums[starts[numbers]]
    )
    return estimates[np.searchsorted(sums, wanted, side="right") - 1]


@pytest.mark.slow
def test_intervals_of_duplicate_matches_cover_the_value():
    """Of a thousand matches of two hundred deals, 93 to 97 % have the exact difference in them."""
    one, other = STRATEGIES["equilibrium"], STRATEGIES["random"]
    first, second = every_hand((one[0], other[1])), every_hand((other[0], one[1]))
    true = (expected(LEDUC.game, (one[0], other[1])) - expected(LEDUC.game, (other[0], one[1]))) / 2
    rng, inside, means = np.random.default_rng(11), 0, []
    for _ in range(1000):
        numbers = rng.integers(len(DEALS), size=200)
        won = PER * (drawn(first, numbers, rng) - drawn(second, numbers, rng)) / 2
        scores = Scores(("one", "other"), {"control": np.stack([won, -won], axis=1)}, 2, "bb/100")
        rate = scores.rate("one", "control")
        inside += abs(rate.mean - PER * true) <= rate.margin
        means.append(rate.mean)
    assert 930 <= inside <= 970
    assert np.mean(means) == pytest.approx(PER * true, abs=4 * np.std(means) / np.sqrt(1000))
