"""Output that nobody reads any more, as of ``baycarp agents | head -1``: the command ends quietly."""

import os
import sys
from collections.abc import Callable

__all__ = ["UNREAD", "status_of"]

UNREAD = 141
"""The exit status then: that of a program which SIGPIPE ends."""


def status_of(run: Callable[[], int]) -> int:
    """The exit status of a command, ``UNREAD`` where the pipe of its output was closed."""
    try:
        try:
            return run()
        finally:
            sys.stdout.flush()  # here, where an error is seen; at the end of the process it would be printed
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # so rich ends a program
            return UNREAD
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
