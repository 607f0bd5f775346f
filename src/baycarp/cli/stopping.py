"""Interruptions that wait for the end of a step, so that no work is lost."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_IGN, SIGINT, SIGTERM, getsignal, signal
from types import FrameType

__all__ = ["Stop", "stopping"]


class Stop:
    """Whether an interruption was requested; called as ``stop()``.

    Attributes
    ----------
    status : int
        The exit status of the command: 0, 130 after Ctrl-C, 143 after SIGTERM.
    """

    def __init__(self) -> None:
        self.status = 0

    def __call__(self) -> bool:
        """Whether to stop."""
        return self.status != 0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: the first one is noted, the second one interrupts at once."""
        if self.status:
            raise KeyboardInterrupt
        self.status = 128 + number


@contextmanager
def stopping() -> Iterator[Stop]:
    """Note Ctrl-C and SIGTERM instead of raising them; not in threads, and no signal that is ignored."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: getsignal(number) for number in (SIGINT, SIGTERM)}
    for number, handler in before.items():
        if handler is not SIG_IGN:
            signal(number, stop.handle)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal(number, handler)
