"""Options that several experiments share."""

from baycarp.cli.options import JSON, count, option

__all__ = ["JSON", "ONE_WORKER"]

ONE_WORKER = option("--workers", type=count, default=1, help="processes")
