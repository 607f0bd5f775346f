"""All-in values beside payoffs, board by board."""

import numpy as np
import pytest

from baycarp.errors import CardError
from baycarp.game.showdowns import Showdowns
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

GAME = Variant.ring(4, 20, betting="no-limit", stacks=(300, 500, 900, 1300))


def played(words, deck):
    """A hand by action names; ``all`` is the greatest bet or raise."""
    state = State(GAME, deck=deck)
    for word in words.split():
        state.apply(state.legal_actions()[-1] if word == "all" else state.named(word))
    return state


def boards(deck, shown):
    """The deck with every choice of its last card."""
    for card in range(52):
        if card not in deck[: 8 + shown]:
            yield bytes([*deck[: 8 + shown], card])


@pytest.mark.parametrize(
    "words", ["all all all call", "all all fold call", "all fold all fold", "all call call call"]
)
@pytest.mark.parametrize("hand", range(4))
def test_the_value_of_side_pots_is_the_mean_payoff(words, hand):
    """Chips of 20 a bet: no pot here has an odd chip that two or three winners would miss."""
    deck = deal(4, 0, hand, 12)
    over = played(words, bytes([*deck, next(card for card in range(52) if card not in deck)]))
    assert over.is_over
    found = Showdowns(over, seed=0).value(over, over.board[:4])
    payoffs = [played(words, cards).payoffs() for cards in boards(deck, 4)]
    assert len(payoffs) == 40
    np.testing.assert_allclose(found, np.mean(payoffs, axis=0), atol=0.1)
    assert found.sum() == pytest.approx(0, abs=1e-9)


def test_values_before_the_flop_are_drawn_or_exact():
    over = played("all all fold fold", deal(4, 0, 9, 13))
    exact = Showdowns(over, seed=1, boards=None).value(over, ())
    drawn = Showdowns(over, seed=1).value(over, ())
    again = Showdowns(over, seed=1).value(over, ())
    assert (drawn == again).all()
    assert 0 < np.abs(drawn - exact).max() < over.pot * 4 * 0.5 / 1000**0.5


def test_every_hole_card_must_be_seen():
    over = played("all fold fold fold", deal(4, 0, 9, 13)).observe(None).state
    with pytest.raises(CardError, match="hole cards of SB: expected two, they are hidden"):
        Showdowns(over, seed=1)
