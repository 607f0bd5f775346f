"""Sartre learns from hands: by logs, and many at once from players that answer as tables."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.arena import session
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError
from baycarp.game import State, Variant
from baycarp.game.notation.acpc import write_log
from baycarp.game.notation.hand import Hand
from baycarp.strategies.sartre import GAME, SARTRE2009, SARTRE2010, SARTRE2011
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.imitate import Demonstrations, imitate
from baycarp.training.logs import Logs
from baycarp.training.table_play import BatchPlay
from experiments.cases.table_cases import TableCases

VARIANT = Variant.load(GAME)


@pytest.fixture(scope="module")
def played():
    """Hands of two table players: decks, results and endings."""
    one, other = (HoldingClasses(load(spec), VARIANT) for spec in ("rule", "random"))
    play, draw = BatchPlay((one, other), VARIANT), np.random.default_rng(2)
    decks = np.argsort(draw.random((160, 52)), axis=1)[:, :9].astype(np.uint8)
    return decks, play.play(decks, draw), play.endings


@pytest.fixture(scope="module")
def hands(played):
    decks, results, endings = played
    found = []
    for number, (deck, ending) in enumerate(zip(decks, results.endings.tolist(), strict=True)):
        state = State(VARIANT, None, deck)
        for act in endings[ending].acts:
            state.apply(act.action)
        found.append(Hand.of(state, ("Ann", "Bob"), number))
    return found


def learned(strategy, hands, folder, players=("Ann", "Bob"), **settings):
    folder.mkdir()
    write_log(folder / "hands.log", hands)
    demonstrations = Demonstrations(Logs((folder / "hands.log",), VARIANT), players)
    return imitate(strategy, demonstrations, folder / "model", "a test", **settings)


def contents(casebases):
    """Counts and outcomes by street and situation."""
    found = {}
    for name, base in casebases.items():
        columns = base.columns()
        for place in range(len(base)):
            key = name, *columns["numbers"][:, place].tolist(), *columns["symbols"][:, place].tolist()
            if "counts" in columns:
                counts, sums = columns["counts"][:, place], columns["sums"][:, place]
            else:
                counts = np.eye(3)[columns["solutions"][place]]
                sums = np.zeros(3)
            before = found.get(key, np.zeros((2, 3)))
            found[key] = before + np.array([counts, sums])
    return found


@pytest.mark.parametrize("strategy", [SARTRE2011, SARTRE2009], ids=["2011", "2009"])
def test_many_hands_at_once_give_the_cases_of_their_log(strategy, played, hands, tmp_path):
    made = learned(strategy, hands, tmp_path / "log")
    decks, results, endings = played
    cases = TableCases(strategy)
    cases.add(decks, results, endings)
    expected, found = contents(made.model.casebases), contents(cases.casebases)
    assert set(found) == set(expected)
    for key, (counts, sums) in expected.items():
        assert found[key][0].tolist() == counts.tolist()
        if strategy is SARTRE2011:
            assert found[key][1] == pytest.approx(sums)
    assert sum(cases.decisions) == sum(len(hand.actions) for hand in hands)
    assert cases.decisions[0] > cases.decisions[3] > 0


def test_outcomes_are_the_result_of_the_hand_for_the_actor(hands, tmp_path):
    made = learned(SARTRE2010, hands[:1], tmp_path / "one", players=("Ann",))
    sums = sum(base.columns()["sums"].sum() for base in made.model.casebases.values())
    counts = sum(base.columns()["counts"].sum() for base in made.model.casebases.values())
    assert sums == pytest.approx(counts * hands[0].payoffs[0] / VARIANT.small_bet)


def test_logs_without_the_cards_of_folded_hands_are_refused_with_the_reason(hands, tmp_path):
    shown = [
        hand
        if len(hand.board) == 5 and "fold" not in [a.name for a in hand.actions]
        else replace(hand, holes=((), hand.holes[1]))
        for hand in hands
    ]
    with pytest.raises(ModelError, match=r"cards of \d+ of \d+ decisions are unknown: .* folded"):
        learned(SARTRE2011, shown, tmp_path / "shown", players=("Ann",))


@pytest.mark.slow
def test_an_interruption_and_two_workers_give_the_same_bytes(hands, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "HANDS", 20)

    class Interrupted(Exception):
        pass

    def stop(what, done, of):
        if what == "sessions described" and done == 3:
            raise Interrupted

    whole = learned(SARTRE2011, hands, tmp_path / "whole")
    with pytest.raises(Interrupted):
        learned(SARTRE2011, hands, tmp_path / "cut", progress=stop)
    logs = Logs((tmp_path / "cut" / "hands.log",), VARIANT)
    demonstrations = Demonstrations(logs, ("Ann", "Bob"))
    imitate(SARTRE2011, demonstrations, tmp_path / "cut" / "model", "a test", Workers(2))
    for name in SARTRE2011.bases:
        one, other = ((tmp_path / run / "model" / f"{name}.npz").read_bytes() for run in ("whole", "cut"))
        assert one == other
    assert sum(whole.agreement.values()) > 0
