"""Faults of the server itself: each is written to a file of the user's own, and stated in a sentence."""

import logging
import sys
import traceback
from pathlib import Path

from baycarp.files import plain_text
from baycarp.strategies.memory import home

__all__ = ["LINES", "LOG", "PageLog", "fault_message", "fault_path"]

LINES = 10
"""Faults of a run that are written, and stated on the terminal."""

MOST = 1 << 20
"""Bytes of the file, beyond which it begins anew."""

LOG = logging.getLogger("baycarp.page")


def fault_path() -> Path:
    """The file of the faults, with tracebacks."""
    return home() / "page-faults.log"


def fault_message(error: Exception) -> dict[str, str]:
    """Log an error that nobody expected; the message that the page shows."""
    LOG.error("a fault of the server", exc_info=error)
    where = f"it is written to {fault_path()}"
    reason = f"The server met a fault ({type(error).__name__}): {where}; the hand goes on."
    return {"type": "error", "error": "fault", "reason": reason, "about": ""}


class PageLog(logging.Handler):
    """The first ``LINES`` faults: in a line each on the terminal, with tracebacks in the file."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._left = LINES

    def emit(self, record: logging.LogRecord) -> None:
        """State the fault, and keep its traceback."""
        error = record.exc_info[1] if record.exc_info else None
        foreign = isinstance(error, UnicodeDecodeError) and record.name.startswith("uvicorn")
        if foreign or not self._left:  # a message that is no text ends its connection alone
            return
        self._left -= 1
        what = f"{type(error).__name__}: {error}" if error else record.getMessage()
        kept = f" (in {fault_path()})" if error and _written(error) else ""
        line = plain_text(" ".join(what.split()))[:200]
        print(f"page: {line}{kept}", file=sys.stderr, flush=True)


def _written(error: BaseException) -> bool:
    """Whether the traceback is in the file now."""
    path, text = fault_path(), "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if file.tell() > MOST:
                file.truncate(0)
            file.write(f"{plain_text(text)}\n".encode())
    except OSError:
        return False
    return True
