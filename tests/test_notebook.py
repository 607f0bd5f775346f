"""Values draw themselves in a notebook: ranges, observations, networks, case-bases."""

import ast
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import baycarp
from baycarp import Action, Decision
from baycarp.api.match import match
from baycarp.bn import Network, Structure
from baycarp.card import CLASSES
from baycarp.cases import CaseBase, Feature, Linear, Schema
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.strategies.model import SHIPPED, load_model

VOID = {"rect", "line", "br"}


class Balanced(HTMLParser):
    """Verifies that every element is closed."""

    def __init__(self, html):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_range_is_a_grid_darker_with_weight():
    html = baycarp.Range("AA, AKs:0.5, 72o:0.25")._repr_html_()
    assert Balanced(html).texts[:169] == list(CLASSES)
    shades = dict(zip(CLASSES, map(float, re.findall(r"136,([\d.]+)\)", html)), strict=True))
    assert {name: shade for name, shade in shades.items() if shade} == {"AA": 1, "AKs": 0.5, "72o": 0.25}


def test_an_empty_range_is_drawn():
    assert set(re.findall(r"136,([\d.]+)\)", baycarp.Range(np.zeros(1326))._repr_html_())) == {"0.00"}


def test_an_observation_shows_its_own_cards_alone():
    line = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"
    found = Balanced(baycarp.observe(line, game="holdem.limit.2p.reverse_blinds")._repr_html_())
    cards = [text for text in found.texts if re.fullmatch(r"[2-9TJQKA][♠♥♦♣]", text)]
    assert cards == ["Q♠", "7♦", "2♣", "A♥", "K♦"]
    assert any("▯ ▯" in text for text in found.texts)
    assert "BB to act: check, bet 10" in " ".join(found.texts)


def test_names_of_players_are_escaped():
    observation = State(Variant.ring(2)).observe(0, ("<b>", "Bob"))
    assert "BB <b>" in Balanced(observation._repr_html_()).texts


@pytest.mark.parametrize("part", ["network", "flop"])
def test_a_network_and_a_case_base_are_tables(part):
    model = load_model(SHIPPED)
    shown = model.network if part == "network" else model.casebases["flop"]
    texts = Balanced(shown._repr_html_()).texts
    names = shown.structure.nodes if part == "network" else [each.name for each in shown.schema.features]
    at = [texts.index(name) for name in names]
    assert all(one < other for one, other in pairwise(at))
    assert repr(shown) in " ".join(texts)


HOSTILE = "A\ud800\x1b[31m\u202e<b>"


def with_hostile_names(what):
    """A value of each kind that has names of others."""
    match what:
        case "network":
            return Network(Structure({HOSTILE: ["no", HOSTILE]}, {}), {HOSTILE: [0.5, 0.5]})
        case "case-base":
            return CaseBase(Schema(HOSTILE, [Feature(HOSTILE, 1, Linear(1))], (HOSTILE,), 0.5))
        case "decision":
            return Decision(Action("fold"), {Action("fold"): 1.0}, reason=HOSTILE)
        case "observation":
            return State(Variant.ring(2)).observe(0, (HOSTILE, "Bob"))
    result = match(["call", "raise"], "holdem.limit.2p.reverse_blinds", deals=1)
    return replace(result, scores=replace(result.scores, players=(HOSTILE, "Bob")))


@pytest.mark.parametrize("what", ["network", "case-base", "decision", "observation", "match"])
def test_no_name_misleads_in_a_notebook(what):
    html = with_hostile_names(what)._repr_html_()
    assert r"A\ud800\x1b[31m\u202e&lt;b&gt;" in html
    assert r"\u202e<b>" not in html
    assert all(each.isprintable() for each in html.replace("\n", ""))


def test_every_drawing_for_a_notebook_is_escaped_as_a_whole():
    returned = {
        f"{path.name}: {ast.unparse(node)}"
        for path in Path(baycarp.__file__).parent.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef) and re.fullmatch(r"_repr_(?!_)\w+_", function.name)
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
    }
    assert len(returned) >= 9
    assert not [each for each in returned if ": return plain_text(" not in each]
