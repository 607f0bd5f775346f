"""The thesis' experiment with the controls that it lacked: the effect of the network and of the cases.

Six arms take the same seat among the same seven players, on the same decks in every rotation of the seats, so
that two of them differ on every deal by their decisions alone. The thesis compared two of these arms, on
different cards, over some 4,500 hands each (Unger 2011, section 7.3).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from baycarp.agents.network import THRESHOLD
from baycarp.agents.table import EIGHTH, PLAYERS, TABLE
from baycarp.arena.decks import PLAYED, numbers
from baycarp.arena.journal import Unit
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.run import Results
from baycarp.arena.scores import Scores, scores
from baycarp.arena.session import HANDS, Played, Table
from baycarp.arena.tally import Tally
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK
from baycarp.strategies.model import load_model
from baycarp.training.model import Progress, Training, Watched, train_once

__all__ = ["EXPERIMENT_TABLES", "Experiment", "ExperimentTable", "compared", "narrowest", "play_arm"]

HERO = "Hero"
"""The name of the player at the arms' seat."""

NETWORK, WITHOUT = "with-network", "without-network"
"""The folders of a table's two models."""


@dataclass(frozen=True, slots=True)
class ExperimentTable:
    """The players that the arms' models have watched, those that the arms then play with, and why.

    Parameters
    ----------
    watched
        Eight agents.
    met
        Seven agents: five formula and two simulation players, as in Unger (2011), section 7.1.
    why
        In a sentence.
    """

    watched: tuple[str, ...]
    met: tuple[str, ...]
    why: str


EXPERIMENT_TABLES = {
    "seen": ExperimentTable(
        (*TABLE, EIGHTH),
        TABLE,
        "The models have watched the seven that they meet, as in the thesis.",
    ),
    "unseen": ExperimentTable(
        (
            "formula(level='tight', shift=35, tightness=0.6, aggression=0.4, model=0.9)",
            "formula(level='tight', shift=100, tightness=0.35, aggression=0.7, model=0.6)",
            "formula(level='tight', shift=15, tightness=0.57, aggression=0.55, model=0.5)",
            "formula(level='moderate', shift=75, tightness=0.38, aggression=0.45, model=0.9)",
            "formula(level='moderate', shift=25, tightness=0.62, aggression=0.75, model=0.4)",
            "formula(level='moderate', shift=-40, tightness=0.44, aggression=0.35, model=0.6)",
            "formula(level='loose', shift=-60, tightness=0.58, aggression=0.7, model=0.9)",
            "formula(level='loose', shift=-120, tightness=0.47, aggression=0.25, model=0.5)",
        ),
        TABLE,
        "The models have watched formula players of other settings, and no simulation player at all; the "
        "arms meet the same seven, so that the two tables differ in what was learned alone.",
    ),
}
"""The two player sets."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """All settings that the results depend on.

    Parameters
    ----------
    table
        A name of ``EXPERIMENT_TABLES``.
    folder
        Where its models are.
    seed
        Fixes the watched and the played decks.
    watched
        Hands that the models learn from.
    hands
        Of a session.
    playouts
        The budget of every decision.
    estimators
        Estimates of every hand in addition to the chips won (``arena.variance``).
    """

    table: str
    folder: Path
    seed: int = 1
    watched: int = 10_000
    hands: int = HANDS
    playouts: int = 100
    estimators: tuple[str, ...] = ()

    def train(self, workers: Workers, progress: Progress = lambda what, done, of: None) -> None:
        """Make the models that the folder lacks.

        Raises
        ------
        ModelError
            A model that another command has made.
        """
        watched = self.hands_watched()
        command = f"python -m experiments experiment --table {self.table} --seed {self.seed}"
        command += f" --train-hands {self.watched}"
        for name in (NETWORK, WITHOUT):
            training = Training(BAYCARP2 if name == NETWORK else WITHOUT_NETWORK)
            train_once(training, watched, self.folder / name, f"{command}: {name}", workers, progress)

    @property
    def place(self) -> ExperimentTable:
        """The players that are watched, and those that are met."""
        return EXPERIMENT_TABLES[self.table]

    def hands_watched(self) -> Watched:
        """The hands that the models learn from."""
        specs = self.place.watched
        table = Table(Variant.ring(len(specs)), _names(specs), specs, self.seed)
        return Watched(table, self.watched, self.folder / "sessions")

    def arms(self) -> dict[str, str]:
        """The specification of each arm's agent, by its name; the models must exist."""
        model, without = (repr(str(self.folder / name)) for name in (NETWORK, WITHOUT))
        return {
            "baycarp1": f"baycarp1(model={model}, published=True)",
            "baycarp2": f"baycarp2(model={model}, published=True)",
            "baycarp2 without network": f"baycarp2(model={without}, opponents='none')",
            "network alone": f"network(model={model}, threshold={THRESHOLD})",
            "random": "random",
            "call": "call",
        }

    def digests(self) -> dict[str, str]:
        """The words for a folder of models in an arm's specification, and those for its digest."""
        return {
            repr(str(self.folder / name)): repr(load_model(self.folder / name).about()["digest"])
            for name in (NETWORK, WITHOUT)
        }

    def matches(self) -> dict[str, Match]:
        """Each arm's duplicate match, by its agent's settings with the models by digest.

        An arm that needs no model is the same at both tables.
        """
        met, digests = self.place.met, self.digests()
        found = {}
        for spec in self.arms().values():
            table = Table(
                Variant.ring(1 + len(met)),
                (HERO, *_names(met)),
                (spec, *met),
                self.seed,
                Budget(playouts=self.playouts),
                estimators=self.estimators,
            )
            for folder, digest in digests.items():
                spec = spec.replace(folder, digest)
            found[spec] = Match(table, seatings(len(table.players)), self.hands)
        return found

    def header(self) -> dict[str, object]:
        """The owner of a journal: the match without the arm."""
        header = next(iter(self.matches().values())).header()
        return header | {"players": {name: spec for name, spec in header["players"].items() if name != HERO}}

    def rounds(self, at_most: int) -> list[list[Unit]]:
        """Session by session its units (arm, session, seating), for at least this number of hands an arm."""
        matches = self.matches()
        each = len(next(iter(matches.values())).seatings)
        return [
            [(arm, session, seating) for seating in range(each) for arm in matches]
            for session in numbers(PLAYED, -(-at_most // (each * self.hands)))
        ]

    def scores(self, results: Results) -> Scores:
        """The winnings of the arms on every deal, with the arms in the place of players."""
        found = [
            scores(
                match.table.variant,
                (HERO,),
                {unit[1:]: won for unit, won in results.items() if unit[0] == arm},
            )
            for arm, match in self.matches().items()
        ]
        blocks = {name: np.hstack([one.blocks[name] for one in found]) for name in found[0].blocks}
        return Scores(tuple(self.arms()), blocks, found[0].seatings, found[0].unit)

    def tallies(self, results: Results) -> dict[str, Tally]:
        """The counts of the arms, by name."""
        return {
            name: sum((won.tallies[0] for unit, won in results.items() if unit[0] == arm), Tally())
            for name, arm in zip(self.arms(), self.matches(), strict=True)
        }


def play_arm(
    matches: Mapping[str, Match], unit: Unit, tick: Callable[[int], None] = lambda hand: None
) -> Played:
    """Play one arm's session in one seating; the result holds the arm's own column."""
    arm, session, seating = unit
    played = play_unit(matches[str(arm)], (session, seating), tick)
    own = {name: chips[:, :1] for name, chips in played.estimates.items()}
    return Played(played.net[:, :1], played.tallies[:1], own)


def narrowest(scores: Scores) -> str:
    """The estimator whose widest interval of a difference is the least."""
    return min(scores.blocks, key=lambda name: _widest(scores, name))


def compared(scores: Scores, precision: float) -> bool:
    """Whether every difference between two arms is known to +- ``precision``, in the scores' unit."""
    return _widest(scores, narrowest(scores)) <= precision


def _widest(scores: Scores, estimator: str) -> float:
    margins = [scores.difference(*pair, estimator).margin for pair in combinations(scores.players, 2)]
    return float(np.max(margins))  # nan, where one is unknown


def _names(specs: Sequence[str]) -> tuple[str, ...]:
    return tuple(spec.capitalize() if spec in PLAYERS else f"P{seat}" for seat, spec in enumerate(specs, 1))
