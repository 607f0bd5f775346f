"""The coach that connections share: it keeps what is played, reviews it beside the table, and drills."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from hashlib import sha256
from json import dumps
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote, urlencode

from baycarp.coach.advice import Advice
from baycarp.coach.frames import is_spot, line_of, review_frame, spot_frame
from baycarp.coach.kept import CoachFile, KeptHand, Place, usual_path
from baycarp.coach.reads import GROUPS, OpponentRead, read_score
from baycarp.coach.valuation import Judge, JudgedDecision
from baycarp.coach.work import ReviewedHands, reviewed, value_hands
from baycarp.errors import JournalError, NotationError, TableError, reason
from baycarp.game.action import action_from_text
from baycarp.game.notation.wire import string, whole, wholes
from baycarp.web.frames import Frame
from baycarp.web.table import BrowserTable, Listener

__all__ = ["Coach"]

WATCH = 1.0
"""Seconds between two looks at the table for finished hands."""

CONFIRMED = "delete my sessions"
"""The text that confirms a deletion."""

SCOPES = ("session", "all")
"""What is reviewed: the hands of the table, or those of all kept sessions."""

GOOD = 0.4
"""The score of a read from which on it counts as right."""

LOG = "log"
"""In place of a session, where a log is replayed."""


@dataclass
class Coach:
    """The reviews, the drill and the kept sessions of the person at a table, or of a log.

    Parameters
    ----------
    table
        Whose finished hands are reviewed.
    path
        The user's own file; None = nothing is kept.
    judge
        The agent that values.
    day
        The present day.
    """

    table: BrowserTable
    path: Path | None = field(default_factory=usual_path)
    judge: Judge = field(default_factory=Judge)
    day: Callable[[], date] = date.today
    listeners: set[Listener] = field(default_factory=set)
    _note: str = ""
    _scope: str = "session"
    _done: int = 0
    _of: int = 0
    _reviewed: ReviewedHands | None = None
    _task: "asyncio.Task[None] | None" = None
    _stop: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self._file = CoachFile(None)
        if self.path is None or self.table.sitting is None:
            return
        try:
            self._file = CoachFile(self.path)
        except (JournalError, OSError) as error:
            self._note = f"Nothing of this session is kept: {reason(error)}"

    async def run(self) -> None:
        """Keep each hand of the session once it is finished; at the end a review is stopped."""
        try:
            while True:
                if self._keep():
                    self._send()
                await asyncio.sleep(WATCH)
        finally:
            self._stop.set()
            if self._task:
                with suppress(asyncio.CancelledError):
                    await self._task
            self._keep()
            self._file.close()

    def greeting(self) -> Frame:
        """How far everything is: counts, and the review in work."""
        session = self._session()
        return {
            "type": "coach",
            "hands": sum(place[0] == session for place in self._file.hands),
            "kept": len(self._file.hands) if self._file.path else 0,
            "sessions": len({place[0] for place in self._file.hands}) if self._file.path else 0,
            "working": self._task is not None,
            "done": self._done,
            "of": self._of,
            "scope": self._scope,
            "ready": self._reviewed is not None,
            "note": self._note,
        }

    async def answer(self, message: dict[str, Any]) -> Frame | None:
        """Do what a message asks for.

        Raises
        ------
        BaycarpError
            It is refused; the type names the cause.
        """
        match kind := string(message, "type"):
            case "review":
                self._begin(string(message, "scope", "session"))
            case "stop":
                self._stop.set()
            case "reviewed":
                found = self._found()
                return {"type": "reviewed", **review_frame(found.review, self._links)}
            case "drill":
                return self._drill()
            case "answer":
                return self._answered(message)
            case "read":
                return self._read(message)
            case "export":
                return {"type": "export", "name": "baycarp-coach.jsonl", "text": self._file.export()}
            case "delete":
                self._delete(string(message, "confirm"))
            case _:
                expected = "review, stop, reviewed, drill, answer, read, export or delete"
                raise NotationError(f"type {kind[:40]!r}: expected {expected}")
        return None

    def _begin(self, scope: str) -> None:
        """Begin a review; what was valued before is not valued again."""
        if scope not in SCOPES:
            raise NotationError(f"scope {scope[:20]!r}: expected {' or '.join(SCOPES)}")
        if self._task:
            raise TableError("a review is in work: stop it, or wait for its end")
        self._keep()
        hands = self._hands(scope)
        if all(kept.marked for kept in hands.values()):
            raise TableError("no hand to review yet: expected a finished one without help")
        self._stop.clear()
        self._scope, self._note, self._done = scope, "", 0
        self._of = sum(not kept.marked and place not in self._file.values for place, kept in hands.items())
        self._task = asyncio.create_task(self._work(hands))
        self._send()

    def _hands(self, scope: str) -> dict[Place, KeptHand]:
        session = self._session()
        return {
            place: kept for place, kept in self._file.hands.items() if scope == "all" or place[0] == session
        }

    async def _work(self, hands: Mapping[Place, KeptHand]) -> None:
        loop = asyncio.get_running_loop()

        def value() -> None:
            with closing(value_hands(hands, dict(self._file.values), self.judge)) as results:
                for place, decisions in results:
                    loop.call_soon_threadsafe(self._take, place, decisions)
                    if self._stop.is_set():
                        return

        try:
            if self._of:
                await asyncio.to_thread(value)
            if not self._stop.is_set():
                self._reviewed = await asyncio.to_thread(reviewed, hands, dict(self._file.values))
        except Exception as error:  # of a worker, too: the table goes on
            self._note = f"The review ended: {error}"
        finally:
            self._task = None
            self._send()

    def _take(self, place: Place, decisions: list[JudgedDecision]) -> None:
        """Keep values as they come: a review that is stopped goes on later."""
        self._file.keep_values(place, decisions)
        self._done += 1
        self._send()

    def _found(self) -> ReviewedHands:
        if self._reviewed is None:
            raise TableError("nothing is reviewed yet")
        return self._reviewed

    def _drill(self) -> Frame:
        """All spots, the due ones first."""
        found, today = self._found(), self.day()
        spots = []
        for advice in found.review.spots:
            key, box = self._key(advice), self._file.boxes.get(self._key(advice))
            spots.append(
                (
                    box is None or box.due > today,
                    spot_frame(advice, self._links(advice), key, self._belief(advice), box),
                )
            )
        spots.sort(key=lambda row: row[0])
        return {"type": "drill", "day": today.isoformat(), "spots": [frame for _, frame in spots]}

    def _answered(self, message: dict[str, Any]) -> Frame:
        """The verdict on an action; the first try of a spot in a showing moves its box."""
        advice = self._spot(message)
        given, is_first = string(message, "action"), whole(message, "first", 1, most=1)
        right = given != "" and action_from_text(given) in _right(advice)
        key = self._key(advice)
        box = self._file.answer(key, right, self.day()) if is_first else self._file.boxes.get(key)
        return {"type": "answered", "key": key, "right": right, "box": box.to_dict() if box else None}

    def _read(self, message: dict[str, Any]) -> Frame:
        """The belief, once a read is committed, and the score of the read."""
        advice = self._spot(message)
        belief, levels = self._belief(advice), wholes(message, "levels") or ()
        if belief is None:
            raise TableError("this spot has no belief about one opponent")
        found = read_score(belief, levels)
        key = f"{self._key(advice)}/read"
        right = found.score is None or found.score >= GOOD
        box = self._file.answer(key, right, self.day())
        shown = {"groups": GROUPS, "chances": belief.chances, "unread": belief.unread}
        combos = {"player": belief.opponent, "range": {"held": belief.held, "of": belief.of}}
        about = {"key": self._key(advice), "right": right, "box": box.to_dict()}
        return {"type": "belief", **about, **shown, **combos, **asdict(found)}

    def _spot(self, message: dict[str, Any]) -> Advice:
        key = string(message, "key")
        for advice in self._found().review.spots:
            if self._key(advice) == key:
                return advice
        raise TableError(f"spot {key[:40]!r}: expected one of the drill")

    def _key(self, advice: Advice) -> str:
        session, number = self._found().places[advice.observation.hand]
        return f"{session}/{number}/{len(advice.observation.acts)}"

    def _belief(self, advice: Advice) -> OpponentRead | None:
        found, at = self._found(), len(advice.observation.acts)
        return found.decisions[found.places[advice.observation.hand], at].read

    def _links(self, advice: Advice) -> Mapping[str, str]:
        """Where a decision is replayed and studied: a hand of this table by number, another by line."""
        place, act = self._found().places[advice.observation.hand], len(advice.observation.acts)
        words = {"hand": f"Hand {place[1] + 1}"}
        if place[0] == self._session():
            hand, fields = f"#hands/{place[1]}/{act}", {"hand": str(place[1])}
        elif line := line_of(self._file.hands[place].hand):
            hand, fields = f"#hands/0/{act}?{urlencode(line, quote_via=quote)}", line
        else:
            return words
        study = f"#study?{urlencode({**fields, 'act': str(act)}, quote_via=quote)}"
        return {**words, "replay": hand, **({"study": study} if is_spot(advice) else {})}

    def _delete(self, confirm: str) -> None:
        if confirm != CONFIRMED:
            raise NotationError(f"confirm {confirm[:40]!r}: expected {CONFIRMED!r}")
        if self._task:
            raise TableError("a review is in work: stop it, or wait for its end")
        sitting = self.table.sitting
        self._file.delete(self._session(), len(sitting.finished) if sitting else 0)
        self._reviewed, self._done, self._of = None, 0, 0
        self._send()

    def _session(self) -> str:
        """The name of the session at the table: its game, players and seed, and its folder."""
        if (sitting := self.table.sitting) is None:
            return LOG
        known = dumps([dict(sitting.seating.header()), str(sitting.folder.resolve())])
        return sha256(known.encode()).hexdigest()[:16]

    def _keep(self) -> bool:
        """Keep the hands that are finished; whether there were new ones."""
        before, session, today = len(self._file.hands), self._session(), self.day()
        if sitting := self.table.sitting:
            for each in sitting.finished[:]:
                if (session, each.hand) not in self._file.hands:
                    self._file.keep((session, each.hand), KeptHand(each.record(), today, each.is_aided))
        else:
            for number, hand in enumerate(self.table.log):
                self._file.keep((session, number), KeptHand(hand, today, False))
        return len(self._file.hands) > before

    def _send(self) -> None:
        for listener in self.listeners:
            listener(self.greeting())


def _right(advice: Advice) -> tuple[Any, ...]:
    return (*advice.best, advice.taken) if advice.right else advice.best
