"""The rules-based reasoner (Unger 2011, section 5.1): from a seat's observation to named readings.

``reading``   the types of a reading and of its input
``seat``      position, habits, the players still in and those yet to act
``betting``   the vocabulary of betting: acts, amounts, sequences, sizes
``unger``     what the betting shows, as the networks and cases of Unger have it
``casper``    the same as the cases of CASPER and CASEY count it
``board``     the flop, and what the turn and the river change; flushes and straights on offer
``hand``      hand group and rank, the 17 hand types, partial hands
``strength``  strength and potential, against ranges that are believed and against any hand
``texture``   board texture in nine categories
``categories``  hole cards on a board in 284 categories
``buckets``   holdings that are about as strong, by value or by rank
"""

from collections.abc import Iterable

from baycarp.rules import board, casper, hand, seat, strength, unger
from baycarp.rules.reading import Domain, Interval, PlayerView, Reading, Value

__all__ = ["READINGS", "Domain", "Interval", "PlayerView", "Reading", "Value", "read"]

READINGS: dict[str, Reading] = {
    reading.name: reading
    for room in (seat, unger, casper, board, hand, strength)
    for reading in room.READINGS
}
"""Every reading by its name. A network's nodes and a case's features are lists of these names."""


def read(view: PlayerView, names: Iterable[str]) -> dict[str, str | float]:
    """Compute the named readings; a reading without a value is left out.

    Parameters
    ----------
    view
        The player's public view.
    names
        Of ``READINGS``.

    Returns
    -------
    dict
        Evidence for a network, or a case's features.
    """
    return {name: value for name in names if (value := READINGS[name].read(view)) is not None}
