"""A line of a result: what an agent reached, and what it is beside."""

from dataclasses import dataclass
from typing import Any

from baycarp.arena.measure import Rate

__all__ = ["Line"]


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of a row.

    Parameters
    ----------
    part
        Of the row: hands of a session, a street, a setting.
    own
        What the agent reached.
    beside
        The name of its best rival; "" = none.
    other
        What that reached.
    more
        What the agent reached more; paired by deal, where both played the same.
    digits
        That are shown.
    """

    part: str
    own: Rate
    beside: str = ""
    other: Rate | None = None
    more: Rate | None = None
    digits: int = 3

    def cells(self) -> tuple[str, ...]:
        """The texts of a table row: part, hands, unit, agent, rival, its rate, the difference."""
        rates = (each.cell(self.digits) if each else "" for each in (self.own, self.other, self.more))
        own, other, more = rates
        return self.part, f"{self.own.n:,}", self.own.unit, own, self.beside, other, more

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        record: dict[str, Any] = {"part": self.part, "unit": self.own.unit, "own": self.own.to_dict()}
        if self.other and self.more:
            record |= {"beside": self.beside, "other": self.other.to_dict(), "more": self.more.to_dict()}
        return record
