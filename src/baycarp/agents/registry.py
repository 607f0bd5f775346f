"""Agents by name and settings: ``load("karma")``, ``load("formula(tightness=0.4, level='tight')")``."""

import ast
import os
import re
from pathlib import Path
from typing import Any, cast
from warnings import catch_warnings, simplefilter

from baycarp.agents.alike import ALIKE
from baycarp.agents.base import Agent
from baycarp.agents.bpp import BPP
from baycarp.agents.cases.system import ModelSource, System
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.agents.couplings.architectures import COUPLED
from baycarp.agents.external.program import PROGRAM
from baycarp.agents.factory import Factory
from baycarp.agents.gambler import GAMBLER
from baycarp.agents.given import Given
from baycarp.agents.mcts import SEARCHER
from baycarp.agents.network import NETWORK_ALONE
from baycarp.agents.plugins import PLACE, plugin, plugins, source_digest
from baycarp.agents.poki.formula import FORMULA
from baycarp.agents.poki.simulation import SIMULATION
from baycarp.agents.resolve.player import equilibrium, equilibriumnl
from baycarp.agents.responder import RESPONDER
from baycarp.agents.static.rulebot import RULE_PLAYERS
from baycarp.agents.static.simple import SIMPLE_PLAYERS
from baycarp.agents.static.sizer import SIZER
from baycarp.agents.table import PLAYERS
from baycarp.agents.value.player import ValuePlayer
from baycarp.agents.value.system import DEFAULT_SYSTEM, ValueSystem
from baycarp.errors import ModelError, TableError, brief, one_of
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.strategies.model import is_model

__all__ = ["AGENTS", "DEFAULT", "has_memory", "identity", "load", "load_for", "parse", "players_of"]

AGENTS: dict[str, Factory | System | ValueSystem] = {
    "baycarp": DEFAULT_SYSTEM,
    **SIMPLE_PLAYERS,
    **RULE_PLAYERS,
    "formula": FORMULA,
    "simulation": SIMULATION,
    **SYSTEMS,
    "network": NETWORK_ALONE,
    "coupled": COUPLED,
    "responder": RESPONDER,
    "sizer": SIZER,
    "equilibrium": Factory(equilibrium, "plays a solved strategy by its probabilities"),
    "equilibriumnl": Factory(
        equilibriumnl, "no-limit: plays solved strategies of 100 and 200 big blinds, translated to any stacks"
    ),
    "gambler": GAMBLER,
    "bpp": BPP,
    "mcts": SEARCHER,
    "alike": ALIKE,
    "program": PROGRAM,
}
"""The agents by name; ``PLAYERS`` are made of these."""

DEFAULT = "baycarp"
"""The default agent: it had the highest win rate (docs/results/strength.md)."""


LONGEST = 4096
"""No specification is longer, in characters."""

_BARE = re.compile(r"(?![A-Za-z]\w*$)[\w.+-]{1,200}")
"""What may be meant for the name of a folder, and is no name of an agent."""

_SPEC = re.compile(rf"\s*+([A-Za-z]\w*|{PLACE})\s*(?:\((.*)\)\s*)?", re.DOTALL)


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
    match = _SPEC.fullmatch(spec) if len(spec) <= LONGEST else None
    if match is None:
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


def has_memory(spec: str | System) -> bool:
    """Whether a lasting memory is named; the ``memory`` of a program is a number of bytes.

    Examples
    --------
    >>> has_memory("baycarp2(memory='ann')"), has_memory("./my-model")
    (True, False)
    """
    if isinstance(spec, System):
        return spec.memory.name is not None
    return "(" in spec and isinstance(parse(spec)[1].get("memory"), str)


def load(spec: str | Path | System | Agent) -> Agent:
    """An agent by name, with settings where it takes any; a case player with the model of a folder; a system.

    An agent is returned as it is, so that functions take agents and names alike.

    Other names are those of agents of other packages, and places such as ``FILE.py:NAME`` and
    ``MODULE:NAME`` of a class or a system, whose code is executed (``plugins.py``).

    Parameters
    ----------
    spec
        ``name``, ``name(key=value, ...)``, the path of a trained model, or a system as a value. A folder
        beside the program needs no ``./`` where no agent has its name. Or an agent.

    Raises
    ------
    ModelError
        No such agent, or settings that it does not have.

    Examples
    --------
    >>> load("simulation(playouts=100)").playouts
    100
    """
    if isinstance(spec, System):
        return spec.player()
    if not isinstance(spec, str | Path):
        return cast(Agent, Given.of(spec).agent)
    if isinstance(spec, Given):
        return cast(Agent, spec.agent)
    if str(spec).endswith(".py"):
        raise ModelError(f"agent {str(spec)!r}: expected the class in the file, too: {spec}:NAME")
    if _is_path(spec):
        return System(None, ModelSource(spec)).player()
    if _BARE.fullmatch(str(spec)):
        raise _unknown(str(spec))
    name, given = _parse_player(str(spec))
    if name not in AGENTS:
        foreign = plugin(name)
        if foreign is None:
            raise _unknown(name)
        return cast(Agent, foreign(**given))
    try:
        return AGENTS[name](**given)
    except (TypeError, ValueError) as error:
        raise ModelError(f"agent {brief(spec)}: {error}") from error


def load_for(variant: Variant, spec: str | Path | Agent) -> Agent:
    """An agent that plays a game: as ``load``, and refused at once if it cannot sit there.

    Raises
    ------
    ModelError
        As in ``load``.
    TableError
        The agent does not play the game; agent, game, what it plays and the agents that play it are named.

    Examples
    --------
    >>> load_for(Variant.load("holdem.nolimit.6p.100bb"), "sizer(number=3)").style.aggression > 0
    True
    """
    agent = load(spec)
    try:
        agent.plays.verify(variant, f"agent {str(spec)[:200]!r}")
    except TableError as error:
        raise TableError(f"{error}; it is played by {', '.join(players_of(variant)) or 'none'}") from None
    return agent


def players_of(variant: Variant) -> list[str]:
    """The shipped agents that play a game, the default first.

    Examples
    --------
    >>> players_of(Variant.load("holdem.nolimit.3p"))
    ['baycarp', 'random', 'call', 'raise', 'frequency', 'sizer', 'mcts', 'alike']
    """
    return [name for name, made in AGENTS.items() if name != "program" and _plays(name, made).fits(variant)]


def _plays(name: str, made: Factory | System | ValueSystem) -> Plays:
    """The games of an agent, without its model where its class or its strategy names them."""
    if isinstance(made, ValueSystem):
        return ValuePlayer.plays
    if isinstance(made, System):
        return made.named_strategy().plays
    found = getattr(made.make, "plays", None)
    return found if isinstance(found, Plays) else load(name).plays


def _is_path(spec: str | Path) -> bool:
    if isinstance(spec, Path) or "(" in spec or re.fullmatch(PLACE, spec):
        return isinstance(spec, Path)
    if os.sep in spec:
        return True
    return spec not in {*AGENTS, *PLAYERS} and is_model(Path(spec)) and spec not in plugins()


def _unknown(name: str) -> ModelError:
    """The error of a name that no agent and no model beside the program has."""
    if Path(name).is_dir():
        return ModelError(
            f"agent {name!r}: a folder is named ./{name}; expected a model's manifest.json in it"
        )
    models = (folder.name for folder in Path().iterdir() if is_model(folder))
    return ModelError(f"agent {name!r}: {one_of(name, sorted({*AGENTS, *PLAYERS, *plugins(), *models}))}")


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
    if isinstance(spec, Given):
        return text
    if not _is_path(spec) and parse(text)[0] in PLAYERS:
        kind, style = _parse_player(text)
        text = f"{kind}({', '.join(f'{name}={value!r}' for name, value in style.items())})"
    made = [*getattr(agent, "loaded_from", ())]
    if not _is_path(spec) and (digest := source_digest(parse(text)[0])):
        made.append(f"source {digest}")
    return f"{text} with {', '.join(made)}" if made else text
