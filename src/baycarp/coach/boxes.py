"""When a spot comes again: five boxes, each with twice the days of the one before (Leitner 1972).

A right first answer moves a spot up a box, any other one back to the first. A spot that moves up comes again
after the days of its new box; one in the first box comes again at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

__all__ = ["BOXES", "Box"]

BOXES = (0, 1, 2, 4, 8)
"""Days after which a spot of each box comes again."""


@dataclass(frozen=True, slots=True)
class Box:
    """The place of a spot.

    Parameters
    ----------
    number
        The box, 1 to 5.
    due
        The day on which the spot comes again.
    answered, right
        How often, and how often right.
    """

    number: int
    due: date
    answered: int = 1
    right: int = 0

    @classmethod
    def after(cls, before: "Box | None", right: bool, day: date) -> "Box":
        """The place after an answer.

        Examples
        --------
        >>> day = date(2026, 11, 27)
        >>> box = Box.after(Box.after(None, True, day), True, day)
        >>> box.number, box.due.isoformat(), Box.after(box, False, day).number
        (3, '2026-11-29', 1)
        """
        number = min((before.number if before else 1) + 1, len(BOXES)) if right else 1
        answered, known = (before.answered, before.right) if before else (0, 0)
        due = day + timedelta(BOXES[number - 1])
        return cls(number, due, answered + 1, known + right)

    def to_dict(self) -> Mapping[str, int | str]:
        """JSON values."""
        return {
            "box": self.number,
            "due": self.due.isoformat(),
            "answered": self.answered,
            "right": self.right,
        }
