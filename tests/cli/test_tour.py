"""``baycarp play --tour``: five fixed hands, whose words fit the cards."""

import re
from io import StringIO
from itertools import chain, repeat

import pytest

from baycarp.card import cards
from baycarp.cli import main
from baycarp.cli.terminal import Terminal
from baycarp.cli.tour import STOPS, tour
from baycarp.game.variant import Variant
from baycarp.web.sitting import Seating, Sitting


def toured(lines):
    """Everything that the tour prints for some lines of input."""
    texts, given = [], StringIO("".join(f"{line}\n" for line in lines))

    def read(_prompt):
        if line := given.readline():
            return line.rstrip("\n")
        raise EOFError

    tour(read, texts.append)
    return "\n".join(texts)


def test_the_words_of_each_hand_are_about_its_cards():
    variant = Variant.load("holdem.limit.3p")
    for stop in STOPS:
        sitting = Sitting(Seating(variant, ("jake", "karma"), ("jake", "karma"), seed=stop.seed))
        while not sitting.waits:
            sitting.step()
        assert sorted(sitting.observe().hole) == sorted(cards(stop.hole))
        assert max(map(len, f"{stop.before}\n{stop.after}".splitlines())) <= 80


@pytest.mark.parametrize(("seed", "among"), [(468, ["As", "9s"]), (421, ["Ac"])])
def test_the_flops_are_as_the_words_have_them(seed, among):
    """Two spades for the spades of the third hand; an ace for the ace of the fourth."""
    lines, texts = iter(["c", "c", "q"]), []
    seating = Seating(Variant.load("holdem.limit.3p"), ("jake", "karma"), ("jake", "karma"), seed=seed)
    Terminal(Sitting(seating), lambda prompt: next(lines), texts.append).run()
    flop = re.search(r"flop: (\w+ \w+ \w+)", "\n".join(texts))[1].split()
    assert {*among} <= {*flop}


def test_it_is_played_to_its_end_and_fits_80_columns():
    printed = toured(chain.from_iterable(repeat(["r", "c", "c", "c", "c", "c", "c", "c", "why 2", "n"], 5)))
    at = [printed.index(words) for each in STOPS for words in (each.before, each.after)]
    assert at == sorted(at)
    assert printed.endswith("one spot")
    assert "decided to" in printed
    assert printed.count("(over)") == 5
    assert max(map(len, printed.splitlines())) <= 80


def test_it_can_be_left_at_any_time(capsys, monkeypatch):
    for lines in (["q"], ["f", "", "q"], []):
        printed = toured(lines)
        assert "That was the tour" not in printed
        assert printed.count(" of 5]") == 1 + len(lines) // 2
    monkeypatch.setattr("sys.stdin", StringIO("q\n"))
    assert main(["play", "--tour"]) == 0
    assert STOPS[0].before in capsys.readouterr().out


def test_n_is_the_next_hand():
    seating = Seating(Variant.load("holdem.limit.3p"), ("Ann", "Bob"), ("jake", "karma"), seed=468)
    lines, texts, sitting = iter(["c", "c", "c", "c", "c", "c", "n", "q"]), [], Sitting(seating)
    Terminal(sitting, lambda prompt: next(lines), texts.append).run()
    assert sitting.hand == 1
    assert not [text for text in texts if "expected" in text]
