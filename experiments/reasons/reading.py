"""A sentence while it is read: one spelling for words of one meaning, and what has been read so far."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from baycarp.hand_names import RANK_NAMES
from experiments.reasons.claims import Claim

__all__ = ["COUNT", "COUNTS", "NUMBER", "RANKS", "SEAT", "Reading", "Take", "named", "spelled"]

SPELLED = (
    (r"[.!?,;:](?=\s|$)", " , "),
    (r"[’']", "'"),
    (r"\bi'm\b", "i am"),
    (r"\bi'll\b", "i will"),
    (r"\bi'd\b", "i would"),
    (r"\bi've\b", "i have"),
    (r"\bit's\b", "it is"),
    (r"\bhe's\b", "he is"),
    (r"\bthere's\b", "there is"),
    (r"n't\b", " not"),
    (r"\bhaven not\b", "have not"),
    (r"\b(?:three|3)[- ]?bet", "threebet"),
    (r"\bcheck[- ](?=rais|call)", "check"),
    (r"\bcold[- ]call", "call"),
    (r"\bdonk[- ]bet", "bet"),
    (r"\bcontinuation[- ]bet|\bc[- ]?bet", "bet"),
    (r"\bheads[- ]up\b", "headsup"),
    (r"\bunder[- ]the[- ]gun\b|\butg\b", "under-gun"),
    (r"\b(small|big) blind\b", r"\1-blind"),
    (r"\bpre[- ]flop\b|\bbefore the flop\b", "preflop"),
    (r"\bpercent\b|\bper cent\b", "%"),
    (r"(\d)\s*%", r"\1 %"),
    (r"\b(\d+(?:\.\d+)?)(?:-to-|:|-)(?=1\b)", r"\1 to "),
    (r"\b(" + "|".join(RANK_NAMES) + r")(?:e?s)\b", r"\1"),
    (r"\bdeuces?\b", "two"),
    (r"\bsecond pair\b", "middle pair"),
    (r"\boff[- ]suit\b", "offsuit"),
    (r"\bopen[- ]end(?:ed|er)\b", "openended"),
    (r"\btrips\b", "trip"),
    (r"\bquads?\b", "four of a kind"),
    (r"\b(?:the|a|an)\b", " "),
    (r"\bno one\b|\bnone\b", "nobody"),
    (r"\beverybody\b", "everyone"),
)
"""One spelling for words of one meaning; articles go."""


RANKS = "|".join(RANK_NAMES)
SEAT = r"(?:button|small-blind|big-blind|cutoff|hijack|under-gun)"
NUMBER = r"\d+(?:\.\d+)?"
COUNTS = {word: at for at, word in enumerate(("one", "two", "three", "four", "five", "six", "seven"), 1)}
COUNT = "|".join(COUNTS)

NAMES = {"small-blind": "small blind", "big-blind": "big blind", "under-gun": "under the gun"}


@dataclass(slots=True)
class Reading:
    """What was read so far: the claims, and the player that ``he`` stands for."""

    claims: list[Claim] = field(default_factory=list)
    other: str = "villain"

    def add(self, kind: str, **fields: Any) -> str:
        """Add a claim, without its empty fields; returns the mark that stands where its words stood."""
        stated = {name: value for name, value in fields.items() if value is not None}
        self.claims.append({"claim": kind, **stated})
        return " § "


Take = Callable[[re.Match[str], Reading], str]
"""Adds the claims of a match, and returns what stands in its place."""


def named(word: str) -> str:
    """A position as claims name it."""
    return NAMES.get(word, word)


def spelled(sentence: str) -> str:
    """A sentence in lower case, in one spelling and without articles."""
    text = f" {sentence.lower()} "
    for pattern, instead in SPELLED:
        text = re.sub(pattern, instead, text)
    return re.sub(r"\s+", " ", text)
