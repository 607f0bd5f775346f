"""Traces from JSON, and the JSON schema of them: both from the types of the stages of all players."""

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, is_dataclass
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import baycarp.agents.registry  # noqa: F401  # every player, and with it its stages
from baycarp.agents.trace import STAGES, VERSION, Stage, recorded
from baycarp.errors import ModelError, brief
from baycarp.game.action import ACTIONS, Action, action_from_text

__all__ = ["json_schema", "read_trace"]


def read_trace(records: Iterable[Mapping[str, Any]]) -> tuple[Stage, ...]:
    """The trace that ``trace.trace_record`` wrote.

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
        raise ModelError(f"trace: expected one of version {VERSION}: {brief(error)}") from error


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


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in recorded(kind)}


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
            raise TypeError(f"{brief(value)}: expected a list")
        return tuple(_read(arguments[0], inner) for inner in value)
    flag = isinstance(value, bool) and hint is not bool  # to Python a bool is a number, in JSON it is not
    if flag or not isinstance(value, (int, float) if hint is float else hint):
        raise TypeError(f"{brief(value)}: expected {hint.__name__}")
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
        entry.name
        for entry in recorded(kind)
        if entry.default is MISSING and entry.default_factory is MISSING
    )
    return {
        "type": "object",
        "properties": properties | {name: _schema(hint) for name, hint in _hints(kind).items()},
        "required": [*properties, *required],
        "additionalProperties": False,
    }
