"""No-limit sequences: by hand, against the soft translation's probabilities, and in random hands."""

from collections import Counter
from random import Random

import pytest
from reference.games import random_action

from baycarp.cases import Aligned
from baycarp.game import Action, State, Variant
from baycarp.rules.betting.letters import SessionDraws, bet_of, commitment, letter_of, lettered, shares
from baycarp.rules.betting.sequence import betting_sequence
from baycarp.rules.betting.sizes import SARTRE_NL, SARTRE_NL_2010, BetRange

DOYLE = Variant.load("holdem.nolimit.2p.reverse_blinds")
"""Blinds of 50 and 100 chips, 20,000 each."""


def played(*actions):
    state = State(DOYLE)
    for action in actions:
        name, _, amount = action.partition(" ")
        state.apply(Action(name, int(amount)) if amount else state.named(name))
    return state


def seen(*actions, hand=0):
    state = played(*actions)
    return state.observe(state.to_act, hand=hand)


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ((), ""),
        (("call",), "c"),
        (("raise 300",), "p"),  # 200 beyond the call of 50, into 200
        (("raise 200",), "h"),
        (("raise 300", "raise 900"), "pp"),  # 600 beyond the call, into 600
        (("raise 300", "call"), "pc-"),
        (("raise 300", "call", "bet 300", "call"), "pc-hc-"),
        (("raise 20000",), "a"),
        (("raise 300", "call", "check", "bet 1200"), "pc-cd"),
    ],
)
def test_sequences_by_hand(actions, text):
    """A proportion is of the pot after the call, so a pot raise of the small blind is to 300."""
    assert lettered(seen(*actions), SARTRE_NL) == text


def test_an_all_in_bet_has_a_letter_of_its_own_from_2011_on():
    assert lettered(seen("raise 20000"), SARTRE_NL_2010) == "t"


def test_letters_stand_where_the_rules_have_actions():
    rng = Random(2)
    for _ in range(60):
        state = State(DOYLE)
        while state.to_act is not None:
            mine, plain = lettered(state.observe(state.to_act), SARTRE_NL), betting_sequence(state)
            shape = "".join(letter if letter in "fc-" else "r" for letter in mine)
            assert shape == "".join(letter for letter in plain if not letter.isdigit())
            _, least, most, _ = state.bounds()
            state.apply(random_action(rng, state.legal_actions(), least, most))


def test_commitment_is_of_the_starting_stack():
    """Of 20,000 chips: below 5,000 is the first part, from 5,000 on the second."""
    for paid, part in ((4_900, 1), (5_000, 2), (9_999, 2), (10_000, 3), (15_000, 4)):
        observation = seen(f"raise {paid}", f"raise {min(3 * paid, 20_000)}")
        assert commitment(observation) == part


def test_the_letters_of_a_bet_are_drawn_by_the_soft_translation():
    draws, found = SessionDraws(7, 0.3), Counter()
    for hand in range(300):
        found[lettered(seen("raise 350", hand=hand), SARTRE_NL, draws)] += 1
    legal = BetRange.of(played())
    chances = shares(Action("raise", 350), legal, SARTRE_NL)
    assert set(found) == set(chances) == {"p", "d"}
    assert found["p"] / 300 == pytest.approx(chances["p"], abs=4 * (0.25 / 300) ** 0.5)


def test_a_bet_is_translated_once_a_hand():
    draws = SessionDraws(7, 0.3)
    for hand in range(100):
        begun = lettered(seen("raise 350", hand=hand), SARTRE_NL, draws)
        later = played("raise 350", "call", "check", "check")
        other = next(seat for seat in (0, 1) if seat != later.acts[0].seat)
        assert later.to_act == other
        assert lettered(later.observe(other, hand=hand), SARTRE_NL, draws).startswith(begun + "c-cc-")


def test_own_bets_are_the_letters_that_were_chosen():
    """Also where the jitter takes a bet nearer to another letter."""
    draws, moved, rng = SessionDraws(3, 0.3), 0, Random(5)
    for hand in range(400):
        observation = seen("raise 300", "call", hand=hand)
        legal = BetRange.of(observation.state)
        letter = rng.choice("qhipdvt")
        bet = bet_of(letter, legal, SARTRE_NL, observation, draws)
        uniform = draws.uniform(hand, 2)
        assert letter_of(bet, legal, SARTRE_NL, draws, uniform) == letter
        moved += letter_of(bet, legal, SARTRE_NL) != letter
        state = observation.state.copy()
        seat = state.to_act
        state.apply(bet)
        state.apply(state.named("call"))
        if state.to_act is not None:
            mine = lettered(state.observe(seat, hand=hand), SARTRE_NL, draws)
            assert mine.split("-")[1] == f"{letter}c"
    assert moved > 20


def test_the_example_of_section_6_3_4():
    assert Aligned("qhipdvt", 0.05)("ihpc", "dqpc") == 0.85
