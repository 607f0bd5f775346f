"""Several matches on the same decks as one piece of work: a tournament's games, an experiment's arms."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.arena.journal import Journal, Unit
from baycarp.arena.match import Match, play_unit
from baycarp.arena.run import Results, run
from baycarp.arena.scores import Scores, scores
from baycarp.arena.session import Played

__all__ = ["Series", "play_in_series", "play_series"]


@dataclass(frozen=True, slots=True)
class Series:
    """Matches of one seed, so that a deal is the same cards in all; units are (match, session, seating)."""

    matches: tuple[Match, ...]

    def rounds(self, sessions: Iterable[int]) -> list[list[Unit]]:
        """The units of sessions: all matches go on together, a session's seatings of each are one round."""
        numbered = list(enumerate(self.matches))
        return [
            [(number, *unit) for unit in match.round(session)]
            for session in sessions
            for number, match in numbered
        ]

    def hands(self, sessions: int) -> int:
        """Hands of so many sessions of every match, in all seatings."""
        return sum(sessions * match.hands * len(match.seatings) for match in self.matches)

    def header(self) -> dict[str, Any]:
        """Whose a journal is."""
        return {"matches": [match.header() for match in self.matches]}

    def scores(self, played: Results) -> tuple[Scores, ...]:
        """What each match came to."""
        told = []
        for number, match in enumerate(self.matches):
            mine = {unit[1:]: each for unit, each in played.items() if unit[0] == number}
            told.append(scores(match.table.variant, match.table.players, mine))
        return tuple(told)


def play_series(
    series: Series,
    sessions: int,
    path: Path,
    workers: int = 1,
    tick: Callable[[int], None] = lambda hand: None,
) -> dict[Unit, Played]:
    """Play what a journal lacks of so many sessions; see ``arena.run.run``."""
    with Journal(path, series.header()) as journal:
        return run(partial(play_in_series, series), series.rounds(range(sessions)), journal, workers, tick)


def play_in_series(series: Series, unit: Unit, tick: Callable[[int], None] = lambda hand: None) -> Played:
    """Play one unit of a series."""
    return play_unit(series.matches[int(unit[0])], unit[1:], tick)
