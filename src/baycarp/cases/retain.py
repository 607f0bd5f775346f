"""Retain: cases wait until their outcome is known, then go where they are found again."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from baycarp.cases.casebase import CaseBase
from baycarp.cases.revise import Revision, SignedCost, Step
from baycarp.cases.schema import Case
from baycarp.cases.store import CaseStore, Ticket
from baycarp.errors import SchemaError

__all__ = ["Pending", "retain"]


class Pending:
    """The temporary storage of one episode (seed 000, section 5.4.6).

    Parameters
    ----------
    revise
        The rule that gives each case its outcome.
    """

    def __init__(self, revise: Revision | None = None) -> None:
        self.revise: Revision = revise or SignedCost()
        self._steps: list[Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, base: str, case: Case, cost: float) -> None:
        """Keep a case of the case-base ``base``; ``cost`` is what its solution added, at least 0."""
        if not 0 <= cost < math.inf:
            raise SchemaError(f"cost {cost!r}: expected a finite number, at least 0")
        self._steps.append(Step(base, case, cost))

    def settle(self, won: bool, worths: Sequence[float] = ()) -> tuple[Step, ...]:
        """End the episode: its steps in order, each case with its outcome. Nothing is pending then.

        Parameters
        ----------
        won
            Whether the episode was won or split.
        worths
            What each step could be expected to bring, where the rule asks for it.
        """
        steps, self._steps = self._steps, []
        if worths:
            steps = [replace(step, worth=worth) for step, worth in zip(steps, worths, strict=True)]
        return tuple(replace(step, case=replace(step.case, outcome=self.revise(step, won))) for step in steps)


def retain(
    steps: Iterable[Step], casebases: Mapping[str, CaseBase], store: CaseStore | None = None
) -> tuple[Ticket, ...]:
    """Put settled cases into their case-bases, and if a store is given, on their way to the disk.

    Retrieval finds them at once. Each ticket is done when its case is durable.
    """
    tickets = []
    for step in steps:
        if step.base not in casebases:
            raise SchemaError(f"case-base {step.base!r}: expected one of {', '.join(casebases)}")
        casebases[step.base].append(step.case)
        if store is not None:
            tickets.append(store.retain(step.base, step.case))
        casebases[step.base].fold_in()
    return tuple(tickets)
