"""The agents of the registry in words: what each is, its games, its settings, and the size of its model."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from inspect import Parameter, getdoc, signature
from typing import Any

from baycarp.agents.base import Agent
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.case_settings import NETWORK_SETTINGS, CaseSettings
from baycarp.agents.external.program import Program, ProgramSettings
from baycarp.agents.gambler import Gambler
from baycarp.agents.mcts import MCTS, SearchSettings
from baycarp.agents.network import NetworkAlone
from baycarp.agents.poki.formula import Style
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.registry import AGENTS, load, parse
from baycarp.agents.responder import Responder
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL, SolvedPlayer
from baycarp.agents.static.rulebot import StaticRules
from baycarp.agents.static.simple import Frequency
from baycarp.agents.static.sizer_style import SizerStyle
from baycarp.agents.table import PLAYERS

__all__ = ["LINES", "Description", "Setting", "described", "settings"]

LINES: Mapping[str, str] = {
    "random": "every kind of legal action with the same probability",
    "call": "checks, or calls any price",
    "raise": "bets and raises while the rules allow it, else calls",
    "frequency": "fixed frequencies of its actions, whatever its cards",
    "rule": "static rules, tight",
    "jag": "static rules, loose and aggressive",
    "maniac": "static rules: raises most hands",
    "station": "static rules: plays most hands and seldom raises",
    "folder": "static rules: gives up most hands after the flop",
    "formula": "expert rules over strength, potential and weight tables of the opponents (Pokibot)",
    "simulation": "simulates call and raise to the end of the hand (Simbot)",
    "baycarp": "the default: baycarp2 with a mixture of playing styles as opponent model",
    "baycarp1": "network, ranges and cases; reuse by the best summed outcome (Unger 2011)",
    "baycarp2": "network, ranges and cases; reuse by majority (Unger 2011)",
    "cases": "the strategy of any model: cases(model='folder')",
    "casper01": "cases of 7,000 watched hands, no opponent model (Rubin and Watson 2007)",
    "casper02": "cases of 13,000 watched hands, no opponent model (Rubin and Watson 2007)",
    "casey": "learns plans from its own play, and starts without a case (Sandven and Tessem 2006)",
    "sartre": "cases of 200,000 hands of an equilibrium (Rubin and Watson 2012)",
    "sartre2009": "the same with 20,000 hands and the metrics of 2009",
    "sartre2010": "the same with 40,000 hands and the metrics of 2010",
    "sartrenl": "no-limit: cases by strength, bet sizes as letters and texture (Rubin and Watson 2012)",
    "sartrenl2010": "the same with the metrics of 2010",
    "sartre3p": "cases of three players; heads-up cases once a player has folded",
    "network": "the network of baycarp2 with a strength rule in place of cases after the flop",
    "responder": "a local best response to a fitted model of one player",
    "sizer": "no-limit rules with bet sizes, a member of a population",
    "equilibrium": "plays a solved strategy by its probabilities",
    "equilibriumnl": "no-limit: plays a solved strategy by its probabilities and bet sizes",
    "gambler": "two Bayesian networks, reversed to infer the others' cards (Matthews 2005)",
    "mcts": "Monte-Carlo tree search against models of its opponents (van der Kleij 2010)",
    "program": "an external program: program(command='python bot.py')",
    **{name: f"of the default table: a {parse(spec)[0]} player" for name, spec in PLAYERS.items()},
}
"""What each agent is, in one line."""

_OF: Mapping[str, tuple[Callable[..., Any], ...]] = {
    "frequency": (Frequency,),
    **dict.fromkeys(("rule", "jag", "maniac", "station", "folder"), (StaticRules,)),
    "formula": (Style,),
    "simulation": (Simulation, Style),
    "network": (NetworkAlone, CaseSettings),
    "responder": (Responder,),
    "sizer": (SizerStyle,),
    "equilibrium": (Equilibrium,),
    "equilibriumnl": (EquilibriumNL,),
    "gambler": (Gambler,),
    "mcts": (MCTS, SearchSettings),
    "program": (ProgramSettings,),
    **dict.fromkeys(("baycarp", "baycarp1", "baycarp2", "cases", "casey"), (CaseSettings,)),
    **{name: (CaseSettings,) for name in LINES if name.startswith(("casper", "sartre"))},
}
"""The values or agents whose parameters are the settings of an agent; their docstrings describe them."""

_MORE: Mapping[str, Mapping[str, tuple[Any, str]]] = {
    "sizer": {"number": (None, "Of a member of the population; other settings are set over its own.")},
    "sartre3p": {"switching": (True, "Whether heads-up cases answer once a player has folded.")},
    "network": {"model": ("", "The folder of the model; empty = the shipped one.")},
}
"""Settings that the factory itself adds: default and meaning."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of an agent, as a specification names it.

    Parameters
    ----------
    name
        Of the setting.
    default
        Its value where the specification does not name it; ``inspect.Parameter.empty`` = it must be named.
    meaning
        In words.
    """

    name: str
    default: Any
    meaning: str

    @property
    def text(self) -> str:
        """``name=default`` as a specification writes it."""
        return f"{self.name}={'...' if self.default is Parameter.empty else repr(self.default)}"


@dataclass(frozen=True, slots=True)
class Description:
    """An agent in words.

    Parameters
    ----------
    name, line
        The agent, and what it is.
    games
        The betting and the seats that it plays.
    model
        The size of what it is loaded with; empty = it has no model.
    settings
        What a specification may set.
    """

    name: str
    line: str
    games: str
    model: str
    settings: tuple[Setting, ...]


def described(name: str) -> Description:
    """The description of a shipped agent; its model is loaded.

    Raises
    ------
    ModelError
        No such agent.

    Examples
    --------
    >>> described("rule").games
    'limit, 2 to 10 seats'
    >>> described("formula").settings[0].text
    "level='moderate'"
    """
    if name == "program":  # starts with a command of the user's
        return Description(name, LINES[name], str(Program.plays), "", settings(name))
    agent = load(name)
    return Description(name, LINES[name], str(agent.plays), _model(agent), settings(name))


def settings(name: str) -> tuple[Setting, ...]:
    """The settings of a shipped agent, with its own defaults."""
    kind, own = parse(PLAYERS[name]) if name in PLAYERS else (name, {})
    factory, found = AGENTS[kind], []
    base = factory.args[0] if isinstance(factory, partial) and factory.args else None
    own = (factory.keywords if isinstance(factory, partial) else {}) | own
    for described in _OF.get(kind, ()):
        meanings = _meanings(described)
        for parameter in signature(described).parameters.values():
            setting = parameter.name
            left_out = kind == "network" and described is CaseSettings and setting not in NETWORK_SETTINGS
            if left_out or setting in ("settings", "style", "strategy") or setting in _MORE.get(kind, {}):
                continue
            default = (
                getattr(base, setting, parameter.default) if described is StaticRules else parameter.default
            )
            found.append(Setting(setting, own.get(setting, default), meanings[setting]))
    found += [Setting(setting, *more) for setting, more in _MORE.get(kind, {}).items()]
    return tuple(found)


@cache
def _meanings(described: Callable[..., Any]) -> Mapping[str, str]:
    """The parameters of a docstring in the style of numpy, each with its text on one line."""
    section = re.search(
        r"^Parameters\n-+\n(.*?)(?=\n\n\w[^\n]*\n-+\n|\Z)", getdoc(described) or "", re.S | re.M
    )
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section[1].splitlines() if section else ():
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(":")[0].split(",")]
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found.get(name, '')} {line.strip()}".strip().replace("``", "")
    return found


def _model(agent: Agent) -> str:
    """The size of what an agent is loaded with, in words."""
    if isinstance(agent, NetworkAlone):
        return _model(agent.player)
    if isinstance(agent, CasePlayer):
        cases = sum(map(len, agent.model.casebases.values()))
        network = agent.model.network
        cells = sum(network.cpt(node).size for node in network.structure.nodes) if network else 0
        return f"{cases:,} cases" + (f", network of {cells:,} probabilities" if cells else "")
    if isinstance(agent, SolvedPlayer):
        return f"strategy of {agent.solution.steps.size:,} probabilities"
    if isinstance(agent, MCTS):
        return f"decision trees of {len(agent.players.shares):,} clusters of players"
    return ""
