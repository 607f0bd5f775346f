"""The exact best response after the flop, on some flops or on all, in parallel; journalled."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.registry import identity, load
from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers
from baycarp.card import text
from baycarp.errors import JournalError, TableError
from baycarp.game import Variant
from baycarp.responses.betting import Seat, verify_game
from baycarp.responses.bounds import Exploited, Flop, drawn, exact, sampled
from baycarp.responses.flop import Dealer, flop_values
from baycarp.responses.journalled import complete
from baycarp.responses.preflop import LEFT, PAIRS, PreflopBetting, by_class
from baycarp.responses.suits import FLOPS, flops, verify_suits

__all__ = ["FLOP_SECONDS", "FlopsPlan", "openings", "prepared", "value_flop"]

DEALS = FLOPS / LEFT / PAIRS
"""A sum over the pairs of holdings on a flop, as chips a hand if all flops were like this one."""


def openings(spec: str, game: str) -> tuple[PreflopBetting, PreflopBetting]:
    """The betting before the flop against an agent, of the big blind and of the button.

    Raises
    ------
    TableError
        An agent that does not answer as a table, or another game than heads-up fixed limit.
    """
    agent = load(spec)
    variant = Variant.load(game)
    verify_game(variant)
    if not offers_classes(agent):
        raise TableError(
            f"agent {spec!r}: it depends on more than the betting and its cards; expected one such "
            "as call, rule or equilibrium, or a number of hands of a local best response"
        )
    return PreflopBetting(agent, variant, 0), PreflopBetting(agent, variant, 1)  # type: ignore[arg-type]


@lru_cache(maxsize=2)
def prepared(spec: str, game: str) -> tuple[Dealer, tuple[Seat, ...], tuple[NDArray[np.float64], ...]]:
    """What every flop is valued with: made once in a process."""
    both = openings(spec, game)
    reached = [opening.reached() for opening in both]
    seats = tuple(
        Seat.of(each.player, each.position, states) for each, (states, _) in zip(both, reached, strict=True)
    )
    return Dealer(both[0].player, both[0].variant), seats, tuple(reach for _, reach in reached)


def value_flop(spec: str, game: str, flop: Flop) -> dict[str, str]:
    """The record of a flop: chips a hand by position, sequence before the flop and starting class."""
    dealer, seats, reach = prepared(spec, game)
    verify_suits(dealer.classes, flop)
    values = DEALS * by_class(flop_values(dealer, seats, flop, reach))[:, : len(reach[0])]
    return {"values": base64.b64encode(values.astype("<f8").tobytes()).decode()}


def _read(journal: Journal, flop: Flop) -> NDArray[np.float64]:
    """The values of a record, verified: a check-sum shows damage, not the writer."""
    try:
        data = base64.b64decode(journal.records[_key(flop)]["values"], validate=True)
        values = np.frombuffer(data, "<f8").reshape(2, -1, 169)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise JournalError(f"{journal.path}, unit {text(flop)}: expected values of both positions") from error
    if not np.isfinite(values).all():
        raise JournalError(f"{journal.path}, unit {text(flop)}: expected finite values")
    return values


FLOP_SECONDS = (4.0, 44.0)
"""Processor seconds of a flop: against ``call``, and against ``equilibrium``."""


@dataclass(frozen=True, slots=True)
class FlopsPlan:
    """A measurement on flops.

    Parameters
    ----------
    spec, game
        The agent and its game.
    number
        Of flops drawn at random, at least 4; None = all 1,755 that differ by more than suits.
    seed
        Of the draw.
    """

    spec: str
    game: str
    number: int | None
    seed: int

    journal: ClassVar = "flops.journal"
    """The name of its journal."""

    @property
    def units(self) -> tuple[str, int]:
        """What is counted by ``tick``, and the number.

        Raises
        ------
        TableError
            Fewer than 4 flops.
        """
        return "flops", len(self._flops())

    @property
    def header(self) -> dict[str, Any]:
        """The header of its journal."""
        return {"kind": "best response", "agent": identity(self.spec), "game": self.game}

    def _draw(self) -> list[Flop]:
        return [] if self.number is None else drawn(self.number, self.seed)

    def _flops(self) -> list[Flop]:
        return list(dict.fromkeys(self._draw() or flops()))

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Exploited:
        """Value what the journal in a folder lacks, and estimate the value of the best response."""
        both = openings(self.spec, self.game)
        draw = self._draw()
        with Journal(folder / self.journal, self.header) as journal:
            values = self.values(journal, workers, tick)
        if not draw:
            return Exploited((exact(both, values),), {"flops": len(values)}, "every flop")
        sample = f"{len(draw)} flops drawn, each with every turn and river"
        return Exploited(sampled(both, values, draw), {"flops": len(draw)}, sample)

    def values(
        self, journal: Journal, workers: Workers, tick: Callable[[int], None]
    ) -> dict[Flop, NDArray[np.float64]]:
        """The values of the flops; those of the journal are done, the others are appended in this order."""
        some = self._flops()
        complete(journal, some, _key, partial(value_flop, self.spec, self.game), workers, tick)
        return {flop: _read(journal, flop) for flop in some}


def _key(flop: Flop) -> tuple[str]:
    return (text(flop),)
