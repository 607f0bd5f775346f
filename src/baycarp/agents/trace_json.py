"""Traces as JSON, back from JSON, and the JSON schema of them: all three from the stages' own types."""

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from baycarp.agents.trace import STAGES, Stage
from baycarp.errors import ModelError
from baycarp.game.action import ACTIONS, Action, action_from_text, action_text

__all__ = ["VERSION", "json_schema", "read_trace", "trace_record"]

VERSION = 2
"""Of the JSON form; version 1 had free dictionaries."""


def trace_record(trace: Iterable[Stage]) -> list[dict[str, Any]]:
    """Every stage as plain data, its name under ``"stage"``; actions are text, ``"raise 40"``."""
    return [{"stage": stage.name, **_plain(stage)} for stage in trace]


def read_trace(records: Iterable[Mapping[str, Any]]) -> tuple[Stage, ...]:
    """The trace that ``trace_record`` wrote.

    Raises
    ------
    ModelError
        Not a trace of this version.
    """
    try:
        return tuple(
            _read(STAGES[record["stage"]], {k: v for k, v in record.items() if k != "stage"})
            for record in records
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"trace: expected one of version {VERSION}: {error!r}") from error


def json_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a trace.

    Examples
    --------
    >>> json_schema()["items"]["oneOf"][0]["properties"]["stage"]
    {'const': 'tier'}
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"baycarp trace, version {VERSION}",
        "type": "array",
        "items": {"oneOf": [_object(kind, {"stage": {"const": name}}) for name, kind in STAGES.items()]},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Action):
        return action_text(value)
    if is_dataclass(value):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in fields(kind)}


def _read(hint: Any, value: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Action:
        return action_from_text(value)
    if is_dataclass(hint):
        hints = _hints(hint)  # type: ignore[arg-type]
        unknown = set(value) - set(hints)
        if unknown:
            raise ValueError(f"{hint.__name__}: unknown {sorted(unknown)}")  # type: ignore[union-attr]
        return hint(**{name: _read(hints[name], inner) for name, inner in value.items()})  # type: ignore[operator]
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        inner = [each for each in arguments if each is not type(None)]
        mapping = next((each for each in inner if _is_mapping(each)), None)
        if isinstance(value, str) and str in inner:
            return value
        return _read(mapping if mapping is not None and isinstance(value, Mapping) else inner[0], value)
    if _is_mapping(hint):
        return {key: _read(arguments[1], inner) for key, inner in value.items()}
    if origin in (tuple, Sequence):
        if not isinstance(value, list | tuple):
            raise TypeError(f"{value!r}: expected a list")
        return tuple(_read(arguments[0], inner) for inner in value)
    flag = isinstance(value, bool) and hint is not bool  # to Python a bool is a number, in JSON it is not
    if flag or not isinstance(value, (int, float) if hint is float else hint):
        raise TypeError(f"{value!r}: expected {hint.__name__}")
    return value


def _is_mapping(hint: Any) -> bool:
    return get_origin(hint) in (dict, Mapping)


NAMES = {
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
}

ACTION = {"type": "string", "pattern": f"^({'|'.join(ACTIONS)})( [0-9]+)?$"}
"""The text of an action."""


def _schema(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Action:
        return ACTION
    if hint in NAMES:
        return {"type": NAMES[hint]}
    if is_dataclass(hint):
        return _object(hint, {})
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each) for each in arguments]}
    if _is_mapping(hint):
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    return {"type": "array", "items": _schema(arguments[0])}


def _object(kind: Any, properties: dict[str, Any]) -> dict[str, Any]:
    required = (
        entry.name for entry in fields(kind) if entry.default is MISSING and entry.default_factory is MISSING
    )
    return {
        "type": "object",
        "properties": properties | {name: _schema(hint) for name, hint in _hints(kind).items()},
        "required": [*properties, *required],
        "additionalProperties": False,
    }
