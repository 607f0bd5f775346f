"""Stated reasons against the hand that they are about; and the checker against sentences of known truth."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from baycarp.arena.measure import Share
from baycarp.errors import NotationError
from baycarp.game import Observation
from baycarp.game.notation.wire import read_hand
from experiments.reasons.claims import Claim, is_true
from experiments.reasons.extract import claims_of

__all__ = ["VERDICTS", "ReasonScore", "StatedReason", "check_claims", "check_reason", "score", "situations"]

VERDICTS = ("holds", "fails", "not understood")

DATA = files("experiments.reasons") / "data"


@dataclass(frozen=True, slots=True)
class StatedReason:
    """One sentence, or one claim, with its verdict: one of ``VERDICTS``.

    Parameters
    ----------
    text
        The sentence, or the claim as JSON.
    verdict
        ``holds`` only where all of the sentence was understood and every claim is true.
    claims
        What was understood.
    false
        The claims among them that are false.
    left
        The words that were not understood.
    """

    text: str
    verdict: str
    claims: tuple[Claim, ...] = ()
    false: tuple[Claim, ...] = ()
    left: str = ""


def check_reason(text: str, observation: Observation) -> list[StatedReason]:
    """Check each sentence of a text.

    Parameters
    ----------
    text
        Sentences of the player that acts.
    observation
        What it observed.
    """
    return [_checked(each, observation) for each in re.split(r"(?<=[.!?])\s+|\n+", text.strip()) if each]


def check_claims(claims: Sequence[Claim], observation: Observation) -> list[StatedReason]:
    """Check claims that are given as JSON values (``claims``): those of another kind are not understood."""
    found = []
    for claim in claims:
        words = json.dumps(dict(claim))
        try:
            held = is_true(claim, observation)
        except NotationError as error:
            found.append(StatedReason(words, "not understood", left=str(error)))
        else:
            found.append(
                StatedReason(words, "holds" if held else "fails", (claim,), () if held else (claim,))
            )
    return found


def _checked(sentence: str, observation: Observation) -> StatedReason:
    read = claims_of(sentence)
    checked = check_claims(read.claims, observation)
    if not read.understood or any(each.verdict == "not understood" for each in checked):
        return StatedReason(sentence, "not understood", read.claims, left=read.left)
    false = tuple(claim for each in checked for claim in each.false)
    return StatedReason(sentence, "fails" if false else "holds", read.claims, false)


@dataclass(frozen=True, slots=True)
class ReasonScore:
    """Verdicts on sentences of known truth: correct ones of all verdicts, and of all sentences.

    Parameters
    ----------
    holds, fails
        The verdicts that are right, of those given.
    understood
        Sentences with a verdict, of all.
    """

    holds: Share
    fails: Share
    understood: Share

    @property
    def precision(self) -> Share:
        """Right verdicts of those given."""
        return Share(self.holds.count + self.fails.count, self.holds.of + self.fails.of)

    @property
    def recall(self) -> Share:
        """Right verdicts of all sentences."""
        return Share(self.precision.count, self.understood.of)


def situations() -> Mapping[str, Observation]:
    """The situations of the sentences, by name, as the deciding seat observes them."""
    found: dict[str, Observation] = {}
    messages: Mapping[str, dict[str, Any]] = json.loads((DATA / "situations.json").read_text("utf-8"))
    for name, message in messages.items():
        hand, seat = read_hand(message, None)
        found[name] = hand.observe(seat)
    return found


def sentences(name: str) -> list[tuple[str, bool, str]]:
    """The sentences of a file (``building`` or ``held_back``, or a path): situation, truth, words."""
    path = Path(name) if name.endswith(".tsv") else DATA / f"{name}.tsv"
    rows = csv.DictReader(path.read_text("utf-8").splitlines(), delimiter="\t")
    return [(row["situation"], row["truth"] == "true", row["sentence"]) for row in rows]


def score(rows: Sequence[tuple[str, bool, str]]) -> tuple[ReasonScore, list[StatedReason]]:
    """Score the checker; the reasons are those with a wrong verdict."""
    where, wrong = situations(), list[StatedReason]()
    right, given = dict.fromkeys(VERDICTS, 0), dict.fromkeys(VERDICTS, 0)
    for name, truth, words in rows:
        (reason,) = check_reason(words, where[name])
        given[reason.verdict] += 1
        if reason.verdict == ("holds" if truth else "fails"):
            right[reason.verdict] += 1
        elif reason.verdict != "not understood":
            wrong.append(reason)
    holds, fails = (Share(right[verdict], given[verdict]) for verdict in ("holds", "fails"))
    return ReasonScore(holds, fails, Share(len(rows) - given["not understood"], len(rows))), wrong
