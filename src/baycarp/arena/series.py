"""Several matches on the same decks as one piece of work: a tournament's games, an experiment's arms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.decks import PLAYED
from baycarp.arena.journal import Journal, Unit
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.run import Results, run
from baycarp.arena.scores import Scores, scores
from baycarp.arena.session import HANDS, Played, Table
from baycarp.arena.workers import THIS_PROCESS, Workers

__all__ = ["Series", "arms", "play_in_series", "play_series"]


@dataclass(frozen=True, slots=True)
class Series:
    """Matches of one seed, so that a deal is the same cards in all; units are the matches', numbered."""

    matches: tuple[Match, ...]

    def rounds(self, deals: int, first: int = PLAYED) -> list[list[Unit]]:
        """The units of a number of deals: a session of each match is one round."""
        together = zip(*(match.rounds(deals, first) for match in self.matches), strict=True)
        return [
            [(number, *unit) for unit in units]
            for session in together
            for number, units in enumerate(session)
        ]

    def hands(self, deals: int) -> int:
        """Number of hands of these deals of every match, in all seatings."""
        return sum(deals * len(match.seatings) for match in self.matches)

    def header(self) -> dict[str, Any]:
        """The header of a journal."""
        return {"matches": [match.header() for match in self.matches]}

    def scores(self, played: Results) -> tuple[Scores, ...]:
        """The scores of each match."""
        return tuple(
            scores(
                match.table.variant,
                match.table.players,
                {unit[1:]: each for unit, each in played.items() if unit[0] == number},
            )
            for number, match in enumerate(self.matches)
        )


def arms(table: Table, specs: Sequence[str], hands: int = HANDS, duplicate: bool = True) -> Series:
    """The arms of an experiment: a match an agent, as the table's first player, all in the same seatings.

    Parameters
    ----------
    table
        The other players and the rules; the agent of its first player is not used.
    specs
        The agents of the first player, one for each arm.
    hands
        Of a session.
    duplicate
        Whether each session is played in all seatings, rather than as the players are named.
    """
    tables = (replace(table, specs=(spec, *table.specs[1:])) for spec in specs)
    return Series(
        tuple(Match(each, seatings(each.variant.seats) if duplicate else (), hands) for each in tables)
    )


def play_series(
    series: Series,
    deals: int,
    path: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda hand: None,
    first: int = PLAYED,
) -> dict[Unit, Played]:
    """Play the deals that a journal lacks, from session ``first`` on; see ``arena.run.run``."""
    with Journal(path, series.header()) as journal:
        return run(partial(play_in_series, series), series.rounds(deals, first), journal, workers, tick)


def play_in_series(series: Series, unit: Unit, tick: Callable[[int], None] = lambda hand: None) -> Played:
    """Play one unit of a series."""
    return play_unit(series.matches[int(unit[0])], unit[1:], tick)
