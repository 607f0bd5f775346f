"""A sequence that is computed when it is first read."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

__all__ = ["Computed"]

T = TypeVar("T")


class Computed(Sequence[T]):
    """A sequence that is computed when it is first read: most traces are never read.

    Parameters
    ----------
    compute
        Returns the items, from data that does not change any more.
    """

    def __init__(self, compute: Callable[[], Sequence[T]]) -> None:
        self._compute = compute

    @cached_property
    def items(self) -> tuple[T, ...]:
        """All items."""
        return tuple(self._compute())

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.items == tuple(other)

    def __hash__(self) -> int:
        return hash(self.items)
