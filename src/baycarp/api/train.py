"""Training: ``baycarp.train`` makes a model from watched players or from logs, and measures its network."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.api.result import Record, Result
from baycarp.api.settings import settings_of, takes
from baycarp.api.train_tables import imitation_parts, model_parts
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError
from baycarp.game import Variant
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import Calls, topology
from baycarp.strategies.baycarp import WITHOUT_NETWORK, believing
from baycarp.strategies.by_seats import BySeats
from baycarp.strategies.model import load_model
from baycarp.strategies.registry import strategy
from baycarp.strategies.spec import Strategy
from baycarp.training.curriculum import Curriculum, named, parse_seats, shares_text
from baycarp.training.imitate import Demonstrations, Imitated, imitate
from baycarp.training.logs import Logs
from baycarp.training.model import NetworkConfig, Progress, Trained, Training, Watched
from baycarp.training.model import train as train_model
from baycarp.training.networks import Prior

__all__ = ["TrainPlan", "TrainResult", "TrainSettings", "train", "watched"]

HANDS = 10_000
"""The number that is watched by default."""


@dataclass(frozen=True, slots=True)
class TrainResult(Result):
    """A trained model, in its folder, and the scores of its network on held-out hands.

    Parameters
    ----------
    folder
        Of the model: ``baycarp.load(str(result.folder))`` is its agent.
    trained
        The model; from logs also what the hands gave.
    """

    folder: Path
    trained: Trained

    def parts(self) -> Iterable[RenderableType]:
        """The numbers of cases, and tables 7.1 to 7.3 and figures 7.1 and 7.2 of Unger (2011)."""
        if isinstance(self.trained, Imitated):
            yield from imitation_parts(self.trained)
        yield from model_parts(self.trained)

    def to_records(self) -> list[Record]:
        """One record a node and kind of players: held-out rows, and the share of the truth in the first k."""
        measured = self.trained.measured
        return [
            {
                "node": line.node,
                "players": line.players,
                "rows": line.rows,
                **{f"top {k}": float(share) for k, share in enumerate(line.top, 1)},
                "unseen": float(line.unseen),
            }
            for line in (measured.accuracies if measured else ())
        ]

    def to_dict(self) -> dict[str, Any]:
        """The folder, the numbers of cases and showdown rows, and the records."""
        return {
            "folder": str(self.folder),
            "cases": {name: len(base) for name, base in self.trained.model.casebases.items()},
            "showdown rows": self.trained.showdowns,
            "accuracy": self.to_records(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """The settings of ``train``, given there by name; those of the network are those of ``baycarp train``.

    Parameters
    ----------
    strategy
        The strategy that the model is for.
    seats
        Tables of several sizes: ``"2-10"``, or with the share of the hands of each; empty = of eight.
    heads_up
        The agent that plays itself at tables of two, with such ``seats``; empty = the other players do.
    against
        The opponent of ``heads_up``, whose decisions are no cases; empty = itself.
    two
        Folders of models whose cases are added for tables of two, in case-bases of their own.
    revise
        The outcome of a case, one of ``rules.outcome.OUTCOMES``; empty = the strategy's.
    calls, partial, classes, aggression, prior, active
        The network's differences from the thesis'.
    weighted, styles, opponents, no_network
        What cases are described by.
    logs
        Logs to imitate, in place of watched hands.
    player
        The imitated players; none = all with known cards.
    game
        Of ACPC logs, which do not contain it.
    sessions
        The folder of the watched sessions; None = the model's.
    seed, workers
        Of the watched hands; the model is the same for any number of processes.
    tick
        Called with the step, the work done, and all of it (None = unknown).
    """

    strategy: str = "baycarp"
    seats: str = ""
    heads_up: str = ""
    against: str = ""
    two: Sequence[Path | str] = ()
    revise: str = ""
    calls: Calls = "plain"
    prior: Prior = "bdeu"
    opponents: str = ""
    partial: bool = False
    classes: bool = False
    aggression: bool = False
    active: bool = False
    weighted: bool = False
    styles: bool = False
    no_network: bool = False
    logs: Sequence[Path | str] = ()
    player: Sequence[str] = ()
    game: str = ""
    sessions: Path | None = None
    seed: int = 1
    workers: int = 1
    tick: Progress | None = None

    def __post_init__(self) -> None:
        whole(self.seed, "seed", 0, MOST_INT64)
        whole(self.workers, "workers", 1, MOST_INT64)

    def options(self, *names: str) -> list[str]:
        """Settings that differ from the defaults, as options of ``baycarp train``; by default ``WATCHED``."""
        found = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in (names or WATCHED) and value != each.default:
                if each.name == "seats":  # with the shares, which another version may choose otherwise
                    value = shares_text(parse_seats(value))
                name = f"--{each.name.replace('_', '-')}"
                words = value if each.name == "two" else (value,)
                found.append(name if value is True else f"{name} {shlex.join(map(str, words))}")
        return found


WATCHED = (
    "strategy", "seats", "heads_up", "against", "two", "revise", "calls", "prior", "opponents",
    "partial", "classes", "aggression", "active", "weighted", "styles", "no_network",
)  # fmt: skip
"""The settings that a model of watched players depends on, besides hands and seed."""


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """A model to be made; its settings are verified before anything is played or read.

    Parameters
    ----------
    folder
        Of the model; sessions found there are used again.
    hands
        To be watched, or read at most; None = the default, or all.
    settings
        The others.

    Raises
    ------
    ModelError
        Settings that contradict each other.
    """

    folder: Path
    hands: int | None
    settings: TrainSettings

    def __post_init__(self) -> None:
        own = self.settings
        if self.hands is not None:
            whole(self.hands, "hands", 1, MOST_INT64)
        if own.logs:
            self._verify_logs()
        elif own.player or own.game:
            raise ModelError("--player and --game: expected logs to imitate, --from LOG")
        else:
            self._verify_watched()

    def _verify_logs(self) -> None:
        own = self.settings
        names = [name for name in (*WATCHED, "sessions", "seed") if name != "strategy"]
        if senseless := own.options(*names):
            raise ModelError(f"{', '.join(senseless)}: expected without --from")
        if own.game:
            strategy(own.strategy).plays.verify(Variant.load(own.game), f"strategy {own.strategy!r}")

    def _verify_watched(self) -> None:
        own = self.settings
        without = ("--revise", "--no", "--strategy", "--seats", "--heads-up", "--against", "--two")
        if senseless := ", ".join(word for word in own.options() if not word.startswith(without)):
            if own.no_network:
                raise ModelError(f"{senseless}: expected without --no-network")
            if not strategy(own.strategy).needs_network:
                raise ModelError(f"{senseless}: expected a strategy with a network")
        described(own)
        self._tables()

    def run(self, workers: Workers, tick: Progress) -> TrainResult:
        """Make the model."""
        make = self._imitate if self.settings.logs else self._watch
        return TrainResult(self.folder, make(workers, tick))

    def _watch(self, workers: Workers, tick: Progress) -> Trained:
        own, hands = self.settings, self.hands or HANDS
        structure = topology(own.calls, own.partial, own.classes, own.aggression)
        two = tuple(load_model(folder) for folder in own.two)
        training = Training(described(own), NetworkConfig(structure, own.prior, own.active), own.revise, two)
        seen = Watched(self._tables(), hands, own.sessions)
        command = " ".join([f"baycarp train --hands {hands} --seed {own.seed}", *own.options()])
        return train_model(training, seen, self.folder, command, workers, tick)

    def _tables(self) -> Table | Curriculum:
        """The table that is watched, or tables of the requested sizes."""
        own = self.settings
        if own.heads_up and 2 not in parse_seats(own.seats or "8"):
            raise ModelError(f"--heads-up {own.heads_up}: expected with --seats that have tables of two")
        if own.against and not own.heads_up:
            raise ModelError(f"--against {own.against}: expected with --heads-up, whose opponent it is")
        chosen = strategy(own.strategy)
        if isinstance(chosen.key, BySeats) and not chosen.game and not {2} < {*parse_seats(own.seats or "8")}:
            raise ModelError(f"--strategy {own.strategy}: expected --seats with tables of two and others")
        if not own.seats:
            return watched(own.strategy, own.seed)
        if game := chosen.game:
            raise ModelError(
                f"--seats: expected without --strategy {own.strategy}, which is trained at {game}"
            )
        shares, players = parse_seats(own.seats), (*TABLE, EIGHTH)
        return Curriculum(shares, own.seed, players, heads_up=own.heads_up, against=own.against)

    def _imitate(self, workers: Workers, tick: Progress) -> Imitated:
        own, paths = self.settings, tuple(map(Path, self.settings.logs))
        logs = Logs(paths, Variant.load(own.game) if own.game else None, self.hands)
        given = own.strategy if own.options("strategy") else None
        players = [("--player", name) for name in own.player]
        pairs = [("--strategy", given), *players, ("--game", own.game), ("--hands", self.hands)]
        words = [str(word) for pair in pairs if pair[1] for word in pair]
        command = shlex.join(["baycarp", "train", "--from", *map(str, paths), *words])
        demonstrations = Demonstrations(logs, tuple(own.player) or None)
        return imitate(strategy(own.strategy), demonstrations, self.folder, command, workers, tick)


def watched(name: str, seed: int) -> Table:
    """The table that a model is trained at: the strategy's game, with the default players in its seats."""
    game, players = strategy(name).game, (*TABLE, EIGHTH)
    variant = Variant.load(game) if game else Variant.ring(len(players))
    specs = tuple(players[seat % len(players)] for seat in range(variant.seats))
    return Table(variant, named(specs), specs, seed)


def described(own: TrainSettings) -> Strategy:
    """The strategy, with the requested opponent model."""
    chosen = strategy(own.strategy)
    if own.no_network:
        if own.options("strategy"):
            raise ModelError(f"--no-network: expected without --strategy {own.strategy}")
        return WITHOUT_NETWORK
    if own.weighted:
        chosen = believing(chosen, ByNetwork(Weighted()))
    if own.opponents:
        return believing(chosen, ByGambler())
    return believing(chosen, ByActions(load_styles())) if own.styles else chosen


@takes(TrainSettings)
def train(folder: Path | str, hands: int | None = None, **settings: Any) -> TrainResult:
    """Make a model from watched hands, or from logs, in a folder.

    Parameters
    ----------
    folder
        Where the model goes; sessions found there are used again.
    hands
        To be watched (None = 10,000), or read at most from logs (None = all).
    settings
        Of ``TrainSettings``: strategy, logs, player, seats, seed, workers, and those of the network.

    Raises
    ------
    ModelError
        Settings that contradict each other, or a folder with sessions of other hands.
    ArgumentError
        An unknown setting.

    Notes
    -----
    The package ``baycarp.train`` is itself called: ``baycarp.train("my-model", hands=1000)``.
    """
    own = settings_of(TrainSettings, settings)
    plan = TrainPlan(Path(folder), hands, own)
    return plan.run(Workers(own.workers), own.tick or (lambda what, done, of: None))
