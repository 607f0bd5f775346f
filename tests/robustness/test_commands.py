"""Damaged command lines: each ends in an answer or in one line about the fault, never in a traceback."""

import argparse
import importlib
import os
import random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robustness.budget import budget
from robustness.damage import damaged_message

from baycarp.cli import COMMANDS
from experiments.gates.programs import Origin, python

SECONDS = 5.0
"""After which a command that works is killed."""

CALLS = {
    "table": "call random sizer --game holdem.nolimit.3p --hands 9 --workers 1 --out here",
    "match": "random B=call --deals 10 --seed 3 --workers 1 --until B>random@95% --out here",
    "tournament": "random B=call C=rule --deals 4 --seats 2 --groups 1 --workers 1 --out here",
    "play": "rule --game holdem.limit.2p.reverse_blinds --port 0 --no-open --time 1 --out here",
    "review": "hands.log --player Ann --judge baycarp --playouts 9 --workers 1 --game holdem.limit.3p",
    "stats": "hands.log --player Ann --position BTN --street flop --stakes 1/2 --since 2026-01-01 --json",
    "equity": "AhKd 77+ --board Qs7d2c --seed 3 --json",
    "convert": "hands.log here.phhs --format phhs --game holdem.limit.3p --workers 1 --json",
    "watch": "frequency rule --hands 20 --seed 3 --format acpc --workers 1 --out here --json",
    "train": "here --hands 10 --workers 1 --from hands.log --player Ann --game holdem.limit.3p",
    "memory coverage": "here --most 3 --ask 4 --out there",
    "memory import": "mine here --model there",
    "exploit": "random --hands 20 --seed 3 --workers 1 --out here --json",
    "decide": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c --agent rule --game holdem.limit.2p.reverse_blinds --json",
    "serve acpc": "127.0.0.1 9 --agent call --game holdem.limit.3p --time 0.5 --wait 0",
    "serve engine": "--agent call --seed 3 --time 0.5 --playouts 10",
    "serve dealer": "holdem.limit.2p.reverse_blinds 10 3 Ann Bob --wait 1 --port 0,0",
    "serve mcp": "hands.log --game holdem.limit.3p",
    "solve": "leduc --iterations 20 --algorithm mccfr --seed 3 --out there.npz --json",
    "solve --board": "Td9d6hQc2s --oop AA,KQs --ip QQ-99 --pot 20 --stack 50 --sizes 60%,a --raises 2.5x "
    "--time 1 --target 1 --workers 1 --line check --out there.npz",
    "study": "--board Td9d6hQc2s --oop AA,KQs --ip QQ-99 --pot 20 --stack 50 --target 1 --line check "
    "--port 0 --no-open",
    "inspect cases": "here --street flop",
    "agents": "rule formula --json",
    "doctor": "--model here",
}
"""Arguments of every command, or of its parts, that end soon: the damaged ones are made of them."""


def damaged_words(call, draw: random.Random):
    """The arguments of a good call after one or two accidents, as a shell can pass them."""
    words = call.split()
    for _ in range(draw.randint(1, 2)):
        at = draw.randrange(len(words))
        accident = draw.randrange(5)
        if accident == 0 and len(words) > 1:
            del words[at]
        elif accident == 1:
            words.insert(at, draw.choice(words))
        else:
            word = damaged_message(words if accident == 2 else words[at : at + 1], draw)
            words[at] = word.replace("\0", "").encode("utf-8", "replace").decode()[:5000]
    return words


def test_every_command_is_tried():
    assert {name.split()[0] for name in CALLS} == set(COMMANDS)


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_are_damaged_were_good(name):
    parser = argparse.ArgumentParser()
    command, *part = name.split()
    importlib.import_module(f"baycarp.cli.{command}").add(parser)
    parser.parse_args([*part, *CALLS[name].split()])


@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_a_damaged_command_ends_without_a_traceback():
    @budget(0.4)
    @given(st.sampled_from(sorted(CALLS)), st.randoms(use_true_random=True))
    def ends(name, draw):
        words = damaged_words(CALLS[name], draw)
        with TemporaryDirectory() as folder:
            settings = {"group": True, "folder": folder, "BAYCARP_HOME": folder}
            with origin.program(python, "-m", "baycarp", *name.split(), *words, **settings) as program:
                program.wait(SECONDS)
                status = program.status
                program.kill()
                error = program.err
        assert status is None or status >= 0, f"signal {status}"
        assert "Traceback" not in error, error.splitlines()[-1:]

    with Origin(f"baycarp.cli.{name.split()[0]}" for name in CALLS) as origin:
        ends()
