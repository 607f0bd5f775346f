"""Damaged messages: every parser accepts or refuses them with typed errors; other results are counted."""

import json
import os
import time
from argparse import Namespace
from functools import partial

import pytest

from baycarp.cli import main
from baycarp.cli.bench import robustness
from baycarp.errors import BaycarpError
from baycarp.study.robustness.damage import damaged
from baycarp.study.robustness.gate import Share
from baycarp.study.robustness.messages import bombard
from baycarp.study.robustness.parsers import PARSERS


@pytest.mark.parametrize("parser", PARSERS)
def test_every_damaged_message_is_read_or_refused(parser):
    figures = bombard(parser, Share(0, 1500, 7))
    assert figures.failures == []
    assert figures.accepted + figures.refused == 1500
    assert figures.accepted > 0  # some damage is harmless
    assert figures.refused > 1000 or parser == "ACPC answer"  # the dealer repairs unreadable answers


@pytest.mark.parametrize("parser", PARSERS)
def test_undamaged_messages_are_accepted(parser):
    make, read = PARSERS[parser]
    for message in make():
        read(message)


def test_messages_repeat_with_their_seed():
    good = PARSERS["range"][0]()
    first = [damaged(good, f"1 range {number}") for number in range(300)]
    assert first == [damaged(good, f"1 range {number}") for number in range(300)]
    assert first != [damaged(good, f"2 range {number}") for number in range(300)]
    assert len(set(first)) > 200
    assert sum(message not in good for message in first) > 280


def test_untyped_errors_are_counted(monkeypatch):
    def read(message):
        if len(message) % 3 == 0:
            raise KeyError(message)
        if len(message) % 3 == 1:
            raise BaycarpError(message)

    monkeypatch.setitem(PARSERS, "bad", (lambda: ("a message", "another"), read))
    figures = bombard("bad", Share(0, 200))
    assert figures.untyped > 20
    assert figures.accepted > 20
    assert figures.untyped + figures.refused + figures.accepted == 200
    assert "KeyError" in figures.failures[0]
    assert not figures.sound


def test_slow_messages_are_counted(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(time, "process_time", lambda: 0.09 * next(clock))
    monkeypatch.setitem(PARSERS, "slow", (lambda: ("a message",), len))
    assert bombard("slow", Share(0, 5)).slow == 0
    clock = iter(range(1000))
    monkeypatch.setattr(time, "process_time", lambda: 0.11 * next(clock))
    figures = bombard("slow", Share(0, 5))
    assert figures.slow == 5
    assert figures.slowest == pytest.approx(110)
    assert not figures.sound


@pytest.mark.slow
def test_a_crash_is_a_line_of_the_table():
    (figures,) = robustness._done([("dead", partial(os._exit, 3))], Namespace(seed=1, messages=10))
    assert figures.crashed == 1
    assert not figures.sound


def test_the_command(capsys):
    status = main(
        ["bench", "robustness", "--messages", "40", "--random-hands", "0", "--only", "meer", "--json"]
    )
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 0
    assert [(one["parser"], one["messages"], one["untyped"]) for one in records] == [("Meerkat", 40, 0)]


def test_random_hands_keep_their_chips(capsys):
    assert robustness._conserve(0, 2000, seed=3).accepted == 2000
    deep = robustness._conserve(6, 2000, seed=3)
    assert (deep.parser, deep.accepted, deep.sound) == ("chips, no-limit, 6 seats", 2000, True)
