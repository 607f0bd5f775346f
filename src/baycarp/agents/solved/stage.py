"""The stage of a decision by a solved strategy."""

from dataclasses import dataclass

from baycarp.agents.trace import Stage

__all__ = ["SolutionStage"]


@dataclass(frozen=True, slots=True)
class SolutionStage(Stage, name="solution"):
    """A solved strategy is looked up: the betting, and the bucket of the own cards, below ``buckets``."""

    betting: str
    bucket: int
    buckets: int
