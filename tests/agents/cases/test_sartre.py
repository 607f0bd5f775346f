"""The shipped models of Sartre at the table."""

import json

import numpy as np
import pytest

import baycarp
from baycarp.agents.cases.case_table import CaseTable
from baycarp.arena.session import Table, play_session
from baycarp.errors import TableError
from baycarp.explain.replay import replay
from baycarp.game import State, Variant
from baycarp.strategies.model import SHIPPED
from baycarp.strategies.sartre import GAME
from experiments.cases.class_tables import ClassTable, betting_tree

VARIANT = Variant.load(GAME)
BYTES = {
    "sartre": 3_000_000,
    "sartre2010": 1_500_000,
    "sartre2009": 1_500_000,
    "sartrenl": 1_500_000,
    "sartrenl2010": 1_500_000,
    "sartre3p": 1_500_000,
}
GAMES = dict.fromkeys(BYTES, GAME) | {
    "sartrenl": "holdem.nolimit.2p.reverse_blinds",
    "sartrenl2010": "holdem.nolimit.2p.reverse_blinds",
    "sartre3p": "holdem.limit.3p",
}
TABLES = ("sartre", "sartre2010", "sartre2009")
"""Those that answer as tables."""


@pytest.mark.parametrize("name", BYTES)
def test_the_models_ship_within_their_bytes_and_are_taught_by_the_packages_own_player(name):
    folder = SHIPPED.parent / name
    assert sum(path.stat().st_size for path in folder.glob("*")) <= BYTES[name]
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (manifest["strategy"], manifest["game"]) == (name, GAMES[name])


@pytest.mark.parametrize("name", BYTES)
def test_it_plays_and_every_decision_replays_from_its_trace(name):
    agent, draw, decided = baycarp.load(name), np.random.default_rng(6), 0
    variant = Variant.load(GAMES[name])
    agent.sit(0, variant, 3)
    for _ in range(40):
        state = State(variant, None, draw.permutation(52)[: 5 + 2 * variant.seats].astype(np.uint8))
        while not state.is_over:
            decision = agent.decide(state.observe(state.to_act))
            assert state.can(decision.action)
            record = json.loads(json.dumps(decision.to_dict()))
            assert replay(record["trace"]) == replay(decision.trace) == decision.action
            legal = state.legal_actions()
            state.apply(legal[draw.integers(1, len(legal))] if len(legal) > 1 else legal[0])
            decided += 1
    assert decided > 50


def test_a_session_against_the_teacher_and_another_game_is_refused():
    played = play_session(Table(VARIANT, ("Ann", "Bob"), ("sartre2010", "equilibrium"), seed=3), 0, hands=40)
    assert len(played.log) == 40
    agent = baycarp.load("sartre")
    with pytest.raises(TableError, match="expected limit, 2 seats"):
        agent.class_policies(State(Variant.ring(3)))
    explorer = CaseTable(agent.strategy, agent.model, learning=False, explore=0.1)
    with pytest.raises(TableError, match="explore"):
        explorer.class_policies(State(VARIANT))


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_no_action_is_illegal_at_any_decision_with_any_class(name):
    ClassTable(baycarp.load(name), betting_tree(GAME))  # refuses other policies
