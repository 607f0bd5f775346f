"""Counts of moves and sizes in no-limit hands, and the population beside the published table."""

import pytest

from baycarp.errors import TableError, VariantError
from baycarp.game import Action, State, Variant
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.training.logs import Logs, read
from baycarp.training.sizers import MEMBERS
from experiments.__main__ import main
from experiments.commands.moves import PUBLISHED_SIZES, SEATS, game
from experiments.papers.registry import find
from experiments.players.moves import ALL_IN, Moves, chi_square, moves, population
from experiments.players.sizer_tables import tables

TWO = Variant.load("holdem.nolimit.2p.100bb")


def played(*actions):
    state = State(TWO)
    state.deal(["AhKd", "Qs7d"], "Ks8d3c2h7s")
    for action in actions:
        state.apply(action if isinstance(action, Action) else state.named(action))
    return Hand.of(state, ("a", "b"), 0)


def test_moves_and_sizes_of_a_hand_are_counted():
    """By hand: a raise of a pot, a bet of half the pot, a raise all-in of more than two pots, a call."""
    hand = played(
        Action("raise", 300), "call", Action("bet", 300), Action("raise", 9700), Action("call", 9400)
    )
    counted = moves([hand, played("fold")])
    assert counted.hands == 2
    assert counted.acts == {
        (0, "raise"): 1,
        (0, "call"): 1,
        (0, "fold"): 1,
        (1, "bet"): 1,
        (1, "raise"): 1,
        (1, "call"): 1,
        (1, ALL_IN): 2,
    }
    assert counted.sizes == {("raise", "p"): 1, ("bet", "h"): 1, ("raise", "d"): 1}
    assert counted.share("call") == pytest.approx(2 / 6)
    assert counted.share("call", 1) == pytest.approx(1 / 3)
    assert counted.size("raise", "d") == 0.5
    assert Moves().share("fold") == Moves().size("bet", "m") == 0


def test_fixed_limit_is_refused():
    state = State(Variant.ring(2))
    state.apply(state.named("raise"))
    state.apply(state.named("fold"))
    with pytest.raises(VariantError, match="expected a no-limit game"):
        moves([Hand.of(state, ("a", "b"), 0)])
    with pytest.raises(TableError, match=r"agent 'sizer\(number=\d+\)' cannot play holdem.limit.2p"):
        tables(Variant.ring(2), 1, 1)


def test_tables_seat_different_members_and_do_not_depend_on_their_number():
    found = tables(game(6), 40, seed=3)
    assert all(len(set(table.players)) == 6 for table in found)
    assert len({name for table in found for name in table.players}) > 0.8 * MEMBERS
    assert tables(game(6), 2, seed=3) == found[:2]
    assert tables(game(6), 2, seed=4) != found[:2]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.slow
def test_the_population_moves_like_the_published_players(seats):
    """Table 4.2 to 5 percentage points, from 600 hands (standard error of a share below 1.2 points)."""
    counted = moves(population(game(seats), 600, seed=6))
    assert counted.hands == 600
    column = SEATS.index(seats)
    for name, cells in find("004-4.2").rows:
        assert 100 * counted.share(name) == pytest.approx(float(cells[column]), abs=5), name


@pytest.mark.slow
def test_moves_of_pluribus_are_those_of_the_file(real_data):
    """Counted in the file's text: 5,000 hands, 46,034 moves, 24,116 folds, 12,557 checks and calls."""
    logs = Logs((real_data / "pluribus-6max-nolimit.phhs.gz",))
    hands = (
        hand
        for raw in logs.sessions()
        for hand in read(raw, None, lambda refused: None, Plays(frozenset({"no-limit"})))
    )
    counted = moves(hands)
    totals = {
        name: sum(counted.acts[street, name] for street in range(4)) for name in ("fold", "check", "call")
    }
    assert counted.hands == 5000
    assert totals["fold"] == 24_116
    assert totals["check"] + totals["call"] == 12_557
    assert sum(counted.sizes.values()) == 9361


def test_the_published_sizes_are_percentages_of_one_total():
    for key, shares in PUBLISHED_SIZES.items():
        assert sum(shares) == pytest.approx(100, abs=0.05), key


def test_bench_moves_prints_ours_beside_the_published_and_a_record(capsys, real_data, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    log = real_data / "acpc-2017-nolimit-2p.log"
    record = ["--people", str(log), "--people-game", "holdem.nolimit.2p.reverse_blinds"]
    assert main(["moves", "--deals", "20", *record]) == 0
    out = capsys.readouterr().out
    assert "65.08" in out
    assert "acpc-2017-nolimit-2p.log: 3,000 hands" in out
    assert main(["moves", "--deals", "2", "--people", str(log)]) == 0  # the log shows its game


def test_chi_square_is_that_of_scipy():
    scipy = pytest.importorskip("scipy.stats")
    observed, expected = [271, 31, 338, 312, 301, 15, 58], [0.06, 0.06, 0.16, 0.68, 0.03, 0.005, 0.005]
    chances = [sum(observed) * each / sum(expected) for each in expected]
    assert chi_square(observed, expected) == pytest.approx(scipy.chisquare(observed, chances).statistic)
    assert chi_square([*observed, 9], [*expected, 0.0]) > 0  # what is not expected at all is left out
