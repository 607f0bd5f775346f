"""The stages of a decision: frozen records whose fields explanations, statistics and drawings read.

A decision's trace is a tuple of stages in the order in which they were done: the tiers of an anytime agent
first, then the parts of the tier that answered. Each player declares the stages of its own beside its class.
``trace_json`` reads traces from JSON, and has the schema of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from typing import Any, ClassVar, TypeVar

from baycarp.game.action import Action, action_text

__all__ = [
    "STAGES",
    "UNRECORDED",
    "VERSION",
    "OpponentStage",
    "Stage",
    "TierStage",
    "recorded",
    "stage_of",
    "trace_record",
]

VERSION = 2
"""Of the JSON form; version 1 had free dictionaries."""

UNRECORDED: Mapping[str, bool] = {"unrecorded": True}
"""The metadata of a field that is there in Python alone."""

STAGES: dict[str, "type[Stage]"] = {}
"""The stages of all players that are imported, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step on the way to a decision; subclasses give their ``name`` in JSON and text.

    Parameters
    ----------
    seconds
        Its duration.
    done
        Whether it was completed.
    """

    name: ClassVar[str]
    seconds: float = 0.0
    done: bool = True

    def __init_subclass__(cls, name: str = "") -> None:
        cls.name = name or cls.name  # a dataclass with slots is made a second time, without the argument
        STAGES[cls.name] = cls


@dataclass(frozen=True, slots=True)
class TierStage(Stage, name="tier"):
    """A tier of an anytime agent: its answer, or why it was left out."""

    tier: str
    answer: Action | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpponentStage(Stage, name="opponents"):
    """The opponents' weight tables were made."""


S = TypeVar("S", bound=Stage)


def stage_of(trace: Sequence[Stage], kind: type[S]) -> S | None:
    """The first stage of a kind that was completed."""
    found: Any = next((stage for stage in trace if isinstance(stage, kind) and stage.done), None)
    return found  # type: ignore[no-any-return]


def trace_record(trace: Iterable[Stage]) -> list[dict[str, Any]]:
    """Every stage as plain data, its name under ``"stage"``; actions are text, ``"raise 40"``."""
    return [{"stage": stage.name, **_plain(stage)} for stage in trace]


def recorded(kind: Any) -> list["Field[Any]"]:
    """The fields of a dataclass that belong to its record: not those with ``UNRECORDED`` metadata."""
    return [entry for entry in fields(kind) if not entry.metadata.get("unrecorded")]


def _plain(value: Any) -> Any:
    if isinstance(value, Action):
        return action_text(value)
    if is_dataclass(value):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in recorded(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value
