"""A case-based system as one value: its strategy, its model, its opponent models, its memory, its learning.

A specification changes at most nine ``settings``; everything else is changed by ``dataclasses.replace``,
and ``baycarp.load`` takes the system itself:

    >>> from dataclasses import replace
    >>> import baycarp
    >>> from baycarp.agents.cases.systems import SYSTEMS
    >>> beginner = replace(SYSTEMS["baycarp2"], model=ModelSource(empty=True))
    >>> baycarp.load(beginner)
    <CasePlayer baycarp: 0 cases>

Named in a file, ``FILE.py:NAME``, it is loaded wherever a command takes an agent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.factory import PUBLISHED, Setting, annotations, described, typed
from baycarp.cases import POLICIES, CaseStore
from baycarp.errors import ModelError, brief, one_of
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.network.model import TOP_FOUR, ByNetwork
from baycarp.opponents.network.ranges import RangeRule
from baycarp.rules.outcome import OUTCOMES, OutcomeRule
from baycarp.strategies.baycarp import believing, without_adaptation
from baycarp.strategies.by_seats import BySeats, by_seats
from baycarp.strategies.memory import remember
from baycarp.strategies.model import SHIPPED, Model, load_model, shipped_model
from baycarp.strategies.spec import ClassDescription, Strategy
from baycarp.strategies.weights import Weights, load_weights

__all__ = ["EMPTY", "OPPONENTS", "Learning", "Memory", "ModelSource", "Opponents", "System"]

Value = TypeVar("Value")

NETWORK, STYLES, GAMBLER, NONE = OPPONENTS = ("network", "styles", "gambler", "none")
"""Opponent models by name: the network of Unger (2011), the action-conditioned model with the shipped styles,
Gambler (Matthews 2005), and no belief at all."""

EMPTY = "empty"
"""In place of a folder: the shipped model without its cases."""

SETTINGS: Mapping[str, tuple[str, str]] = {
    "model": ("model", "folder"),
    "memory": ("memory", "name"),
    "opponents": ("opponents", "kind"),
    "learning": ("learning", "stores"),
    "explore": ("learning", "explore"),
    "weights": ("model", "weights"),
    "experts": ("model", "experts"),
}
"""What a specification may set beside ``policy`` and ``published``: the part of a system, and its field."""

POLICY = Setting("policy", None, f"The reuse policy, one of {', '.join(POLICIES)}; None = the system's.")


@dataclass(frozen=True, slots=True)
class ModelSource:
    """The cases that a system plays with.

    Parameters
    ----------
    folder
        The folder of the model; None = the shipped one. A specification may name "empty": the shipped one
        without its cases.
    experts
        The folders of other models whose cases are queried too; ``Strategy.together`` combines them.
    weights
        Feature weights: a file of ``baycarp train --tune``, "thesis", "tuned", or a name of
        ``Strategy.weightings``; None = the model's.
    hands
        The number of watched hands whose cases are used; None = all.
    empty
        Whether the system begins with none of the cases; an existing memory keeps its own.
    """

    folder: str | Path | None = None
    experts: Sequence[str | Path] = ()
    weights: str | None = None
    hands: int | None = None
    empty: bool = False

    def load(self, strategy: Strategy, networked: bool = True) -> tuple[Model, list[Model]]:
        """The model for a strategy, and the experts.

        Parameters
        ----------
        strategy
            With the opponent model that describes its queries.
        networked
            Whether a network that the strategy needs has to be there.

        Raises
        ------
        ModelError
            A model without the network, or one that does not fit the other fields.
        """

        def read(folder: str | Path | None) -> Model:
            model = shipped_model(strategy) if folder is None else load_model(folder)
            if networked and strategy.needs_network and model.network is None:
                raise ModelError(f"{folder or SHIPPED}: expected a model with a network")
            return model

        model = read(self.folder)
        if self.hands is not None:
            model = model.of_first(self.hands)
        if self.weights is not None:
            model = model.weighed(_weights(self.weights, model.strategy))
        experts = [_like(model, read(folder)) for folder in self.experts]
        if model.weights:
            experts = [expert.weighed(model.weights) for expert in experts]
        return model, experts


def _weights(source: str, strategy: Strategy) -> Weights:
    """Weights that the strategy names, or those of a file."""
    if source in strategy.weightings:
        return Weights.of(strategy.weightings[source], {"source": source})
    return load_weights(source, strategy.schemas)


def _like(model: Model, expert: Model) -> Model:
    """The expert with the case-bases of the model: without some by seats, all its cases answer heads-up."""
    if not isinstance(model.strategy.key, BySeats) or isinstance(expert.strategy.key, BySeats):
        return expert
    return expert.with_heads_up(expert)


@dataclass(frozen=True, slots=True)
class Opponents:
    """The models of the opponents.

    Parameters
    ----------
    kind
        The opponent model: "network", "styles", "gambler", "none", or a file of styles; in Python also a
        specification as a value. None = the strategy's.
    rule
        Of the network: how hand groups become a range.
    earned
        Of the network: whether its belief about a player has to be earned by the player's showdowns; False =
        it is taken as it is, as in Unger (2011).
    adaptive
        Whether opponent models learn from finished hands.
    """

    kind: str | Path | OpponentModelSpec | None = None
    rule: RangeRule = TOP_FOUR
    earned: bool = True
    adaptive: bool = True

    def of(self, strategy: Strategy) -> Strategy:
        """The strategy with these opponent models.

        Raises
        ------
        ModelError
            A strategy that forms no beliefs, if ``kind`` names one or ``adaptive`` is False; a strategy that
            forms some, if ``kind`` is ``"none"``.
        """
        if self.kind == NONE:
            if strategy.opponents is not None:
                raise ModelError(f"opponents {NONE!r}: expected a model that was trained without a network")
            return strategy
        spec = self._spec(strategy.opponents)
        believed = strategy if spec is None else believing(strategy, spec)
        return believed if self.adaptive else without_adaptation(believed)

    def _spec(self, own: OpponentModelSpec | None) -> OpponentModelSpec | None:
        """The opponent model that takes the place of a strategy's own; None = that one stays."""
        if self.kind == NETWORK or (self.kind is None and isinstance(own, ByNetwork)):
            return ByNetwork(self.rule, earned=self.earned)
        if self.kind == STYLES:
            return ByActions(load_styles())
        if self.kind == GAMBLER:
            return ByGambler()
        if not isinstance(self.kind, str | Path):
            return self.kind
        if not Path(self.kind).is_file():
            expected = f"expected {', '.join(OPPONENTS)}, or a file of styles"
            raise ModelError(f"opponents {str(self.kind)!r}: {expected}")
        return ByActions(load_styles(self.kind))

    def published(self) -> "Opponents":
        """As the author of the network has them.

        Raises
        ------
        ModelError
            Another opponent model: no paper describes the strategy with it.
        """
        if self.kind not in (None, NETWORK):
            raise ModelError(f"published=True: expected opponents={NETWORK!r}, which a paper describes")
        return replace(self, earned=False)


@dataclass(frozen=True, slots=True)
class Memory:
    """A lasting copy of the model.

    Parameters
    ----------
    name
        The name of a lasting copy of the model, to which learned cases are added; None = no copy.
    most
        The most cases of a case-base that it begins with; None = no bound.
    """

    name: str | None = None
    most: int | None = None

    def opened(self, model: Model) -> tuple[Model, CaseStore | None]:
        """The model as it is remembered, and the file to which learned cases are added."""
        if self.name is not None:
            return remember(model, self.name, self.most or 0)
        if self.most is not None:
            raise ModelError(f"most {self.most}: expected a memory with it, which it bounds")
        return model, None


@dataclass(frozen=True, slots=True)
class Learning:
    """How a system learns from its own play.

    Parameters
    ----------
    stores
        Whether cases of the agent's own decisions are stored.
    explore
        The probability, 0..1, of a legal action drawn uniformly.
    outcome
        The value of its own decisions; None = as the model was made, or else as the strategy has it.
    """

    stores: bool = True
    explore: float = 0.0
    outcome: OutcomeRule | None = None


@dataclass(frozen=True, slots=True)
class System:
    """A case-based agent, as the registry names it.

    Parameters
    ----------
    strategy
        The strategy; None = that of the model.
    model, opponents, memory, learning
        The four other parts.
    about
        What it is, in one line.
    """

    strategy: Strategy | None
    model: ModelSource = ModelSource()
    opponents: Opponents = Opponents()
    memory: Memory = Memory()
    learning: Learning = Learning()
    about: str = ""

    def settings(self) -> tuple[Setting, ...]:
        """What a specification may set, and what is set where it does not."""
        found = []
        for name, (part, field) in SETTINGS.items():
            setting = next(each for each in described(getattr(self, part)) if each.name == field)
            found.append(replace(setting, name=name))
        return (*found, POLICY, PUBLISHED)

    def __call__(self, **given: Any) -> CasePlayer:
        """The player with these settings."""
        return self.changed(**given).player()

    def changed(self, **given: Any) -> "System":
        """The system with other settings, as a specification names them.

        Raises
        ------
        ModelError
            Another setting, or a value of another type; no such policy; ``published`` with an opponent model
            of no paper.
        """
        kinds = {name: annotations(type(getattr(self, part)))[of] for name, (part, of) in SETTINGS.items()}
        typed(kinds | {"policy": str | None, "published": bool}, given)
        system = self
        if given.get("model") == EMPTY:
            system, given["model"] = replace(self, model=replace(self.model, empty=True)), None
        for name in given.keys() & SETTINGS.keys():
            part, field = SETTINGS[name]
            changed = replace(getattr(system, part), **{field: given[name]})
            system = replace(system, **{part: changed})
        if given.get("published"):
            system = replace(system, opponents=system.opponents.published())
        if (policy := given.get("policy")) is None:
            return system
        strategy = replace(system.named_strategy(), policy=_named("policy", policy, POLICIES))
        return replace(system, strategy=strategy)

    def named_strategy(self) -> Strategy:
        """The strategy, or that of the model, where the system names none."""
        if self.strategy is not None:
            return self.strategy
        return load_model(SHIPPED if self.model.folder is None else self.model.folder).strategy

    def player(self) -> CasePlayer:
        """The player, seated nowhere.

        Raises
        ------
        ModelError
            A part that does not fit the others.
        """
        strategy, without = self.named_strategy(), self.opponents.kind == NONE
        wanted = strategy if without else self.opponents.of(strategy)
        model, experts = self.model.load(wanted, networked=not without)
        played = self._played(strategy, model)
        if self.model.empty:
            model = model.empty(played)
        model, store = self.memory.opened(model)
        learning = self.learning
        schemas = [casebase.schema for casebase in model.casebases.values()]
        falls_back = any(schema.fallback and not schema.most for schema in schemas)
        decides = played.plans or learning.explore or falls_back or played.together == "select"
        table = isinstance(played.describe, ClassDescription) and not decides
        player = CaseTable if table else CasePlayer
        return player(played, model, store, learning.stores, experts, learning.explore)

    def _played(self, strategy: Strategy, model: Model) -> Strategy:
        """The strategy in the form of the model: by seats, or another one, with the reuse of this one."""
        if isinstance(model.strategy.key, BySeats):
            strategy = by_seats(strategy)
        if strategy.name != model.strategy.name:
            strategy = replace(
                model.strategy, policy=strategy.policy, plans=strategy.plans, together=strategy.together
            )
        outcome = self.learning.outcome
        if outcome is None and model.outcome:
            outcome = _named("outcome", model.outcome, OUTCOMES)
        return self.opponents.of(strategy if outcome is None else replace(strategy, outcome=outcome))


def _named(setting: str, name: str, values: Mapping[str, Value]) -> Value:
    if name not in values:
        raise ModelError(f"{setting} {brief(name)}: {one_of(name, values)}")
    return values[name]
