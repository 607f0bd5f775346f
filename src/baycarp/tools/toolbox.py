"""All tools by name."""

from collections.abc import Callable, Mapping
from typing import Any

from baycarp.tools.cards import equity, ranges, strength
from baycarp.tools.hands import HandTools, decide
from baycarp.tools.spots import solve

__all__ = ["Tool", "toolbox"]

Tool = Callable[..., dict[str, Any]]
"""Its signature becomes the JSON schema, its docstring the description that a model reads."""


def toolbox(recorded: HandTools) -> Mapping[str, Tool]:
    """The tools by name; those of recorded hands read the files of ``recorded``."""
    return {
        "equity": equity,
        "strength": strength,
        "ranges": ranges,
        "decide": decide,
        "solve": solve,
        "read_hand": recorded.read_hand,
        "review_hand": recorded.review_hand,
        "statistics": recorded.statistics,
    }
