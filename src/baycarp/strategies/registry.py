"""The strategies by name: the values of ``baycarp train --strategy`` and of a model's manifest."""

from baycarp.errors import ModelError, brief, one_of
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK
from baycarp.strategies.by_seats import by_seats
from baycarp.strategies.casey import CASEY
from baycarp.strategies.casper import CASPER
from baycarp.strategies.coupled import READ_BY_CASES, READ_BY_NETWORK, READ_BY_NONE
from baycarp.strategies.sartre import SARTRE2009, SARTRE2010, SARTRE2011
from baycarp.strategies.sartre_nl import SARTRENL2010, SARTRENL2011
from baycarp.strategies.sartre_three import SARTRE3P
from baycarp.strategies.spec import Strategy

__all__ = ["STRATEGIES", "register", "strategy"]

STRATEGIES: dict[str, Strategy] = {
    each.name: each
    for each in (
        BAYCARP2,
        by_seats(BAYCARP2),
        WITHOUT_NETWORK,
        by_seats(WITHOUT_NETWORK),
        CASPER,
        CASEY,
        SARTRE2009,
        SARTRE2010,
        SARTRE2011,
        SARTRENL2010,
        SARTRENL2011,
        SARTRE3P,
        READ_BY_NONE,
        READ_BY_NETWORK,
        READ_BY_CASES,
    )
}


def register(added: Strategy) -> None:
    """Add a strategy of another package, in this process.

    Raises
    ------
    ModelError
        The name is another strategy's.
    """
    if STRATEGIES.setdefault(added.name, added) is not added:
        raise ModelError(f"strategy {brief(added.name)}: expected another name, this one is registered")


def strategy(name: str) -> Strategy:
    """The strategy of that name.

    Raises
    ------
    ModelError
        There is none.
    """
    if name not in list(STRATEGIES):  # a manifest may hold anything, unhashable too
        raise ModelError(f"strategy {brief(name)}: {one_of(name, STRATEGIES)}")
    return STRATEGIES[name]
