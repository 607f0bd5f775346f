"""Fit the default table to Unger (2011), figure 7.4: ``python -m experiments.recipes.calibrate``.

Stochastic approximation (Robbins and Monro 1951): play, move each player's parameters against its deviation,
with decreasing steps, and return the mean of the second half. The shift of the pre-flop thresholds sets the
share of hands that a player plays; its tightness, or for a simulation player the margin over a fold, sets its
showdowns. The result is played once more with new cards.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from statistics import fmean
from typing import Any

from baycarp.agents.registry import parse
from baycarp.agents.table import EIGHTH, PLAYERS, TABLE
from baycarp.arena.decks import LEARNED
from baycarp.arena.match import Match, play_unit
from baycarp.arena.report import report
from baycarp.arena.run import run
from baycarp.arena.session import HANDS, Table
from baycarp.arena.workers import Workers
from baycarp.game.variant import Variant

__all__ = ["FIGURE_7_4", "Figures", "calibrate", "like", "statistics"]

Parameters = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Percentages of hands played, of hands with a showdown, and of those showdowns won."""

    played: float
    showdowns: float
    won: float


FIGURE_7_4 = {
    "absinthe": Figures(29, 10, 48),
    "anders": Figures(29, 12, 48),  # figure 7.9
    "doyle": Figures(23, 10, 46),
    "erasmus": Figures(18, 8, 41),
    "frida": Figures(29, 11, 48),
    "hari": Figures(17, 7, 53),
    "jake": Figures(43, 14, 51),
    "karma": Figures(18, 7, 49),
}

START = {"shift": 0.0, "tightness": 0.5, "margin": 0.0}
"""The calibrated parameters, with their first values."""

NEAR = Figures(3, 2, 5)
"""The largest distance from Unger's figures that counts as alike; our choice."""


def like(ours: Figures, seed: Figures) -> bool:
    """Whether figures are like Unger's."""
    pairs = zip(astuple(ours), astuple(seed), astuple(NEAR), strict=True)
    return all(abs(mine - published) <= near for mine, published, near in pairs)


def statistics(specs: Mapping[str, str], hands: int, seed: int, workers: int = 1) -> dict[str, Figures]:
    """Seat the players in order, play sessions, and compute the figures of each.

    Parameters
    ----------
    specs
        The specification of each player, by name.
    hands
        Rounded up to whole sessions.
    seed, workers
        As in ``arena.session``.
    """
    table = Table(Variant.ring(len(specs)), tuple(specs), tuple(specs.values()), seed)
    match = Match(table)
    rounds = match.rounds(-(-hands // HANDS) * HANDS, LEARNED)
    played = run(partial(play_unit, match), rounds, workers=Workers(workers))
    return {
        str(row["player"]): Figures(*(float(row[key]) for key in ("played", "showdowns", "showdowns_won")))
        for row in report(table, list(played.values())).rows()
    }


def spec(kind: str, parameters: Mapping[str, Any]) -> str:
    """The specification of a player: ``parse`` reads it back."""
    return f"{kind}({', '.join(f'{key}={value!r}' for key, value in parameters.items())})"


def calibrate(rounds: int, hands: int, seed: int, workers: int = 1) -> dict[str, str]:
    """Calibrate the seven players and the eighth for some rounds; return their specifications.

    All start with the same values, so that the result depends only on the players' other settings.
    """
    parsed = {name: parse(PLAYERS[name]) for name in (*TABLE, EIGHTH)}
    kinds = {name: kind for name, (kind, _) in parsed.items()}
    parameters = {
        name: given | {k: START[k] for k in START.keys() & given} for name, (_, given) in parsed.items()
    }
    late: list[Parameters] = []
    for number in range(rounds):
        specs = {name: spec(kinds[name], parameters[name]) for name in kinds}
        ours = statistics(specs, hands, seed + number, workers)
        parameters = {
            name: _moved(parameters[name], ours[name], FIGURE_7_4[name], step=1 / (1 + number / 4))
            for name in kinds
        }
        late += [parameters] if 2 * number >= rounds else []
        alike = sum(like(ours[name], FIGURE_7_4[name]) for name in TABLE)
        print(f"round {number + 1}: {alike} of 7 alike", flush=True)
    return {name: spec(kinds[name], _mean([each[name] for each in late])) for name in kinds}


def _moved(parameters: Mapping[str, Any], ours: Figures, seed: Figures, step: float) -> dict[str, Any]:
    """One step: tighter before the flop for too many hands, after it for too many or too weak showdowns."""
    tighter = step * ((ours.showdowns - seed.showdowns) - 0.15 * (ours.won - seed.won))
    moved = {**parameters, "shift": parameters["shift"] + 8 * step * (ours.played - seed.played)}
    if "margin" in parameters:
        moved["margin"] = parameters["margin"] + 0.4 * tighter
    else:
        moved["tightness"] = min(max(parameters["tightness"] + 0.04 * tighter, 0.0), 1.0)
    return moved


def _mean(each: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean of the calibrated parameters, rounded."""
    digits = {"shift": None, "tightness": 2, "margin": 2}
    means = {key: fmean(parameters[key] for parameters in each) for key in digits if key in each[0]}
    return each[0] | {key: round(value, digits[key]) for key, value in means.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate, check with new cards, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument(
        "--hands", type=int, default=3000, help="in a round; three times as many in the check"
    )
    parser.add_argument(
        "--check", type=int, metavar="HANDS", help="no calibration: play these hands with the shipped players"
    )
    parser.add_argument("--seed", type=int, default=74)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(argv)
    specs, hands, seed = {name: PLAYERS[name] for name in (*TABLE, EIGHTH)}, given.check, given.seed
    if not given.check:
        specs = calibrate(given.rounds, given.hands, given.seed, given.workers)
        print(*(f'    "{name}": "{text}",' for name, text in specs.items()), sep="\n")
        hands, seed = 3 * given.hands, given.seed - 1
    for name, figures in statistics(specs, hands, seed, given.workers).items():
        print(f"{name:10} {figures}  {'like' if like(figures, FIGURE_7_4[name]) else 'unlike'} Unger's")


if __name__ == "__main__":
    main()
