"""The registry of gates, in the order of the table."""

from collections.abc import Iterator
from functools import partial

from baycarp.study.robustness import chips
from baycarp.study.robustness.games import KINDS
from baycarp.study.robustness.gate import Gate
from baycarp.study.robustness.messages import messages
from baycarp.study.robustness.parsers import PARSERS

__all__ = ["GATES"]

HANDS = 50_000_000


def _gates() -> Iterator[Gate]:
    share = HANDS // len(KINDS)
    for kind in KINDS:
        yield Gate(f"chips: {kind}", "hands", share, 1_000_000, partial(chips.conserve, kind), 1e-6)
    yield Gate("pots: second calculator", "hands", HANDS, 100_000, chips.pots_agree, 2.2e-4)
    for parser in PARSERS:
        yield Gate(f"messages: {parser}", "messages", 1_000_000, 20_000, partial(messages, parser), 2e-4)


GATES: tuple[Gate, ...] = tuple(_gates())
