"""A case player by its settings: which cases, opponent model, policy and outcome it plays with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, get_args

from baycarp.agents.base import Agent
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.case_table import CaseTable
from baycarp.cases import POLICIES, Policy
from baycarp.errors import ModelError
from baycarp.opponents.actions.styles import SHIPPED as STYLES
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import ByActions, ByNetwork, OpponentModelSpec
from baycarp.opponents.network.belief import RangeRule
from baycarp.opponents.network.ranges import GroupsTo, Pruned, TopGroups, Weighted
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import believing, without_adaptation
from baycarp.strategies.by_seats import BySeats, by_seats
from baycarp.strategies.memory import remember
from baycarp.strategies.model import SHIPPED, Model, load_model, shipped_model
from baycarp.strategies.spec import ClassDescription, Strategy, Together
from baycarp.strategies.weights import Weights, load_weights

__all__ = [
    "NETWORK_SETTINGS",
    "OPPONENTS",
    "CaseSettings",
    "by_network",
    "case_player",
    "model_of",
    "range_rule",
]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class CaseSettings:
    """Settings of a case player, as a specification names them.

    Parameters
    ----------
    policy
        The reuse policy, one of ``cases.POLICIES``; empty = the strategy's.
    model
        The folder of the model; empty = the shipped one.
    memory
        The name of a lasting copy of the model, to which learned cases are added; empty = none.
    groups
        The range of an opponent: this number of the most probable hand groups (``range_rule``).
    share
        The range: as many hand groups as reach this share of the probability; 0 = ``groups``.
    types
        The range: only the hand types that reach this share; 0 = all.
    weighted
        The range: every holding, weighted by its probability.
    learning
        Whether cases of the agent's own decisions are stored.
    network
        Whether beliefs about opponents are formed.
    revise
        The outcome of the agent's own decisions, one of ``rules.outcome.OUTCOMES``; empty = the model's.
    experts
        The folders of other models whose cases are queried too.
    together
        How the experts' choices are combined: "mean", "vote" or "select"; empty = the strategy's.
    at_least
        All cases of this similarity or more are reused, 0..1; 0 = the strategy's rule.
    prior
        A situation's stored decisions count as this many at most, so that the player's own weigh more; for
        merged cases. 0 = all.
    styles
        The action-conditioned opponent model: True = with the shipped styles, a text = with those of a file.
    adaptive
        Whether the opponent model learns from finished hands.
    earned
        Whether the network's belief about a player has to be earned by its showdowns; False = it is taken as
        it is, as in Unger (2011).
    opponents
        Another opponent model, one of ``OPPONENTS``; empty = the strategy's.
    weights
        Feature weights: a file of ``baycarp train --tune``, ``"thesis"`` or ``"tuned"``; empty = the model's.
    plans
        Whether a solution is a plan for the street.
    most
        The most cases of a case-base that a memory begins with; 0 = no bound.
    explore
        The probability, 0..1, of a legal action drawn uniformly.
    empty
        Whether it begins with none of the model's cases; an existing ``memory`` keeps its own.
    hands
        The number of watched hands whose cases are used; 0 = all.
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
    together: str = ""
    at_least: float = 0.0
    prior: int = 0
    styles: bool | str = False
    adaptive: bool = True
    earned: bool = True
    opponents: str = ""
    weights: str = ""
    plans: bool = False
    most: int = 0
    explore: float = 0.0
    empty: bool = False
    hands: int = 0


def case_player(strategy: Strategy | None, given: CaseSettings) -> Agent:
    """A case player: of the strategy, or of the one that the model was made for."""
    policy = _named("policy", given.policy, POLICIES) if isinstance(given.policy, str) else given.policy
    if (given.styles or given.opponents) and not given.network:
        raise ModelError("network=False: expected styles=False with it, for then no belief is formed")
    if given.opponents and isinstance(given.styles, str):
        raise ModelError(f"styles={given.styles!r}: expected none with opponents={given.opponents!r}")
    if given.most and not given.memory:
        raise ModelError(f"most={given.most}: expected a memory with it, which it bounds")
    believed = _named("opponents", given.opponents, OPPONENTS) or _acting(given.styles)
    wanted = believing(strategy, believed) if strategy and strategy.opponents and believed else strategy
    trained, also = _memories(wanted, given)
    played = trained.strategy
    if strategy is not None:
        strategy = by_seats(strategy) if isinstance(played.key, BySeats) else strategy
        played = strategy if played.name == strategy.name else played
    if policy:
        played = replace(played, policy=policy)
    elif strategy is not None:
        played = replace(played, policy=strategy.policy)
    if given.plans:
        played = replace(played, plans="sum")
    if outcome := _named("revise", given.revise or trained.outcome, OUTCOMES):
        played = replace(played, outcome=outcome)
    if isinstance(played.opponents, ByNetwork):
        played = believing(played, by_network(given))
    if believed:
        if played.opponents is None:
            which = f"opponents={given.opponents!r}" if given.opponents else f"styles={given.styles!r}"
            raise ModelError(f"{which}: expected a strategy with an opponent model")
        played = believing(played, believed)
    if not given.adaptive:
        played = without_adaptation(played)
    store = None
    if given.empty:
        trained = trained.empty(played)
    if given.memory:
        trained, store = remember(trained, given.memory, given.most)
    if given.together:
        played = replace(played, together=_together(given))
    decides = played.plans or given.explore or given.at_least or played.together == "select"
    table = isinstance(played.describe, ClassDescription) and not decides
    player = CaseTable if table else CasePlayer
    return player(played, trained, store, given.learning, also, given.explore)


def _memories(strategy: Strategy | None, given: CaseSettings) -> tuple[Model, list[Model]]:
    """The model and the experts, as the settings name them."""
    trained = model_of(strategy, given.model, given.network)
    if given.hands:
        trained = trained.of_first(given.hands)
    if given.weights:
        trained = trained.weighed(_weights(given.weights, trained.strategy))
    if given.prior:
        trained = trained.lighter(given.prior)
    also = [_like(trained, model_of(strategy, expert, given.network)) for expert in given.experts]
    if trained.weights:
        also = [expert.weighed(trained.weights) for expert in also]
    if given.at_least:
        trained, *also = (each.reaching(given.at_least) for each in (trained, *also))
    return trained, also


def _like(model: Model, expert: Model) -> Model:
    """The expert with the case-bases of the model: without some by seats, all its cases answer heads-up."""
    if not isinstance(model.strategy.key, BySeats) or isinstance(expert.strategy.key, BySeats):
        return expert
    return expert.with_heads_up(expert)


def _together(given: CaseSettings) -> Together:
    """The combination by its name."""
    for name in get_args(Together):
        if given.together == name and given.experts:
            return name  # type: ignore[no-any-return]
    raise ModelError(f"together={given.together!r}: expected one of {get_args(Together)}, with experts")


OPPONENTS: Mapping[str, OpponentModelSpec] = {"gambler": ByGambler()}
"""Opponent models by name, besides the network and the styles."""


def _acting(styles: bool | str) -> ByActions | None:
    """The action-conditioned model with the shipped styles or those of a file; None without styles."""
    return ByActions(load_styles(STYLES if styles is True else styles)) if styles else None


def _named(setting: str, name: str, values: Mapping[str, Value]) -> Value | None:
    """The value of a setting by name; None where it is empty."""
    if name and name not in values:
        raise ModelError(f"{setting} {name!r}: expected one of {', '.join(values)}")
    return values.get(name)


def _weights(source: str, strategy: Strategy) -> Weights:
    """Weights that the strategy names, or those of a file."""
    if source in strategy.weightings:
        return Weights.of(strategy.weightings[source], {"source": source})
    return load_weights(source, strategy.schemas)


def model_of(strategy: Strategy | None, folder: str, network: bool) -> Model:
    """The model of a folder, or the shipped one, with a network or without as it is wanted."""
    where = folder or SHIPPED
    model = shipped_model(strategy) if strategy is not None and not folder else load_model(where)
    either = network and (strategy is None or not strategy.needs_network)
    if either or (model.network is not None) == network:
        return model
    kind, made = ("with", "") if network else ("without", " --opponents none")
    expected = f"expected a model {kind} a network, as baycarp train FOLDER{made} makes it"
    raise ModelError(f"{where}: network={network}: {expected}")


NETWORK_SETTINGS = ("groups", "share", "types", "weighted", "earned")
"""The settings of the network's belief."""


def by_network(given: CaseSettings) -> ByNetwork:
    """The network as an opponent model, by these settings."""
    rule = range_rule(given.groups, given.share, given.types, given.weighted)
    return ByNetwork(rule, earned=given.earned)


def range_rule(groups: int, share: float, types: float, weighted: bool) -> RangeRule:
    """The rule of a range: a number of hand groups, or as many as reach a share, if it is above 0.

    With ``types`` above 0, only their holdings of the hand types that reach it; ``weighted``, every holding
    at its probability.
    """
    if weighted:
        return Weighted()
    chosen = GroupsTo(share) if share else TopGroups(groups)
    return Pruned(chosen, types) if types else chosen
