"""Every published table and figure, and the function of our result."""

from fnmatch import fnmatchcase
from functools import cache

from baycarp.errors import BaycarpError
from experiments.papers import (
    casey,
    casper,
    gambler,
    kleij,
    kleij_sizes,
    sartre,
    sartre_experts,
    sartre_nl,
    sartre_three,
    sequences,
    unger_examples,
    unger_network,
    unger_rivals,
    unger_table,
)
from experiments.papers.entry import Entry, read_entries
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Comparison, compare

__all__ = ["MAKERS", "PaperError", "entries", "find", "matching", "reproduce"]

MAKERS: dict[str, Maker] = {
    **unger_examples.MAKERS,
    **unger_network.MAKERS,
    **unger_rivals.MAKERS,
    **unger_table.MAKERS,
    **casey.MAKERS,
    **casper.MAKERS,
    **gambler.MAKERS,
    **sartre.MAKERS,
    **sartre_experts.MAKERS,
    **sartre_nl.MAKERS,
    **sartre_three.MAKERS,
    **sequences.MAKERS,
    **kleij.MAKERS,
    **kleij_sizes.MAKERS,
}
"""The function of our result, by the entry's id. An entry without one states why."""


class PaperError(BaycarpError):
    """A published table or figure that is not in the registry."""


@cache
def entries() -> dict[str, Entry]:
    """All of them by id, seed by seed."""
    return {entry.id: entry for entry in read_entries()}


def find(id: str) -> Entry:
    """An entry by its id; a number alone finds the figure where no table has it.

    Raises
    ------
    PaperError
        There is no such entry.

    Examples
    --------
    >>> find("000-7.1").id, find("000-7.4").id
    ('000-7.1', '000-fig7.4')
    """
    seed, _, number = id.partition("-")
    known = entries()
    for name in (id, f"{seed}-fig{number}"):
        if name in known:
            return known[name]
    raise PaperError(
        f"table or figure {id!r}: expected one that `python -m experiments reproduce --list` names"
    )


def matching(pattern: str) -> list[Entry]:
    """The entries whose ids match a pattern with ``*``, ``?`` or ``[``, in their order; or the one of an id.

    Raises
    ------
    PaperError
        There is none.

    Examples
    --------
    >>> [entry.id for entry in matching("003-*")]
    ['003-sec6', '003-sec6-trees']
    """
    if not set(pattern) & set("*?["):
        return [find(pattern)]
    found = [entry for id, entry in entries().items() if fnmatchcase(id, pattern)]
    if not found:
        raise PaperError(
            f"pattern {pattern!r}: expected one of an id that `python -m experiments reproduce --list` names"
        )
    return found


def reproduce(entry: Entry, run: Run) -> Comparison:
    """Compute our result, and compare it with the published one.

    Examples
    --------
    >>> print(reproduce(find("000-5.4"), Run()).verdict)
    same
    """
    return compare(entry, MAKERS[entry.id](entry, run) if entry.id in MAKERS else None)
