"""Case-bases by number of seats: the cases of tables of two apart from those of larger tables.

Cases of full tables are similar to decisions heads-up by their features, but their players fold more, and
were right to: what is worth playing against one opponent differs. So a strategy of this kind has a second
case-base a street, ``2p-STREET``, for tables of two, with the similarity of the first.
"""

from collections.abc import Container
from dataclasses import dataclass, replace

from baycarp.game import Observation
from baycarp.game.action import STREETS
from baycarp.strategies.spec import Strategy

__all__ = ["HEADS_UP", "BySeats", "by_seats", "shared_name"]

HEADS_UP = "2p-"
"""The prefix of the case-bases of tables of two; a street follows."""


@dataclass(frozen=True, slots=True)
class BySeats:
    """One case-base a street for tables of two, and one for larger tables.

    Parameters
    ----------
    larger
        The prefix of the case-bases of larger tables.
    """

    larger: str = ""

    def __call__(self, observation: Observation) -> str:
        """The name of the case-base."""
        return (HEADS_UP if observation.variant.seats == 2 else self.larger) + STREETS[observation.street]


def by_seats(strategy: Strategy) -> Strategy:
    """The strategy with case-bases of their own for tables of two.

    Parameters
    ----------
    strategy
        With a case-base a street; one that has them by seats is returned as it is.

    Examples
    --------
    >>> from baycarp.strategies.baycarp import BAYCARP2
    >>> list(by_seats(BAYCARP2).bases)[3:6]
    ['river', '2p-preflop', '2p-flop']
    """
    if isinstance(strategy.key, BySeats):
        return strategy
    heads_up = {
        HEADS_UP + name: replace(schema, name=HEADS_UP + name) for name, schema in strategy.bases.items()
    }
    return replace(
        strategy, name=f"{strategy.name}-by-seats", bases={**strategy.bases, **heads_up}, key=BySeats()
    )


def shared_name(base: str, bases: Container[str]) -> str:
    """The case-base whose similarity a case-base has: that of larger tables, if there is one.

    Examples
    --------
    >>> shared_name("2p-flop", ("flop", "2p-flop")), shared_name("2p-flop", ("3p-flop", "2p-flop"))
    ('flop', '2p-flop')
    """
    larger = base.removeprefix(HEADS_UP)
    return larger if larger in bases else base
