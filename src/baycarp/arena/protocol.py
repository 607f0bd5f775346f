"""The protocols of benchmarks: all that a match must have in common with the published ones."""

from dataclasses import dataclass

__all__ = ["PROTOCOLS", "MatchProtocol"]


@dataclass(frozen=True, slots=True)
class MatchProtocol:
    """A duplicate match whose hands all begin with the same stacks.

    Parameters
    ----------
    game
        The name of the game: seats, blinds and stacks.
    estimator
        Of ``arena.variance.ESTIMATORS``; it judges.
    unit
        Of the win rates.
    blinds
        What one big blind a hand is in that unit.
    """

    game: str
    estimator: str
    unit: str
    blinds: float


PROTOCOLS = {"nolimit-200bb": MatchProtocol("holdem.nolimit.2p.reverse_blinds", "control", "bb/100", 100.0)}
"""By name. ``nolimit-200bb``: heads-up no-limit with blinds of 50 and 100 and 20,000 chips, as in the ACPC's
competitions and in arXiv 2603.23660, with control variates in AIVAT's manner."""
