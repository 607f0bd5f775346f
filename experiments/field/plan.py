"""The fields, written down before any play: agents, games, hands, seeds. A change makes another journal.

A system plays as its authors describe it where it has such a form; ``mcts`` also with our additions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from baycarp.api.exploit import GAME
from baycarp.arena.match import Match, seatings
from baycarp.arena.session import Table
from baycarp.arena.tournament import Game, groups
from baycarp.game.variant import Variant
from experiments.field.lesson import CASEY

__all__ = ["ESTIMATOR", "FIELDS", "Field"]

ESTIMATOR = "control"
"""It judges all hands."""

ANY_SEATS: Mapping[str, str] = {
    "casper01": "casper01",
    "casper02": "casper02",
    "casey": CASEY,
    "gambler": "gambler(published=True)",
    "baycarp1": "baycarp1(published=True)",
    "baycarp2": "baycarp2(published=True)",
    "baycarp": "baycarp",
    "mcts": "mcts(playouts=200)",
    "mcts published": "mcts(playouts=200, published=True)",
    "formula": "formula",
}
"""Agents by name, which play limit with two seats and with six."""

TWO_SEATS: Mapping[str, str] = {
    **ANY_SEATS,
    "sartre": "sartre",
    "sartre3p": "sartre3p",
    "equilibrium": "equilibrium",
}

NO_LIMIT: Mapping[str, str] = {
    "sartrenl": "sartrenl",
    "sizer": "sizer",
    "equilibriumnl": "equilibriumnl",
    "baycarp": "baycarp",
    "mcts": "mcts(playouts=200)",
    "mcts published": "mcts(playouts=200, published=True)",
}

COST: Mapping[str, float] = {"mcts published": 200, "mcts": 20, "baycarp": 40, "casper01": 4}
"""Milliseconds of a hand, about; of all others ``CHEAP``. They order the work alone."""

CHEAP = 1.5


@dataclass(frozen=True)
class Field:
    """A round robin.

    Parameters
    ----------
    name
        Of the field.
    game
        By name.
    agents
        Specifications by name.
    seed
        Of cards and draws.
    session
        Deals of a session: agents begin each without experience.
    sessions
        Of every cell; each deal is played in all seatings.
    most
        Groups that are drawn with the seed, each agent in equally many; None = all.
    """

    name: str
    game: str
    agents: Mapping[str, str]
    seed: int
    session: int
    sessions: int
    most: int | None = None

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The agents of each cell, by number."""
        return groups(len(self.agents), Variant.load(self.game).seats, self.most, self.seed)

    def players(self, cell: int) -> tuple[str, ...]:
        """The names of the agents of a cell."""
        names = tuple(self.agents)
        return tuple(names[agent] for agent in self.games[cell])

    def match(self, cell: int, taught: Mapping[str, str], session: int) -> Match:
        """The match of a cell, in sessions of so many deals.

        ``taught`` has the specifications that a lesson has made, by name.
        """
        game, names = Variant.load(self.game), self.players(cell)
        specs = tuple(taught.get(name, self.agents[name]) for name in names)
        table = Table(game, names, specs, self.seed, estimators=(ESTIMATOR,))
        return Match(table, seatings(game.seats), session)

    def cost(self, cell: int) -> float:
        """Milliseconds of a deal in all seatings, about."""
        names = self.players(cell)
        return len(seatings(len(names))) * sum(COST.get(name, CHEAP) for name in names)


FIELDS: tuple[Field, ...] = (
    Field("heads-up limit", GAME, TWO_SEATS, seed=4801, session=250, sessions=20),
    Field("six seats limit", "holdem.limit.6p", ANY_SEATS, seed=4802, session=50, sessions=20, most=30),
    Field("heads-up no-limit", "holdem.nolimit.2p.100bb", NO_LIMIT, seed=4803, session=250, sessions=20),
)
"""10,000 hands a pair; 6,000 a group of six."""
