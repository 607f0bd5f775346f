"""The learning curve: how well a player unlike all others is predicted after so many of its hands.

Three models of it, on the same later hands: one of the population, whatever it does; one of the player
alone, from general poker tables; and one from its style, updated by its actions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions import ActionModel, sensible
from baycarp.opponents.adapt import Pace
from baycarp.opponents.styles import Styles
from baycarp.train.actions import expected_choice, likelihood
from baycarp.train.cells import Cells, hand_rows, stack
from baycarp.train.styles import learned

__all__ = ["AT", "MEASURES", "SELF", "UNLIKE", "Curve", "holding_and_choice", "learning_curve"]

Array = NDArray[np.float64]
Losses: TypeAlias = tuple[Array, NDArray[np.int64]]
"""Losses, and the hand of each."""

AT = (0, 10, 50, 200, 1000)
"""Hands after which the hands from the last one on are foreseen."""

MEASURES = ("true holding", "next choice")

UNLIKE = {
    "Jag": "jag",
    "Maniac": "formula(level='loose', shift=-300, tightness=0.1, aggression=1.0)",
}
"""Players unlike the default table: loose aggressive static rules, and one that plays nearly everything."""

SELF = Pace(tilt=2.0, detail=2.0, half_life=1e9)
"""The pace of the model of the player alone: no style is to be kept."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What was measured of one player or several.

    Parameters
    ----------
    at
        Hands observed.
    losses
        By measure and model, the mean log loss and its 95 % margin after each number of hands.
    rows
        By measure, how many losses each mean is of.
    """

    at: tuple[int, ...]
    losses: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]]
    rows: Mapping[str, int]


def learning_curve(
    sessions: Sequence[Sequence[Hand]],
    players: Sequence[str],
    population: ActionModel,
    styles: Styles,
    pace: Pace,
    at: Sequence[int] = AT,
) -> Curve:
    """Learn some players session by session, afresh in each, and foresee the hands from ``at[-1]`` on.

    Parameters
    ----------
    sessions
        Finished hands with every card; only what was shown is learned from.
    players
        The player to learn.
    population, styles, pace
        The prior styles, and how fast the model leaves them.
    at
        Hands observed, rising.
    """
    ways: dict[str, tuple[Styles, Pace | None]] = {
        "population": (Styles((population,), (1.0,)), None),
        "himself": (Styles((sensible(),), (1.0,)), SELF),
        "style and himself": (styles, pace),
    }
    found: dict[tuple[str, str, int], list[Losses]] = {}
    for number, hands in enumerate(sessions):
        rows = list(hand_rows(hands))
        to_come = [row for row in hand_rows(hands, every_street=True) if row.hand >= at[-1]]
        for player in players:
            mine = [row for row in rows if row.player == player]
            test = stack(row for row in to_come if row.player == player)
            for name, (begun, how) in ways.items():
                for after, known in learned(begun, how or pace, mine if how else (), at):
                    for measure, (each, hand) in holding_and_choice(test, known.model).items():
                        points = found.setdefault((measure, name, after), [])
                        points.append((each, hand + 100_000 * number))
    losses = {m: {name: [_joined(found[m, name, n]) for n in at] for name in ways} for m in MEASURES}
    rows_of = {m: sum(len(each) for each, _ in found[m, "population", at[0]]) for m in MEASURES}
    return Curve(tuple(at), losses, rows_of)


def _joined(found: Sequence[Losses]) -> tuple[float, float]:
    """The mean and margin over sessions and players."""
    losses, hands = (np.concatenate(each) for each in zip(*found, strict=True))
    return mean_by_hand(losses, hands)


def holding_and_choice(test: Cells, model: ActionModel) -> dict[str, Losses]:
    """The losses of a model by measure, with the hand of each.

    Parameters
    ----------
    test
        Rows at the end of every street, cards known.
    model
        The model that predicts: the holding of a player still in at the end of the street, and every choice.
    """
    weight = likelihood(test, model.tables)
    total = np.bincount(test.row, weight, minlength=len(test))
    held = -np.log(weight[test.true] / test.count[test.true] / total)
    stayed = np.array([row.stayed for row in test.rows], np.bool_)
    hand = np.array([row.hand for row in test.rows], np.int64)
    last = np.array([row.street for row in test.rows])[test.move_row] == test.move_street
    choice = -np.log(expected_choice(test, model.tables)[last])
    return dict(
        zip(MEASURES, ((held[stayed], hand[stayed]), (choice, hand[test.move_row[last]])), strict=True)
    )
