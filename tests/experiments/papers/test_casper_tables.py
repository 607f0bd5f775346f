"""CASPER's tables, with cheap players in its seat."""

import math

import pytest

from baycarp.agents.registry import load
from baycarp.arena.session import Table, play_session
from experiments.papers import casper
from experiments.papers.registry import find, reproduce
from experiments.papers.run import Run
from experiments.papers.verdict import Estimate

BEGINNER = "baycarp2(model='empty')"
"""It begins without a case, so that most of its decisions fall back, before the flop and after it."""


def test_a_bankroll_lasts_as_long_as_the_rate_gives():
    """The printed rates and hands of figures 1 and 2 agree to the roundness of the hands."""
    for rate, hands in ((-1.67, 6000), (-1.49, 7000)):
        assert casper.broke_after(Estimate(rate, rate, rate)).value == pytest.approx(hands, rel=0.05)
    lasting = casper.broke_after(Estimate(-0.01, -0.05, 0.03))
    assert (lasting.value, lasting.low, lasting.high) == (1_000_000, 200_000, math.inf)


@pytest.fixture
def stand_in(monkeypatch):
    """Every Casper is the beginner."""
    players = dict.fromkeys(casper.PLAYERS, BEGINNER) | {"Random": "random"}
    monkeypatch.setattr(casper, "PLAYERS", players)


@pytest.mark.slow
def test_fallbacks_are_counted_pre_flop_in_ten_thousand_hands(stand_in):
    """Those after the flop are not counted, nor those for which a case was near enough."""
    hands = 40
    found = reproduce(find("002-sec8"), Run(hands=hands, seed=3)).made
    assert found.hands == hands
    for number, opponents in enumerate(casper.OPPONENTS.values()):
        specs = (BEGINNER, *opponents)
        names = tuple(f"{spec} {seat}" for seat, spec in enumerate(specs))
        tally = play_session(Table(casper.GAME, names, specs, 3), casper.PLAYED, hands).tallies[0]
        assert 0 < tally.fell_back[0] < tally.asked[0]
        assert tally.fell_back.total() > tally.fell_back[0]
        for row in ("Casper01", "Casper02"):
            ours = found.cells[row][number]
            assert ours.value == pytest.approx(10_000 * tally.fell_back[0] / hands)
            assert ours.low < ours.value < ours.high


def test_every_player_of_a_figure_is_shown_with_the_curve_of_the_last(stand_in):
    found = reproduce(find("002-fig2"), Run(hands=20, seed=3)).made
    assert all(isinstance(cells[0], Estimate) for cells in found.cells.values())
    assert [cells[1] is None for cells in found.cells.values()] == [False, True, True]
    assert found.player == "Casper02"
    assert found.curve[-1] == pytest.approx(found.cells["Casper02"][0].value)


def test_every_player_is_loaded_and_fewer_hands_make_fewer_cases():
    cases = {
        row: sum(map(len, load(spec).casebases.values()))
        for row, spec in casper.PLAYERS.items()
        if row != "Random"
    }
    rising = ("Casper, 500 hands", "Casper, 2000 hands", "Casper01", "Casper02")
    assert sorted(rising, key=cases.__getitem__) == list(rising)
    assert all(cases[f"{row}, scaled decay"] == cases[row] for row in ("Casper01", "Casper02"))


def test_the_tables_have_nine_seats_and_five_bets():
    assert {len(opponents) for opponents in casper.OPPONENTS.values()} == {8}
    assert (casper.GAME.seats, casper.GAME.max_raises) == (9, (4, 5, 5, 5))
    assert casper.BANKROLL * casper.GAME.small_bet == 100_000
