"""``python -m benchmarks env``: both environments, and OpenSpiel beside them."""

import json

import pytest

from baycarp.env import HandsEnv
from benchmarks.__main__ import main
from benchmarks.parts import env
from benchmarks.rivals import env as rival


@pytest.fixture
def small(monkeypatch):
    for module in (env, rival):
        monkeypatch.setattr(module, "BATCH", 16)
        monkeypatch.setattr(module, "STEPS", 4)
    monkeypatch.setattr(env, "SINGLE", 20)
    monkeypatch.setattr(rival, "ROUND", 20)


def test_every_line_is_printed(small, capsys):
    main(["env", "--json"])
    goals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = ["16 hands together", "16 hands together, six seats", "one hand"]
    assert [goal["goal"] for goal in goals] == [*names, "a loop over OpenSpiel", "hands together"]
    assert [goal["must"] for goal in goals] == [200_000, None, 10_000, None, 1.4]


def test_no_choice_that_is_timed_is_illegal(small, monkeypatch):
    """The draws are from the mask, so that each is a decision."""
    step, refused = HandsEnv.step, []

    def counted(self, actions):
        found = step(self, actions)
        refused.append(found[-1]["illegal"].any())
        return found

    monkeypatch.setattr(HandsEnv, "step", counted)
    env.together()()
    assert refused == [False] * 4


def test_as_many_decisions_of_openspiel_are_timed_as_counted():
    pyspiel = pytest.importorskip("pyspiel")
    decided = []

    class State:
        def __init__(self, state):
            self.state = state

        def __getattr__(self, name):
            if name == "observation_tensor":
                decided.append(self.state.current_player())
            return getattr(self.state, name)

    class Game:
        def new_initial_state(self):
            return State(pyspiel.load_game("universal_poker").new_initial_state())

    rival._decide(Game(), 30)
    assert decided == [0] * 30
