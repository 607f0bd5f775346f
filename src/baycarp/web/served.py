"""What the server serves: what connections share, and pages from the disk."""

from dataclasses import dataclass
from typing import Any, Protocol

from baycarp.web.table import Listener

__all__ = ["Served", "ServedFile"]


class Served(Protocol):
    """What connections share: a table, or a study."""

    listeners: set[Listener]

    def greeting(self) -> dict[str, Any]:
        """What a new connection gets, and every one after a change."""

    async def run(self) -> None:
        """What goes on by itself; it ends when it is cancelled."""

    async def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Answer a message, or raise ``BaycarpError``."""


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A page from the disk, with its content policy."""

    text: str
    policy: str
