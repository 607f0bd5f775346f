"""Agents by name and settings: ``load("karma")``, ``load("formula(tightness=0.4, level='tight')")``."""

import ast
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import formatannotation, signature
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin
from warnings import catch_warnings, simplefilter

from baycarp.agents.base import Agent
from baycarp.agents.case_player import CasePlayer
from baycarp.agents.case_table import CaseTable
from baycarp.agents.equilibrium import Equilibrium
from baycarp.agents.external.program import Program, ProgramSettings
from baycarp.agents.formula import Formula, Style
from baycarp.agents.network import THRESHOLD, NetworkAlone
from baycarp.agents.plugins import plugin, plugins
from baycarp.agents.responder import Responder
from baycarp.agents.rulebot import FOLDER, JAGBOT, MANIAC, RULEBOT, STATION, RuleBot, StaticRules
from baycarp.agents.simple import AlwaysCall, AlwaysRaise, Frequency, Random
from baycarp.agents.simulation import Simulation
from baycarp.agents.sizer import Sizer
from baycarp.agents.sizer_style import SizerStyle, drawn
from baycarp.agents.table import PLAYERS
from baycarp.cases import POLICIES, Policy
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.opponents.belief import RangeRule
from baycarp.opponents.model import ByActions, ByNetwork
from baycarp.opponents.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.opponents.styles import SHIPPED as STYLES
from baycarp.opponents.styles import load_styles
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import BAYCARP1, BAYCARP2, believing
from baycarp.strategies.casey import CASEY
from baycarp.strategies.casper import CASPER
from baycarp.strategies.model import SHIPPED, Model, load_model, remember, shipped_model
from baycarp.strategies.sartre import SARTRE2009, SARTRE2010, SARTRE2011
from baycarp.strategies.spec import ClassDescription, Strategy
from baycarp.strategies.weights import Weights, load_weights

__all__ = ["AGENTS", "DEFAULT", "CaseSettings", "has_memory", "identity", "load", "load_for", "parse"]


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


@dataclass(frozen=True, slots=True)
class CaseSettings:
    """Settings of a case player, as a specification names them.

    ``policy`` names one of ``cases.POLICIES``, ``revise`` one of ``rules.outcome.OUTCOMES``; empty, they are
    the strategy's and the model's. ``weights`` names a file of ``baycarp tune``, ``"thesis"`` or ``"tuned"``.
    ``plans=True``: a solution is a plan for the street. ``empty=True`` begins with none of the model's cases;
    an existing ``memory`` keeps its own. ``most`` bounds the cases of a case-base that a memory begins with;
    0 = no bound. ``hands``: the number of watched hands whose cases are used; 0 = all.

    Of strategies with an opponent model: ``groups``, ``share``, ``types`` and ``weighted`` make its ranges
    (``_rule``); ``styles=True`` is the action-conditioned model with the shipped styles, a text names a file
    of others; ``network=False`` none at all.
    """

    policy: Policy | str = ""
    model: str = ""
    memory: str = ""
    groups: int = 4
    share: float = 0.0
    types: float = 0.0
    weighted: bool = False
    learning: bool = True
    network: bool = True
    revise: str = ""
    experts: Sequence[str] = ()
    styles: bool | str = False
    weights: str = ""
    plans: bool = False
    most: int = 0
    explore: float = 0.0
    empty: bool = False
    hands: int = 0


def _cases(strategy: Strategy | None, **given: Any) -> Agent:
    return _case_player(strategy, CaseSettings(**_typed(CaseSettings, given)))


def _case_player(strategy: Strategy | None, given: CaseSettings) -> Agent:
    """A case player: of the strategy, or of the one that the model was made for."""
    policy = _named("policy", given.policy, POLICIES) if isinstance(given.policy, str) else given.policy
    if given.styles and not given.network:
        raise ModelError("network=False: expected styles=False with it, for then no belief is formed")
    if given.most and not given.memory:
        raise ModelError(f"most={given.most}: expected a memory with it, which it bounds")
    believed = _acting(given.styles)
    asked = believing(strategy, believed) if strategy and strategy.opponents and believed else strategy
    trained = _model(asked, given.model, given.network)
    if given.hands:
        trained = trained.of_first(given.hands)
    if given.weights:
        trained = trained.weighed(_weights(given.weights, trained.strategy))
    also = [_model(asked, expert, given.network) for expert in given.experts]
    if trained.weights:
        also = [expert.weighed(trained.weights) for expert in also]
    played = trained.strategy
    if strategy is not None and played.name == strategy.name:
        played = strategy
    if policy:
        played = replace(played, policy=policy)
    elif strategy is not None:
        played = replace(played, policy=strategy.policy)
    if given.plans:
        played = replace(played, plans="sum")
    if outcome := _named("revise", given.revise or trained.outcome, OUTCOMES):
        played = replace(played, outcome=outcome)
    if isinstance(played.opponents, ByNetwork):
        played = believing(played, ByNetwork(_rule(given.groups, given.share, given.types, given.weighted)))
    if believed:
        if played.opponents is None:
            raise ModelError(f"styles={given.styles!r}: expected a strategy with an opponent model")
        played = believing(played, believed)
    store = None
    if given.empty:
        trained = trained.empty()
    if given.memory:
        trained, store = remember(trained, given.memory, given.most)
    table = isinstance(played.describe, ClassDescription) and not played.plans
    player = CaseTable if table else CasePlayer
    return player(played, trained, store, given.learning, also, given.explore)


def _acting(styles: bool | str) -> ByActions | None:
    """The action-conditioned model with the shipped styles or those of a file; None without styles."""
    return ByActions(load_styles(STYLES if styles is True else styles)) if styles else None


def _named(setting: str, name: str, values: Mapping[str, Value]) -> Value | None:
    """The value of a setting by name; None where it is empty."""
    if name and name not in values:
        raise ModelError(f"{setting} {name!r}: expected one of {', '.join(values)}")
    return values.get(name)


def _program(**given: Any) -> Agent:
    return Program(ProgramSettings(**_typed(ProgramSettings, given)))


def _weights(source: str, strategy: Strategy) -> Weights:
    """Weights that the strategy names, or those of a file."""
    if source in strategy.weightings:
        return Weights.of(strategy.weightings[source], {"source": source})
    return load_weights(source, strategy.schemas)


def _model(strategy: Strategy | None, folder: str, network: bool) -> Model:
    """The model of a folder, or the shipped one, with a network or without as it is wanted."""
    where = folder or SHIPPED
    model = shipped_model(strategy) if strategy is not None and not folder else load_model(where)
    either = network and (strategy is None or not strategy.needs_network)
    if either or (model.network is not None) == network:
        return model
    kind, made = ("with", "") if network else ("without", " --no-network")
    expected = f"expected a model {kind} a network, as baycarp train FOLDER{made} makes it"
    raise ModelError(f"{where}: network={network}: {expected}")


def _rule(groups: int, share: float, types: float, weighted: bool) -> RangeRule:
    """The rule of a range: a number of hand groups, or as many as reach a share, if it is above 0.

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
    """BayCaRP2's network without its cases after the flop; its settings are those of ``baycarp2``."""
    strategy = believing(BAYCARP2, ByNetwork(_rule(groups, share, types, weighted)))
    return NetworkAlone(strategy, _model(strategy, model, network=True), threshold)


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
    "network": _network,
    "responder": Responder,
    "sizer": _sizer,
    "equilibrium": Equilibrium,
    "program": _program,
}
"""The factories of agents by name; ``PLAYERS`` are made of these."""

DEFAULT = "baycarp"
"""The default agent: it had the highest win rate (docs/results/matches.md)."""


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
    """The settings, after a check that each is of the type of its annotation."""
    known = signature(make, eval_str=True).parameters
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

    Other names are those of agents of other packages (``plugins.py``).

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
    if _is_path(spec):
        return _case_player(None, CaseSettings(model=str(spec)))
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
    return isinstance(spec, Path) or (os.sep in spec and "(" not in spec)


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
    return f"{text} with {', '.join(made)}" if made else text


def _made_of(agent: Agent) -> list[str]:
    """The digests of the files that an agent is loaded from."""
    if isinstance(agent, NetworkAlone):
        return _made_of(agent.player)
    if isinstance(agent, Responder):
        return [f"model {agent.digest}"]
    if isinstance(agent, Equilibrium):
        return [f"strategy {agent.digest}"]
    if not isinstance(agent, CasePlayer):
        return []
    model, opponents = agent.model, agent.strategy.opponents
    made = [f"model {model.about()['digest']}"]
    if model.weights and model.weights.digest != model.published().digest:
        made.append(f"weights {model.weights.digest}")
    made += [f"expert {expert.about()['digest']}" for expert in agent.experts]
    return made + ([f"styles {opponents.styles.digest}"] if isinstance(opponents, ByActions) else [])
