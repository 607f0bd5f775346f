"""The user's own file: hands played at the table, their values, and the answers of the drill.

It is a journal: each line is on the disk before it counts, behind its check-sum; a kill loses nothing.
It lies in the folder of the memories (``strategies.memory.home``), and holds what one person played.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from baycarp.agents.policy import policy_from_text, policy_text
from baycarp.agents.trace import trace_record
from baycarp.agents.trace_json import read_trace
from baycarp.agents.value.stages import ValueStage
from baycarp.arena.journal import Journal, Unit
from baycarp.coach.boxes import Box
from baycarp.coach.reads import OpponentRead
from baycarp.coach.valuation import JudgedDecision
from baycarp.errors import BaycarpError, JournalError
from baycarp.game.action import action_from_text, action_text
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import game_message, hand_message, read_hand
from baycarp.strategies.memory import home

__all__ = ["CoachFile", "KeptHand", "Place", "usual_path"]

Place = tuple[str, int]
"""A hand: the session, and its number there, from 0."""

HEADER = {"kind": "coach", "version": 1}


def usual_path() -> Path:
    """The file where none is named."""
    return home() / "coach.journal"


@dataclass(frozen=True, slots=True)
class KeptHand:
    """A hand, the day on which it was played, and whether it counts nowhere."""

    hand: Hand
    day: date
    marked: bool


class CoachFile:
    """The file, open to one table at a time.

    Parameters
    ----------
    path
        It is made when missing; None = everything is forgotten at the end.

    Raises
    ------
    JournalError
        It is in use by another table, damaged before its last line, or holds something else.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._forget()
        self._journal = Journal(path, HEADER) if path else None
        try:
            for unit, record in self._journal.records.items() if self._journal else ():
                self._take(unit, record)
        except (BaycarpError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.close()
            raise JournalError(f"{path}: expected records of the coach: {str(error)[:200]}") from error

    def _forget(self) -> None:
        self.hands: dict[Place, KeptHand] = {}
        self.values: dict[Place, tuple[JudgedDecision, ...]] = {}
        self.boxes: dict[str, Box] = {}
        self._first: dict[str, int] = {}  # of a session, what is kept of it after a deletion
        self._answers = 0

    def close(self) -> None:
        """Close the file."""
        if self._journal:
            self._journal.close()

    def keep(self, place: Place, kept: KeptHand) -> None:
        """Keep a hand; one that is there stays as it is, and a deleted one is not kept again."""
        session, number = place
        if place in self.hands or number < self._first.get(session, 0):
            return
        if self._journal:
            record = {
                "game": game_message(kept.hand.variant),
                "hand": hand_message(kept.hand),
                "day": kept.day.isoformat(),
                "marked": kept.marked,
            }
            self._journal.append(("hand", *place), record)
        self.hands[place] = kept

    def keep_values(self, place: Place, decisions: Iterable[JudgedDecision]) -> None:
        """Keep the values of a kept hand, so that they need not be computed again."""
        if place not in self.hands or place in self.values:
            return
        self.values[place] = tuple(decisions)
        if self._journal:
            records = [_decision_record(each) for each in self.values[place]]
            self._journal.append(("values", *place), {"decisions": records})

    def answer(self, spot: str, right: bool, day: date) -> Box:
        """Keep an answer of the drill, and return where the spot is now."""
        if self._journal:
            record = {"spot": spot, "right": right, "day": day.isoformat()}
            self._journal.append(("answer", self._answers), record)
        self._answers += 1
        self.boxes[spot] = Box.after(self.boxes.get(spot), right, day)
        return self.boxes[spot]

    def export(self) -> str:
        """All records as JSON lines: hands and games as in the messages of ``baycarp serve``."""
        records = self._journal.records.items() if self._journal else ()
        lines = (json.dumps({"unit": list(unit), **record}) for unit, record in records)
        return "".join(f"{line}\n" for line in lines)

    def delete(self, session: str, number: int) -> None:
        """Delete everything; of the session that goes on, hands below a number are not kept again."""
        self.close()
        self._forget()
        if self.path:
            self.path.unlink(missing_ok=True)
            self._journal = Journal(self.path, HEADER)
            self._journal.append(("first", session), {"hand": number})
        self._first[session] = number

    def _take(self, unit: Unit, record: Mapping[str, Any]) -> None:
        match unit:
            case ("hand", str(session), int(number)):
                hand, _ = read_hand({"game": record["game"], **record["hand"]}, None)
                day = date.fromisoformat(record["day"])
                self.hands[session, number] = KeptHand(hand, day, bool(record["marked"]))
            case ("values", str(session), int(number)):
                self.values[session, number] = tuple(
                    _read_decision(number, each) for each in record["decisions"]
                )
            case ("answer", int(number)):
                spot, day = str(record["spot"]), date.fromisoformat(record["day"])
                self.boxes[spot] = Box.after(self.boxes.get(spot), bool(record["right"]), day)
                self._answers = number + 1
            case ("first", str(session)):
                self._first[session] = int(record["hand"])
            case _:
                raise JournalError(f"unit {unit}")


def _decision_record(decision: JudgedDecision) -> dict[str, Any]:
    return {
        "act": decision.act,
        "taken": action_text(decision.taken),
        "policy": policy_text(decision.policy),
        "stage": trace_record([decision.stage]),
        "read": asdict(decision.read) if decision.read else None,
    }


def _read_decision(hand: int, record: Mapping[str, Any]) -> JudgedDecision:
    (stage,) = read_trace(record["stage"])
    if not isinstance(stage, ValueStage):
        raise JournalError(f"stage {stage.name!r}: expected values")
    given = record["read"]
    read = given and OpponentRead(
        str(given["opponent"]),
        tuple(map(float, given["chances"])),
        tuple(map(float, given["unread"])),
        tuple(map(float, given["held"])),
        tuple(map(int, given["of"])),
    )
    return JudgedDecision(
        hand,
        int(record["act"]),
        action_from_text(record["taken"]),
        policy_from_text(record["policy"]),
        stage,
        read or None,
    )
