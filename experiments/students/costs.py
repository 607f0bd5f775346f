"""What a mistake costs: the sound player beside the same with the mistake, on the same deals."""

from baycarp.api.exploit import GAME
from experiments.strength.seats import SeatPlan, SeatRow
from experiments.students.mistakes import BASE, MISTAKES, player

__all__ = ["DEALS", "cost"]

DEALS = 3_000
"""Each is played in both positions."""

SEED = 4400


def cost(mistake: str, share: float = 1.0, table: int = 0) -> SeatPlan:
    """The hands that measure a cost, by ``control``: ``more`` of the line is the cost in small bets a hand.

    Parameters
    ----------
    mistake
        A name of ``MISTAKES``.
    share
        Of the deals, 0..1.
    table
        Of the mistake's two.
    """
    row = SeatRow(
        f"cost of {mistake}", (MISTAKES[mistake].tables[table],), DEALS, SEED, (player(mistake),), GAME
    )
    return row.plan(BASE, share)
