"""The measured models: the thesis' network, each extension of it alone, and all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network, Structure
from baycarp.card import CLASS_OF, CLASSES, blocked_by
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.ranges import GroupsTo, Pruned, TopGroups
from baycarp.opponents.network.topology import TYPE_NODES, observed, topology
from baycarp.rules import PlayerView, read
from baycarp.rules.hand import GROUPS, TYPES
from baycarp.rules.seat import POSITIONS, position
from baycarp.training.networks import Prior, fit_network
from baycarp.training.priors import normal
from baycarp.training.rows import NetworkRow
from experiments.beliefs.by_player import ByPlayer
from experiments.beliefs.decision_points import DecisionPoint
from experiments.beliefs.player_networks import fit_backing_off, fit_player_networks

__all__ = ["NETWORKS", "STRUCTURES", "Base", "Extension", "NetworkModel", "OfPlayers", "Range", "build"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Base:
    """The belief by board and position alone: the frequencies of starting classes of players still in.

    Parameters
    ----------
    chances
        float64, shape (4, positions, 169): the weight of a holding of each class, by street and position.
    """

    chances: Array

    @staticmethod
    def count(points: Iterable[DecisionPoint]) -> Array:
        """Count the classes of known cards, by street and position; counts add up."""
        counts = np.zeros((4, len(POSITIONS), len(CLASSES)))
        for point in points:
            if point.holding >= 0:
                counts[point.street, _place(point.view), CLASS_OF[point.holding]] += 1
        return counts

    @classmethod
    def of(cls, counts: Array) -> "Base":
        """From counts; the deal counts as one player at each street and position."""
        size = np.bincount(CLASS_OF, minlength=len(CLASSES)).astype(np.float64)
        return cls((counts + size / size.sum()) / size)

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The belief; see ``decision_points.Model``."""
        weights = self.chances[street, _place(view)][CLASS_OF]
        return normal(np.where(blocked_by(view.observation.board), 0.0, weights))


def _place(view: PlayerView) -> int:
    return POSITIONS.index(position(view.position, view.observation.variant.seats))


class NetworkModel:
    """A network as a ``Model``.

    Parameters
    ----------
    network
        Fitted.
    weighted
        Whether holdings are weighted by hand types, or by the hand group alone.
    """

    def __init__(self, network: Network, weighted: bool = False) -> None:
        self.network, self.weighted = network, weighted
        self._inference = Inference(network)
        self._holdings = HoldingPosterior(self._inference, weighted)

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The belief; see ``decision_points.Model``."""
        return self._holdings(self._evidence(view, street), view.observation.board, street)

    def types(self, view: PlayerView, street: int) -> Array | None:
        """The network's posterior of the hand type; None pre-flop, and if it follows from the holdings."""
        return None if self.weighted or not street else self.posterior(TYPE_NODES[street], view, street)

    def posterior(self, node: str, view: PlayerView, street: int) -> Array:
        """The network's posterior of one node."""
        return np.asarray(self._inference.posterior(self._evidence(view, street), (node,))[node])

    def _evidence(self, view: PlayerView, street: int) -> dict[str, str]:
        readings = read(view, observed(self.network.structure, street))
        return {name: str(state) for name, state in readings.items()}

    def __reduce__(self) -> tuple[type["NetworkModel"], tuple[Network, bool]]:
        return NetworkModel, (self.network, self.weighted)


@dataclass(frozen=True, slots=True)
class Range:
    """A range as a belief: its holdings share the probability of its groups, all others the rest.

    Parameters
    ----------
    model
        The network of the posteriors.
    rule
        The rule from posteriors to a range.
    """

    model: NetworkModel
    rule: TopGroups | GroupsTo | Pruned

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The belief; see ``decision_points.Model``."""
        board, belief = view.observation.board, self.model(view, street)
        groups = dict(zip(GROUPS, self.model.posterior("HandGroup", view, street).tolist(), strict=True))
        if isinstance(self.rule, Pruned):
            types = self.types(view, street)
            named = {} if types is None else dict(zip(TYPES, types.tolist(), strict=True))
            inside = self.rule(groups, board, named) > 0
            mass = belief[self.rule.groups(groups, board) > 0].sum() * (self.rule.share if named else 1.0)
        else:
            inside = self.rule(groups, board) > 0
            mass = belief[inside].sum()
        free = belief > 0
        return np.where(inside, mass / inside.sum(), np.where(free, (1 - mass) / (free & ~inside).sum(), 0.0))

    def types(self, view: PlayerView, street: int) -> Array | None:
        """The network's posterior."""
        return self.model.types(view, street)


@dataclass(frozen=True, slots=True)
class Extension:
    """A variant of the thesis' network.

    Parameters
    ----------
    structure
        Its nodes.
    prior
        The prior of its tables; ``"backoff"`` = they back off, in the end to the deal.
    active
        Whether it is trained on all players still in, or on showdowns only.
    weighted
        Whether groups and types are combined in one posterior over holdings.
    rule
        The rule of a range instead of the posterior.
    """

    structure: Structure = topology()  # noqa: RUF009 - a frozen value
    prior: Prior | Literal["backoff"] = "bdeu"
    active: bool = False
    weighted: bool = False
    rule: TopGroups | GroupsTo | Pruned | None = None

    def fit(self, rows: Sequence[NetworkRow]) -> NetworkModel | Range:
        """Fit it."""
        if self.prior == "backoff":
            network = fit_backing_off(rows, self.structure, not self.active)
        else:
            network = fit_network(rows, not self.active, self.structure, self.prior)
        model = NetworkModel(network, self.weighted)
        return Range(model, self.rule) if self.rule else model


@dataclass(frozen=True, slots=True)
class OfPlayers:
    """The thesis' network by playing style or by opponent; back-off, holdings weighted.

    Parameters
    ----------
    structure
        Its nodes.
    active
        As in ``Extension``; a player's own network learns from showdowns in either case.
    own
        Whether each opponent has a network of its own, or its style's.
    """

    structure: Structure = topology()  # noqa: RUF009 - a frozen value
    active: bool = False
    own: bool = False

    def fit(self, rows: Sequence[NetworkRow]) -> ByPlayer:
        """Fit it."""
        return ByPlayer(fit_player_networks(rows, self.structure, not self.active), self.own)


ALL = topology("priced", classes=True)

NETWORKS: Mapping[str, Extension | OfPlayers] = {
    "plain": Extension(),
    "four groups": Extension(rule=TopGroups(4)),
    "groups to 75 %": Extension(rule=GroupsTo(0.75)),
    "types to 90 %": Extension(rule=Pruned()),
    "calls priced": Extension(topology("priced")),
    "pot odds": Extension(topology("odds")),
    "partial hands": Extension(topology(partial=True)),
    "aggression": Extension(topology(aggression=True)),
    "aggression, back-off, weighted": Extension(topology(aggression=True), "backoff", weighted=True),
    "aggression, back-off, trained on all": Extension(
        topology(aggression=True), "backoff", active=True, weighted=True
    ),
    "starting classes": Extension(topology(classes=True)),
    "weighted": Extension(weighted=True),
    "deal as prior": Extension(prior="dealt"),
    "deal, weighted": Extension(prior="dealt", weighted=True),
    "deal, weighted, partial": Extension(topology(partial=True), "dealt", weighted=True),
    "deal, trained on all": Extension(prior="dealt", active=True, weighted=True),
    "deal, partial, trained on all": Extension(topology(partial=True), "dealt", active=True, weighted=True),
    "back-off": Extension(prior="backoff"),
    "back-off, weighted": Extension(prior="backoff", weighted=True),
    "back-off, trained on all": Extension(prior="backoff", active=True, weighted=True),
    "back-off, partial, trained on all": Extension(
        topology(partial=True), "backoff", active=True, weighted=True
    ),
    "by style": OfPlayers(),
    "by opponent": OfPlayers(own=True),
    "by style, trained on all": OfPlayers(active=True),
    "by opponent, trained on all": OfPlayers(active=True, own=True),
    "all": Extension(ALL, "dealt", weighted=True),
    "all, trained on all": Extension(ALL, "dealt", active=True, weighted=True),
    "all, back-off": Extension(ALL, "backoff", weighted=True),
    "all, back-off, trained on all": Extension(ALL, "backoff", active=True, weighted=True),
    "all, by opponent, trained on all": OfPlayers(ALL, active=True, own=True),
}
"""By name in the table. "trained on all": trained on all players still in, whose cards a trainer has.

"partial hands" alone cannot change the belief over holdings: without ``weighted`` that is the hand group's,
and nodes below it that are never observed do not change it; only the posterior of hand types changes.
"""

STRUCTURES = tuple({extension.structure for extension in NETWORKS.values()})


def build(
    rows: Sequence[NetworkRow], names: Iterable[str] = NETWORKS
) -> dict[str, NetworkModel | Range | ByPlayer]:
    """Fit the named models on the same rows, which have the nodes of ``STRUCTURES``."""
    return {name: NETWORKS[name].fit(rows) for name in names}
