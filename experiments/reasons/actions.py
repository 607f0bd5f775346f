"""Actions in a sentence: a subject, a verb, a street, read from left to right."""

import re
from collections.abc import Iterator
from typing import Any

from experiments.reasons.reading import SEAT, Reading, named

__all__ = ["Actions"]

SUBJECTS = (
    rf"i|he|she|they|villain|(?:my )?opponent|player|nobody|everyone(?: else)?|both blinds|blinds|{SEAT}"
)

VERBS = (
    (r"check(?:ed|s)? (?:back )?through|checked through", "through"),
    (r"checkrais(?:ed|es|e)", "checkraise"),
    (r"checkcall(?:ed|s)?", "checkcall"),
    (r"threebet(?:s|ted)?", "threebet"),
    (r"open(?:ed|s)(?: pot)?(?: with raise)?", "open"),
    (r"limp(?:ed|s)(?: in)?", "limp"),
    (r"entered pot", "enter"),
    (r"(?:is|was) (?:preflop )?raiser", "raise"),
    (r"rais(?:ed|es)", "raise"),
    (r"call(?:ed|s)(?: raise| my (?:preflop |flop |turn |river )?(?:bet|raise))?", "call"),
    (r"(?:is )?still in hand", "stay"),
    (r"fold(?:ed|s)|are out|is out", "fold"),
    (r"leads?|led(?: out)?", "bet"),
    (r"bets?(?: out)?", "bet"),
    (r"check(?:ed|s)(?: my option| back)?", "check"),
)
"""Verbs, and the deed that each means (``claims.DEEDS``)."""

STREET = r"preflop|(?:on |both )?(?:this )?(?:flop|turn|river)(?: and (?:flop|turn|river))?"
STREETS = re.compile("preflop|flop|turn|river")

_TOKEN = re.compile(
    rf"(?P<folds>\bit folds to me\b)|(?P<faces>\bi face threebet\b)|(?P<steal>\bbutton steal\b)"
    rf"|(?P<place>\b(?:from|on|in) {SEAT}\b)|(?P<subject>\b(?:{SUBJECTS})\b)"
    + "".join(rf"|(?P<v{at}>\b(?:{pattern})\b)" for at, (pattern, _) in enumerate(VERBS))
    + rf"|(?P<street>\b(?:{STREET})\b)|(?P<amount>\b(?:to )?\d+\b)|(?P<other>\S+)"
)

PASSED = """
    has have had just then now also first got and but been both into me my from raised after so far yet out in
    on with or
"""
"""Words beside an action that change nothing about it."""


class Actions:
    """Reads the actions of one sentence into its claims."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._subjects: list[str] = []
        self._pending: list[dict[str, Any]] = []  # of the clause: a street after them completes them
        self._street: str | None = None
        self._before: list[str] = []  # a street that was named before its verb

    def take(self, text: str) -> Iterator[str]:
        """Add the actions of a text to the claims; the words that belong to none are returned."""
        words = ["", ""]  # the two tokens before
        for token in _TOKEN.finditer(text):
            word, kind = token[0], str(token.lastgroup)
            if kind == "subject":
                self._subject(word, joined=words[1] == "and" and words[0] == "subject")
            elif kind[0] == "v":
                self._verb(word, VERBS[int(kind[1:])][1])
            elif kind == "street":
                self._on(STREETS.findall(word))
            elif kind in ("place", "amount") and self._pending:
                self._complete(kind, word)
            elif kind in ("folds", "faces", "steal"):
                self._phrase(kind)
            elif word not in PASSED.split():
                yield word
            words = [words[1], kind if kind == "subject" else word]
        self._flush()

    def _subject(self, word: str, joined: bool) -> None:
        if not joined:
            self._flush()
        self._subjects = [*(self._subjects if joined else []), *self._named(word)]

    def _named(self, word: str) -> list[str]:
        """The players that a subject names."""
        if word in ("both blinds", "blinds"):
            return ["small blind", "big blind"]
        if word == "i":
            return ["hero"]
        if word == "nobody" or word.startswith("everyone"):
            return [word.split()[0]]
        if re.fullmatch(SEAT, word):
            self._reading.other = named(word)
        return [self._reading.other]

    def _verb(self, word: str, did: str) -> None:
        streets = STREETS.findall(word) or (self._before if did == "through" else [])
        where = {"street": streets[0]} if streets else {}
        who = ["nobody"] if did == "through" else self._subjects or ["hero"]
        self._pending += [{"who": each, "did": did, **where} for each in who]
        if did == "call" and word.endswith(" raise") and " my " not in word:
            self._pending.append({"who": "somebody", "did": "raise"})

    def _on(self, streets: list[str]) -> None:
        """A street after the actions of the clause, or before its verb."""
        if not self._pending:
            self._before = streets
            return
        for each in [each for each in self._pending if "street" not in each]:
            each["street"] = streets[0]
            self._pending += [{**each, "street": more} for more in streets[1:]]
        self._street = streets[-1]

    def _complete(self, kind: str, word: str) -> None:
        """Where the actor sits, or the amount of the last action."""
        if kind == "amount":
            self._pending[-1]["amount"] = int(word.split()[-1])
        else:
            self._reading.add("position", who=self._pending[-1]["who"], **{"is": named(word.split()[-1])})

    def _phrase(self, kind: str) -> None:
        if kind == "folds":
            self._pending.append(self._others_out())
        elif kind == "faces":
            self._pending.append({"who": "somebody", "did": "threebet"})
        else:
            self._pending.append({"who": "button", "did": "open"})

    def _others_out(self) -> dict[str, Any]:
        """Everybody is out but the observer and the player named last."""
        other = self._reading.other
        return {
            "who": "others out",
            "did": "fold",
            "but": [] if other == "villain" else [other],
            "street": None,
        }

    def _flush(self) -> None:
        """Add the actions of the clause; one without a street has that of the clause before, if any."""
        for each in self._pending:
            where = each.get("street", self._street)
            stated = self._others_out() if each["who"] == "everyone" else {**each, "street": where}
            self._reading.add("action", **stated)
            self._street = where or self._street
        self._pending = []
