"""Training: ``baycarp.train`` makes a model from watched players, ``baycarp.imitate`` one from logs."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from rich.console import RenderableType

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.api.result import Record, Result
from baycarp.api.settings import WorkOptions, WorkSettings, settings_of, with_settings
from baycarp.api.train_tables import imitation_parts, model_parts
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError, brief
from baycarp.game import Variant
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import Calls, topology
from baycarp.strategies.baycarp import WITHOUT_NETWORK, believing
from baycarp.strategies.by_seats import BySeats
from baycarp.strategies.model import load_model
from baycarp.strategies.registry import strategy
from baycarp.strategies.spec import Strategy
from baycarp.training.curriculum import Curriculum, named, parse_seats, shares_text
from baycarp.training.imitate import Demonstrations, Imitated
from baycarp.training.imitate import imitate as imitate_players
from baycarp.training.logs import Logs
from baycarp.training.model import NetworkConfig, Progress, Trained, Training, Watched
from baycarp.training.model import train as train_model
from baycarp.training.networks import Prior

__all__ = ["TrainPlan", "TrainResult", "TrainSettings", "train", "watched"]

HANDS = 10_000
"""The number that is watched by default."""


@dataclass(frozen=True, slots=True, repr=False)
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

    def title(self) -> str:
        """The result in a line."""
        sizes = (f"{len(base):,} {name}" for name, base in self.trained.model.casebases.items())
        return f"{self.folder}, cases: {', '.join(sizes)}"

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


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """Differences from the thesis' network.

    Parameters
    ----------
    calls, partial, classes, aggression
        See ``opponents.network.topology``.
    prior
        The prior of its tables.
    active
        Whether it is trained on all players still in, or on showdowns only.
    """

    calls: Calls = "plain"
    partial: bool = False
    classes: bool = False
    aggression: bool = False
    prior: Prior = "bdeu"
    active: bool = False

    def config(self) -> NetworkConfig:
        """The network that is fitted, and its rows."""
        structure = topology(self.calls, self.partial, self.classes, self.aggression)
        return NetworkConfig(structure, self.prior, self.active)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings(WorkSettings):
    """The settings of ``train``, given there by name; the others are those of ``WorkSettings``.

    Parameters
    ----------
    strategy
        The strategy that the model is for.
    opponents
        What describes the cases, one of ``OPPONENTS``.
    network
        The fitted network's differences from the thesis'.
    revise
        The outcome of a case, one of ``rules.outcome.OUTCOMES``; empty = the strategy's.
    seats
        Tables of several sizes: ``"2-10"``, or with the share of the hands of each; empty = of eight.
    heads_up
        The agent that plays itself at tables of two, with such ``seats``; empty = the other players do.
    against
        The opponent of ``heads_up``, whose decisions are no cases; empty = itself.
    two
        Folders of models whose cases are added for tables of two, in case-bases of their own.
    sessions
        The folder of the watched sessions; None = the model's.
    """

    strategy: str = "baycarp"
    opponents: str = "network"
    network: NetworkSettings = NetworkSettings()
    revise: str = ""
    seats: str = ""
    heads_up: str = ""
    against: str = ""
    two: Sequence[Path | str] = ()
    sessions: Path | None = None

    def __post_init__(self) -> None:
        WorkSettings.__post_init__(self)
        if self.opponents not in OPPONENTS:
            raise ModelError(f"opponents {brief(self.opponents)}: expected one of {', '.join(OPPONENTS)}")

    def command(self, hands: int) -> str:
        """The command that makes the model; of another network than the thesis', the call of ``train``."""
        named = [(name, getattr(self, name)) for name in WATCHED]
        given = [(name, value) for name, value in named if value != getattr(USUAL, name)]
        if self.network != USUAL.network:
            settings = ", ".join(f"{name}={value!r}" for name, value in [*given, ("network", self.network)])
            return f"baycarp.train(FOLDER, {hands}, seed={self.seed}, {settings})"
        parts = [f"baycarp train --hands {hands} --seed {self.seed}"]
        for name, value in given:
            if name == "seats":  # with the shares, which another version may choose otherwise
                value = shares_text(parse_seats(value))
            words = value if name == "two" else (value,)
            parts.append(f"--{name.replace('_', '-')} {shlex.join(map(str, words))}")
        return " ".join(parts)


WATCHED = ("strategy", "seats", "heads_up", "against", "two", "revise", "opponents")
"""The settings that a model of watched players depends on, besides its network, hands and seed."""

OPPONENTS: dict[str, Callable[[], OpponentModelSpec | None]] = {
    "network": lambda: None,
    "weighted": lambda: ByNetwork(Weighted()),
    "styles": lambda: ByActions(load_styles()),
    "gambler": ByGambler,
    "none": lambda: None,
}
"""What describes cases: the strategy's network; with every holding weighted; the styles; Gambler; nothing."""

USUAL = TrainSettings()


class TrainOptions(WorkOptions, total=False):
    """The names and types of ``TrainSettings``."""

    strategy: str
    opponents: str
    network: NetworkSettings
    revise: str
    seats: str
    heads_up: str
    against: str
    two: Sequence[Path | str]
    sessions: Path | None


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """A model to be made from watched hands; its settings are verified before anything is played.

    Parameters
    ----------
    hands
        To be watched; None = ``HANDS``.
    settings
        The others.

    Raises
    ------
    ModelError
        Settings that contradict each other.
    """

    hands: int | None
    settings: TrainSettings

    def __post_init__(self) -> None:
        if self.hands is not None:
            whole(self.hands, "hands", 1, MOST_INT64)
        described(self.settings)
        self._tables()

    def run(self, folder: Path, workers: Workers, tick: Progress) -> TrainResult:
        """Make the model in a folder; sessions found there are used again."""
        own, hands = self.settings, self.hands or HANDS
        two = tuple(load_model(each) for each in own.two)
        training = Training(described(own), own.network.config(), own.revise, two)
        seen = Watched(self._tables(), hands, own.sessions)
        return TrainResult(folder, train_model(training, seen, folder, own.command(hands), workers, tick))

    def _tables(self) -> Table | Curriculum:
        """The table that is watched, or tables of the requested sizes."""
        own = self.settings
        if own.heads_up and 2 not in parse_seats(own.seats or "8"):
            raise ModelError(f"heads-up {own.heads_up}: expected seats that have tables of two")
        if own.against and not own.heads_up:
            raise ModelError(f"against {own.against}: expected with heads-up, whose opponent it is")
        chosen = strategy(own.strategy)
        if isinstance(chosen.key, BySeats) and not chosen.game and not {2} < {*parse_seats(own.seats or "8")}:
            raise ModelError(f"strategy {own.strategy}: expected seats with tables of two and others")
        if not own.seats:
            return watched(own.strategy, own.seed)
        if game := chosen.game:
            raise ModelError(f"seats: expected none with strategy {own.strategy}, which is trained at {game}")
        shares, players = parse_seats(own.seats), (*TABLE, EIGHTH)
        return Curriculum(shares, own.seed, players, heads_up=own.heads_up, against=own.against)


@dataclass(frozen=True, slots=True)
class ImitationPlan:
    """A model to be made from the hands of logs.

    Parameters
    ----------
    logs
        Files, or folders of them.
    strategy
        The strategy that the model is for.
    players
        The imitated players; none = all with known cards.
    game
        Of ACPC logs, which do not contain it.
    hands
        Read at most; None = all.

    Raises
    ------
    TableError
        A strategy that does not play the game.
    """

    logs: tuple[Path, ...]
    strategy: str = USUAL.strategy
    players: tuple[str, ...] = ()
    game: str = ""
    hands: int | None = None

    def __post_init__(self) -> None:
        if self.hands is not None:
            whole(self.hands, "hands", 1, MOST_INT64)
        if self.game:
            plays = strategy(self.strategy).plays
            plays.verify(Variant.load(self.game), f"strategy {self.strategy!r}")

    def run(self, folder: Path, workers: Workers, tick: Progress) -> TrainResult:
        """Make the model in a folder."""
        logs = Logs(self.logs, Variant.load(self.game) if self.game else None, self.hands)
        demonstrations = Demonstrations(logs, self.players or None)
        chosen, command = strategy(self.strategy), self._command()
        return TrainResult(folder, imitate_players(chosen, demonstrations, folder, command, workers, tick))

    def _command(self) -> str:
        given = self.strategy if self.strategy != USUAL.strategy else ""
        players = [("--player", name) for name in self.players]
        pairs = [("--strategy", given), *players, ("--game", self.game), ("--hands", self.hands)]
        words = [str(word) for pair in pairs if pair[1] for word in pair]
        return shlex.join(["baycarp", "train", "--from", *map(str, self.logs), *words])


def watched(name: str, seed: int) -> Table:
    """The table that a model is trained at: the strategy's game, with the default players in its seats."""
    game, players = strategy(name).game, (*TABLE, EIGHTH)
    variant = Variant.load(game) if game else Variant.ring(len(players))
    specs = tuple(players[seat % len(players)] for seat in range(variant.seats))
    return Table(variant, named(specs), specs, seed)


def described(own: TrainSettings) -> Strategy:
    """The strategy, with the requested opponent model.

    Raises
    ------
    ModelError
        An opponent model or a network for a strategy that has none.
    """
    chosen = strategy(own.strategy)
    if own.opponents == "none":
        if own.strategy != USUAL.strategy or own.network != USUAL.network:
            raise ModelError(f"opponents none: expected strategy {USUAL.strategy} and no network")
        return WITHOUT_NETWORK
    if not chosen.needs_network:
        for name in ("opponents", "network"):
            if (value := getattr(own, name)) != getattr(USUAL, name):
                raise ModelError(f"{name} {value}: expected a strategy with a network")
    spec = OPPONENTS[own.opponents]()
    return believing(chosen, spec) if spec else chosen


@with_settings(TrainSettings)
def train(
    folder: Path | str,
    hands: int | None = None,
    *,
    tick: Progress | None = None,
    **settings: Unpack[TrainOptions],
) -> TrainResult:
    """Make a model from watched hands in a folder.

    Parameters
    ----------
    folder
        Where the model goes; sessions found there are used again.
    hands
        To be watched; None = 10,000.
    tick
        Called with the step, the work done, and all of it (None = unknown).
    settings
        By name, those of ``TrainSettings``:

    Raises
    ------
    ModelError
        Settings that contradict each other, or a folder with sessions of other hands.
    ArgumentError
        An unknown setting.
    """
    own = settings_of(TrainSettings, settings, train)
    return TrainPlan(hands, own).run(Path(folder), Workers(own.workers), tick or _silence)


class ImitationOptions(TypedDict, total=False):
    """The names and types of the settings of ``imitate``."""

    strategy: str
    players: tuple[str, ...]
    game: str
    hands: int | None


@with_settings(ImitationPlan)
def imitate(
    folder: Path | str,
    logs: Sequence[Path | str],
    *,
    workers: int = 1,
    tick: Progress | None = None,
    **settings: Unpack[ImitationOptions],
) -> TrainResult:
    """Make a model from the hands of logs in a folder.

    Parameters
    ----------
    folder
        Where the model goes.
    logs
        PHH, PHHS or ACPC logs, packed (.gz) or not, or folders of them.
    workers
        Processes.
    tick
        As of ``train``.
    settings
        By name, those of ``ImitationPlan``:

    Raises
    ------
    ModelError
        Logs without a hand to learn from, or no such strategy.
    ArgumentError
        An unknown setting.
    """
    plan = settings_of(ImitationPlan, {"logs": tuple(map(Path, logs)), **settings}, imitate)
    return plan.run(Path(folder), Workers(workers), tick or _silence)


def _silence(what: str, done: int, of: int | None) -> None:
    pass
