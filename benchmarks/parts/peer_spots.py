"""The five spots that peers were measured on: their trees, ranges and figures."""

from dataclasses import dataclass

from baycarp.solvers.spots.spot import Spot

__all__ = ["PEER_SPOTS", "PeerSpot"]

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


@dataclass(frozen=True, slots=True)
class PeerSpot:
    """A spot with what postflop-solver takes for it: one thread, 32-bit floats.

    Parameters
    ----------
    name
        The street, and R for ranges, F for all holdings.
    spot
        The spot.
    megabytes
        Its memory.
    milliseconds
        Of an iteration.
    after_100
        Exploitability after 100 iterations, in per cent of the pot.
    target
        The exploitability, in per cent of the pot, that it takes ``seconds`` to reach.
    seconds
        Processor time to the target.
    """

    name: str
    spot: Spot
    megabytes: float
    milliseconds: float
    after_100: float
    target: float
    seconds: float


def _spot(board: str, sizes: str, raises: str, ranges: tuple[str, str] = ("", "")) -> Spot:
    return Spot(board, 200, 900, *ranges, sizes=sizes, raises=raises)


NARROW = (OOP, IP)
PEER_SPOTS = (
    PeerSpot("river R", _spot("Td9d6hQc2s", "60%, e, a", "2.5x", NARROW), 0.2, 0.046, 0.116, 0.3, 0.005),
    PeerSpot("river F", _spot("Td9d6hQc2s", "33%, 60%, 100%, a", "2.5x, a"), 1.0, 0.93, 0.376, 0.3, 0.13),
    PeerSpot("turn R", _spot("Td9d6hQc", "60%, e, a", "2.5x", NARROW), 12.3, 24, 0.418, 0.3, 3.0),
    PeerSpot("turn F", _spot("Td9d6hQc", "60%, e, a", "2.5x"), 63.5, 72, 0.285, 0.3, 7.3),
    PeerSpot("flop R", _spot("Td9d6h", "50%", "60%", NARROW), 399, 664, 0.206, 0.5, 67),
)
"""By street, then by range."""
