"""Damaged messages: every parser accepts or refuses them with typed errors; other results are counted."""

import json
import time

import pytest

from baycarp.errors import BaycarpError
from experiments.__main__ import main
from experiments.gates.damage import damaged
from experiments.gates.gate import Share
from experiments.gates.messages import messages
from experiments.gates.parsers import PARSERS


@pytest.mark.parametrize("parser", PARSERS)
def test_every_damaged_message_is_read_or_refused(parser, monkeypatch):
    monkeypatch.setattr(time, "process_time", lambda: 0.0)  # how long it takes is for the gate to judge
    result = messages(parser, Share(0, 1500, 7))
    assert (result.examples, result.found) == ([], {})
    accepted, refused = result.counts["accepted"], result.counts["refused"]
    assert accepted + refused == result.done == 1500
    assert accepted > 0  # some damage is harmless
    assert refused > 1000 or parser == "ACPC answer"  # the dealer repairs unreadable answers


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
    result = messages("bad", Share(0, 200))
    assert min(result.found["untyped"], result.counts["accepted"], result.counts["refused"]) > 20
    assert result.found["untyped"] + result.counts.total() == result.done == 200
    assert "KeyError" in result.examples[0]


def test_slow_messages_are_counted(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(time, "process_time", lambda: 0.09 * next(clock))
    monkeypatch.setitem(PARSERS, "slow", (lambda: ("a message",), len))
    assert messages("slow", Share(0, 5)).found == {}
    clock = iter(range(1000))
    monkeypatch.setattr(time, "process_time", lambda: 0.11 * next(clock))
    result = messages("slow", Share(0, 5))
    assert result.found == {"slow": 5}
    assert ": 110 ms" in result.examples[0]


def rows(capsys, *options):
    assert main(["robustness", *options, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_command(capsys):
    (row,) = rows(capsys, "--messages", "40", "--random-hands", "0", "--only", "meer")
    assert (row["gate"], row["done"], row["found"]["untyped"]) == ("messages: Meerkat", 40, 0)


def test_random_hands_keep_their_chips(capsys):
    (row,) = rows(capsys, "--random-hands", "16000", "--messages", "0", "--only", "equal antes")[:1]
    assert (row["gate"], row["done"], row["found"]["losses"]) == ("chips: equal antes", 2000, 0)
