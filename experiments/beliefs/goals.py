"""Goals of a population that was left out: met, not met, or too few decision points to judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from experiments.beliefs.columns import Judged
from experiments.beliefs.intervals import Figure
from experiments.beliefs.style_change import Lag
from experiments.beliefs.summary import ENOUGH, OBSERVED, Summary, parts, summary
from experiments.beliefs.unobserved import UNOBSERVED

__all__ = ["Goal", "goals"]

Verdict = Literal["met", "NOT met", "too few"]

NONE_KNOWN, IGNORED, BEHIND = 0.01, 0.02, 0.05
"""Nats: how much worse than the deal a belief may be about a player of whom no hand is known; the same from
50 hands on, where the player ignores its cards; how far behind a model may be after a change of style."""

TENTH = (0.08, 0.12)
"""The least and the greatest share of truths in a tenth of the belief."""

RIGHT = 0.85
"""The least share of sure beliefs that are right."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal of one model.

    Parameters
    ----------
    goal
        Its name.
    points
        The decision points that it is judged on.
    figures
        What was measured: the point estimate with its 95 % margin, or the least and the greatest tenth.
    verdict
        Whether it is met.
    """

    goal: str
    points: int
    figures: tuple[Figure, ...]
    verdict: Verdict


def goals(judged: Judged, name: str, ignores_cards: bool, lags: Sequence[Lag] = ()) -> list[Goal]:
    """The goals of one model at a population that it was not fitted on.

    No hand known of a player: never worse than the deal by more than 0.01 nats (the point estimate), at every
    decision point, by a copy of the model that has observed no hand. From 50 hands on: better than the shares
    of the population itself at 95 %; where players ignore their cards, within 0.02 nats of the deal. Every
    tenth of the belief holds 8 to 12 % of the truths, in all and from 50 hands on. Of beliefs surer than
    90 %, 85 % are right. From 300 hands after a change of style on, within 0.05 nats of a model that began
    at the change.

    Parameters
    ----------
    judged
        Of ``summary.beside_base_lines``; with the model and its copy of ``unobserved.with_unobserved``.
    name
        The model.
    ignores_cards
        Whether the players of the population ignore their cards.
    lags
        Of the model, after changes of style.
    """
    every, later = summary(judged, name), summary(judged, name, dict(parts(judged, "observed"))[OBSERVED[2]])
    first = summary(judged, name + UNOBSERVED)
    found = [
        _goal("no hand known: over deal", first.points, first.over_deal, -NONE_KNOWN),
        _goal("50 hands on: over deal", later.points, later.over_deal, -IGNORED)
        if ignores_cards
        else _better("50 hands on: over shares", later),
        _tenths("least and greatest tenth", every),
        _tenths("50 hands on: tenths", later),
        _sure(every),
    ]
    found += [_goal(f"{each.direction}: ahead", each.points, _minus(each.behind), -BEHIND) for each in lags]
    return found


def _goal(goal: str, points: int, figure: Figure, least: float) -> Goal:
    return Goal(goal, points, (figure,), _verdict(points, figure.value >= least))


def _better(goal: str, line: Summary) -> Goal:
    figure = line.over_shares
    return Goal(goal, line.points, (figure,), _verdict(line.points, figure.value - figure.margin > 0))


def _tenths(goal: str, line: Summary) -> Goal:
    ends = min(line.tenths), max(line.tenths)
    met = ends[0] >= TENTH[0] and ends[1] <= TENTH[1]
    figures = tuple(Figure(end, float("nan")) for end in ends)
    return Goal(goal, line.points, figures, _verdict(line.points, met))


def _sure(line: Summary) -> Goal:
    right = float("nan") if line.right is None else line.right
    return Goal(
        "surer than 90 %: right",
        line.sure,
        (Figure(right, float("nan")),),
        _verdict(line.sure, right >= RIGHT),
    )


def _minus(figure: Figure) -> Figure:
    return Figure(-figure.value, figure.margin)


def _verdict(points: int, met: bool) -> Verdict:
    return "too few" if points < ENOUGH else "met" if met else "NOT met"
