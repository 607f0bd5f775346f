"""``check_agent``: each planted fault is named, and the agents of the package pass."""

import os
import shlex
import sys

import pytest
from kit.planted import BOTH, PLANTED, Sound

import baycarp
from baycarp.agents.registry import AGENTS, load
from baycarp.agents.table import PLAYERS
from baycarp.errors import ArgumentError, ModelError
from baycarp.kit.check import check_agent
from baycarp.kit.checks import CHECKS
from baycarp.kit.trial import Trial

ALONE = {"learns", "pickles"}
"""Checks of a claim."""

FAULTS = [(check, agent) for check, agents in PLANTED.items() for agent in agents]
OURS = sorted({*AGENTS, *PLAYERS} - {"program"})
PROGRAM = f"""
    env {shlex.quote(f"PYTHONPATH={os.pathsep.join(filter(None, sys.path))}")}
    {shlex.quote(sys.executable)} -m baycarp serve engine --agent call
"""
"""A program that always calls."""


def test_every_check_has_a_planted_fault():
    assert set(PLANTED) == set(CHECKS)
    assert len({agent for _, agent in FAULTS}) >= 12


@pytest.mark.parametrize(("check", "agent"), FAULTS, ids=lambda each: getattr(each, "__name__", each))
def test_a_planted_fault_is_named(check, agent):
    report = check_agent(agent, **{claim: claim == check for claim in ALONE})
    assert check in report.problems, str(report)
    assert not report.passed
    assert f"FAILED  {check}" in str(report)
    assert agent.__name__ in str(report)


def test_a_sound_agent_passes_as_a_class_an_object_a_function_and_a_place(tmp_path):
    for given in (Sound, Sound(), lambda: Sound(), "call"):
        report = check_agent(given)
        assert report.passed, str(report)
        assert {each.name for each in report.outcomes if not each.tried} == ALONE
    assert check_agent(Sound, pickles=True).passed
    assert baycarp.check_agent is check_agent


def test_what_is_no_agent_is_named():
    class Bare:
        plays = BOTH

    assert "no method sit, decide, learn" in check_agent(Bare).problems["members"]
    assert (
        "expected baycarp.Plays" in check_agent(type("Odd", (Sound,), {"plays": "limit"})).problems["members"]
    )
    with pytest.raises(ArgumentError, match="expected a class"):
        check_agent(7)
    with pytest.raises(ModelError, match="karmaa"):
        check_agent("karmaa")


QUICK = ("random", "rule", "karma", "simulation", "sizer")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in OURS]
)
def test_our_agents_pass(name):
    report = check_agent(name)
    assert report.passed, str(report)


def test_a_player_that_learns_passes_with_its_claim():
    report = check_agent("baycarp2(opponents='styles')", learns=True)
    assert report.passed, str(report)


@pytest.mark.parametrize("name", [name for name in OURS if name not in QUICK])
def test_our_agents_act_legally_in_usual_and_random_games(name):
    legal, _ = CHECKS["legal"]
    assert legal(Trial(lambda: load(name), load(name).plays, seed=2))


def test_a_program_acts_legally():
    program = load(f"program(command={PROGRAM!r})")
    trial = Trial(lambda: program, program.plays, seed=2)
    for game in trial.games():
        trial.play(trial.seated(game), game, range(4))
    assert not program.faults


def test_a_program_that_does_not_answer_has_faults():
    program = load("program(command='true')")
    trial = Trial(lambda: program, program.plays, seed=2)
    trial.play(trial.seated(trial.game()), trial.game(), range(2))
    assert program.faults
