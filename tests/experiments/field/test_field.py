"""The plan of the field, and the rankings over cells of unequal length."""

from pathlib import Path

import numpy as np
import pytest

from baycarp.arena.measure import interval
from baycarp.arena.session import Played
from baycarp.arena.tally import Tally
from experiments.field.page import BEGIN, END, tables, with_tables
from experiments.field.plan import FIELDS
from experiments.field.play import FieldPlan
from experiments.field.standing import Standing, spread, standings

HEADS_UP, SIX, NO_LIMIT = FIELDS


@pytest.fixture
def plan(tmp_path):
    made = FieldPlan(tmp_path, ("no-limit",), 1.0)
    made.__dict__["taught"] = {}  # no lesson: nothing is played
    return made


def whole_plan():
    made = FieldPlan(Path("unused"))
    made.__dict__["taught"] = {}
    return made


def test_every_cell_has_a_first_block_before_any_has_a_second():
    rounds, cells = whole_plan().rounds, sum(len(field.games) for field in FIELDS)
    first = {units[0][:2] for units in rounds[:cells]}
    assert len(first) == cells == 78 + 30 + 15
    units = [unit for units in rounds for unit in units]
    assert len(units) == len({*units})


def test_a_pair_plays_ten_thousand_hands():
    plan = whole_plan()
    hands = {}
    for units in plan.rounds:
        cell = units[0][:2]
        hands[cell] = hands.get(cell, 0) + len(units) * plan.matches[cell].hands
    assert {count for (field, _), count in hands.items() if field != 1} == {10_000}
    assert {count for (field, _), count in hands.items() if field == 1} == {6_000}


def test_in_the_groups_of_six_all_agents_play_equally_often():
    seats = np.bincount(np.ravel(SIX.games), minlength=len(SIX.agents))
    assert set(seats) == {18}


def test_a_spread_cell_has_the_same_mean_and_margin():
    cell = np.random.default_rng(1).normal(0.2, 3, (400, 2))
    short, long = interval(cell[:, 0]), interval(spread(cell, 5000)[:, 0])
    assert long.mean == pytest.approx(short.mean)
    assert long.margin == pytest.approx(short.margin, rel=0.01)


def played(field, lengths, means, seed=1):
    """Cells of two players: what the first wins has these means."""
    draw = np.random.default_rng(seed)
    cells = {}
    for game, length, mean in zip(field.games, lengths, means, strict=True):
        if length:
            won = draw.normal(mean, 1, length)
            cells[game] = np.stack([won, -won], axis=1)
    return Standing(field, cells)


def strength_of(agent):
    return -0.5 * agent


def test_agents_are_ranked_by_all_their_pairs_however_long():
    games = NO_LIMIT.games
    lengths = [400 if 5 in game else 2000 for game in games]
    standing = played(NO_LIMIT, lengths, [strength_of(a) - strength_of(b) for a, b in games])
    ranked = standing.ranked
    assert [ranked.results.agents[agent] for agent in ranked.rankings[0].order] == [*NO_LIMIT.agents]
    assert ranked.winner == "sartrenl"
    rates = [standing.won("sartrenl", other).mean for other in [*NO_LIMIT.agents][1:]]
    assert ranked.rankings[0].rate(0).mean == pytest.approx(np.mean(rates))


def test_an_agent_whose_pairs_are_missing_is_left_out_of_the_ranking():
    missing = {(0, 5), (1, 5)}
    standing = played(
        NO_LIMIT, [0 if game in missing else 50 for game in NO_LIMIT.games], [0] * len(NO_LIMIT.games)
    )
    assert standing.names == [*NO_LIMIT.agents][:5]
    assert standing.won("mcts published", "sartrenl") is None
    assert any("missing of `mcts published`." in line for line in tables([standing]))


def test_a_cell_is_judged_by_whole_sessions_up_to_the_first_that_is_missing(plan):
    first, second, third = [units for units in plan.rounds if units[0][1] == 0][:3]
    records = {
        unit: session(plan.matches[2, 0].hands, sign) for unit, sign in zip(first, (1, 1), strict=True)
    }
    records |= {unit: session(250, 9) for unit in (second[0], *third)}
    (standing,) = standings(plan, records)[2:]
    assert standing.hands == [500]
    assert standing.won("sartrenl", "sizer").mean == pytest.approx(10 * 1)


def session(hands, chips):
    """The result of a session in which the first player wins the same of every hand."""
    net = np.tile([chips, -chips], (hands, 1))
    return Played(net, (Tally(), Tally()), {"control": net.astype(float)})


def test_a_page_keeps_what_is_around_its_tables():
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    made = with_tables(page, ["new"])
    assert made == f"before\n{BEGIN}\nnew\n\n{END}\nafter\n"
    assert with_tables(made, ["new"]) == made
