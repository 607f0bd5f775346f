import random

import pytest

from baycarp.cases import Nested
from baycarp.game import State, Variant
from baycarp.rules.betting.sequence import betting_sequence, raises, sequence_keys
from baycarp.strategies.sartre import STEPS

TWO = Variant.load("holdem.limit.2p.reverse_blinds")


def played(variant, draw):
    """The states of a hand that is played at random, folds seldom."""
    state, found = State(variant), []
    while not state.is_over:
        found.append(state.copy())
        legal = list(state.legal_actions())
        state.apply(legal[0] if draw.random() < 0.1 else draw.choice(legal[1:] or legal))
    return found


@pytest.mark.parametrize("variant", [TWO, Variant.ring(3), Variant.ring(6)], ids=lambda v: f"{v.seats}")
def test_raises_are_those_of_the_acts_by_round_and_position(variant):
    draw = random.Random(3)
    for _ in range(60):
        for state in played(variant, draw):
            counts = [[0] * variant.seats for _ in range(state.street + 1)]
            for act in state.acts:
                counts[act.street][act.seat] += act.action.name in ("bet", "raise")
            assert raises(betting_sequence(state), variant.seats) == tuple(map(tuple, counts))


def test_a_round_ends_with_a_hyphen_at_once():
    state = State(TWO)
    for name in ("call", "raise", "raise", "call", "check"):
        state.apply(state.named(name))
    assert betting_sequence(state) == "crrc-c"


def similarity(one, other):
    stepped = Nested(STEPS)
    return stepped(stepped.text(sequence_keys(one)), stepped.text(sequence_keys(other)))


def test_the_repaired_examples_have_the_printed_values():
    assert similarity("crrc-crrrrc-cr", "rrc-rrrrc-cr") == 0.9
    assert similarity("rrc-cc-cc-rrr", "cc-rc-crc-rrr") == 0.8


def test_the_printed_examples_are_misprints_of_the_definition():
    assert similarity("crcc-crrrc-cr", "rrc-rrrrc-cr") == 0
    assert similarity("rrc-cc-cc-rrr", "cc-rc-rc-rrr") == 0


def test_raises_are_counted_by_player_not_by_order_of_acting():
    # the button is first before the flop and last after it: one raise first to act, one last to act
    assert raises("rc-rc-")[:2] == ((0, 1), (1, 0))
    assert similarity("rc-cc-r", "cc-rc-r") == 0  # the raise was another player's
    assert similarity("rc-cc-r", "cc-crc-r") == 0.8  # the same player's, in another round


def test_the_round_in_play_must_be_equal():
    assert similarity("rc-r", "rc-cr") == similarity("", "c") == 0
    assert similarity("crc-r", "rc-r") == 0  # the big blind raised, not the button
    assert similarity("rrc-r", "crrc-r") == 0.9
