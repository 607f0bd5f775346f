"""Recorded hands as input of an agent: its decisions are those of the play."""

import json

import pytest
from reference.players import system

import baycarp
from baycarp.agents.policy import by_kind, policy_from_text
from baycarp.api.table import TableResult
from baycarp.arena import session
from baycarp.arena.recorded import SessionMark, read_session, sit_through
from baycarp.arena.session import Table, play_session
from baycarp.cli import main
from baycarp.errors import NotationError
from baycarp.game.notation.hand import STREETS, states
from baycarp.game.seats import seat_names
from baycarp.game.variant import Variant

GAME = Variant.ring(4)
OTHERS = ("rule", "jag", "formula(tightness=0.5)")
HANDS, SESSIONS = 30, (7, 8)


class Recorder:
    """An agent that keeps its decisions, by hand and number of acts before."""

    def __init__(self, spec, kept):
        self.agent, self.kept = baycarp.load(spec), kept
        self.plays, self.sit, self.learn = self.agent.plays, self.agent.sit, self.agent.learn

    def decide(self, observation, time_limit=None, budget=None):
        decision = self.agent.decide(observation, budget=budget)
        self.kept[observation.hand, len(observation.acts)] = (observation, decision)
        return decision


@pytest.fixture
def played(tmp_path, monkeypatch):
    """Play two sessions; returns their log, and the agent's decisions."""

    def play(spec):
        kept, path = {}, tmp_path / "hands.log"
        load = session.load
        monkeypatch.setattr(
            session, "load", lambda each: Recorder(each, kept) if each == spec else load(each)
        )
        table = Table(GAME, ("Hero", "A", "B", "C"), (spec, *OTHERS), seed=5)
        units = {(number, 0): play_session(table, number, HANDS) for number in SESSIONS}
        path.write_text(TableResult.of(table, units).log())
        return path, kept

    return play


def agents(model, styled):
    return {
        "learns": f"baycarp2(model={str(model)!r})",
        "draws": f"baycarp2(model={str(model)!r}, policy='proportional')",
        "plans": system("baycarp2", strategy={"plans": "sum"}, model={"folder": model}),
        "by actions": f"baycarp2(opponents='styles', model={str(styled)!r})",
        "formula": "formula(mixing=300)",
    }


@pytest.mark.parametrize(
    "kind",
    [
        "learns",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("draws", "plans", "by actions")),
        "formula",
    ],
)
def test_an_agent_that_sat_through_a_session_decides_as_it_did(small_model, styled_model, played, kind):
    spec = agents(small_model, styled_model)[kind]
    path, kept = played(spec)
    assert len(kept) > HANDS
    assert {hand // HANDS for hand, _ in kept} == set(SESSIONS)
    differs = 0
    for (number, acts), (_, decision) in list(kept.items())[::3]:
        line = number - SESSIONS[0] * HANDS + 1
        hands, mark = read_session(path, GAME, line)
        state = list(states(hands[-1]))[acts]
        observation = state.observe(state.to_act, hands[-1].players, hands[-1].id)
        agent = baycarp.load(spec)
        differs += agent.decide(observation).reason != decision.reason
        sit_through(agent, hands, observation, mark)
        again = agent.decide(observation)
        assert (again.action, again.policy) == (decision.action, decision.policy)
        assert again.reason == decision.reason
    assert differs  # without the hands before it


def test_decide_explains_the_decision_that_was_made(small_model, played, capsys):
    spec = agents(small_model, small_model)["learns"]
    path, kept = played(spec)
    asked = {}
    for (number, _), (observation, decision) in kept.items():
        asked.setdefault((number, observation.street), (observation, decision))  # the first on its street
    for (number, street), (observation, decision) in list(asked.items())[-12:]:
        line = number - SESSIONS[0] * HANDS + 1
        seat = seat_names(observation.variant)[observation.seat]
        arguments = ["--hand", line, "--street", STREETS[street], "--position", seat, "--json"]
        command = ["decide", path, "--game", "holdem.limit.4p", "--agent", spec, *arguments]
        assert main(list(map(str, command))) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["action"] == decision.action.name
        assert by_kind(policy_from_text(record["policy"])) == decision.policy_by_kind()
        assert record["reason"] == decision.reason


def test_a_lasting_memory_retains_nothing_of_a_log(small_model, played, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path, _ = played("call")
    spec = f"baycarp2(model={str(small_model)!r}, memory='ann')"

    def cases():
        agent = baycarp.load(spec)
        found = {name: len(casebase) for name, casebase in agent.casebases.items()}
        agent.store.close()
        return found

    before = cases()
    command = ["decide", path, "--game", "holdem.limit.4p", "--agent", spec, "--hand", HANDS, "--json"]
    assert main(list(map(str, command))) == 0
    assert cases() == before


def test_a_session_of_a_log_ends_at_the_next_mark():
    lines = [
        "# session 7, seed 5",
        *play_session(Table(GAME, ("A", "B", "C", "D"), ("call",) * 4), 7, 3).log,
        "# a remark",
        "# session 8, seed 5",
        *play_session(Table(GAME, ("A", "B", "C", "D"), ("call",) * 4), 8, 2).log,
    ]
    found = [read_session("\n".join(lines), GAME, number) for number in range(1, 7)]
    assert [[hand.id for hand in hands] for hands, _ in found] == [
        [21],
        [21, 22],
        [21, 22, 23],
        [16],
        [16, 17],
        [],
    ]
    marks = [mark for _, mark in found]
    assert marks == [SessionMark(7, 5)] * 3 + [SessionMark(8, 5)] * 2 + [None]
    plain, none = read_session("\n".join(lines[1:4]), GAME, 3)
    assert ([hand.id for hand in plain], none) == ([21, 22, 23], None)
    with pytest.raises(NotationError, match="line 5"):
        read_session("\n".join([*lines[:4], "STATE:x"]), GAME, 4)
