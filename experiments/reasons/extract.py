"""From a sentence to its claims.

Every pattern takes its words out of the sentence. What is left over beside fillers was not understood, and a
sentence is understood only whole: nothing holds because a part of it was overlooked.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from experiments.reasons.actions import Actions
from experiments.reasons.claims import Claim
from experiments.reasons.patterns import PATTERNS
from experiments.reasons.reading import Reading, Take, spelled

__all__ = ["Extracted", "claims_of"]

FILLERS = """
    i my me hand have has had hold holding flopped made am is are was will would be just only already yet here
    so and but with then now also too still it this that which to in on at of for facing face go as well pot
    call do does did player board price getting get need must continue turn river flop because since means
    while all there
"""
"""Words that state nothing by themselves."""

_FILLER = re.compile(rf"\b(?:{'|'.join(FILLERS.split())})\b|§|,")


@dataclass(frozen=True, slots=True)
class Extracted:
    """The claims of a sentence, and the words that were not understood."""

    claims: tuple[Claim, ...]
    left: str = ""

    @property
    def understood(self) -> bool:
        """Whether every word was understood, and there is a claim."""
        return bool(self.claims) and not self.left


def claims_of(sentence: str) -> Extracted:
    """Read a sentence.

    Examples
    --------
    >>> claims_of("I have top pair.").claims
    ({'claim': 'hand', 'is': 'top pair'},)
    >>> claims_of("I feel lucky.").understood
    False
    """
    text, reading = spelled(sentence), Reading()
    for pattern, take in PATTERNS:
        text = re.sub(pattern, _in(reading, take), text)
    left = " ".join(Actions(reading).take(text))
    return Extracted(tuple(reading.claims), " ".join(_FILLER.sub(" ", left).split()))


def _in(reading: Reading, take: Take) -> Callable[[re.Match[str]], str]:
    return lambda match: take(match, reading)
