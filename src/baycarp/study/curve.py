"""The learning curve: predictions of a player unlike the population by the number of its observed hands.

Three models of it, on the same later hands: the population's, which does not learn; one of the player alone,
from general poker tables; and one from its style, updated by its actions.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions import ActionModel, sensible
from baycarp.opponents.adapt import Pace, PlayerModel
from baycarp.opponents.styles import Styles
from baycarp.train.actions import expected_choice, likelihood
from baycarp.train.cells import Cells, HandRow, hand_rows, stack

__all__ = ["AT", "MEASURES", "SELF", "UNLIKE", "Curve", "holding_and_choice", "learned", "learning_curve"]

Array = NDArray[np.float64]
Losses: TypeAlias = tuple[Array, NDArray[np.int64]]
"""Losses, and the number of the hand of each."""

AT = (0, 10, 50, 200, 1000)
"""Observed hands at which the model is tested, on the hands from the last number on."""

MEASURES = ("true holding", "next choice")

UNLIKE = {
    "Jag": "jag",
    "Maniac": "formula(level='loose', shift=-300, tightness=0.1, aggression=1.0)",
}
"""Players unlike the default table: loose aggressive static rules, and one that plays nearly every hand."""

SELF = Pace(tilt=2.0, detail=2.0, half_life=1e9)
"""The pace of the model of the player alone: it keeps little of the general tables."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The losses of models of one player or several.

    Parameters
    ----------
    at
        Hands observed.
    losses
        By measure and model, the mean log loss and its 95 % margin after each number of hands.
    rows
        By measure, the number of losses in each mean.
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
    """Learn players session by session, anew in each, and predict the hands from ``at[-1]`` on.

    Parameters
    ----------
    sessions
        Finished hands with every card; the models learn from shown cards only.
    players
        The names of the players to learn.
    population, styles, pace
        The prior models, and the pace at which the model leaves its style.
    at
        Hands observed, ascending.
    """
    ways: dict[str, tuple[Styles, Pace | None]] = {
        "population": (Styles((population,), (1.0,)), None),
        "himself": (Styles((sensible(),), (1.0,)), SELF),
        "style and himself": (styles, pace),
    }
    found = defaultdict[tuple[str, str, int], list[Losses]](list)
    for number, hands in enumerate(sessions):
        rows = list(hand_rows(hands))
        to_come = [row for row in hand_rows(hands, every_street=True) if row.hand >= at[-1]]
        for player in players:
            mine = [row for row in rows if row.player == player]
            test = stack(row for row in to_come if row.player == player)
            for name, (begun, how) in ways.items():
                for after, known in learned(begun, how or pace, mine if how else (), at):
                    for measure, (each, hand) in holding_and_choice(test, known.model).items():
                        found[measure, name, after].append((each, hand + 100_000 * number))
    joined = {key: [np.concatenate(part) for part in zip(*each, strict=True)] for key, each in found.items()}
    losses = {m: {name: [mean_by_hand(*joined[m, name, n]) for n in at] for name in ways} for m in MEASURES}
    return Curve(tuple(at), losses, {m: len(joined[m, "population", at[0]][0]) for m in MEASURES})


def holding_and_choice(test: Cells, model: ActionModel) -> dict[str, Losses]:
    """The losses of a model by measure, each with the number of its hand.

    Parameters
    ----------
    test
        Rows at the end of every street, cards known.
    model
        The model, which predicts the holding of each player in at the end of the street, and every choice.
    """
    weight = likelihood(test, model.tables)
    total = np.bincount(test.row, weight, minlength=len(test))
    held = -np.log(weight[test.true] / test.count[test.true] / total)
    rows = [(row.stayed, row.hand, row.street) for row in test.rows]
    stayed, hand, street = np.array(rows, np.int64).reshape(-1, 3).T
    last = street[test.move_row] == test.move_street
    choice = -np.log(expected_choice(test, model.tables)[last])
    losses = (held[stayed > 0], hand[stayed > 0]), (choice, hand[test.move_row[last]])
    return dict(zip(MEASURES, losses, strict=True))


def learned(
    styles: Styles, pace: Pace, rows: Iterable[HandRow], at: Sequence[int]
) -> Iterator[tuple[int, PlayerModel]]:
    """Learn a player's model from its hands, as a seated player observes them: (hands, model).

    Parameters
    ----------
    styles, pace
        The styles, and the pace at which the model leaves them.
    rows
        Its whole rows, in order; a hand counts even without a row of the player.
    at
        Numbers of hands after which the model is yielded, ascending; it is one object, updated in between.
    """
    known, waiting = PlayerModel(styles, pace), iter(rows)
    row = next(waiting, None)
    for hands in at:
        while row is not None and row.hand < hands:
            known.learn(row.moves, row.board, row.income_group, row.holding if row.shown else -1)
            row = next(waiting, None)
        yield hands, known
