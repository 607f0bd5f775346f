"""The learning curve: predictions of a player unlike the population by the number of its observed hands.

Two models of it, on the same later hands: the population's, which does not learn; and the hypotheses about a
new player, updated by its hands.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions.adapt import PlayerModel
from baycarp.opponents.actions.hand_actions import ActionModel, normalized
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import KINDS, Confidence
from experiments.populations.action_cells import Cells, HandRow, hand_rows, stack

__all__ = ["AT", "MEASURES", "UNLIKE", "Curve", "holding_and_choice", "learned", "learning_curve"]

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
    confidence: Confidence,
    at: Sequence[int] = AT,
) -> Curve:
    """Learn players session by session, anew in each, and predict the hands from ``at[-1]`` on.

    Parameters
    ----------
    sessions
        Finished hands with every card; the models learn from shown cards only.
    players
        The names of the players to learn.
    population, styles, confidence
        The model that does not learn; the styles and the prior of a new player.
    at
        Hands observed, ascending.
    """
    alone = Confidence(powers=(1.0,), prior=((1.0,),) * len(KINDS), blind=0.0, change=0.0)
    ways: dict[str, tuple[Styles, Confidence | None]] = {
        "population": (Styles((population,), (1.0,)), None),
        "player model": (styles, confidence),
    }
    found = defaultdict[tuple[str, str, int], list[Losses]](list)
    for number, hands in enumerate(sessions):
        rows = list(hand_rows(hands))
        to_come = [row for row in hand_rows(hands, every_street=True) if row.hand >= at[-1]]
        for player in players:
            mine = [row for row in rows if row.player == player]
            test = stack(row for row in to_come if row.player == player)
            for name, (begun, how) in ways.items():
                for after, known in learned(begun, how or alone, mine if how else (), at):
                    for measure, (each, hand) in holding_and_choice(test, known).items():
                        found[measure, name, after].append((each, hand + 100_000 * number))
    joined = {key: [np.concatenate(part) for part in zip(*each, strict=True)] for key, each in found.items()}
    losses = {m: {name: [mean_by_hand(*joined[m, name, n]) for n in at] for name in ways} for m in MEASURES}
    return Curve(tuple(at), losses, {m: len(joined[m, "population", at[0]][0]) for m in MEASURES})


def holding_and_choice(test: Cells, known: PlayerModel) -> dict[str, Losses]:
    """The losses of a model by measure, each with the number of its hand.

    Parameters
    ----------
    test
        Rows at the end of every street, cards known.
    known
        The model of the player: it predicts the holding of each player in at the end of the street by its
        styles, powers and shifts, and every choice.
    """
    held = [
        (-np.log(normalized(known.likelihood(row.moves, row.board, row.income_group))[row.holding]), row.hand)
        for row in test.rows
        if row.stayed
    ]
    chosen = [
        (-np.log(known.predict(row.moves[:at], act, row.board, row.income_group)[act.choice]), row.hand)
        for row in test.rows
        for at, act in enumerate(row.moves)
        if act.street == row.street
    ]
    return {
        measure: (np.array(losses, np.float64), np.array(hands, np.int64))
        for measure, (losses, hands) in zip(
            MEASURES, (zip(*held, strict=True), zip(*chosen, strict=True)), strict=True
        )
    }


def learned(
    styles: Styles, confidence: Confidence, rows: Iterable[HandRow], at: Sequence[int]
) -> Iterator[tuple[int, PlayerModel]]:
    """Learn a player's model from its hands, as a seated player observes them: (hands, model).

    Parameters
    ----------
    styles, confidence
        The styles, and the prior of a new player.
    rows
        Its whole rows, in order; a hand counts even without a row of the player.
    at
        Numbers of hands after which the model is yielded, ascending; it is one object, updated in between.
    """
    known, waiting = PlayerModel(styles, confidence), iter(rows)
    row = next(waiting, None)
    for hands in at:
        while row is not None and row.hand < hands:
            known.learn(row.moves, row.board, row.income_group, row.holding if row.shown else -1)
            row = next(waiting, None)
        yield hands, known
