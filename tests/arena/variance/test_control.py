"""Control variates: each correction has mean 0 over all outcomes of chance, exactly."""

import itertools

import numpy as np
import pytest

from baycarp.arena.variance.control import control
from baycarp.card import cards
from baycarp.errors import IllegalAction, TableError
from baycarp.game.action import Action
from baycarp.game.showdowns import SHOWN, Showdowns
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

LIMIT = Variant.ring(4)
DEEP = Variant.ring(3, betting="no-limit", stacks=(40, 100, 250))
FLOP = "call raise fold call call"
TURN = f"{FLOP} check bet call call"
RIVER = f"{TURN} check bet call call"


def chosen(state, word):
    """The action of a word: a name, a name and a size (``raise=24``), or all-in."""
    name, _, size = word.partition("=")
    if size:
        return Action(name, int(size))
    return state.legal_actions()[-1] if name == "all" else state.named(name)


def after(words, deck, game=LIMIT):
    state = State(game, deck=deck)
    for word in words.split():
        state.apply(chosen(state, word))
    return state


def played(words, deck, game=LIMIT):
    state = after(words, deck, game)
    assert state.is_over
    return state


def luck(over, policies=None, seed=1):
    """What the estimator takes off the payoffs."""
    return np.array(over.payoffs()) - control(over, policies or [None] * len(over.acts), seed)


def others(deck, place, count=1):
    """The deck with all other cards from a place of the board on."""
    kept = deck[:place]
    left = [card for card in range(52) if card not in kept]
    for drawn in itertools.combinations(left, count):
        rest = [card for card in left if card not in drawn]
        yield sum(drawn), bytes([*kept, *drawn, *rest[: len(deck) - place - count]])


@pytest.mark.parametrize(
    ("place", "given_up", "ways"),
    [
        (11, f"{FLOP} check bet fold fold", (f"{TURN} bet fold fold", f"{TURN} check check bet fold fold")),
        (12, f"{TURN} check bet fold fold", (f"{RIVER} check check check", f"{RIVER} bet raise call fold")),
    ],
)
@pytest.mark.parametrize("hand", range(3))
def test_a_board_card_has_mean_nought_however_it_is_played(place, given_up, ways, hand):
    """Over every turn, and every river: the mean luck is that of the hand given up before the card fell."""
    deck = deal(2, 0, hand, 13)
    found = [luck(played(ways[total % 3 == 0], cards)) for total, cards in others(deck, place)]
    assert len(found) == 52 - place
    np.testing.assert_allclose(np.mean(found, axis=0), luck(played(given_up, deck)), atol=1e-10)
    assert np.ptp(found, axis=0).max() > 1


def test_a_run_out_has_mean_nought():
    """Over every turn and river, two players all-in on the flop, one of them for a side pot."""
    deck = deal(2, 0, 7, 11)
    words = "call call check check bet all all call"
    found = [luck(played(words, cards, DEEP)) for _, cards in others(deck, 9, 2)]
    assert len(found) == 43 * 42 / 2
    given_up = luck(played("call call check check bet all fold fold", deck, DEEP))
    np.testing.assert_allclose(np.mean(found, axis=0), given_up, atol=1e-9)


def test_the_deal_has_mean_nought_and_is_fair_to_all():
    """The same holdings at every seat in turn, folded to the big blind."""
    deck = deal(2, 0, 3, 13)
    changed = [bytes([*deck[2 * k : 8], *deck[: 2 * k], *deck[8:]]) for k in range(4)]
    found = np.array([luck(played("fold fold fold", cards)) for cards in changed])
    np.testing.assert_allclose(found.sum(axis=0), 0, atol=1e-12)
    for k in range(4):
        np.testing.assert_allclose(np.roll(found[k], k), found[0], atol=1e-12)
    assert np.abs(found).max() > 0.5


@pytest.mark.parametrize(
    ("before", "words", "rests", "game"),
    [
        (
            f"{FLOP} check bet",
            {"fold": 0.25, "call": 0.5, "raise": 0.25},
            ("fold", "fold check bet fold", "fold fold"),
            LIMIT,
        ),
        (f"{TURN} bet raise", {"fold": 0.7, "call": 0.3}, ("fold", "fold bet fold"), LIMIT),
        (
            "raise",
            {"fold": 0.1, "call": 0.8, "raise": 0.1},
            ("call " + 6 * "check ", "call " + 9 * "check ", "fold fold"),
            DEEP,
        ),
        (  # two sizes before the flop, the second of them all-in
            "call",
            {"fold": 0.2, "call": 0.3, "raise=6": 0.4, "raise=40": 0.1},
            (7 * "check ", 10 * "check ", "fold fold", "fold call"),
            DEEP,
        ),
        (  # a bet is certain: nothing is to be corrected but its size
            "call call check",
            {"bet=2": 0.5, "bet=7": 0.375, "bet=38": 0.125},
            ("call call " + 6 * "check ", "fold fold", "call fold"),
            DEEP,
        ),
    ],
)
def test_a_draw_has_mean_nought_whatever_follows(before, words, rests, game):
    """The probabilities of a node's actions times their corrections sum to 0."""
    deck = deal(2, 0, 11, 2 * game.seats + 5)
    node = len(before.split())
    total, largest = 0, 0
    here = after(before, deck, game)
    policy = {chosen(here, word): chance for word, chance in words.items()}
    for (word, chance), rest in zip(words.items(), rests, strict=True):
        over = played(f"{before} {word} {rest}", deck, game)
        policies = [None] * len(over.acts)
        unknown = luck(over, policies)
        policies[node] = policy
        corrected = luck(over, policies) - unknown
        total, largest = total + chance * corrected, max(largest, np.abs(corrected).max())
    np.testing.assert_allclose(total, 0, atol=1e-12)
    assert largest > 0.5


def test_certain_or_unknown_policies_correct_nothing():
    over = played(f"{FLOP} check bet fold fold", deal(2, 0, 4, 13))
    certain = [
        {act.action: 1.0, Action("fold") if act.action.name != "fold" else Action("call", 2): 0.0}
        for act in over.acts
    ]
    assert (control(over, certain, 1) == control(over, [None] * 9, 1)).all()


def test_estimates_sum_to_nought_and_repeat():
    for hand in range(20):
        over = played(f"{RIVER} check check check", deal(2, 1, hand, 13))
        found = control(over, [None] * len(over.acts), seed=hand)
        assert found.dtype == np.float64
        assert found.sum() == pytest.approx(0, abs=1e-9)
        assert (found == control(over, [None] * len(over.acts), seed=hand)).all()
        assert (found != control(over, [None] * len(over.acts), seed=hand + 1)).any()


def test_a_policy_for_every_act():
    over = played("fold fold fold", deal(2, 0, 4, 13))
    with pytest.raises(TableError, match="one for each of 3 acts, got 2"):
        control(over, [None] * 2, 1)


@pytest.mark.parametrize("before", ["", "raise=6", "call call check", "call call check bet=5 raise=20"])
def test_an_uncalled_bet_of_any_size_is_worth_as_much_as_staying_in(before):
    """So one chance of folding is all that matters of a policy with one size."""
    here = after(before, deal(2, 0, 6, 11), DEEP)
    over = played(f"{before} fold fold" if here.owed else f"{before} all fold fold", deal(2, 0, 6, 11), DEEP)
    showdowns = Showdowns(over, 1)
    stay = here.copy()
    stay.apply(here.named("call" if here.owed else "check"))
    expected = showdowns.value(stay, over.board[: SHOWN[here.street]])
    _, least, most, _ = here.bounds()
    for size in {least, (least + most) // 2, most}:
        bet = here.copy()
        bet.apply(Action("raise" if here.bounds()[3] else "bet", size))
        np.testing.assert_allclose(showdowns.value(bet, over.board[: SHOWN[here.street]]), expected)


def test_the_draw_between_sizes_is_worth_the_pot_that_is_called():
    """Heads-up on the river everything is known: a called bet of 38 instead of 2 wins or loses 36 more."""
    game = Variant.ring(2, betting="no-limit", stacks=(40, 40))
    deck, before = [*cards("AhAdKsKc2s7h9d3cQd")], "call check " + 4 * "check "
    policy = {Action("bet", 2): 0.75, Action("bet", 38): 0.25}
    for size, expected in ((2, 0.25 * (2 - 38)), (38, 0.75 * (38 - 2))):
        over = played(f"{before} bet={size} call", deck, game)
        policies = [None] * len(over.acts)
        unknown = luck(over, policies)
        policies[-2] = policy
        np.testing.assert_allclose(luck(over, policies) - unknown, [expected, -expected])


def test_a_policy_whose_size_was_not_legal_is_refused():
    over = played("raise=6 fold fold", deal(2, 0, 4, 11), DEEP)
    with pytest.raises(IllegalAction, match="raise to 3"):
        control(over, [{Action("raise", 6): 0.5, Action("raise", 3): 0.5}, None, None], 1)
