"""One line of the table of beliefs: a model or a base line, over all decision points or a part of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.game.action import STREETS
from experiments.beliefs.base_lines import CLASS_SHARES, DEAL, SITUATION, action_losses, base_lines
from experiments.beliefs.columns import ActionColumns, Judged, PointColumns
from experiments.beliefs.intervals import Figure, mean
from experiments.beliefs.scores import among, reciprocal, tenths

__all__ = ["ENOUGH", "OBSERVED", "PARTS", "SURE", "Summary", "beside_base_lines", "parts", "summary"]

Array = NDArray[np.float64]
Where = NDArray[np.bool_]

ENOUGH = 1000
"""Fewer decision points than these are too few for a figure."""

PLAYERS = 10
"""Fewer players than these give no interval over players."""

SURE = 0.9
"""A belief is sure from this probability of its most probable hand group on."""

OBSERVED = ("none", "1-49", "50 and more")
"""Parts by the hands of the player that were observed before."""

PARTS = ("street", "seats", "player", "observed")
"""What the decision points can be divided by."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One line. Figures are nan where there is no decision point.

    Parameters
    ----------
    name
        The model or base line.
    points
        The number of decision points.
    loss
        Log loss of the true holding, nats, with its interval over hands.
    over_deal, over_shares
        The loss of the deal, and of the shares by street and position, less that of this line.
    over_deal_players, over_shares_players
        The same with intervals over players; None where there are fewer than ten.
    hands_below_deal, hands_below_shares
        The share of hands in which the mean loss is greater than that base line's; equal ones count half.
    entropy
        Mean entropy of the belief, nats.
    tenths
        The share of truths in each tenth of the belief, the least probable holdings first (PIT).
    excluded
        The share of truths that the belief excludes.
    sure
        The number of decision points with a hand group of probability 0.9 or more.
    right
        The share of these where it is the true one; None where they are too few.
    reciprocal_rank
        The mean of 1 / rank of the true holding; ties by share.
    top_10, top_50
        The share of truths among the first 10 and 50 holdings; ties by share.
    groups
        The same among the first 1, 2, 3 and 4 hand groups.
    action
        Log loss of the next action, nats; None for a model that does not predict it.
    """

    name: str
    points: int
    loss: Figure
    over_deal: Figure
    over_shares: Figure
    over_deal_players: Figure | None
    over_shares_players: Figure | None
    hands_below_deal: float
    hands_below_shares: float
    entropy: float
    tenths: tuple[float, ...]
    excluded: float
    sure: int
    right: float | None
    reciprocal_rank: float
    top_10: float
    top_50: float
    groups: tuple[float, ...]
    action: Figure | None


def beside_base_lines(judged: Judged) -> Judged:
    """The same with the base lines before the models; every table is made of it."""
    losses = {SITUATION: action_losses(judged.actions), **judged.actions.losses}
    scores = {**base_lines(judged), **judged.scores}
    return replace(judged, scores=scores, actions=replace(judged.actions, losses=losses))


def summary(judged: Judged, name: str, where: tuple[Where, Where] | None = None) -> Summary:
    """Summarise one model or base line.

    Parameters
    ----------
    judged
        Of ``beside_base_lines``.
    name
        One of ``judged.scores``.
    where
        A part of the decision points and of the actions, of ``parts``; None = all.
    """
    at, acted = where or (np.ones(len(judged.points), np.bool_), np.ones(len(judged.actions.hand), np.bool_))
    mine = {key: column[at] for key, column in judged.scores[name].items()}
    hands = judged.points.hand[at]
    player = np.unique(judged.points.player[at], return_inverse=True)[1]
    many = len(at) and at.any() and player.max() + 1 >= PLAYERS
    gains = [judged.scores[base]["loss"][at] - mine["loss"] for base in (DEAL, CLASS_SHARES)]
    sure = mine["sure"] >= SURE
    right = among(mine["group_above"], mine["group_tied"], 1)[sure]
    losses = judged.actions.losses.get(SITUATION if name == CLASS_SHARES else name)
    over_deal, over_shares = (mean(gain, hands) for gain in gains)
    deal_players, shares_players = (mean(gain, player) if many else None for gain in gains)
    places = tenths(mine["below"], mine["beside"])
    ranked = [_mean(among(mine["group_above"], mine["group_tied"], k)) for k in (1, 2, 3, 4)]
    return Summary(
        name=name,
        points=int(at.sum()),
        loss=mean(mine["loss"], hands),
        over_deal=over_deal,
        over_shares=over_shares,
        over_deal_players=deal_players,
        over_shares_players=shares_players,
        hands_below_deal=_hands_below(gains[0], hands),
        hands_below_shares=_hands_below(gains[1], hands),
        entropy=_mean(mine["entropy"]),
        tenths=tuple(map(_mean, places.T)),
        excluded=_mean((mine["below"] + mine["beside"] <= 0).astype(np.float64)),
        sure=int(sure.sum()),
        right=float(right.mean()) if sure.sum() >= ENOUGH else None,
        reciprocal_rank=_mean(reciprocal(mine["above"], mine["tied"])),
        top_10=_mean(among(mine["above"], mine["tied"], 10)),
        top_50=_mean(among(mine["above"], mine["tied"], 50)),
        groups=tuple(ranked),
        action=None if losses is None else mean(losses[acted], judged.actions.hand[acted]),
    )


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _hands_below(gain: Array, hands: NDArray[np.intp]) -> float:
    """The share of hands whose summed gain is negative; sums of rounding errors are ties."""
    if not len(gain):
        return float("nan")
    _, block = np.unique(hands, return_inverse=True)
    total = np.bincount(block, gain)
    return float(((total < -1e-9) + 0.5 * (abs(total) <= 1e-9)).mean())


def parts(judged: Judged, by: str) -> Iterator[tuple[str, tuple[Where, Where]]]:
    """The decision points and actions in parts.

    Parameters
    ----------
    judged
        The decision points.
    by
        One of ``PARTS``.

    Yields
    ------
    label, (bool array of decision points, bool array of actions)
        In order; players by the number of their decision points, most first.
    """
    keys = [_keys(columns, by) for columns in (judged.points, judged.actions)]
    labels, sizes = np.unique(keys[0], return_counts=True)
    if by == "player":
        labels = labels[np.argsort(-sizes, kind="stable")]
    names = {"street": STREETS, "observed": OBSERVED}.get(by)
    for label in range(len(names)) if names else labels.tolist():
        yield str(names[label] if names else label), (keys[0] == label, keys[1] == label)


def _keys(columns: PointColumns | ActionColumns, by: str) -> NDArray[Any]:
    found: NDArray[Any] = getattr(columns, by)
    return np.digitize(found, [1, 50]) if by == "observed" else found
