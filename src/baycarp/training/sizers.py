"""The no-limit population: members of ``sizer`` by number, whose policies are known, and tables of them."""

from dataclasses import dataclass, replace
from typing import Any

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.kernels.arguments import seeded
from baycarp.training.curriculum import Curriculum, shares_text

__all__ = ["MEMBERS", "PROBE", "Sizers", "table_of_members"]

MEMBERS = 100
"""The size of the population: members 0 to 99 of ``agents.static.sizer_style.drawn``."""


PROBE = "probe"
"""The name of a player that is no member: it bets often, and any size alike, all-in too, so that the
answers of the members to bets that none of them makes are seen."""

_PROBE = (
    "sizer(looseness=2.5, aggression=0.6, bluffing=0.8, stickiness=0.5, opening=1.5, size=1.5, growth=0.0, "
    "spread=3.0, commitment=1.0, mixing=0.3)"
)


@dataclass(frozen=True)
class Sizers(Curriculum):
    """Tables of several sizes, of different members each, in every second session one of them the ``PROBE``.

    Stacks are 100 big blinds.

    Examples
    --------
    >>> mixed = Sizers({2: 2, 6: 1}, seed=1, players=())
    >>> [mixed.table(number).players for number in (0, 2)]
    [('sizer-46', 'sizer-51'), ('sizer-63', 'sizer-44')]
    """

    def table(self, number: int) -> Table:
        """The table of a session."""
        size = self.sizes[number % len(self.sizes)]
        made = table_of_members(Variant.load(f"holdem.nolimit.{size}p.100bb"), number, self.seed)
        if number % 2 == 0:
            return made
        return replace(made, players=(*made.players[:-1], PROBE), specs=(*made.specs[:-1], _PROBE))

    def about(self) -> dict[str, Any]:
        """What its sessions depend on, besides their numbers and hands, as JSON values."""
        return {
            "population": f"sizer, {MEMBERS} members",
            "probe": _PROBE,
            "seats": shares_text(self.seats),
            "seed": self.seed,
        }

    @property
    def game(self) -> str:
        """No-limit, of several sizes."""
        return "holdem.nolimit"


def table_of_members(game: Variant, number: int, seed: int) -> Table:
    """A table of different members; a member has the same name at every table.

    Parameters
    ----------
    game
        A no-limit game.
    number, seed
        Of the table, and of all: they fix players, seats and cards.
    """
    rng = seeded(seed, number)
    seated = rng.choice(MEMBERS, game.seats, replace=False).tolist()
    return Table(game, tuple(f"sizer-{each}" for each in seated), tuple(map(_spec, seated)), seed)


def _spec(number: int) -> str:
    return f"sizer(number={number})"
