"""Damaged messages: every parser accepts or refuses them, with typed errors and within 100 ms."""

import time
from collections import Counter

import pytest
from hypothesis import given
from robustness.budget import budget
from robustness.damage import damaged
from robustness.parsers import PARSERS

from baycarp.errors import BaycarpError

SLOW = 0.1
"""Seconds of processor time that no message may take twice."""


def timed(read, message):
    """Read a message; the outcome, and the processor time in seconds."""
    began = time.process_time()
    try:
        read(message)
        outcome = "accepted"
    except BaycarpError:
        outcome = "refused"
    return outcome, time.process_time() - began


@pytest.mark.parametrize("parser", PARSERS)
def test_every_damaged_message_is_read_or_refused_in_time(parser):
    make, read = PARSERS[parser]
    outcomes = Counter()

    @budget(3)
    @given(damaged(make()))
    def is_read_or_refused(message):
        outcome, took = timed(read, message)
        outcomes[outcome] += 1
        assert took < SLOW or timed(read, message)[1] < SLOW

    is_read_or_refused()
    assert outcomes["accepted"] > 0  # some damage is harmless
    assert outcomes["refused"] > outcomes["accepted"] or parser == "ACPC answer"  # the dealer mends answers


@pytest.mark.parametrize("parser", PARSERS)
def test_undamaged_messages_are_accepted(parser):
    make, read = PARSERS[parser]
    for message in make():
        read(message)


def test_a_parser_that_raises_another_error_is_found():
    @budget()
    @given(damaged(("a message", "another")))
    def is_read(message):
        timed({"a message": 1}.__getitem__, message)

    with pytest.raises(KeyError):
        is_read()
