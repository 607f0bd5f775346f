"""Retain: add settled cases to their case-bases."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from baycarp.cases.casebase import CaseBase
from baycarp.cases.schema import Case
from baycarp.cases.store import CaseStore, Ticket
from baycarp.errors import SchemaError, brief

__all__ = ["Settled", "retain"]


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A case with its outcome, and the name of the case-base that it belongs to."""

    base: str
    case: Case


def retain(
    settled: Iterable[Settled], casebases: Mapping[str, CaseBase], store: CaseStore | None = None
) -> tuple[Ticket, ...]:
    """Put settled cases into their case-bases, and if a store is given, on their way to the disk.

    Retrieval finds them at once. Each ticket is done when its case is durable.

    Raises
    ------
    SchemaError
        A case-base that is not one of these.
    """
    tickets = []
    for each in settled:
        if each.base not in casebases:
            raise SchemaError(f"case-base {brief(each.base)}: expected one of {', '.join(casebases)}")
        casebases[each.base].append(each.case)
        if store is not None:
            tickets.append(store.retain(each.base, each.case))
        casebases[each.base].fold_in_later()  # 0.1 to 0.5 s, which no decision may wait for
    return tuple(tickets)
