"""Pot shares of known holdings against the definition, and against the all-in equity of two."""

import itertools

import numpy as np
import pytest

from baycarp.card import cards
from baycarp.errors import CardError
from baycarp.evaluation import equity
from baycarp.kernels.game import deal
from baycarp.kernels.hands import rank
from baycarp.kernels.runout import runout


def dealt(players, board, hand=0, dead=0):
    deck = list(deal(7, 0, hand, 2 * players + board + dead))
    holes = [deck[2 * i : 2 * i + 2] for i in range(players)]
    return holes, deck[2 * players : 2 * players + board], deck[2 * players + board :]


def defined(holes, board, contenders, dead):
    """Every board, one by one."""
    known = {card for hole in holes for card in hole} | set(board) | set(dead)
    shares, boards = np.zeros(len(holes)), 0
    for rest in itertools.combinations([card for card in range(52) if card not in known], 5 - len(board)):
        ranks = [rank([*holes[i], *board, *rest]) if i in contenders else 0 for i in range(len(holes))]
        winners = [i for i, found in enumerate(ranks) if found == max(ranks)]
        shares[winners] += 1 / len(winners)
        boards += 1
    return shares / boards


@pytest.mark.parametrize(
    ("players", "board", "dead"), [(2, 5, 0), (10, 5, 0), (3, 4, 6), (6, 4, 10), (4, 3, 12)]
)
def test_shares_equal_the_definition(players, board, dead):
    holes, table, gone = dealt(players, board, dead=dead)
    sets = [tuple(range(players)), (0, players - 1), (1,)]
    found = runout(holes, table, [sum(1 << i for i in contenders) for contenders in sets], gone)
    for row, contenders in zip(found, sets, strict=True):
        np.testing.assert_allclose(row, defined(holes, table, contenders, gone), atol=1e-12)


@pytest.mark.parametrize("board", [0, 3, 4, 5])
def test_two_players_have_their_all_in_equity(board):
    (first, second), table, _ = dealt(2, board, hand=board)
    shares = runout([first, second], table, [0b11])[0]
    assert shares[0] == pytest.approx(equity(first, second, table), abs=1e-12)
    assert shares.sum() == pytest.approx(1, abs=1e-15)


def test_sampled_shares_are_close_and_repeat_with_the_seed():
    holes, _, dead = dealt(4, 0, dead=8)
    exact = runout(holes, [], [0b1111, 0b0011], dead)
    sampled = runout(holes, [], [0b1111, 0b0011], dead, boards=20_000, seed=3)
    np.testing.assert_allclose(sampled, exact, atol=4 * 0.5 / 20_000**0.5)
    again = runout(holes, [], [0b1111, 0b0011], dead, boards=20_000, seed=3)
    other = runout(holes, [], [0b1111, 0b0011], dead, boards=20_000, seed=4)
    assert (sampled == again).all()
    assert (sampled != other).any()


def test_sampled_boards_are_independent_of_contenders():
    """The sampled boards depend on the remaining cards, not on the contenders."""
    holes, _, _ = dealt(5, 0)
    together = runout(holes, [], [0b00111], boards=500, seed=1)[0, :3]
    apart = runout(holes[:3], [], [0b111], dead=[*holes[3], *holes[4]], boards=500, seed=1)[0]
    assert (together == apart).all()


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"sets": [0b100]}, ValueError, "bits of 2 players"),
        ({"sets": [0]}, ValueError, "at least one a set"),
        ({"sets": []}, ValueError, "at least one a set"),
        ({"boards": 10}, ValueError, "seed None"),
        ({"boards": 0, "seed": 1}, ValueError, "boards: expected 1"),
        ({"seed": 1}, ValueError, "boards None"),
        ({"dead": cards("Ah")}, CardError, "duplicate card 'Ah'"),
        ({"board": cards("2c3c4c5c6c7c")}, CardError, "at most 5"),
        ({"holes": []}, CardError, "1 to 10 players"),
        ({"holes": [cards("AhAd"), cards("Ks")]}, CardError, "two cards each"),
        ({"dead": range(44)}, CardError, "48 cards known"),
    ],
)
def test_invalid_input_is_refused(change, error, match):
    given = {"holes": [cards("AhAd"), cards("AsAc")], "board": [], "sets": [0b11]} | change
    with pytest.raises(error, match=match):
        runout(**given)
