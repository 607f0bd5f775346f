"""Three-player sequences and their mapping: the checks of the paper, and hands played by the rules."""

from collections import Counter
from random import Random

import pytest

from baycarp.game import State, Variant
from baycarp.rules.betting.sequence import betting_sequence, sequence_keys
from baycarp.rules.betting.switching import heads_up, heads_up_keys, left_in, three_player_keys

THREE, TWO = Variant.load("holdem.limit.3p"), Variant.load("holdem.limit.2p.reverse_blinds")


@pytest.mark.parametrize(
    ("three", "two"),
    [
        ("frc-r", ("crc-r",)),  # figure 9, section 7.1.1
        ("rfc-", ("rc-",)),
        ("cfc-", ("cc-",)),
        ("crfc-", ("crc-",)),
        ("rrfc-", ("crrc-", "rrc-")),
        ("ccrc", ()),  # nobody folded
        ("rf", ("r",)),
        ("f", ()),  # the small blind is to act; heads-up the dealer acts first
        ("fc", ()),
        ("fr", ()),
        ("ccrrrfc-", ("crrc-", "rrc-")),
        ("crcrf", ()),  # without the small blind ccr, which is no round heads-up
    ],
)
def test_the_sequences_of_the_specification(three, two):
    assert heads_up(three) == two


def test_two_raises_of_one_player_and_none_of_the_other_have_no_mapping():
    """The small blind raised twice, the big blind once and folded later, the dealer never."""
    assert heads_up("crrcrcc-rfc-") == ()
    assert heads_up("crrcrcc-rcf-") == ("crrrc-rc-",)


def test_the_tempting_sequence_is_not_similar():
    second = heads_up_keys("frc-r")[1]
    assert sequence_keys("crc-r")[1] == second
    assert sequence_keys("rc-r")[1] != second


def two_player_prefixes():
    """Every betting sequence at a decision of the heads-up game, by playing it."""
    found, todo = set(), [State(TWO)]
    while todo:
        state = todo.pop()
        if state.to_act is None or state.street > 1:
            continue
        found.add(betting_sequence(state))
        for action in state.legal_actions():
            if action.name != "fold":
                following = state.copy()
                following.apply(action)
                todo.append(following)
    return found


def test_mapped_sequences_are_those_that_share_the_key():
    """Against an enumeration of the whole heads-up game up to the flop, and hands of random players."""
    legal, rng, seen = two_player_prefixes(), Random(1), Counter()
    for _ in range(600):
        state = State(THREE)
        while state.to_act is not None and state.street < 2:
            sequence = betting_sequence(state)
            found, keys = heads_up(sequence), heads_up_keys(sequence)
            assert set(found) == {each for each in legal if keys and sequence_keys(each)[1] == keys[1]}
            if found:
                still = left_in(sequence)
                assert len(still) == 2
                assert state.to_act in still
                seen[state.street] += 1
                verify_actor(found, still.index(state.to_act))
            state.apply(rng.choice(state.legal_actions()))
    assert min(seen[0], seen[1]) > 40


def verify_actor(sequences, position):
    """The position to act in the heads-up game after each sequence."""
    for sequence in sequences:
        state = State(TWO)
        for letter in sequence.replace("-", ""):
            names = {"c": ("check", "call"), "r": ("bet", "raise")}[letter]
            state.apply(next(action for action in state.legal_actions() if action.name in names))
        assert state.to_act == position
        assert betting_sequence(state) == sequence


def test_raises_of_a_player_that_folded_are_not_compared():
    one, other = three_player_keys("rccc-rfc-c"), three_player_keys("rccc-cfc-c")
    assert one[1:] != other[1:]
    assert three_player_keys("ccrccc-crfc-c")[2] != three_player_keys("ccc-crfc-c")[2]
    # the dealer's raise before the flop is left out once it has folded
    assert three_player_keys("rcc-ccf-c")[1:] == three_player_keys("ccc-ccf-c")[1:]
