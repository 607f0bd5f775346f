"""Total bankroll and run-off: by the published tables, by hand, and beside a slow reference."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baycarp.arena.measure import interval
from baycarp.arena.ranking import (
    RULES,
    Results,
    instant_runoff,
    order_shares,
    places,
    rank_agents,
    total_bankroll,
)
from baycarp.errors import TableError


def heads_up(table, deals=1, unit="sb/h"):
    """Results of a cross table: ``table[a][b]`` are a's winnings from b, equal on every deal."""
    games = tuple(itertools.combinations(range(len(table)), 2))
    blocks = tuple(np.full((deals, 2), [table[a][b], table[b][a]], float) for a, b in games)
    return Results(tuple(f"agent {n}" for n in range(len(table))), games, blocks, unit)


def means(results):
    return results.rows.mean(axis=0)


# What was printed

BANKROLLS = {
    "7": (0.225, 0.207, 0.203, 0.200, 0.199, 0.193, 0.164, 0.160, 0.139, 0.118, -0.046, -0.320, -1.441),
    "8": (0.286, 0.281, 0.225, 0.220, 0.216, 0.209, 0.209, 0.192, 0.180, 0.145, 0.001, -0.035, -0.051,
          -0.097, -0.176, -0.230, -0.268, -0.549, -0.759),
    "12": (2.156, 1.458, 1.212, 0.537, -5.362),
    "13": (1.567, 1.302, 1.133, 1.026, 0.968, 0.464, -6.460),
    "16": (0.266, 0.171, 0.130, 0.122, 0.016, -0.084, -0.099, -0.521),
}  # fmt: skip
"""Average won or lost in the printed order of the total bankroll (Rubin and Watson 2012).
Table 6 is not in the order of
its own figures; table 16 lets its third and fourth share a place, 0.130 +-0.045 and 0.122 +-0.022."""

SHARED = {"8": {7: 6}}
"""Places that equal figures share."""


@pytest.mark.parametrize("table", BANKROLLS)
def test_total_bankroll_ranks_as_seed_001_prints(table):
    """The seed prints no cross tables: this one has its averages."""
    printed = np.array(BANKROLLS[table])
    assert abs(printed.sum()) < 0.002  # what is won is lost: these averages are of round robins
    count = len(printed)
    results = heads_up((printed[:, None] - printed[None, :]) * (count - 1) / count)
    rounds = total_bankroll(results, means(results))
    assert rounds[0].bankrolls == pytest.approx(printed, abs=0.002)
    expected = [SHARED.get(table, {}).get(place, place) for place in range(1, count + 1)]
    assert places(rounds).tolist() == expected


AAAI_2006 = {
    "normal": ([[0, 50, 720, 410], [-50, 0, 530, -190], [-720, -530, 0, 1170], [-410, 190, -1170, 0]],
               [390, 100, -30, -460]),
    "slower": ([[0, 110, 180, 730], [-110, 0, 120, 520], [-180, -120, 0, 650], [-730, -520, -650, 0]],
               [340, 180, 120, -640]),
}  # fmt: skip
"""Cross tables of the first computer poker competition with their averages, as the University of Alberta's
news page of 2006 prints them, rounded to tens; chips."""


@pytest.mark.parametrize("pace", AAAI_2006)
def test_a_printed_cross_table_has_its_printed_averages(pace):
    table, averages = AAAI_2006[pace]
    results = heads_up(table)
    rounds = total_bankroll(results, means(results))
    assert rounds[0].bankrolls == pytest.approx(averages, abs=10)
    assert places(rounds).tolist() == [1, 2, 3, 4]


# By hand

SHARK, SOLID, SOLIDER, FISH = range(4)
TABLE = [
    [0, -1, -2, 30],  # lives off the fish, loses to everybody else (Rubin and Watson 2012, section 3.2)
    [1, 0, -1, 10],
    [2, 1, 0, 8],
    [-30, -10, -8, 0],
]


def test_the_runoff_does_not_favour_winnings_from_weak_agents():
    results = heads_up(TABLE)
    total = total_bankroll(results, means(results))
    assert total[0].bankrolls == pytest.approx([9, 10 / 3, 11 / 3, -16])
    assert places(total).tolist() == [1, 3, 2, 4]
    runoff = instant_runoff(results, means(results))
    assert [step.pool for step in runoff] == [(0, 1, 2, 3), (0, 1, 2), (1, 2)]
    assert runoff[1].bankrolls == pytest.approx([-1.5, 0, 1.5])
    assert runoff[2].bankrolls == pytest.approx([-1, 1])
    assert places(runoff).tolist() == [3, 2, 1, 4]


def test_the_last_table_ends_a_runoff_of_three_handed_games():
    games = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    blocks = ([1, 0, -1], [-4, -5, 9], [2, -2, 0], [1, 1, -2])
    results = Results(tuple("abcd"), games, tuple(np.array([block], float) for block in blocks), "sb/h")
    runoff = instant_runoff(results, means(results))
    assert runoff[0].bankrolls == pytest.approx([-1 / 3, -4 / 3, -2 / 3, 7 / 3])
    assert [step.pool for step in runoff] == [(0, 1, 2, 3), (0, 2, 3)]
    assert places(runoff).tolist() == [1, 4, 3, 2]


@pytest.mark.parametrize("rule", RULES)
def test_equals_share_a_place(rule):
    circle = heads_up([[0, 0.1, -0.1], [-0.1, 0, 0.1], [0.1, -0.1, 0]])
    assert places(RULES[rule](circle, means(circle))).tolist() == [1, 1, 1]
    twins = heads_up([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]])
    assert places(RULES[rule](twins, means(twins))).tolist() == [1, 2, 2]


# Beside a slow reference


def slow_bankroll(results, agent, pool):
    rates = [
        block[:, game.index(agent)].mean()
        for game, block in zip(results.games, results.blocks, strict=True)
        if agent in game and all(other in pool for other in game)
    ]
    return sum(rates) / len(rates)


def slow_runoff(results):
    """Places by the definition of the paper; there are no ties."""
    pool, place = list(range(len(results.agents))), {}
    while len(pool) > results.seats:
        last = min(pool, key=lambda agent: slow_bankroll(results, agent, pool))
        place[last] = len(pool)
        pool.remove(last)
    for number, agent in enumerate(sorted(pool, key=lambda agent: -slow_bankroll(results, agent, pool)), 1):
        place[agent] = number
    return [place[agent] for agent in range(len(results.agents))]


@st.composite
def tournaments(draw):
    seats = draw(st.integers(2, 4))
    count = draw(st.integers(seats, 7))
    deals = draw(st.integers(1, 6))
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    games = tuple(itertools.combinations(range(count), seats))
    blocks = tuple(chance.normal(size=(deals, seats)) for _ in games)
    blocks = tuple(block - block.mean(axis=1, keepdims=True) for block in blocks)
    return Results(tuple(map(str, range(count))), games, blocks, "sb/h")


@settings(max_examples=60, deadline=None)
@given(tournaments())
def test_both_rules_follow_their_paper(results):
    everybody = range(len(results.agents))
    bankrolls = [slow_bankroll(results, agent, everybody) for agent in everybody]
    total = places(total_bankroll(results, means(results)))
    assert total.tolist() == [1 + sum(other > own for other in bankrolls) for own in bankrolls]
    assert places(instant_runoff(results, means(results))).tolist() == slow_runoff(results)


@settings(max_examples=15, deadline=None)
@given(tournaments(), st.sampled_from(sorted(RULES)))
def test_the_bootstrap_draws_deals_with_all_that_was_made_of_them(results, rule):
    shares = order_shares(results, RULES[rule], 20, seed=3)
    expected = np.zeros_like(shares)
    chance = np.random.default_rng(3)
    for _ in range(20):
        drawn = chance.integers(results.deals, size=results.deals)
        again = Results(results.agents, results.games, tuple(block[drawn] for block in results.blocks), "")
        for agent, place in enumerate(places(RULES[rule](again, means(again)))):
            expected[agent, place - 1] += 1 / 20
    assert shares == pytest.approx(expected)
    assert shares.sum(axis=1) == pytest.approx(1)


# Intervals


@pytest.fixture
def noisy():
    """Three agents, 400 deals; luck is equal in all games of a deal, so only paired deals separate them."""
    chance = np.random.default_rng(5)
    luck = chance.normal(0, 3, 400)
    games = ((0, 1), (0, 2), (1, 2))
    edges = (0.3, 0.1, 0.02)
    rates = [
        luck * (0 in game) + edge + chance.normal(0, 0.5, 400)
        for game, edge in zip(games, edges, strict=True)
    ]
    return Results(tuple("abc"), games, tuple(np.stack([rate, -rate], 1) for rate in rates), "sb/h")


def test_intervals_are_over_deals(noisy):
    ab, ac, bc = noisy.blocks
    for rate, series in (
        (noisy.against(0, 1), ab[:, 0]),
        (noisy.against(2, 0), ac[:, 1]),
        (noisy.rate(0, (0, 1, 2)), (ab[:, 0] + ac[:, 0]) / 2),
        (noisy.rate(1, (1, 2)), bc[:, 0]),
        (noisy.difference(1, 2, (0, 1, 2)), (ab[:, 1] + bc[:, 0] - ac[:, 1] - bc[:, 1]) / 2),
    ):
        expected = interval(series)
        assert (rate.mean, rate.margin) == pytest.approx((expected.mean, expected.margin))
        assert (rate.n, rate.unit) == (400, "sb/h")
    assert noisy.against(0, 0) is None


def test_one_table_against_many_is_the_mean_over_those_where_both_sat():
    games = ((0, 1, 2), (0, 1, 3))
    blocks = (np.array([[1.0, 2.0, -3.0]]), np.array([[4.0, -1.0, -3.0]]))
    results = Results(tuple("abcd"), games, blocks, "mbb/h")
    assert results.against(0, 1).mean == 2.5
    assert results.against(0, 3).mean == 4.0
    assert results.against(2, 3) is None
    assert results.against(0, 1).unit == "mbb/h"
    assert math.isnan(results.against(0, 1).margin)  # a single deal tells nothing


@pytest.mark.parametrize("rule", RULES)
def test_a_winner_is_named_only_if_significant(rule):
    chance = np.random.default_rng(1)

    def ranked(edge, deals=300):
        games = ((0, 1), (0, 2), (1, 2))
        rates = [gain + chance.normal(0, 1, deals) for gain in (edge, edge, 0.0)]
        blocks = tuple(np.stack([rate, -rate], 1) for rate in rates)
        return rank_agents(Results(tuple("abc"), games, blocks, "sb/h"), rule, 200)

    assert ranked(0.5).winner == "a"
    assert ranked(0.5).order[0] == 0
    assert ranked(0.0).winner is None
    assert ranked(0.5, deals=1).winner is None


def test_false_winners_are_rare():
    """Of equals none may be named but about once in forty, as often as an interval's end is passed."""
    chance = np.random.default_rng(7)
    named = 0
    for _ in range(60):
        rate = chance.normal(0, 1, 50)
        results = Results(("a", "b"), ((0, 1),), (np.stack([rate, -rate], 1),), "sb/h")
        named += rank_agents(results, "total bankroll", 80).winner is not None
    assert named <= 8  # 3 expected: either of the two may be named


def test_paired_deals_separate_agents_whose_rates_overlap(noisy):
    """What the deal's luck gives to both is not between them."""
    alone = noisy.rate(0, (0, 1, 2))
    assert abs(alone.mean) < alone.margin
    games = ((0, 2), (1, 2))
    luck = np.random.default_rng(2).normal(0, 3, 400)
    blocks = tuple(np.stack([luck + edge, -luck - edge], 1) for edge in (0.1, 0.0))
    paired = Results(tuple("abc"), games, blocks, "sb/h")
    lead = paired.difference(0, 1, (0, 1, 2))
    assert (lead.mean, lead.margin) == pytest.approx((0.1, 0.0), abs=1e-9)


def test_a_ranking_gives_the_rate_of_each_agents_last_round(noisy):
    ranking = rank_agents(noisy, "instant run-off", 50, seed=1)
    assert sorted(ranking.places.tolist()) == [1, 2, 3]
    assert [ranking.places[agent] for agent in ranking.order] == [1, 2, 3]
    out = ranking.order[2]
    assert ranking.rate(out) == noisy.rate(out, (0, 1, 2))
    final = tuple(sorted(ranking.order[:2]))
    assert ranking.rate(ranking.order[0]) == noisy.rate(ranking.order[0], final)
    again = rank_agents(noisy, "instant run-off", 50, seed=1)
    assert np.array_equal(ranking.shares, again.shares)
    assert not np.array_equal(ranking.shares, rank_agents(noisy, "instant run-off", 50, seed=2).shares)


# What cannot be ranked


def test_results_that_do_not_fit_are_refused():
    row = np.zeros((3, 2))
    for games, blocks, match in (
        ((), (), "at least one"),
        (((0, 1), (0, 1, 2)), (row, np.zeros((3, 3))), "all of one size"),
        (((0, 1), (0, 2)), (row,), "expected 2"),
        (((0, 1), (0, 2)), (row, np.zeros((2, 2))), r"one shape, \(3, 2\)"),
    ):
        with pytest.raises(TableError, match=match):
            Results(tuple("abc"), games, blocks, "sb/h")


def test_a_runoff_needs_games_among_the_remaining_agents():
    games = ((0, 1, 2), (0, 2, 3))  # the first is the last of all, and the other three never met
    blocks = tuple(np.array([block], float) for block in ([-3, 2, 1], [-2, 1, 1]))
    results = Results(tuple("abcd"), games, blocks, "sb/h")
    assert places(total_bankroll(results, means(results))).tolist() == [4, 1, 2, 2]
    with pytest.raises(TableError, match="b, c, d: no game among the 3 still in"):
        instant_runoff(results, means(results))
