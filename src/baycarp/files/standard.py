"""Standard streams that the caller closed (``baycarp ... >&-``) are opened on the null device."""

import os
import sys

__all__ = ["open_standard"]


def open_standard() -> None:
    """Open what is closed of descriptors 0 to 2, and the streams of ``sys`` over them.

    Else the next file that is opened has the number of standard output, and others print into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))
