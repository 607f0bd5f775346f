"""Public rows of people: nothing of a later action or of a hole card."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from experiments.people.rows import PUBLIC, people_rows

GAME = Variant.ring(3)


@pytest.fixture(scope="module")
def hands():
    specs = ("frequency(fold=0.6, raises=0.1)", "frequency(fold=0.1, raises=0.5)", "rule")
    log = play_session(Table(GAME, ("Ann", "Bob", "Cem"), specs, 1), 3, 60).log
    return [parse_state(line, GAME) for line in log]


def test_later_hands_change_nothing(hands):
    rows = people_rows(hands)
    shuffled = [*hands[:30], *np.random.default_rng(0).permutation(np.array(hands[30:], object)).tolist()]
    again = people_rows(shuffled)
    early = rows.hands < 30
    np.testing.assert_array_equal(rows.public[early], again.public[again.hands < 30])


def test_hole_cards_and_results_change_nothing(hands):
    rows = people_rows(hands)
    hidden = [replace(hand, holes=((),) * 3, payoffs=None) for hand in hands]
    np.testing.assert_array_equal(rows.public, people_rows(hidden).public)


def test_every_column_has_a_name(hands):
    assert people_rows(hands).public.shape[1] == len(PUBLIC)


def test_named_columns_are_counts_of_the_hand(hands):
    rows = people_rows(hands)
    at = 0
    for number, hand in enumerate(hands):
        acts = replay(hand).acts
        for done, act in enumerate(acts):
            own = [each.action.name for each in acts[:done] if each.seat == act.seat]
            found = dict(zip(PUBLIC, rows.public[at], strict=True))
            assert found["own bets"] == sum(name in ("bet", "raise") for name in own)
            assert found["own calls"] == own.count("call")
            assert found["seats"] == 3
            assert (rows.hands[at], rows.seats[at]) == (number, act.seat)
            at += 1
    assert at == len(rows)


def test_a_player_has_one_number_at_every_seat(hands):
    rows = people_rows(hands)
    names = [hands[hand].players[seat] for hand, seat in zip(rows.hands, rows.seats, strict=True)]
    assert len(set(zip(names, rows.actors.tolist(), strict=True))) == 3


def test_hands_without_decisions_or_names_are_refused(hands):
    with pytest.raises(ArgumentError, match="at least one decision"):
        people_rows([])
    with pytest.raises(ArgumentError, match="names of 3 players"):
        people_rows([replace(hands[0], players=())])
