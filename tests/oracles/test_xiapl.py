"""``xiapl``, in C++: exact equities, ranges by their notation, the best hand of seven cards."""

import numpy as np
import pytest

import baycarp
from baycarp.card import DECK, HOLDINGS
from baycarp.kernels.hands import rank
from baycarp.ranges import Range

xiapl = pytest.importorskip("xiapl")


def mask(cards):
    """Its set of cards: bits in the order of its ids."""
    return xiapl.utils.cards_to_mask([xiapl.card.Card.from_string(DECK[card]) for card in cards])


def spot(rng, board):
    """Two holdings and a board of so many cards."""
    cards = rng.choice(52, 4 + board, replace=False).tolist()
    return cards[:2], cards[2:4], cards[4:]


@pytest.mark.parametrize(("board", "count"), [(3, 60), (4, 200), (5, 400)])
def test_equities_of_two_holdings_are_equal(board, count):
    rng, exact = np.random.default_rng(board), xiapl.simulation.SimulationOptions.exact()
    for _ in range(count):
        one, other, shown = spot(rng, board)
        found = xiapl.simulation.calculate_equity([mask(one), mask(other)], mask(shown), exact)
        assert found.exact
        assert baycarp.equity(one, other, shown) == pytest.approx(found.players[0].equity, abs=1e-12)


@pytest.mark.slow
def test_equities_before_the_flop_are_equal():
    rng, exact = np.random.default_rng(9), xiapl.simulation.SimulationOptions.exact()
    for _ in range(10):
        one, other, _ = spot(rng, 0)
        found = xiapl.simulation.calculate_equity([mask(one), mask(other)], 0, exact)
        assert baycarp.equity(one, other) == pytest.approx(found.players[0].equity, abs=1e-12)


NOTATIONS = ("QQ+, AKs", "22+", "A2s+, KQo", "T9s-65s, 77-99", "AA, AK")


@pytest.mark.parametrize("text", NOTATIONS)
def test_a_notation_means_the_same_holdings(text):
    theirs = {each.mask for each in xiapl.range.Range.from_string(text.replace(" ", "")).combos()}
    weights = Range(text).weights
    assert {mask(HOLDINGS[number]) for number in np.flatnonzero(weights)} == theirs


@pytest.mark.parametrize("text", NOTATIONS[:3])
@pytest.mark.parametrize("board", ["Qs7d2c", "Qs7d2c9h", "Qs7d2c9hAs"])
def test_equities_of_ranges_are_equal(text, board):
    """Of a range against another, of every pair of holdings that can meet."""
    hero, villain = "99+, AJs+, KQs", text
    shown = baycarp.cards(board)
    found = xiapl.simulation.calculate_range_equity(
        *(xiapl.range.Range.from_string(each.replace(" ", "")) for each in (hero, villain)),
        mask(shown),
        xiapl.simulation.SimulationOptions.exact(),
    )
    assert found.exact
    assert baycarp.equity(Range(hero), Range(villain), board) == pytest.approx(
        found.hero_aggregate_equity, abs=1e-9
    )


def test_seven_cards_have_the_same_order():
    rng = np.random.default_rng(3)
    for _ in range(1500):
        one, other, board = spot(rng, 5)
        winners = xiapl.eval.judge([mask(one), mask(other)], mask(board))
        ranks = [int(rank(np.array([*hole, *board], np.uint8))) for hole in (one, other)]
        assert winners == [seat for seat in range(2) if ranks[seat] == max(ranks)]
