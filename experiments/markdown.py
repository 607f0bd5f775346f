"""Tables as the pages have them."""

from collections.abc import Sequence

__all__ = ["rows"]


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table that is also aligned in the source."""
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [head, ["-" * width for width in widths], *body]
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]
