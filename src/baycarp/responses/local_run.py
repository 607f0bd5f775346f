"""The local best response in play, in parallel; journalled."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.agents.registry import identity, load_for
from baycarp.arena.decks import PLAYED
from baycarp.arena.journal import Journal
from baycarp.arena.session import agent_seed
from baycarp.arena.workers import Workers
from baycarp.errors import JournalError
from baycarp.game import Variant
from baycarp.kernels.game import deal
from baycarp.responses.belief import SAMPLED, read_player
from baycarp.responses.betting import verify_game
from baycarp.responses.bounds import Bound, Exploited, bound_of
from baycarp.responses.journalled import complete
from baycarp.responses.local import play_deal
from baycarp.responses.luck import PARTS, less_luck

__all__ = ["DEALS", "LocalPlan", "local_bound"]

DEALS = 10
"""Deals of a unit of work, each played in both positions."""

UNIT = 2 * DEALS
"""Hands of a unit."""


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """Hands of a local best response.

    Parameters
    ----------
    spec, game
        The agent and its game.
    hands
        At least so many, in units of 20.
    seed
        Of cards and actions.
    holdings
        Of the belief about an agent that decides for one holding at a time.
    """

    spec: str
    game: str
    hands: int
    seed: int
    holdings: int = SAMPLED

    journal: ClassVar = "local.journal"
    """The name of its journal."""

    @property
    def units(self) -> tuple[str, int]:
        """What is counted by ``tick``, and the number."""
        return "hands", UNIT * len(self._units())

    def _units(self) -> range:
        return range(-(-self.hands // UNIT))

    @property
    def header(self) -> dict[str, Any]:
        """The header of the journal.

        Raises
        ------
        TableError
            The agent does not play the game, or the game is not heads-up fixed limit.
        """
        variant = Variant.load(self.game)
        verify_game(variant)
        agent = identity(self.spec, variant)
        return {
            "kind": "local best response with its luck, by other random numbers",
            "agent": agent,
            "game": self.game,
            "seed": self.seed,
            "holdings": self.holdings,
        }

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Exploited:
        """Play what the journal in a folder lacks, and estimate what the responder wins."""
        began = monotonic()
        with Journal(folder / self.journal, self.header) as journal:
            before = sum((unit,) in journal.records for unit in self._units())
            hands = self.results(journal, workers, tick)
        new = UNIT * (len(self._units()) - before)
        number = 2 * len(hands)
        spent = f"{new} of them now, in {monotonic() - began:.0f} s"
        sample = f"{number} hands, each deal in both positions; {spent}"
        return Exploited((local_bound(Variant.load(self.game), hands),), {"hands": number}, sample)

    def player(self, unit: int) -> Agent:
        """The agent that is read in a unit."""
        variant = Variant.load(self.game)
        agent = load_for(variant, self.spec)
        agent.sit(0, variant, agent_seed(self.seed, PLAYED + unit, 0))
        return agent

    def results(self, journal: Journal, workers: Workers, tick: Callable[[int], None]) -> NDArray[np.float64]:
        """The results of the responder; units of the journal are done, the others are appended in order.

        Returns
        -------
        float64 array, shape (deals, 2, 1 + PARTS)
            As big blind and as button.
        """
        units = self._units()
        complete(journal, units, _key, partial(play_unit, self), workers, lambda done: tick(UNIT * done))
        return np.concatenate([_read(journal, unit) for unit in units])


def _key(unit: int) -> tuple[int]:
    return (unit,)


def play_unit(plan: LocalPlan, unit: int) -> dict[str, list[list[list[float]]]]:
    """The record of a unit: by deal the responder's results (``luck``) as big blind and as button."""
    variant = Variant.load(plan.game)
    seed, session = plan.seed, PLAYED + unit
    agent, hands = plan.player(unit), []
    for hand in range(DEALS):
        deck = np.frombuffer(deal(seed, session, hand, 9), np.uint8)
        own = int(np.random.SeedSequence((seed, session, hand)).generate_state(1)[0])
        player = read_player(agent, hand, plan.holdings)
        hands.append([play_deal(player, variant, deck, seat, own) for seat in (0, 1)])
    return {"hands": hands}


def _read(journal: Journal, unit: int) -> NDArray[np.float64]:
    try:
        hands = np.array(journal.records[(unit,)]["hands"], np.float64).reshape(DEALS, 2, 1 + PARTS)
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"{journal.path}, unit {unit}: expected the results of {DEALS} deals") from error
    if not np.isfinite(hands).all():
        raise JournalError(f"{journal.path}, unit {unit}: expected finite results")
    return hands


def local_bound(variant: Variant, hands: NDArray[np.float64]) -> Bound:
    """What the responder wins, with the interval over deals: the mean of both positions of each."""
    return bound_of("local best response, a lower bound", variant, less_luck(hands).T)
