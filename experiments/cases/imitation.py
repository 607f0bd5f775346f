"""The gap of imitators to their teacher by the number of hands watched: ``python -m experiments imitation``.

A teacher that answers as a table plays against itself. Sartre and BayCaRP2 watch the first n of the same
hands, both positions. What a Sartre loses to its teacher is exact on sampled boards (``study.versus``).
BayCaRP2's decisions depend on the network's beliefs, so that it is no table: it plays hands against the
teacher, and against the Sartre of as many hands, duplicate, judged by control variates.

BayCaRP2 is trained by ``training.imitate`` from a log, which holds out one session of eleven, twenty at most;
Sartre's cases are of all n hands, and equal those that training from their log would make.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.registry import identity, load
from baycarp.arena.journal import Journal
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.measure import Rate
from baycarp.arena.run import run
from baycarp.arena.scores import scores
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.errors import ArgumentError, TableError
from baycarp.files import write_whole
from baycarp.game import State, Variant
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.model import Model, save_model
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.training.hand_texts import Templates
from baycarp.training.imitate import Demonstrations, imitate
from baycarp.training.logs import Logs
from baycarp.training.table_play import PlayedHands
from baycarp.training.watch import claim
from experiments.cases.versus import BoardRun, boards, rates, winnings_on
from experiments.recipes.table_cases import TableCases, watched

__all__ = ["NAMES", "Duel", "HandLog", "Imitation", "duels", "gaps", "learn"]

NAMES = ("EqA", "EqB")
"""The players of the log; they take turns on the button."""

JUDGE = "control"

Tick = Callable[[str, int, int | None], None]
"""Receives the kind of work, how much is done and how much there is."""


@dataclass(frozen=True, slots=True)
class Imitation:
    """What is watched, and by which imitators.

    Parameters
    ----------
    folder
        Of the models and the log; models that it has are not made again.
    hands
        Numbers of hands watched by Sartre, ascending.
    rivals
        Those that BayCaRP2 watches too; some of ``hands``.
    teacher
        Answers as a table.
    seed
        Fixes every card and action of the hands watched.
    policies
        Re-use policies of Sartre that are compared, by name.

    Raises
    ------
    ArgumentError
        No numbers of hands, numbers that do not ascend, or rivals that are none of them.
    """

    folder: Path
    hands: tuple[int, ...]
    rivals: tuple[int, ...] = ()
    teacher: str = "equilibrium"
    seed: int = 1
    policies: tuple[str, ...] = ("majority",)

    def __post_init__(self) -> None:
        if not self.hands or list(self.hands) != sorted({*self.hands}) or self.hands[0] < 1:
            raise ArgumentError(f"hands {self.hands}: expected numbers of hands, ascending")
        if not {*self.rivals} <= {*self.hands}:
            raise ArgumentError(f"rivals {self.rivals}: expected some of the hands, {self.hands}")

    def sartre(self, hands: int, policy: str = "majority") -> str:
        """The specification of the Sartre that has watched so many hands."""
        return f"sartre(model={str(self._model('sartre', hands))!r}, policy={policy!r})"

    def rival(self, hands: int) -> str:
        """The specification of the BayCaRP2, as published, that has watched so many hands."""
        return f"baycarp2(model={str(self._model('baycarp2', hands))!r}, learning=False, published=True)"

    @property
    def log(self) -> Path:
        """The log of the hands that BayCaRP2 watches."""
        return self.folder / f"hands-{max(self.rivals, default=0)}.log"

    def _model(self, name: str, hands: int) -> Path:
        return self.folder / f"{name}-{hands}"

    def missing(self, name: str) -> list[tuple[int, Path]]:
        """The models of a strategy that the folder lacks, with their numbers of hands."""
        numbers = self.hands if name == "sartre" else self.rivals
        made = ((hands, self._model(name, hands)) for hands in numbers)
        return [(hands, folder) for hands, folder in made if not (folder / "manifest.json").exists()]


@dataclass
class HandLog:
    """The first hands as the lines of an ACPC log, with all cards.

    Parameters
    ----------
    variant
        Heads-up fixed limit.
    most
        The number of hands that are kept.
    """

    variant: Variant
    most: int
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        seatings = NAMES, NAMES[::-1]
        self._templates = [Templates(self.variant, names, "acpc") for names in seatings]

    def add(self, decks: NDArray[np.uint8], played: PlayedHands, endings: Sequence[State]) -> None:
        """Add hands, as ``TableCases.add`` takes them."""
        rows = zip(decks, played.endings.tolist(), played.outcomes.tolist(), strict=True)
        for deck, place, outcome in rows:
            number = len(self.lines)
            if number == self.most:
                return
            ending = place, tuple(act.action for act in endings[place].acts)
            self.lines.append(self._templates[number % 2].text(ending, outcome, number, deck.tobytes()))


def learn(plan: Imitation, command: str, workers: int = 1, tick: Tick = lambda what, done, of: None) -> None:
    """Make the models that the folder lacks.

    Parameters
    ----------
    plan
        The models.
    command
        For the manifests.
    workers
        Processes that train BayCaRP2.
    tick
        See ``Tick``.

    Raises
    ------
    TableError
        A teacher that does not answer as a table, or does not play the game.
    ModelError
        The folder has models of another teacher or seed.
    """
    variant = Variant.load(GAME)
    plan.folder.mkdir(parents=True, exist_ok=True)
    claim(plan.folder / "watched.json", {"teacher": identity(plan.teacher, variant), "seed": plan.seed})
    _watch(plan, command, tick)
    for hands, folder in plan.missing("baycarp2"):
        logs = Logs((plan.log,), variant, hands)

        def further(what: str, done: int, of: int | None, hands: int = hands) -> None:
            tick(f"baycarp2, {hands} hands: {what}", done, of)

        imitate(BAYCARP2, Demonstrations(logs, NAMES), folder, command, Workers(workers), further)


def _watch(plan: Imitation, command: str, tick: Tick) -> None:
    """Watch the hands once; write the log, and a Sartre at each number of hands."""
    teacher, missing = load(plan.teacher), dict(plan.missing("sartre"))
    if not offers_classes(teacher):
        raise TableError(f"teacher {plan.teacher!r}: expected one that answers as a table")
    wanted = max(plan.rivals) if plan.missing("baycarp2") and not plan.log.exists() else 0
    stops = sorted({*missing, wanted} - {0})
    if not stops:
        return
    cases, log = TableCases(SARTRE2011), HandLog(Variant.load(GAME), wanted)
    watchers = (cases, log) if missing else (log,)
    for done in watched(teacher, watchers, GAME, stops, plan.seed):  # type: ignore[arg-type]
        tick("hands watched", done, stops[-1])
        if wanted and done == wanted:
            write_whole(plan.log, "".join(log.lines))
        if done in missing:
            bases = {name: base.fork() for name, base in cases.casebases.items()}
            save_model(missing[done], Model(SARTRE2011, None, bases, {"game": GAME}), command, plan.seed)


def gaps(
    plan: Imitation, number: int, seed: int, workers: int = 1, tick: Callable[[int], None] = lambda done: None
) -> dict[str, list[Rate]]:
    """What each Sartre wins from the teacher, exactly on sampled boards.

    Parameters
    ----------
    plan
        Its models are made.
    number, seed
        Of the boards.

    Returns
    -------
    dict
        By re-use policy, a rate for each number of hands, small bets a hand.
    """
    specs = [plan.sartre(hands, policy) for policy in plan.policies for hands in plan.hands]
    won = winnings_on(specs, plan.teacher, boards(number, seed), GAME, BoardRun(workers, tick))
    found, size = rates(won), len(plan.hands)
    return {policy: found[size * n : size * (n + 1)] for n, policy in enumerate(plan.policies)}


@dataclass(frozen=True, slots=True)
class Duel:
    """BayCaRP2 beside the Sartre that has watched as many hands.

    Parameters
    ----------
    hands
        Watched by both.
    gap
        What BayCaRP2 wins from the teacher, small bets a hand.
    won
        What Sartre wins from BayCaRP2.
    """

    hands: int
    gap: Rate
    won: Rate


def duels(plan: Imitation, deals: int, seed: int, workers: int = 1) -> list[Duel]:
    """Play each BayCaRP2 against the teacher, and against the Sartre of as many hands.

    Parameters
    ----------
    plan
        Its models are made.
    deals
        Of each match, in both seatings.
    seed
        Of cards and players.
    """

    def won(one: str, other: str, name: str) -> Rate:
        table = Table(Variant.load(GAME), ("one", "other"), (one, other), seed, estimators=(JUDGE,))
        match = Match(table, seatings(2))
        with Journal(plan.folder / f"{name}-seed{seed}" / "whole.journal", match.header()) as journal:
            play = partial(play_unit, match)
            results = run(play, match.rounds(deals), journal, Workers(workers))
        return scores(table.variant, table.players, results).rate("one", JUDGE)

    return [
        Duel(
            hands,
            won(plan.rival(hands), plan.teacher, f"gap-{hands}"),
            won(plan.sartre(hands), plan.rival(hands), f"duel-{hands}"),
        )
        for hands in plan.rivals
    ]
