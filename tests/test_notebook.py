"""Values draw themselves in a notebook: ranges, observations, networks, case-bases."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import baycarp
from baycarp.card import CLASSES
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
