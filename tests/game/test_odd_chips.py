"""Chips over go one each from the first seat left of the button: all splits to nine seats, and pokerkit's."""

from collections import Counter
from itertools import combinations

import pytest
from pokerkit import NoLimitTexasHoldem
from reference.betting import settle
from reference.referee import AUTOMATIONS

from baycarp.card import DECK
from baycarp.game import Action, State, Variant

BOARD = "AcKdQhJsTc"
"""It plays: everybody who has not folded shares the pot."""


def split(seats, callers, small):
    """A hand here and in pokerkit: one raises to 20, the callers call, the others lose their blinds."""
    blinds = (10, small) if seats == 2 else (small, 10, *(0 for _ in range(seats - 2)))
    first = (1 if seats == 2 else 2 % seats, 0, 0, 0)
    game = Variant("split", "no-limit", seats, blinds, (0,) * seats, (500,) * seats, (), (None,) * 4, first)
    ours = State(game)
    other = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, blinds[::-1] if seats == 2 else blinds, 10, (500,) * seats, seats
    )
    low = [card for card in range(32) if DECK[card] not in BOARD]  # no card that the board is worse than
    for seat in range(seats):
        other.deal_hole("".join(DECK[card] for card in low[2 * seat : 2 * seat + 2]))
    holes = {seat: tuple(low[2 * seat : 2 * seat + 2]) for seat in range(seats)}
    while ours.street == 0:
        if ours.to_act not in callers:
            ours.apply(Action("fold"))
            other.fold()
        elif max(ours.bets) < 20:
            ours.apply(Action("raise", 20))
            other.complete_bet_or_raise_to(20)
        else:
            ours.apply(ours.named("call"))
            other.check_or_call()
    while not ours.is_over:
        ours.apply(ours.named("check"))
    for street in ("AcKdQh", "Js", "Tc"):
        other.burn_card("??")
        other.deal_board(street)
        while other.actor_index is not None:
            other.check_or_call()
    ours.deal(holes, BOARD)
    return ours, other


@pytest.mark.parametrize("seats", [*range(2, 8), *(pytest.param(n, marks=pytest.mark.slow) for n in (8, 9))])
def test_every_split_gives_the_chips_over_one_each(seats):
    kinds = Counter()
    for size in range(2, seats + 1):
        for number, callers in enumerate(combinations(range(seats), size)):
            ours, other = split(seats, callers, 1 + number % 9)
            share, over = divmod(ours.pot, size)
            won = {seat: share + (place < over) for place, seat in enumerate(callers)}
            expected = tuple(won.get(seat, 0) - paid for seat, paid in enumerate(ours.committed))
            assert ours.payoffs() == expected
            ranks = [int(seat in callers) for seat in range(seats)]
            assert ours.payoffs(ranks) == expected  # without cards
            to_one = settle(ours.committed, [(ours.pot, callers)], ranks, "first")
            theirs = tuple(other.payoffs)
            assert theirs == to_one
            kinds["same" if theirs == expected else "pokerkit gives two or more chips over to one"] += 1
    assert kinds.total() == sum(1 for n in range(2**seats) if n.bit_count() > 1)
    assert len(kinds) == 2 or seats < 6
