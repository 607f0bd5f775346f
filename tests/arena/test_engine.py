"""The engine: its answers, the observations of its agent, and that no message ends it."""

import json
import os
import random
import re
import subprocess
import sys
import time
from threading import Event as Flag
from threading import Thread

import pytest

import baycarp
from baycarp import errors
from baycarp.agents.anytime import Answer, Anytime, Run
from baycarp.agents.external.program import _event_message, _position_message
from baycarp.agents.registry import load
from baycarp.agents.static.simple import AlwaysCall, Random
from baycarp.arena import engine as module
from baycarp.arena.engine import Engine, Options, Stoppable
from baycarp.arena.hand import play_hand
from baycarp.arena.serve import serve
from baycarp.budget import Budget
from baycarp.game.event import Acted, HandOver
from baycarp.game.notation.wire import LONGEST, Lines, game_message, games, parse, read_game, write
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

SPOT = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"
TWO = "holdem.limit.2p.reverse_blinds"


def ask(engine, **message):
    return list(engine.answer_line(json.dumps(message).encode()))


class Recorder(Random):
    """Plays at random and records every observation, event and budget."""

    def __init__(self):
        super().__init__()
        self.sat, self.shown, self.events, self.budgets = [], [], [], []

    def sit(self, seat, variant, seed):
        super().sit(seat, variant, seed)
        self.sat.append((seat, variant, seed))

    def decide(self, observation, time_limit=None, budget=None):
        self.shown.append(observation)
        self.budgets.append(budget)
        return super().decide(observation, budget=budget)

    def learn(self, event):
        self.events.append(event)


@pytest.fixture
def recorder(monkeypatch):
    """The agents that engines of this test load, the last one last."""
    loaded = []

    def recording(spec):
        loaded.append(Recorder())
        return loaded[-1]

    monkeypatch.setattr(module, "load", recording)
    return loaded


def _timeless(stage):
    return {key: value for key, value in stage.items() if key != "seconds"}


def test_a_position_is_decided_as_the_agent_decides_it():
    engine = Engine(Options("karma", seed=4))
    assert ask(engine, type="new", game=TWO, seat=0) == []
    assert ask(engine, type="position", state=SPOT) == []
    info, answer = ask(engine, type="go", playouts=10, id="a", trace=True)
    agent = load("karma")
    agent.sit(0, Variant.load(TWO), 4)
    expected = agent.decide(baycarp.observe(SPOT, TWO), budget=Budget(playouts=10)).to_dict()
    assert (answer["type"], answer["id"], info["type"], info["id"]) == ("decision", "a", "info", "a")
    for key in ("action", "amount", "policy", "exact", "reason"):
        assert answer[key] == expected[key]
    assert [_timeless(stage) for stage in answer["trace"]] == [
        _timeless(stage) for stage in expected["trace"]
    ]
    assert {"rule", "effective", "shares"} <= {key for stage in answer["trace"] for key in stage}
    assert [stage["stage"] for stage in info["stages"]] == [stage["stage"] for stage in expected["trace"]]
    assert "trace" not in ask(engine, type="go", playouts=10)[1]


def test_a_position_by_actions_equals_the_one_by_a_matchstate(recorder):
    engine = Engine()
    ask(engine, type="position", state=SPOT, game=TWO, players=["we", "they"])
    ask(engine, type="go")
    for actions in (["raise 20", "call 10"], ["raise", "call"]):
        hand_fields = {"holes": ["AhKd", ""], "board": "Qs7d2c", "actions": actions, "seat": 0, "hand": 0}
        ask(engine, type="position", game=TWO, players=["we", "they"], **hand_fields)
        ask(engine, type="go")
    first, second, third = recorder[-1].shown
    assert first == second == third
    assert first.players == ("we", "they")


GAMES = (
    Variant.load("holdem.limit.3p"),
    Variant.load("holdem.nolimit.2p.reverse_blinds"),
    Variant.ring(4, 20, betting="no-limit", stacks=(55, 1000, 90, 400), ante=3),
    Variant.ring(10),
)


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.name)
def test_an_agent_behind_the_wire_observes_what_it_observes_in_process(recorder, variant):
    """Observations and events, hand after hand: equal to those in process, card by card and chip by chip."""

    class Wired(Recorder):
        def sit(self, seat, variant, seed):
            super().sit(seat, variant, seed)
            self.send({"type": "new", "game": game_message(variant), "seat": seat, "seed": seed})

        def decide(self, observation, time_limit=None, budget=None):
            self.send({"type": "position"} | _position_message(observation))
            (_, answer) = ask(engine, type="go", playouts=3)
            decision = super().decide(observation)
            assert (answer["action"], answer["amount"]) == decision.action
            return decision

        def learn(self, event):
            super().learn(event)
            self.send(_event_message(event))

        def send(self, message):
            assert list(engine.answer_line(write(message))) == []

    engine = Engine()
    wired = Wired()
    wired.sit(1, variant, 9)
    seats = variant.seats
    names = tuple(f"p{seat}" for seat in range(seats))
    others = [Random() for _ in range(seats - 1)]
    for seat, agent in enumerate(others):
        agent.sit(seat, variant, seat)
    for hand in range(30):
        at = hand % seats
        agents = [*others[:at], wired, *others[at:]]
        play_hand(State(variant, deck=deal(3, 0, hand, 2 * seats + 5)), agents, names, hand)
    agent = recorder[-1]
    assert agent.sat == wired.sat
    assert agent.shown == wired.shown
    assert len(wired.events) > 60
    assert agent.events == wired.events
    assert all(budget == Stoppable(None, 3) for budget in agent.budgets)


def test_a_hand_may_be_sent_at_once_or_in_parts(recorder):
    hand_fields = {"game": "holdem.limit.3p", "hand": 3, "players": ["a", "b", "c"]}
    actions = ["call 10", "call 5", "check", "check", "bet 10", "fold", "fold"]
    at_once, slowly = Engine(), Engine()
    ask(at_once, type="observe", actions=actions, board="Qs7d2c", **hand_fields)
    for count in (1, 1, 0, 3, 4, 7, 7, 5):  # repeated, and out of date, as dealers do
        ask(
            slowly,
            type="observe",
            actions=actions[:count],
            board="Qs7d2c" if count > 2 else "",
            **hand_fields,
        )
    received = [agent.events for agent in recorder if agent.events]
    assert received[0] == received[1]
    *acts, over = received[0]
    assert [type(event) for event in acts] == [Acted] * 7
    assert [len(event.observation.acts) for event in acts] == list(range(7))
    assert acts[0].observation.board == ()
    assert over == HandOver(over.observation, (-10, 20, -10))


def test_a_showdown_ends_when_the_payoffs_are_known(recorder):
    engine = Engine()
    line = "MATCHSTATE:0:5:cc/cc/cc/cc:AhKd|{}/Qs7d2c/3c/4c"
    ask(engine, type="observe", state=line.format(""), game=TWO)
    agent = recorder[-1]
    assert [type(event) for event in agent.events] == [Acted] * 8
    ask(engine, type="observe", state=line.format("QhQd"), game=TWO)
    over = agent.events[8]
    assert over.payoffs == (-10, 10)
    assert [len(hole) for hole in over.observation.state.holes] == [2, 2]
    ask(engine, type="observe", state=line.format("QhQd"), game=TWO)
    assert len(agent.events) == 9
    ask(engine, type="observe", state=line.format("").replace(":5:", ":6:"), payoffs=[10, -10], game=TWO)
    assert agent.events[-1].payoffs == (10, -10)
    assert len(agent.events) == 18


def test_new_begins_a_session_with_a_fresh_agent(recorder):
    engine = Engine(Options(seed=5))
    ask(engine, type="new", game=TWO, seat=1, seed=6)
    ask(engine, type="new")
    first, second = recorder
    assert first.sat == [(1, Variant.load(TWO), 6)]
    assert second.sat == [(0, Variant.load(TWO), 5)]


def test_options_hold_until_they_are_changed():
    engine = Engine(Options("call"))
    assert ask(engine, type="options", agent="raise", seed=3, playouts=7, trace=True, color="red") == []
    (ready,) = ask(engine, type="ready", id=1)
    expected = {"agent": "raise", "seed": 3, "time": None, "playouts": 7, "trace": True}
    assert (ready["options"], ready["id"], ready["agent"]) == (expected, 1, "raise")
    assert ready["games"] == list(games())
    assert ready["plays"] == {"betting": ["limit", "no-limit"], "seats": [2, 10]}
    (wrong,) = ask(engine, type="options", agent="nobody", seed=4)
    assert wrong["error"] == "ModelError"
    ask(engine, type="position", state=SPOT, game=TWO)
    assert ask(engine, type="go")[1]["action"] == "bet"
    assert "trace" in ask(engine, type="go")[1]
    assert ask(engine, type="ready")[0]["options"] == expected


def test_a_go_without_limits_takes_those_of_the_options(recorder):
    engine = Engine(Options(time=0.5, playouts=7))
    ask(engine, type="position", state=SPOT, game=TWO)
    for limits in ({}, {"time": 2}, {"playouts": 3}, {"time": 1.5, "playouts": 4}):
        ask(engine, type="go", **limits)
    given = [(budget.time, budget.playouts) for budget in recorder[-1].budgets]
    assert given == [(0.5, 7), (2, None), (None, 3), (1.5, 4)]


@pytest.mark.parametrize("name", games())
def test_a_game_is_its_name_or_its_rules(name):
    game = Variant.load(name)
    assert read_game(name) == game
    assert read_game(json.loads(write(game_message(game)))) == game
    text = "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
    text += "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    text += "numBoardCards = 0 3 1 1\nEND GAMEDEF"
    assert read_game(text).blinds == Variant.load(TWO).blinds


MISTAKES = [
    (b"", "NotationError", "JSON object"),
    (b"[1]", "NotationError", "JSON object"),
    (b'{"type": "go"', "NotationError", "JSON object"),
    (b'{"type": "go", "time": NaN}', "NotationError", "NaN"),
    (b"[" * 60_000, "NotationError", "JSON object"),
    (b'{"n": ' + b"9" * 50_000 + b"}", "NotationError", "JSON object"),
    (b"\xff\xfe{}", "NotationError", "JSON object"),
    (None, "NotationError", "too long"),
    (b"{}", "NotationError", "type: expected a text, it is missing"),
    (b'{"type": 5}', "NotationError", "type: expected a text, got 5"),
    (b'{"type": "go", "time": "1"}', "NotationError", "time: expected a number"),
    (b'{"type": "go", "time": -1}', "NotationError", "time: expected a number"),
    (b'{"type": "go", "playouts": 0}', "NotationError", "playouts: expected"),
    (b'{"type": "go", "playouts": true}', "NotationError", "playouts: expected"),
    (b'{"type": "go", "trace": 1}', "NotationError", "trace: expected"),
    (b'{"type": "new", "game": "../secret"}', "VariantError", "expected a GAMEDEF text or one of"),
    (b'{"type": "new", "game": 7}', "NotationError", "game 7"),
    (b'{"type": "new", "game": "GAMEDEF\\nlimit\\nEND GAMEDEF"}', "VariantError", "numrounds"),
    (b'{"type": "new", "game": {"seats": 11, "betting": "limit"}}', "VariantError", "seats 11"),
    (b'{"type": "new", "seat": 2}', "NotationError", "seat: expected a whole number from 0 to 1"),
    (b'{"type": "new", "game": "holdem.limit.3p", "seat": 3}', "NotationError", "seat"),
    (b'{"type": "options", "agent": "karmaa"}', "ModelError", "karmaa"),
    (b'{"type": "options", "seed": -1}', "NotationError", "seed"),
    (b'{"type": "position", "state": "MATCHSTATE:0"}', "NotationError", "expected 5"),
    (b'{"type": "position", "actions": ["jump"], "seat": 0}', "NotationError", "action 'jump'"),
    (b'{"type": "position", "actions": ["raise 21"], "seat": 0}', "NotationError", "raise to 20"),
    (b'{"type": "position", "holes": ["AhAh", ""]}', "NotationError", "card dealt twice: Ah"),
    (b'{"type": "position", "holes": ["AhXh", ""]}', "NotationError", "unknown card"),
    (b'{"type": "position", "holes": ["AhKh"]}', "NotationError", "holes: expected 2 texts"),
    (b'{"type": "position", "holes": ["AhKh", ""]}', "NotationError", "seat: expected the position"),
    (b'{"type": "position", "board": "2c3c4c", "seat": 0}', "NotationError", "board: expected"),
    (b'{"type": "position", "actions": ["call", "check"], "seat": 0}', "CardError", "board"),
    (b'{"type": "position", "players": ["a", "a"], "seat": 0}', "NotationError", "players"),
    (b'{"type": "position", "stacks": [5], "seat": 0}', "BaycarpError", "stacks"),
    (b'{"type": "observe", "actions": ["fold"], "payoffs": [1, 2]}', "NotationError", "sum to 0"),
    (b'{"type": "observe", "actions": ["call"], "payoffs": [1, -1]}', "NotationError", "not|before"),
]


@pytest.mark.parametrize("depth", [200, 930, 985, 988, 989, 990, 991, 995, 5_000])
def test_a_message_of_many_levels_is_one_error(depth):
    line = f'{{"type":"position","game":{{"seats":{"[" * depth}{"]" * depth}}}}}'
    (answer,) = Engine(Options("call")).answer_line(line.encode())
    assert answer["error"] == "NotationError"
    assert "nested too deeply" in answer["reason"]


@pytest.mark.parametrize(("line", "kind", "reason"), MISTAKES)
def test_a_mistake_is_one_error_with_its_reason(line, kind, reason):
    engine = Engine(Options("call"))
    ask(engine, type="new", game=TWO)
    (answer,) = engine.answer_line(line)
    assert answer["type"] == "error"
    assert issubclass(getattr(errors, answer["error"]), getattr(errors, kind))
    assert re.search(reason, answer["reason"])
    assert len(write(answer)) < 1500
    ask(engine, type="position", state=SPOT)
    assert ask(engine, type="go")[1]["action"] == "check"


def test_a_message_starts_no_program_and_opens_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    owned = tmp_path / "owned"
    command = f"{sys.executable} -S -c 'open({str(owned)!r}, \\'w\\')'"
    engine = Engine(Options("call"))
    for agent in (
        f"program(command={command!r}, start=0.2)",
        "baycarp2(memory='ann')",
        f"baycarp2(weights={str(tmp_path / 'w.json')!r})",
        str(tmp_path),
    ):
        (answer,) = ask(engine, type="options", agent=agent)
        assert answer["error"] == "ModelError"
        assert ask(engine, type="new", game=TWO) == []
    assert list(tmp_path.iterdir()) == []
    assert ask(engine, type="ready")[0]["agent"] == "call"


def test_an_engine_with_trust_takes_any_agent(small_model):
    engine = Engine(Options("call"), trust=True)
    assert ask(engine, type="options", agent=str(small_model)) == []
    assert ask(engine, type="ready")[0]["agent"] == str(small_model)


def test_a_position_that_cannot_be_decided_is_an_error(recorder):
    engine = Engine()
    assert ask(engine, type="go", id=1)[0]["error"] == "TableError"
    ask(engine, type="position", game=TWO, seat=0, holes=["AhKd", ""])
    (answer,) = ask(engine, type="go", id=2)
    assert (answer["id"], answer["error"]) == (2, "IllegalAction")
    ask(engine, type="position", game=TWO, seat=1, holes=["AhKd", ""])
    assert ask(engine, type="go")[0]["error"] == "CardError"
    ask(engine, type="position", game=TWO, seat=1, holes=["", "AhKd"])
    assert ask(engine, type="go")[1]["type"] == "decision"
    ask(engine, type="position", game=TWO, actions=["jump"])  # what follows a mistake decides nothing old
    assert ask(engine, type="go")[0]["error"] == "TableError"


def test_observations_that_contradict_are_refused(recorder):
    engine = Engine()
    ask(engine, type="observe", game=TWO, actions=["call", "check"])
    (answer,) = ask(engine, type="observe", actions=["call", "raise"])
    assert (answer["error"], "hand 0" in answer["reason"]) == ("NotationError", True)
    assert len(recorder[-1].events) == 2


def test_a_fault_of_the_agent_is_reported_and_the_engine_continues(recorder, caplog):
    engine = Engine()
    ask(engine, type="position", state=SPOT, game=TWO)
    recorder[-1].decide = lambda observation, budget: 1 / 0
    (answer,) = ask(engine, type="go", id=5)
    assert (answer["error"], answer["id"]) == ("ZeroDivisionError", 5)
    assert "ZeroDivisionError" in caplog.text
    assert ask(engine, type="ready")[0]["type"] == "ready"


def test_unknown_messages_and_keys_are_ignored():
    engine = Engine(Options("call"))
    (answer,) = ask(engine, type="resign", id=3)
    assert (answer["type"], answer["id"]) == ("info", 3)
    assert ask(engine, type="position", state=SPOT, game=TWO, weather="fine") == []
    assert ask(engine, type="stop") == []


def test_stop_ends_the_work_with_the_result_so_far():
    """Trials without end, unless the clock says so: stopped, they end after the first look at it."""
    budget = Stoppable(time=1e6)
    meter = budget.start()
    assert meter.left() > 1e5
    budget.stopped.set()
    assert meter.left() <= 0
    agent = load("simulation")
    agent.sit(0, Variant.load(TWO), 1)
    decision = agent.decide(baycarp.observe(SPOT, TWO), budget=budget)
    assert decision.action.name in ("check", "bet")
    assert Stoppable(playouts=5).start().left() == float("inf")


def test_lines_are_cut_as_they_come():
    whole = b"one\ntwo\r\n\n" + b"x" * (LONGEST + 1) + b"\nthree\n" + b"y" * LONGEST + b"\nlast"
    expected = [b"one", b"two\r", b"", None, b"three", b"y" * LONGEST, b"last"]
    for size in (1000, 7, len(whole)):
        lines, got = Lines(), []
        for at in range(0, len(whole), size):
            got += lines.feed(whole[at : at + size])
        assert got + lines.end() == expected
    assert lines.end() == []


class Patient(AlwaysCall):
    """Computes until its time is over; a minute means that it was not stopped."""

    def decide(self, observation, time_limit=None, budget=None):
        meter = budget.start()
        while meter.left() > 0:
            assert meter.spent() < 60
            time.sleep(0.001)
        return super().decide(observation)


@pytest.fixture
def talk(monkeypatch):
    """An engine with a patient agent behind two pipes: send, receive, its thread, the pipe."""
    monkeypatch.setattr(module, "load", lambda spec: Patient())
    (source, say), (hear, target) = os.pipe(), os.pipe()
    thread = Thread(target=serve, args=(Engine(), source, target), daemon=True)
    thread.start()
    with open(hear, "rb") as answers, open(say, "wb", buffering=0) as questions:
        yield (
            lambda **message: questions.write(write(message)),
            lambda: parse(answers.readline()),
            thread,
            questions,
        )
        questions.close()
        thread.join(30)
        assert not thread.is_alive()
        for end in (source, target):
            os.close(end)


def test_it_reads_while_it_computes(talk):
    say, hear, _, _ = talk
    say(type="position", state=SPOT, game=TWO)
    say(type="go", id=1)
    say(type="ready", id=2)
    assert hear()["type"] == "ready"
    say(type="resign", id=3)
    say(type="stop")
    for expected in [("info", 1), ("decision", 1), ("info", 3)]:
        answer = hear()
        assert (answer["type"], answer["id"]) == expected
    say(type="go", id=4, time=0)  # a stop does not reach what is asked later
    assert (hear()["id"], hear()["type"]) == (4, "decision")


def test_it_reports_each_step_while_it_computes(monkeypatch):
    """A step waits for the report of the one before: each line is sent before the next step ends."""
    (source, say), (hear, target) = os.pipe(), os.pipe()
    received, go_on = [], Flag()

    class Stepwise(AlwaysCall):
        def decide(self, observation, time_limit=None, budget=None):
            run = Run(Anytime(), budget.start(), observation)
            for name in ("call", "raise", "fold"):
                assert run.begins(name)
                run.ends(name, self.answer(observation))
            return run.result()

        def answer(self, observation):
            name = ("call", "raise", "fold")[len(received)]
            if received:
                assert go_on.wait(30)
                go_on.clear()
            action = observation.state.named(name)
            received.append(name)
            return Answer(action, {action: 1.0}, "so far")

    monkeypatch.setattr(module, "load", lambda spec: Stepwise())
    thread = Thread(target=serve, args=(Engine(), source, target), daemon=True)
    thread.start()
    with open(hear, "rb") as answers, open(say, "wb", buffering=0) as questions:
        facing = "MATCHSTATE:0:0:r:AhKd|"
        questions.write(write({"type": "position", "state": facing, "game": TWO}))
        questions.write(write({"type": "go", "id": 8}))
        before = 0.0
        for name, amount in (("call", 10), ("raise", 30), ("fold", 0)):
            info = parse(answers.readline())
            assert (info["type"], info["id"], info["step"]) == ("info", 8, name)
            assert (info["action"], info["amount"]) == (name, amount)
            assert info["seconds"] >= before
            before = info["seconds"]
            go_on.set()
        assert "stages" in parse(answers.readline())
        assert parse(answers.readline())["action"] == "fold"
    thread.join(30)
    for end in (source, target):
        os.close(end)


@pytest.mark.parametrize("agent", ["baycarp2", "karma"])
def test_the_last_reported_step_is_the_decision(agent):
    engine, progress = Engine(Options(agent, playouts=5)), []
    ask(engine, type="position", state=SPOT, game=TWO)
    info, decision = engine.answer_line(b'{"type": "go", "id": 3, "time": 50}', report=progress.append)
    tiers = [stage["tier"] for stage in info["stages"] if stage["stage"] == "tier"]
    assert [line["step"] for line in progress] == tiers[: len(progress)]
    assert len(progress) >= 2
    assert {line["id"] for line in progress} == {3}
    assert (progress[-1]["action"], progress[-1]["amount"]) == (decision["action"], decision["amount"])


def test_quit_answers_and_ends(talk):
    say, hear, thread, _ = talk
    say(type="position", state=SPOT, game=TWO)
    say(type="go", id=1)
    say(type="quit")
    say(type="ready", id=2)
    assert (hear()["type"], hear()["type"]) == ("info", "decision")
    thread.join(30)
    assert not thread.is_alive()


def test_a_line_without_end_is_one_mistake(talk):
    say, hear, _, questions = talk
    questions.write(b"x" * (3 * LONGEST))
    questions.write(b"\n")
    say(type="ready", id=1)
    assert (hear()["error"], hear()["type"]) == ("NotationError", "ready")


def test_the_command():
    lines = [
        {"type": "ready", "id": 1},
        {"type": "position", "state": SPOT, "game": TWO},
        {"type": "go", "id": 2},
    ]
    given = b"what?\n" + b"".join(map(write, lines))[:-1]  # the last line is not ended
    done = subprocess.run(
        [sys.executable, "-m", "baycarp", "serve", "engine", "--agent", "raise", "--playouts", "5"],
        input=given,
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["error", "ready", "info", "decision"]
    assert answers[1]["options"]["playouts"] == 5
    assert (answers[3]["action"], answers[3]["amount"]) == ("bet", 10)
    assert done.stderr == b""


SEEDS = (
    b'{"type": "new", "game": {"name": "x", "betting": "limit", "seats": 2, "blinds": [10, 5], "antes":'
    b' [0, 0], "stacks": null, "raise_sizes": [10, 10, 20, 20], "max_raises": [3, 4, 4, null],'
    b' "first": [1, 0, 0, 0]}}',
    b'{"type": "position", "game": "holdem.limit.3p", "stacks": [50, 60, 70], "players": ["a", "b", "c"],'
    b' "holes": ["AhKd", "", ""], "board": "Qs7d2c", "actions": ["call 10", "call", "check"], "seat": 0}',
    b'{"type": "position", "state": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c",'
    b' "game": "holdem.limit.2p.reverse_blinds"}',
    b'{"type": "observe", "hand": 4, "game": "holdem.limit.3p", "actions": ["fold", "fold"],'
    b' "payoffs": [-5, 5, 0]}',
    b'{"type": "options", "seed": 3, "time": 0.5, "playouts": 100, "trace": true}',
    b'{"type": "go", "id": 9, "time": 0.1, "playouts": 5}',
)
WORDS = (
    *(
        b'"',
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"null",
        b"true",
        b"-1",
        b"1e999",
        b"99999999999999999999",
        b"\\ud800",
    ),
    *(
        b"fold",
        b"raise 20",
        b"AhAh",
        b"MATCHSTATE:",
        b"\xff",
        b"\x00",
        b"GAMEDEF",
        b"\xc3\xa9",
        b"0.5",
        b"[]",
    ),
)


def mangled(rng):
    line = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(line))
        line[at : at + rng.choice((0, 1, 1, 5, 20))] = rng.choice((b"", rng.choice(WORDS), rng.randbytes(1)))
    return bytes(line)


def hear_mangled(count, seed):
    rng = random.Random(seed)
    engine = Engine(Options("call"))
    for _ in range(count):
        line = mangled(rng)
        for answer in engine.answer_line(line):
            assert answer["type"] != "error" or hasattr(errors, answer["error"]), (line, answer)


def test_mangled_messages_get_typed_errors():
    hear_mangled(5_000, 1)


@pytest.mark.slow
def test_a_million_mangled_messages():
    hear_mangled(1_000_000, 2)
