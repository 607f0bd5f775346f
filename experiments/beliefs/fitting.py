"""Models fitted on the sessions of several populations: rows of chosen players, and the fits by name.

Every fit learns from a seated player's observations: cards are known where they were shown.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.network.topology import OBSERVED
from baycarp.training.networks import fit_network
from baycarp.training.rows import NetworkRow, rows_of_session
from experiments.beliefs.acting import OnePlayerModel, SeatedPlayerModels
from experiments.beliefs.contest import Contestant
from experiments.beliefs.preflop import limit_preflop
from experiments.beliefs.queries import Model
from experiments.recipes.action_cells import HandRow, hand_rows, stack
from experiments.recipes.action_em import fit
from experiments.recipes.styles import fit_styles, joined

__all__ = ["FITS", "Fit", "TrainingRows", "fit_model", "training_rows"]


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """What sessions teach.

    Parameters
    ----------
    actions
        Whole rows of hand -> action, one for each player and hand.
    nodes
        Rows of the thesis' network, one for each player in after the pre-flop.
    """

    actions: tuple[HandRow, ...]
    nodes: tuple[NetworkRow, ...]

    def __add__(self, other: "TrainingRows") -> "TrainingRows":
        return TrainingRows(self.actions + other.actions, self.nodes + other.nodes)


Fit = Callable[[Mapping[str, TrainingRows]], Model]
"""Fits a model on the rows of populations, by their names."""


def training_rows(hands: Sequence[Hand], players: Container[str] | None, prefix: str) -> TrainingRows:
    """The rows of some players of one session; folded hole cards are unknown.

    Parameters
    ----------
    hands
        In order. Of no-limit hands the pre-flop, as that of a limit hand (``preflop.limit_preflop``).
    players
        Their names; None = all.
    prefix
        Put before the names: names of different populations are different players.
    """
    followed, limited = [], False
    for hand in hands:
        if hand.variant.betting == "limit":
            followed.append(hand)
        elif (found := limit_preflop(hand)) is not None:
            shown = found[1].observation.state.holes
            followed.append(replace(found[0], holes=tuple(map(tuple, shown))))
            limited = True
    actions = tuple(
        replace(row, player=f"{prefix}{row.player}")
        for row in hand_rows(followed)
        if players is None or row.player in players
    )
    nodes = tuple(rows_of_session(followed, players=players))
    return TrainingRows(actions, tuple(map(_preflop, nodes)) if limited else nodes)


def _preflop(row: NetworkRow) -> NetworkRow:
    kept = {name: state for name, state in row.states.items() if name in (*OBSERVED[0], "HandGroup")}
    return NetworkRow(kept, 1, "HandGroup" in kept)


def fit_model(rows_by_population: Mapping[str, Sequence[HandRow]]) -> Model:
    """The opponent model of the default agent, fitted on several populations.

    Parameters
    ----------
    rows_by_population
        Whole rows of hand -> action, by the name of the population.
    """
    return SeatedPlayerModels(joined([_styles_of(rows) for rows in rows_by_population.values()]))


_FITTED: dict[int, tuple[Sequence[HandRow], Styles]] = {}
"""Styles by the identity of a population's rows: with one population left out, the others' are the same."""


def _styles_of(rows: Sequence[HandRow]) -> Styles:
    if id(rows) not in _FITTED:
        _FITTED[id(rows)] = rows, fit_styles({"one": rows})
    return _FITTED[id(rows)][1]


def _styles(training: Mapping[str, TrainingRows]) -> Model:
    return fit_model({name: rows.actions for name, rows in training.items()})


def _one_model(training: Mapping[str, TrainingRows]) -> Model:
    cells = stack(row for rows in training.values() for row in rows.actions)
    return OnePlayerModel(fit(cells, cells.shown).model)


def _network(training: Mapping[str, TrainingRows]) -> Model:
    return Contestant(fit_network([row for rows in training.values() for row in rows.nodes]))


FITS: Mapping[str, Fit] = {
    "styles": _styles,
    "one model": _one_model,
    "network": _network,
}
"""By name in the table: the default agent's model; one hand -> action model of all players; the network of
Unger (2011)."""
