from dataclasses import replace

import pytest
from reference.games import limit_text

from baycarp.errors import VariantError
from baycarp.game import State, Variant

HEADS_UP = limit_text(10)

SHIPPED = {
    "holdem.limit.2p.reverse_blinds": (2, "limit", (10, 5), None),
    "holdem.limit.3p": (3, "limit", (5, 10, 0), None),
    "holdem.limit.6p": (6, "limit", (5, 10, 0, 0, 0, 0), (100_000,) * 6),
    "holdem.limit.8p": (8, "limit", (5, 10, 0, 0, 0, 0, 0, 0), (100_000,) * 8),
    "holdem.limit.9p": (9, "limit", (5, 10, 0, 0, 0, 0, 0, 0, 0), (100_000,) * 9),
    "holdem.limit.10p": (10, "limit", (5, 10, 0, 0, 0, 0, 0, 0, 0, 0), (100_000,) * 10),
    "holdem.nolimit.2p.reverse_blinds": (2, "no-limit", (100, 50), (20_000,) * 2),
    "holdem.nolimit.2p.100bb": (2, "no-limit", (100, 50), (10_000,) * 2),
    "holdem.nolimit.9p.100bb": (9, "no-limit", (50, 100, 0, 0, 0, 0, 0, 0, 0), (10_000,) * 9),
    "holdem.nolimit.3p": (3, "no-limit", (50, 100, 0), (20_000,) * 3),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games(name):
    game = Variant.load(name)
    assert (game.seats, game.betting, game.blinds, game.stacks) == SHIPPED[name]
    assert game.name == name
    assert game.first == (1 if game.seats == 2 else 2, 0, 0, 0)
    if game.betting == "limit":
        assert (game.raise_sizes, game.max_raises) == ((10, 10, 20, 20), (3, 4, 4, 4))
        assert (game.small_bet, game.big_bet) == (10, 20)
    else:
        assert (game.raise_sizes, game.max_raises) == ((), (None,) * 4)
        assert game.small_bet == game.big_bet == game.big_blind == 100


def test_a_game_file_outside_the_package(tmp_path):
    path = tmp_path / "mine.game"
    path.write_text("# a comment\n" + HEADS_UP.replace("limit", "LIMIT") + "\n")
    game = Variant.load(path)
    assert game.name == "mine"
    assert game == replace(Variant.load("holdem.limit.2p.reverse_blinds"), name="mine")


def test_ring_games():
    game = Variant.ring(8)
    assert (game.blinds[:2], game.raise_sizes, game.max_raises) == ((1, 2), (2, 2, 4, 4), (3, 4, 4, 4))
    assert (game.button, game.first) == (7, (2, 0, 0, 0))
    game = Variant.ring(2)
    assert (game.blinds, game.button, game.first) == ((2, 1), 1, (1, 0, 0, 0))


def most_bets(variant):
    """Bets of each street where everybody bets or raises while the rules allow it."""
    state, bets = State(variant), [0] * 4
    while not state.is_over:
        before = len(state.acts)
        names = [action.name for action in state.legal_actions()]
        state.apply(state.named(next(name for name in ("raise", "bet", "call", "check") if name in names)))
        act = state.acts[before]
        bets[act.street] = max(bets[act.street], act.bets + (act.action.name in ("bet", "raise")))
    return bets


@pytest.mark.parametrize("bets", [1, 4, 5])
@pytest.mark.parametrize("seats", [2, 9])
def test_a_street_ends_its_raising_after_the_bets_of_the_game(seats, bets):
    """The big blind is the first bet pre-flop."""
    assert most_bets(Variant.ring(seats, bets=bets)) == [bets] * 4


def test_the_number_of_bets_stands_in_the_name_where_it_is_unusual():
    names = [Variant.ring(9, bets=bets).name for bets in (4, 5)]
    assert names == ["holdem.limit.9p", "holdem.limit.9p.5bets"]


def test_a_game_of_no_bets_is_refused():
    with pytest.raises(VariantError, match=r"max_raises \(-1, 0, 0, 0\)"):
        Variant.ring(9, bets=0)


def test_the_game_of_casper_ships():
    """Rubin and Watson (2007), sections 3 and 7: $10/$20, nine players, $100,000 each, five bets a street."""
    game = Variant.load("holdem.limit.9p.5bets")
    assert game == replace(Variant.ring(9, 10, bets=5), stacks=(100_000,) * 9)
    assert most_bets(game) == [5] * 4


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("GAMEDEF\n", "", "between GAMEDEF and END GAMEDEF"),
        ("limit\n", "", "a line 'limit' or 'nolimit'"),
        ("limit\n", "pot limit\n", "line 'pot limit'"),
        ("numPlayers = 2", "numPlayers = two", "line 'numPlayers = two'"),
        ("numPlayers = 2", "numPlayers = 11", "seats 11: expected 2 to 10"),
        ("numPlayers = 2", "", "numPlayers None"),
        ("numPlayers = 2", "numPlayers = 3", "blinds .10, 5.: expected 3"),
        ("blind = 10 5", "blind = 0 0", "expected a big blind"),
        ("raiseSize = 10 10 20 20", "raiseSize = 10 10", "raise_sizes"),
        (
            "firstPlayer = 2 1 1 1",
            "firstPlayer = 3 1 1 1",
            "first .2, 0, 0, 0.: expected 4 positions below 2",
        ),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 0 1 1 1", "first player .0"),
        ("numHoleCards = 2", "numHoleCards = 4", "numholecards .4,.: expected .2,."),
        ("numBoardCards = 0 3 1 1", "", "numboardcards None"),
        ("numSuits = 4", "numSuits = 4\nante = 1", "keyword 'ante'"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused_by_name(line, instead, says):
    assert line in HEADS_UP
    with pytest.raises(VariantError, match=says):
        Variant.parse(HEADS_UP.replace(line, instead, 1))


def test_a_file_without_first_player_or_cap_is_read_as_by_the_original():
    """``readGame`` of the competition's dealer: every entry of ``firstPlayer`` is 1, of ``maxRaises`` 255."""
    lines = HEADS_UP.splitlines(keepends=True)
    game = Variant.parse("".join(line for line in lines if not line.startswith(("firstPlayer", "maxRaises"))))
    assert game.first == (0, 0, 0, 0)
    assert game.max_raises == (None,) * 4
    assert State(game).to_act == 0


def test_all_faults_of_a_game_are_in_one_message():
    with pytest.raises(VariantError, match=r"betting 'pot'.*blinds.*max_raises") as error:
        replace(Variant.ring(3), betting="pot", blinds=(1, 2), max_raises=(255,) * 4)
    assert "antes" not in str(error.value)


def test_an_unknown_game_names_the_shipped_ones():
    with pytest.raises(VariantError, match=r"'holdem\.7p': did you mean holdem\.limit\.7p"):
        Variant.load("holdem.7p")


def test_the_game_of_two_that_is_played_where_none_is_named_has_a_name():
    assert Variant.load(Variant.ring(2).name) == Variant.ring(2)
