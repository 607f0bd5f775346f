"""What happens at the table without the person: settings, an action chosen ahead, a clock on decisions."""

from dataclasses import dataclass
from typing import Any

from baycarp.errors import IllegalAction, NotationError
from baycarp.game.notation.wire import string, whole
from baycarp.web.sitting import Sitting

__all__ = ["AHEAD", "ChosenAhead", "DecisionClock", "TableSettings", "choose_ahead"]

AHEAD = ("check/fold", "check")
"""What can be chosen ahead: to check, else to fold; and to check, where no bet comes."""

SLOWEST = 600
"""The longest clock, in seconds."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the person chose for the table.

    Parameters
    ----------
    goes_on
        The next hand begins by itself.
    skips
        After a fold of the person the agents act at once.
    clock
        Seconds of a decision, after which the person checks, else folds; 0 = none.
    """

    goes_on: bool = False
    skips: bool = False
    clock: int = 0

    @classmethod
    def of(cls, message: dict[str, Any]) -> "TableSettings":
        """From the fields of a message."""
        goes_on, skips = (bool(whole(message, name, None, most=1)) for name in ("goesOn", "skips"))
        return cls(goes_on, skips, whole(message, "clock", None, most=SLOWEST))

    def record(self) -> dict[str, Any]:
        """JSON values, by the names of the message."""
        return {"goesOn": self.goes_on, "skips": self.skips, "clock": self.clock}


@dataclass(frozen=True, slots=True)
class ChosenAhead:
    """An action that the person chose before its turn, in a hand."""

    choice: str
    hand: int

    def action(self, sitting: Sitting) -> str:
        """The action at the person's turn; "" where a bet ended the choice."""
        stays = sitting.stay == "check"
        return "check" if stays else "fold" if self.choice == "check/fold" else ""


def choose_ahead(sitting: Sitting, message: dict[str, Any]) -> ChosenAhead | None:
    """The choice of a message, which was made at an act of a hand; None = none any more.

    Raises
    ------
    NotationError
        No such choice.
    IllegalAction
        The table is at another act, the person has folded, or it is the person's turn already.
    """
    choice, hand = string(message, "choice"), whole(message, "hand", None)
    sitting.verify_at(hand, whole(message, "at", None))
    if choice not in ("", *AHEAD):
        raise NotationError(f"choice {choice[:40]!r}: expected {', '.join(AHEAD)} or nothing")
    if sitting.waits or sitting.has_folded:
        raise IllegalAction(f"hand {hand}: nothing can be chosen ahead now")
    return ChosenAhead(choice, hand) if choice else None


class DecisionClock:
    """The seconds that the person has thought about one decision; it stands still while nobody is there."""

    def __init__(self) -> None:
        self._turn: tuple[int, ...] | None = None
        self._spent = 0.0
        self._since: float | None = None

    def spent(self, turn: tuple[int, ...] | None, runs: bool, now: float) -> float:
        """Seconds spent on a decision until now; from now on the clock ``runs``, or stands still."""
        if turn != self._turn:
            self._turn, self._since = turn, None
            self._spent = 0.0
        if self._since is not None:
            self._spent += now - self._since
        self._since = now if runs else None
        return self._spent
