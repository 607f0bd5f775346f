"""Malformed messages for every parser.

A message is a good one that was damaged; message ``n`` of a parser depends on (seed, parser, n) alone.
A parser may accept any input or refuse it with a typed error (``BaycarpError``), within 100 ms.
"""

import time
from dataclasses import dataclass, field

from baycarp.errors import BaycarpError
from baycarp.study.robustness.damage import damaged
from baycarp.study.robustness.gate import Result, Share
from baycarp.study.robustness.parsers import PARSERS

__all__ = ["Figures", "bombard", "messages"]

SLOW = 0.1
"""Seconds of processor time that no message may take."""

HELD = 5
"""Failures that are recorded for inspection, for each parser."""


@dataclass(slots=True)
class Figures:
    """Counts of the messages to one parser, or of random hands.

    Parameters
    ----------
    parser, seed, messages
        Name, seed and number of messages.
    accepted, refused
        Read, and refused with a typed error.
    untyped, slow, crashed
        Findings: an error of another type, more than 100 ms, the end of the process.
    slowest, seconds
        Processor time of the slowest message in ms, and of all in s.
    failures
        The first few findings: number, message and outcome.
    """

    parser: str
    seed: int
    messages: int
    accepted: int = 0
    refused: int = 0
    untyped: int = 0
    slow: int = 0
    crashed: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.untyped + self.slow + self.crashed


def messages(parser: str, share: Share) -> Result:
    """A share of the messages of the gate of a parser."""
    figures = bombard(parser, share)
    result = Result(figures.messages, examples=figures.failures)
    result.found.update({"untyped": figures.untyped, "slow": figures.slow})
    result.counts.update({"accepted": figures.accepted, "refused": figures.refused})
    return result


def bombard(parser: str, share: Share) -> Figures:
    """Send damaged messages to a parser of ``PARSERS``, and count the outcomes."""
    make, read = PARSERS[parser]
    good, figures, clock = make(), Figures(parser, share.seed, len(share)), time.process_time
    for number in share:
        message = damaged(good, f"{share.seed} {parser} {number}")
        began = clock()
        try:
            read(message)
            figures.accepted += 1
        except BaycarpError:
            figures.refused += 1
        except Exception as error:
            figures.untyped += 1
            _record(figures, number, message, f"{type(error).__name__}: {error}")
        took = clock() - began
        figures.seconds += took
        figures.slowest = max(figures.slowest, 1000 * took)
        if took > SLOW:
            figures.slow += 1
            _record(figures, number, message, f"{1000 * took:.0f} ms")
    return figures


def _record(figures: Figures, number: int, message: str, what: str) -> None:
    if len(figures.failures) < HELD:
        figures.failures.append(f"{number}: {message[:120]!r}: {what[:120]}")
