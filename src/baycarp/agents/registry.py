"""Agents by name and settings: ``load("karma")``, ``load("formula(tightness=0.4, level='tight')")``."""

import ast
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from inspect import formatannotation, signature
from pathlib import Path
from types import UnionType
from typing import Any, cast, get_args, get_origin
from warnings import catch_warnings, simplefilter

from baycarp.agents.base import Agent
from baycarp.agents.baycarp import BayCaRP
from baycarp.agents.foreign.program import Program
from baycarp.agents.formula import Formula, Style
from baycarp.agents.model import SHIPPED, Model, load_model, remember
from baycarp.agents.network import THRESHOLD, NetworkAlone
from baycarp.agents.planner import Planner
from baycarp.agents.plugins import plugin, plugins
from baycarp.agents.responder import Responder
from baycarp.agents.rulebot import JAGBOT, RULEBOT, RuleBot
from baycarp.agents.schemas import SCHEMAS, WITHOUT_NETWORK
from baycarp.agents.simple import AlwaysCall, AlwaysRaise, Random
from baycarp.agents.simulation import Simulation
from baycarp.agents.table import PLAYERS
from baycarp.agents.weights import THESIS, load_weights
from baycarp.cases import POLICIES, BestOutcome, Majority, Policy
from baycarp.errors import ModelError
from baycarp.opponents.belief import RangeRule
from baycarp.opponents.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.opponents.styles import SHIPPED as STYLES
from baycarp.opponents.styles import load_styles

__all__ = ["AGENTS", "DEFAULT", "has_memory", "identity", "load", "parse"]


def _formula(**style: Any) -> Agent:
    return Formula(Style(**_typed(Style, style)))


def _simulation(playouts: int = 300, margin: float = 0.0, **style: Any) -> Agent:
    return Simulation(Style(**_typed(Style, style)), playouts, margin)


def _baycarp(
    policy: Policy | str = "majority",
    model: str = "",
    memory: str = "",
    groups: int = 4,
    share: float = 0.0,
    types: float = 0.0,
    weighted: bool = False,
    learning: bool = True,
    network: bool = True,
    revise: str = "",
    experts: Sequence[str] = (),
    styles: bool | str = False,
    weights: str = "",
    plans: bool = False,
    most: int = 0,
    explore: float = 0.0,
    empty: bool = False,
) -> Agent:
    """The thesis' player, and ours who believes by styles; see ``_rule`` for what makes a range.

    ``empty=True`` begins with none of the model's cases, its network alone; a ``memory`` that is
    there already goes on with its own.

    ``most`` bounds the cases of a street that a memory begins with; 0 = no bound.

    ``styles=True`` believes by hand -> action, a model of each opponent that begins as one of the shipped
    styles; a text names a file of one's own. ``weights`` names a file of ``baycarp tune``, ``"thesis"``
    or ``"tuned"``; nothing named, they are the model's. ``plans=True`` means to do something on the whole
    street.
    """
    if isinstance(policy, str):
        if policy not in POLICIES:
            raise ModelError(f"policy {policy!r}: expected one of {', '.join(POLICIES)}")
        policy = POLICIES[policy]
    if styles and not network:
        raise ModelError("network=False: expected styles=False with it, for then nothing is believed")
    if most and not memory:
        raise ModelError(f"most={most}: expected a memory with it, which it bounds")
    known, store = _model(model, network), None
    if weights:
        known = known.weighed(load_weights(weights))
    also = [_model(expert, network).weighed(known.weights) for expert in experts]
    if empty:
        known = known.empty()
    if memory:
        known, store = remember(known, memory, most)
    rule = _rule(groups, share, types, weighted)
    kinds = load_styles(STYLES if styles is True else styles) if styles else None
    kind = Planner if plans else BayCaRP
    return kind(known, policy, rule, store, learning, revise or None, also, kinds, explore)


def _model(folder: str, network: bool) -> Model:
    """The model of a folder, or the shipped one, with a network or without as it is wanted."""
    where = folder or SHIPPED
    try:
        return load_model(where, SCHEMAS if network else WITHOUT_NETWORK)
    except ModelError as error:
        if (load_model(where).network is not None) == network:
            raise
        kind, made = ("with", "") if network else ("without", " --no-network")
        told = f"network={network}: expected a model {kind} a network, as baycarp train FOLDER{made} makes it"
        raise ModelError(f"{where}: {told}") from error


def _rule(groups: int, share: float, types: float, weighted: bool) -> RangeRule:
    """What makes a range: so many hand groups, or as many as reach a share, as above 0.

    With ``types`` above 0, only their holdings of the hand types that reach it; ``weighted``, every holding
    at its probability.
    """
    if weighted:
        return Weighted()
    chosen = GroupsTo(share) if share else TopGroups(groups)
    return Pruned(chosen, types) if types else chosen


def _network(
    model: str = "",
    groups: int = 4,
    share: float = 0.0,
    types: float = 0.0,
    weighted: bool = False,
    threshold: float = THRESHOLD,
) -> Agent:
    """BayCaRP2's network without its precedents after the flop; settings as there."""
    return NetworkAlone(_model(model, network=True), _rule(groups, share, types, weighted), threshold)


AGENTS: dict[str, Callable[..., Agent]] = {
    "random": Random,
    "call": AlwaysCall,
    "raise": AlwaysRaise,
    "rule": partial(RuleBot, RULEBOT),
    "jag": partial(RuleBot, JAGBOT),
    "formula": _formula,
    "simulation": _simulation,
    "baycarp": partial(_baycarp, styles=True),
    "baycarp1": partial(_baycarp, BestOutcome()),
    "baycarp2": partial(_baycarp, Majority()),
    "network": _network,
    "responder": Responder,
    "program": Program,
}
"""What makes an agent, by the name that it is loaded by; ``PLAYERS`` are made of these."""

DEFAULT = "baycarp"
"""Who decides where nobody is named: what won of all its settings (README, "Hand -> action")."""


LONGEST = 4096
"""No specification is longer, in characters."""

_SPEC = re.compile(r"\s*([A-Za-z]\w*)\s*(?:\((.*)\)\s*)?", re.DOTALL)


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Split ``name`` or ``name(key=value, ...)``; values are Python literals.

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
    """The settings, once each is of the type that its annotation says."""
    known = signature(make, eval_str=True).parameters
    for name, value in given.items():
        if name in known and not _is(value, known[name].annotation):
            raise ModelError(f"{name}={value!r}: expected {formatannotation(known[name].annotation)}")
    return given


def _is(value: Any, kind: Any) -> bool:
    """Whether a literal is of a type: a whole number does for a float, a bool for no number."""
    if isinstance(kind, UnionType):
        return any(_is(value, one) for one in get_args(kind))
    if get_origin(kind) is Sequence:
        return isinstance(value, list | tuple) and all(_is(each, *get_args(kind)) for each in value)
    return kind is Any or type(value) is kind or (type(value), kind) == (int, float)


def load(spec: str | Path) -> Agent:
    """An agent by name, with settings where it takes any; or BayCaRP2 with the model of a folder.

    Names that are not ours are sought among the agents of other packages (``plugins.py``).

    Parameters
    ----------
    spec
        ``name``, ``name(key=value, ...)``, or the path of a model that was trained.

    Raises
    ------
    ModelError
        No such agent, or settings that it does not take.

    Examples
    --------
    >>> load("simulation(playouts=100)").playouts
    100
    """
    if _is_path(spec):
        return _baycarp(Majority(), model=str(spec))
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


def _is_path(spec: str | Path) -> bool:
    return isinstance(spec, Path) or (os.sep in spec and "(" not in spec)


def _parse_player(spec: str) -> tuple[str, dict[str, Any]]:
    """As ``parse``; of a player of the default table what he is loaded from, under the settings given."""
    name, given = parse(spec)
    if name not in PLAYERS:
        return name, given
    kind, style = parse(PLAYERS[name])
    return kind, style | given


def identity(spec: str | Path) -> str:
    """What a specification stands for today: the player's settings, and all that it is loaded from by digest.

    Two runs are of one match only where their agents are the same: a player of the default table may be
    calibrated anew, a model, an expert or a file of styles trained anew.

    Examples
    --------
    >>> identity("karma").startswith("formula(level='tight'")
    True
    """
    agent, told = load(spec), str(spec)
    if not _is_path(spec) and parse(told)[0] in PLAYERS:
        kind, style = _parse_player(told)
        told = f"{kind}({', '.join(f'{name}={value!r}' for name, value in style.items())})"
    if isinstance(agent, Responder):
        return f"{told} with model {agent.digest}"
    if not isinstance(agent, BayCaRP):
        return told
    made = [f"model {agent.model.about()['digest']}"]
    if agent.model.weights.digest != THESIS.digest:
        made.append(f"weights {agent.model.weights.digest}")
    made += [f"expert {expert.about()['digest']}" for expert in agent.experts]
    made += [f"styles {agent.styles.digest}"] if agent.styles else []
    return f"{told} with {', '.join(made)}"
