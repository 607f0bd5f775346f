"""DIVAT: the baseline beside its thresholds, and luck of mean 0 over seeds and seats."""

import numpy as np
import pytest

from baycarp.arena.variance.divat import baseline, divat
from baycarp.errors import TableError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

GAME = Variant.ring(2)
FLOP = "raise call check bet call"


def played(words, deck):
    state = State(GAME, deck=deck)
    for word in words.split():
        state.apply(state.named(word))
    assert state.is_over
    return state


def luck(over, seed=1):
    """What the estimator takes off the payoffs."""
    return np.array(over.payoffs()) - divat(over, seed)


@pytest.mark.parametrize(
    ("before", "strengths", "betting"),
    [
        ("", (0.5, 0.5), "cc/"),  # the small blind is position 1
        ("", (0.5, 0.7), "rc/"),
        ("", (0.85, 0.7), "rrc/"),
        ("", (0.96, 0.96), "rrrc/"),
        ("", (0.05, 0.7), "rf"),
        ("", (0.5, 0.05), "f"),
        ("call check", (0.5, 0.5), "cc/cc/"),
        ("call check", (0.7, 0.5), "cc/rc/"),
        ("call check", (0.7, 0.2), "cc/rf"),
        ("call check", (0.5, 0.7), "cc/crc/"),
        ("call check", (0.96, 0.96), "cc/rrrrc/"),
        ("call check check check check check", (0.7, 0.38), "cc/cc/cc/rf"),
    ],
)
def test_the_baseline_bets_by_its_thresholds(before, strengths, betting):
    state = State(GAME)
    for word in before.split():
        state.apply(state.named(word))
    kept = str(state)
    after = baseline(state, strengths)
    expected = State(GAME)
    for letter in betting.replace("/", ""):
        legal = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}[letter]
        expected.apply(next(action for action in expected.legal_actions() if action.name in legal))
    assert (after.committed, after.seats_in, after.street) == (
        expected.committed,
        expected.seats_in,
        expected.street,
    )
    assert str(state) == kept


def test_the_deal_is_fair():
    """Folded at once: the cards the other way round are as lucky for the other."""
    deck = deal(3, 0, 0, 9)
    other = bytes([*deck[2:4], *deck[:2], *deck[4:]])
    one, two = (luck(played("fold", cards)) for cards in (deck, other))
    np.testing.assert_allclose(one, -two, atol=1e-12)
    assert np.abs(one).max() > 0.1


class Every:
    """Draws that go through all cards in turn."""

    def __init__(self, seed):
        self.drawn = 0

    def choice(self, deck, count, replace):
        self.drawn += 1
        return np.roll(deck, self.drawn)[:count]


@pytest.mark.parametrize(
    ("place", "given_up", "to_card"),
    [(7, "raise call check bet fold", FLOP), (8, FLOP + " bet fold", FLOP + " bet call")],
)
def test_a_card_has_mean_nought(place, given_up, to_card, monkeypatch):
    """Over every turn, and every river, where every one is drawn once for the baseline's mean."""
    monkeypatch.setattr("baycarp.arena.variance.divat.DRAWS", 52 - place)
    monkeypatch.setattr("baycarp.arena.variance.divat.np.random.default_rng", Every)
    deck = deal(3, 0, 1, 9)
    found = []
    for card in set(range(52)) - set(deck[:place]):
        rest = sorted(set(range(52)) - {*deck[:place], card})
        found.append(luck(played(f"{to_card} bet fold", bytes([*deck[:place], card, *rest[: 8 - place]]))))
    assert len(found) == 52 - place
    np.testing.assert_allclose(np.mean(found, axis=0), luck(played(given_up, deck)), atol=1e-10)
    assert np.ptp(found, axis=0).max() > 1


def test_only_heads_up_limit():
    for game in (Variant.ring(3), Variant.ring(2, betting="no-limit", stacks=(100, 100))):
        over = State(game, deck=deal(0, 0, 0, 2 * game.seats + 5))
        while not over.is_over:
            over.apply(over.legal_actions()[0])
        with pytest.raises(TableError, match="expected limit, 2 seats"):
            divat(over, 1)
