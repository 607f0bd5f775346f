"""Rows of people: nothing of a later hand, and statistics counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.train.people_rows import PRIOR, STATISTICS, people_rows

GAME = Variant.ring(3)


@pytest.fixture(scope="module")
def hands():
    specs = ("frequency(fold=0.6, raises=0.1)", "frequency(fold=0.1, raises=0.5)", "rule")
    log = play_session(Table(GAME, ("Ann", "Bob", "Cem"), specs, 1), 3, 60).log
    return [parse_state(line, GAME) for line in log]


def column(rows, name):
    return rows.players[:, STATISTICS.index(name)]


def test_later_hands_change_nothing(hands):
    rows = people_rows(hands)
    shuffled = [*hands[:30], *np.random.default_rng(0).permutation(np.array(hands[30:], object)).tolist()]
    again = people_rows(shuffled)
    early = rows.hands < 30
    np.testing.assert_array_equal(rows.public[early], again.public[again.hands < 30])
    np.testing.assert_array_equal(rows.players[early], again.players[again.hands < 30])
    assert any((a != b).any() for a, b in zip(rows.players[-9:], again.players[-9:], strict=True))


def test_hole_cards_and_the_own_hands_end_change_nothing(hands):
    rows = people_rows(hands)
    hidden = [replace(hand, holes=((),) * 3, payoffs=None) for hand in hands]
    np.testing.assert_array_equal(rows.players, people_rows(hidden).players)
    np.testing.assert_array_equal(rows.public, people_rows(hidden).public)


def test_decisions_and_hands_are_counted_before_the_hand(hands):
    rows = people_rows(hands)
    made = {name: [0, 0] for name in ("Ann", "Bob", "Cem")}
    at = 0
    for hand in hands:
        acted = [hand.players[seat] for seat in actors(hand)]
        for name in acted:
            assert column(rows, "all decisions")[at] == made[name][0]
            assert column(rows, "hands")[at] == made[name][1]
            at += 1
        for name in acted:
            made[name][0] += 1
        for name in set(acted):
            made[name][1] += 1
    assert at == len(rows)


def actors(hand):
    from baycarp.game.notation.hand import replay

    return [act.seat for act in replay(hand).acts]


def test_the_second_hand_has_the_differences_of_the_first(hands):
    first = people_rows(hands[:1])
    rows = people_rows(hands[:2])
    names = [hands[0].players[seat] for seat in actors(hands[0])]
    shares, more = {}, dict.fromkeys(names, 0.0)
    for name, cell, choice in zip(names, first.cells.tolist(), first.choices.tolist(), strict=True):
        counts = shares.setdefault(cell, [1.0, 1.0, 1.0])
        more[name] += (choice == 2) - counts[2] / sum(counts)
        counts[choice] += 1
    second = [hands[1].players[seat] for seat in actors(hands[1])]
    found = column(rows, "all raises")[rows.hands == 1]
    expected = [more.get(name, 0.0) / (names.count(name) + PRIOR) for name in second]
    np.testing.assert_allclose(found, expected)


def test_the_habits_of_the_players_are_found(hands):
    rows = people_rows(hands)
    last = {name: [] for name in ("Ann", "Bob", "Cem")}
    for hand in hands:
        for seat in actors(hand):
            last[hand.players[seat]].append(sum(map(len, last.values())))
    folds, raises = (column(rows, f"all {kind}") for kind in ("folds", "raises"))
    assert folds[last["Ann"][-1]] > 0.05 > -0.05 > folds[last["Bob"][-1]]
    assert raises[last["Bob"][-1]] > raises[last["Ann"][-1]]


def test_hands_without_decisions_or_names_are_refused(hands):
    with pytest.raises(ArgumentError, match="at least one decision"):
        people_rows([])
    with pytest.raises(ArgumentError, match="names of 3 players"):
        people_rows([replace(hands[0], players=())])
