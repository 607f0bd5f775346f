"""Agents by name and settings: ``load("karma")``, ``load("formula(tightness=0.4, level='tight')")``."""

import ast
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from inspect import Parameter, formatannotation, signature
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin
from warnings import catch_warnings, simplefilter

from baycarp.agents.base import Agent
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.case_settings import (
    NETWORK_SETTINGS,
    CaseSettings,
    by_network,
    case_player,
    model_of,
)
from baycarp.agents.external.program import Program, ProgramSettings
from baycarp.agents.gambler import Gambler
from baycarp.agents.mcts import MCTS, SearchSettings
from baycarp.agents.network import THRESHOLD, NetworkAlone
from baycarp.agents.plugins import PLACE, plugin, plugins, source_digest
from baycarp.agents.poki.formula import Formula, Style
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.responder import Responder
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL, SolvedPlayer
from baycarp.agents.static.rulebot import FOLDER, JAGBOT, MANIAC, RULEBOT, STATION, RuleBot, StaticRules
from baycarp.agents.static.simple import AlwaysCall, AlwaysRaise, Frequency, Random
from baycarp.agents.static.sizer import Sizer
from baycarp.agents.static.sizer_style import SizerStyle, drawn
from baycarp.agents.table import PLAYERS
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP1, BAYCARP2, believing
from baycarp.strategies.casey import CASEY
from baycarp.strategies.casper import CASPER
from baycarp.strategies.sartre import SARTRE2009, SARTRE2010, SARTRE2011
from baycarp.strategies.sartre_nl import SARTRENL2010, SARTRENL2011
from baycarp.strategies.sartre_three import SARTRE3P, SARTRE3P_ALONE
from baycarp.strategies.spec import Strategy

__all__ = ["AGENTS", "DEFAULT", "has_memory", "identity", "load", "load_for", "parse"]


Value = TypeVar("Value")


def _static(base: StaticRules, **rules: Any) -> Agent:
    return RuleBot(replace(base, **_typed(StaticRules, rules)))


def _frequency(**given: Any) -> Agent:
    return Frequency(**_typed(Frequency, given))


def _formula(**style: Any) -> Agent:
    return Formula(Style(**_typed(Style, style)))


def _simulation(playouts: int = 300, margin: float = 0.0, **style: Any) -> Agent:
    return Simulation(Style(**_typed(Style, style)), playouts, margin)


def _sizer(number: int | None = None, **style: Any) -> Agent:
    """A style from the settings alone; with a number, that member of the population, and settings over it."""
    typed = _typed(SizerStyle, style)
    return Sizer(SizerStyle(**typed) if number is None else replace(drawn(number), **typed))


def _mcts(model: str = "", window: int = 400, own: float = 0.5, **given: Any) -> Agent:
    return MCTS(SearchSettings(**_typed(SearchSettings, given)), model, window, own)


def _cases(strategy: Strategy | None, **given: Any) -> Agent:
    return case_player(strategy, CaseSettings(**_typed(CaseSettings, given)))


def _three(switching: bool = True, **given: Any) -> Agent:
    """Sartre3P; without switching its heads-up cases answer a table of two alone."""
    return _cases(SARTRE3P if switching else SARTRE3P_ALONE, **given)


def _program(**given: Any) -> Agent:
    return Program(ProgramSettings(**_typed(ProgramSettings, given)))


def _network(model: str = "", threshold: float = THRESHOLD, **given: Any) -> Agent:
    """BayCaRP2's network without its cases after the flop, with the belief's settings of ``baycarp2``."""
    if foreign := sorted({*given} - {*NETWORK_SETTINGS}):
        expected = ", ".join(("model", "threshold", *NETWORK_SETTINGS))
        raise ModelError(f"setting {foreign[0]!r:.60}: expected one of {expected}")
    strategy = believing(BAYCARP2, by_network(CaseSettings(**_typed(CaseSettings, given))))
    return NetworkAlone(strategy, model_of(strategy, model, network=True), threshold)


AGENTS: dict[str, Callable[..., Agent]] = {
    "random": Random,
    "call": AlwaysCall,
    "raise": AlwaysRaise,
    "frequency": _frequency,
    "rule": partial(_static, RULEBOT),
    "jag": partial(_static, JAGBOT),
    "maniac": partial(_static, MANIAC),
    "station": partial(_static, STATION),
    "folder": partial(_static, FOLDER),
    "formula": _formula,
    "simulation": _simulation,
    "baycarp": partial(_cases, BAYCARP2, styles=True),
    "baycarp1": partial(_cases, BAYCARP1),
    "baycarp2": partial(_cases, BAYCARP2),
    "cases": partial(_cases, None),
    "casper01": partial(_cases, CASPER, hands=7000, learning=False),
    "casper02": partial(_cases, CASPER, learning=False),
    "casey": partial(_cases, CASEY),
    "sartre": partial(_cases, SARTRE2011, learning=False),
    "sartre2009": partial(_cases, SARTRE2009, learning=False),
    "sartre2010": partial(_cases, SARTRE2010, learning=False),
    "sartrenl": partial(_cases, SARTRENL2011, learning=False),
    "sartrenl2010": partial(_cases, SARTRENL2010, learning=False),
    "sartre3p": partial(_three, learning=False),
    "network": _network,
    "responder": Responder,
    "sizer": _sizer,
    "equilibrium": Equilibrium,
    "equilibriumnl": EquilibriumNL,
    "gambler": Gambler,
    "mcts": _mcts,
    "program": _program,
}
"""The factories of agents by name; ``PLAYERS`` are made of these."""

DEFAULT = "baycarp"
"""The default agent: it had the highest win rate (docs/results/matches.md)."""


LONGEST = 4096
"""No specification is longer, in characters."""

_SPEC = re.compile(rf"\s*([A-Za-z]\w*|{PLACE})\s*(?:\((.*)\)\s*)?", re.DOTALL)


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Split ``name`` or ``name(key=value, ...)``; values are Python literals, and a name may be a place.

    Raises
    ------
    ModelError
        Anything else.

    Examples
    --------
    >>> parse("formula(tightness=0.4, level='tight')")
    ('formula', {'tightness': 0.4, 'level': 'tight'})
    """
    expected = f"agent {spec[:200]!r}: expected a name, or name(key=value, ...) with literal values"
    match = _SPEC.fullmatch(spec)
    if match is None or len(spec) > LONGEST:
        raise ModelError(expected)
    name, settings = match.groups()
    try:
        with catch_warnings():
            simplefilter("ignore")  # of Python's own: "1if" is a number and a word
            call = ast.parse(f"_({settings or ''})", mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            given = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
            if len(given) == len(call.keywords):
                return name, given
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise ModelError(expected) from error
    raise ModelError(expected)


def has_memory(spec: str) -> bool:
    """Whether a specification names a lasting memory; the ``memory`` of a program is a number of bytes.

    Examples
    --------
    >>> has_memory("baycarp2(memory='ann')"), has_memory("./my-model")
    (True, False)
    """
    return "(" in spec and isinstance(parse(spec)[1].get("memory"), str)


def _typed(make: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The settings, after a check that each is of the type of its annotation."""
    known = signature(make, eval_str=True).parameters
    named = [name for name, parameter in known.items() if parameter.kind is not Parameter.VAR_KEYWORD]
    if len(named) == len(known) and (foreign := sorted({*given} - {*known})):
        raise ModelError(f"setting {foreign[0]!r:.60}: expected one of {', '.join(named) or 'none'}")
    for name, value in given.items():
        if name in known and not _is(value, known[name].annotation):
            raise ModelError(f"{name}={value!r}: expected {formatannotation(known[name].annotation)}")
    return given


def _is(value: Any, kind: Any) -> bool:
    """Whether a literal is of a type: a whole number does for a float, a bool for no number."""
    if isinstance(kind, UnionType):
        return any(_is(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_is, value, kinds))
    if get_origin(kind) is Sequence:
        return isinstance(value, list | tuple) and all(_is(each, *get_args(kind)) for each in value)
    return kind is Any or type(value) is kind or (type(value), kind) == (int, float)


def load(spec: str | Path) -> Agent:
    """An agent by name, with settings where it takes any; or a case player with the model of a folder.

    Other names are those of agents of other packages, and places such as ``FILE.py:CLASS`` and
    ``MODULE:CLASS``, whose code is executed (``plugins.py``).

    Parameters
    ----------
    spec
        ``name``, ``name(key=value, ...)``, or the path of a trained model.

    Raises
    ------
    ModelError
        No such agent, or settings that it does not have.

    Examples
    --------
    >>> load("simulation(playouts=100)").playouts
    100
    """
    if str(spec).endswith(".py"):
        raise ModelError(f"agent {str(spec)!r}: expected the class in the file, too: {spec}:NAME")
    if _is_path(spec):
        return case_player(None, CaseSettings(model=str(spec)))
    name, given = _parse_player(str(spec))
    if name not in AGENTS:
        foreign = plugin(name)
        if foreign is None:
            known = sorted({*AGENTS, *PLAYERS, *plugins()})
            raise ModelError(f"agent {name!r}: expected one of {', '.join(known)}")
        return cast(Agent, foreign(**given))
    try:
        return AGENTS[name](**_typed(AGENTS[name], given))
    except (TypeError, ValueError) as error:
        raise ModelError(f"agent {spec!r}: {error}") from error


def load_for(variant: Variant, spec: str | Path) -> Agent:
    """An agent that plays a game: as ``load``, and refused at once if it cannot sit there.

    Raises
    ------
    ModelError
        As in ``load``.
    TableError
        The agent does not play the game; agent, game and what it plays are named.

    Examples
    --------
    >>> load_for(Variant.load("holdem.nolimit.6p.100bb"), "sizer(number=3)").style.aggression > 0
    True
    """
    agent = load(spec)
    agent.plays.verify(variant, f"agent {str(spec)[:200]!r}")
    return agent


def _is_path(spec: str | Path) -> bool:
    return isinstance(spec, Path) or (os.sep in spec and "(" not in spec and not re.fullmatch(PLACE, spec))


def _parse_player(spec: str) -> tuple[str, dict[str, Any]]:
    """As ``parse``; for a player of the default table, its specification under the settings given."""
    name, given = parse(spec)
    if name not in PLAYERS:
        return name, given
    kind, style = parse(PLAYERS[name])
    return kind, style | given


def identity(spec: str | Path, variant: Variant | None = None) -> str:
    """The agent of a specification: its settings, and the digests of the files that it is loaded from.

    Two runs are of one match only where their agents are equal: a player of the default table may be
    calibrated again, a model, an expert or a file of styles trained again. With a game, an agent that cannot
    play it is refused as by ``load_for``.

    Examples
    --------
    >>> identity("karma").startswith("formula(level='tight'")
    True
    """
    agent, text = load(spec) if variant is None else load_for(variant, spec), str(spec)
    if not _is_path(spec) and parse(text)[0] in PLAYERS:
        kind, style = _parse_player(text)
        text = f"{kind}({', '.join(f'{name}={value!r}' for name, value in style.items())})"
    made = _made_of(agent)
    if not _is_path(spec) and (digest := source_digest(parse(text)[0])):
        made.append(f"source {digest}")
    return f"{text} with {', '.join(made)}" if made else text


def _made_of(agent: Agent) -> list[str]:
    """The digests of the files that an agent is loaded from."""
    if isinstance(agent, NetworkAlone):
        return _made_of(agent.player)
    if isinstance(agent, Responder | MCTS):
        return [f"model {agent.digest}"]
    if isinstance(agent, SolvedPlayer):
        return [f"strategy {agent.digest}"]
    if not isinstance(agent, CasePlayer):
        return []
    model, opponents = agent.model, agent.strategy.opponents
    made = [f"model {model.about()['digest']}"]
    if model.weights and model.weights.digest != model.published().digest:
        made.append(f"weights {model.weights.digest}")
    made += [f"expert {expert.about()['digest']}" for expert in agent.experts]
    return made + list(opponents.files if opponents else ())
