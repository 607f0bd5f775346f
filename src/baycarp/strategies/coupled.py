"""The strategies of the couplings of networks and cases: BayCaRP2 behind one contract of readers.

A reader of opponents hands over the weights of their holdings (``opponents.weights_reader``): none, the
thesis' network with every holding at its posterior, or the cases of shown situations.
"""

from dataclasses import replace

from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.shown.model import ByShown
from baycarp.opponents.weights_reader import ByWeights
from baycarp.strategies.baycarp import BAYCARP2, FLOP, DescribeRanges
from baycarp.strategies.spec import FastTier, Strategy

__all__ = ["READ_BY_CASES", "READ_BY_NETWORK", "READ_BY_NONE", "read_by"]


def read_by(name: str, reader: OpponentModelSpec | None) -> Strategy:
    """BayCaRP2 with a reader of opponents behind the contract."""
    spec = ByWeights(reader)
    fast = FastTier(DescribeRanges(look_ahead=1), spec, FLOP)
    return replace(BAYCARP2, name=f"read-by-{name}", opponents=spec, fast=fast)


READ_BY_NONE = read_by("none", None)
"""Weight 1 on every holding."""

READ_BY_NETWORK = read_by("network", ByNetwork(Weighted()))
"""The thesis' network, every holding at its posterior probability."""

READ_BY_CASES = read_by("cases", ByShown(""))
"""Cases of shown situations: playable with their folder, ``read_by("cases", ByShown(folder))``."""
