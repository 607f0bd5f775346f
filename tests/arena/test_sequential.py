"""The sequential test keeps its rate of error under repeated evaluation, and detects differences."""

import math

import numpy as np
import pytest

from baycarp.arena.sequential import LEAST, Until, anytime_margin
from baycarp.errors import TableError


def leaves(draws, alpha):
    """Whether the running mean is ever outside the sequence around 0: every moment looked at."""
    n = np.arange(1, len(draws) + 1)
    mean = draws.cumsum() / n
    deviation = np.sqrt(np.maximum((draws**2).cumsum() / n - mean**2, 0))
    later = zip(n[LEAST:].tolist(), deviation[LEAST:].tolist(), strict=True)
    margins = [anytime_margin(count, s, alpha) for count, s in later]
    return bool((np.abs(mean[LEAST:]) > margins).any())


def test_equal_players_are_rarely_separated_by_a_test_after_every_deal():
    draw = np.random.default_rng(7)
    wrong = sum(leaves(draw.laplace(size=5000), 0.2) for _ in range(150))
    fixed = sum(abs(draw.normal(size=100).mean()) > 1.2816 / 10 for _ in range(1000))
    assert wrong <= 150 * 0.2
    assert fixed > 150  # the same level, asked once, errs so often


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_match_of_equal_players_is_seldom_settled(level):
    """Evaluated after every 25 deals, the highest rate of a match."""
    draw, until = np.random.default_rng(11), Until("a", "b", level)
    matches = [draw.laplace(size=2000) for _ in range(200)]
    wrong = sum(any(until.settled(won[:n]) for n in range(LEAST, 2001, 25)) for won in matches)
    assert wrong <= 200 * (1 - level)


def test_a_difference_is_settled():
    draw = np.random.default_rng(7)
    until = Until("a", "b")
    won = draw.normal(0.3, 1, 2000)
    settled = [n for n in range(100, 2001, 100) if until.settled(won[:n])]
    assert settled
    assert settled == list(range(settled[0], 2001, 100))
    assert until.settled(-won)
    assert not until.settled(won[: LEAST - 1])


def test_margins_are_the_papers_formula():
    """Waudby-Smith et al. 2021, equation of the two-sided asymptotic sequence, with rho^2 written out."""
    n, alpha, tightest = 730, 0.05, 5000
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tightest
    expected = math.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha))
    assert anytime_margin(n, 3.0) == pytest.approx(3 * expected)
    assert anytime_margin(1, 1.0) == math.inf


@pytest.mark.parametrize("text", ["a", "a>", ">b", "a>a", "a > a @99%", "a>b @50%", "a>b @100%", "a>b @x"])
def test_malformed_conditions_are_refused(text):
    with pytest.raises(TableError, match="expected 'A>B @95%'"):
        Until.parse(text)


def test_the_level_is_read():
    assert Until.parse(" karma > jake @ 99.5 % ") == Until("karma", "jake", 0.995)
    assert Until.parse("a>b").level == 0.95
