"""Check an agent: the kit that the agents of the package pass."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import Any

from baycarp.agents.base import Agent
from baycarp.agents.cases.system import System
from baycarp.agents.registry import load
from baycarp.errors import ArgumentError, brief
from baycarp.game.plays import Plays
from baycarp.kit.checks import CHECKS
from baycarp.kit.report import AgentReport, CheckOutcome
from baycarp.kit.trial import USUAL, BadDecision, FailedCheck, Trial

__all__ = ["check_agent"]

LEGAL = next(iter(CHECKS))
"""The check of legality, the first one."""

MEMBERS = ("sit", "decide", "learn")


def check_agent(
    agent: str | Path | System | Agent | Callable[[], Agent],
    *,
    learns: bool = False,
    pickles: bool = False,
    seed: int = 1,
) -> AgentReport:
    """Check that an agent keeps the protocol of an agent; what it did otherwise is reported in words.

    The checks are those that the agents of the package pass: legal decisions in all games of its ``plays``,
    the same decisions with one seed, in other threads, in a forked process, beside another agent of its
    class, and whatever cards lie unseen; observations left as they are; every event borne; time limits kept;
    no growth of memory. Each stops after some seconds, so that all take two minutes at most if a decision
    takes less than a second.

    Parameters
    ----------
    agent
        A class or function that makes it, what ``load`` takes, or an agent: it is copied (``copy.deepcopy``).
    learns, pickles
        What its author claims besides, and what is then checked: that what it observes changes its decisions;
        that it goes on alike after it was pickled in a session.
    seed
        Of the games, the cards and the others' actions.

    Returns
    -------
    AgentReport
        ``passed``, ``problems`` by the name of the check, and all as text by ``print``.

    Raises
    ------
    ArgumentError
        Something that makes no agent.
    ModelError
        As ``load``.

    Examples
    --------
    >>> from baycarp.agents.static.simple import AlwaysCall
    >>> check_agent(AlwaysCall).passed
    True
    """
    make = _maker(agent)
    name = agent if isinstance(agent, str | Path) else getattr(agent, "__name__", type(agent).__name__)
    first = make()
    if problem := _missing(first):
        about = f"has plays, {', '.join(MEMBERS)}"
        return AgentReport(str(name), "-", (CheckOutcome("members", about, problem),))
    trial = Trial(make, first.plays, seed, learns, pickles)
    outcomes: list[CheckOutcome] = []
    for check in CHECKS:
        outcomes.append(_outcome(check, trial, any(each.problem for each in outcomes[:1])))
    return AgentReport(str(name), str(first.plays), tuple(outcomes))


def _maker(agent: Any) -> Callable[[], Agent]:
    if isinstance(agent, str | Path | System):
        return lambda: load(agent)
    if isinstance(agent, type) or (callable(agent) and not hasattr(agent, "decide")):
        return lambda: agent()
    if not hasattr(agent, "decide"):
        raise ArgumentError(f"agent {brief(agent)}: expected a class, a specification, or an agent")
    try:
        first = deepcopy(agent)
    except Exception as error:
        raise ArgumentError(f"agent {brief(agent)}: cannot be copied ({error}): pass its class") from error
    return lambda: deepcopy(first)


def _missing(agent: Any) -> str:
    """The member that an agent lacks, in words; empty where it has all."""
    lacking = [member for member in MEMBERS if not callable(getattr(agent, member, None))]
    if lacking:
        return f"has no method {', '.join(lacking)}"
    plays = getattr(agent, "plays", None)
    if not isinstance(plays, Plays):
        return f"plays {brief(plays)}: expected baycarp.Plays"
    if not plays.betting <= {"limit", "no-limit", "pot-limit"} or not any(plays.fits(game) for game in USUAL):
        return f"plays {plays}: expected 'limit', 'no-limit' or 'pot-limit', and seats from 2 to 10"
    return ""


def _outcome(name: str, trial: Trial, illegal: bool) -> CheckOutcome:
    """The outcome of a check; where decisions are ``illegal``, one that such a decision ends is left out."""
    check, about = CHECKS[name]
    began, problem, note = perf_counter(), "", ""
    try:
        note = check(trial)
        skipped = "" if note else f"not claimed: check_agent(..., {name}=True) checks it"
    except BadDecision as fault:
        problem = "" if illegal else str(fault)
        skipped = f"ended by a decision as in {LEGAL!r}" if illegal else ""
    except FailedCheck as fault:
        problem, skipped = str(fault), ""
    except Exception as error:  # of sit, or of the agent's constructor
        problem, skipped = f"raises {brief(error, 300)}", ""
    return CheckOutcome(name, about, problem, note or skipped, not skipped, perf_counter() - began)
