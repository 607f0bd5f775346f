"""Sessions of populations: played at drawn tables and kept in a folder, or of an archive of people."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from baycarp.arena.decks import LEARNED
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.training.watch import hands_of
from benchmarks.records import sessions_of
from experiments.beliefs.sessions import Session, watch_each
from experiments.populations.kinds import POPULATIONS, members, tables

__all__ = ["BLIND", "Population", "PopulationSession", "archive", "play"]

BLIND = "blind"
"""The population that ignores its cards."""

ANY = Plays(frozenset({"limit", "no-limit"}))


@dataclass(frozen=True, slots=True)
class PopulationSession:
    """One session of a population.

    Parameters
    ----------
    hands
        In order.
    members
        The names of its players that belong to the population; None = all.
    table
        The table where it was played; None = of an archive.
    """

    hands: tuple[Hand, ...]
    members: frozenset[str] | None
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Population:
    """A population and its sessions."""

    name: str
    sessions: tuple[PopulationSession, ...]


def play(
    sessions: int,
    hands: int,
    seed: int,
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda done: None,
) -> list[Population]:
    """The populations of ``experiments.populations``; sessions that the folder has are not played again.

    Parameters
    ----------
    sessions, hands
        Sessions of each population, and hands of each session.
    seed
        Fixes players, seats and cards.
    folder
        Of the logs: FOLDER/POPULATION/NUMBER.
    workers
        Where sessions are played.
    tick
        Receives the number of sessions that are there.
    """
    drawn = [(name, table) for name in POPULATIONS for table in tables(name, sessions, seed)]
    folders = [folder / name / f"{number % sessions:04}" for number, (name, _) in enumerate(drawn)]
    found: dict[str, list[PopulationSession]] = {name: [] for name in POPULATIONS}
    wanted = [Session(table, each, hands, LEARNED) for (_, table), each in zip(drawn, folders, strict=True)]
    played = zip(drawn, watch_each(wanted, workers), strict=True)
    for done, ((name, table), log) in enumerate(played, start=1):
        found[name].append(PopulationSession(tuple(hands_of(log, table)), members(name, table), table))
        tick(done)
    return [Population(name, tuple(sessions)) for name, sessions in found.items()]


def archive(path: Path, game: Variant | None, most: int) -> Population:
    """The people of an archive; see ``training.logs.sessions_of``.

    Parameters
    ----------
    path
        The record; its name is the population's.
    game
        The game of an ACPC log.
    most
        The greatest number of hands read.
    """
    return Population(path.name, tuple(_sittings(sessions_of(path, game, most, ANY))))


def _sittings(sessions: Sequence[Sequence[Hand]]) -> Iterator[PopulationSession]:
    for hands in sessions:
        yield PopulationSession(tuple(hands), None)
