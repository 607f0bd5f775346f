"""What a decision hangs on: each thing that was seen of an opponent, by how far the case moves without it.

Not by how far the belief moves: measured by ``arena.faithfulness`` that says less of the decision than a
piece picked at random, since what the network believes of hand types weighs little in a case.
"""

from dataclasses import dataclass

from baycarp.agents.flips import apart
from baycarp.agents.whatif import WhatIf
from baycarp.cases import Situation

__all__ = ["Piece", "pieces"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that was seen of an opponent.

    Parameters
    ----------
    who, node, state
        His position, and what was seen of him.
    size
        How unlike itself the situation is without it, 0..1.
    there
        The situation without it.
    """

    who: int
    node: str
    state: str
    size: float
    there: Situation


def pieces(if_not: WhatIf) -> tuple[Piece, ...]:
    """All that the network was told, what the case hangs on most first; before the flop nothing.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> seen = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> [(told.node, told.state) for told in pieces(WhatIf(agent, seen, agent.decide(seen)))]
    [('Position', 'Blinds'), ('Action', 'Raise'), ('Board', 'KLow')]
    """
    if not if_not.seen.street or if_not.inference is None:
        return ()
    found = []
    for who, seen in if_not.evidence.items():
        for node, state in seen.items():
            rest = {other: told for other, told in seen.items() if other != node}
            there = if_not.case({**if_not.evidence, who: rest})
            found.append(Piece(who, node, state, apart(if_not.schema, if_not.query, there), there))
    return tuple(sorted(found, key=lambda piece: -piece.size))
