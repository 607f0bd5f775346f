"""The record of a decision as sections in the words of players, from ``Decision.to_dict()`` alone."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from baycarp.agents.terms import (
    feature_words,
    node_words,
    percent,
    policy_words,
    state_words,
    value_words,
)

__all__ = ["TraceSection", "sections"]

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TraceSection:
    """One step of the record.

    Parameters
    ----------
    title
        What it is about.
    seconds
        Its duration.
    rows
        Names and values.
    table
        Several things beside each other: the first row has their names, the first column the quantities.
    done
        Whether it was completed.
    """

    title: str
    seconds: float
    rows: tuple[Row, ...]
    table: tuple[Row, ...] = ()
    done: bool = True


def sections(decision: Mapping[str, Any]) -> list[TraceSection]:
    """The steps of a decision in their order; the tiers of an anytime agent are one section."""
    tiers = [stage for stage in decision["trace"] if stage["stage"] == "tier"]
    found = [_tiers(tiers)] if tiers else []
    for stage in decision["trace"]:
        if stage["stage"] != "tier":
            title, rows, table = _SHOWN.get(stage["stage"], _any)(stage)
            found.append(TraceSection(title, stage["seconds"], tuple(rows), tuple(table), stage["done"]))
    return found


Shown = tuple[str, list[Row], list[Row]]
"""The title, the rows and the table of a section."""

_TIERS = {
    "rules": "at once",
    "cheapest": "at once",
    "cases": "by equity and price",
    "full": "by all that is known",
    "fast": "by a quick look",
    "look-ahead": "by looking ahead",
    "re-solve": "by solving the rest of the hand",
    "restricted re-solve": "by solving the rest of the hand against the model of the opponent",
}
"""The tiers of anytime agents."""


def _tiers(stages: list[Mapping[str, Any]]) -> TraceSection:
    rows = [
        (_TIERS.get(stage["tier"], stage["tier"]), stage["answer"] or f"left out: {stage['reason']}")
        for stage in stages
    ]
    return TraceSection("answers", sum(stage["seconds"] for stage in stages), tuple(rows))


_METHODS = {
    "equity": "equity and price",
    "look-ahead": "looking ahead",
    "re-solve": "solving the rest of the hand",
}


def _value(stage: Mapping[str, Any]) -> Shown:
    rows: list[Row] = [("found by", _METHODS.get(stage["method"], stage["method"]))]
    rows.append(("share of the pot", percent(stage["share"])))
    if stage["price"]:
        rows.append(("share that a call needs", percent(stage["price"])))
    rows.append(("opponents still in", str(stage["opponents"])))
    if stage["to_come"]:
        rows.append(("cards to come", str(stage["to_come"])))
    rows.append(("trust in what is known of them", percent(stage["trust"])))
    if stage["removed"]:
        rows.append(("left out as worse", ", ".join(stage["removed"])))
    if stage["safe"]:
        rows.append(("safe", "a best response wins no more"))
    return "values", rows, []


def _beliefs(stage: Mapping[str, Any]) -> Shown:
    columns = [_belief(each) for each in stage["opponents"]]
    names = tuple(each["player"] for each in stage["opponents"])
    return "what the opponents did and may hold", [], _beside(names, columns)


def _belief(opponent: Mapping[str, Any]) -> dict[str, str]:
    """One opponent: what it did, its likeliest starting hands and hands, and the holdings in its range."""
    found = {node_words(node): state_words(node, state) for node, state in opponent["evidence"].items()}
    for name, chance in [*opponent["groups"].items(), *opponent["types"].items()]:
        found[state_words("", name)] = percent(chance)
    return found | {"holdings in its range": f"{opponent['holdings']:,}"}


def _case(stage: Mapping[str, Any]) -> Shown:
    rows = list[Row]()
    for name, value in stage["values"].items():
        if isinstance(value, Mapping):
            shown = ", ".join(
                f"{state_words('', state)} {percent(chance)}" for state, chance in value.items()
            )
        else:
            shown = value_words(name, value)
        rows.append((feature_words(name), shown))
    return "the situation", rows, []


def _retrieval(stage: Mapping[str, Any]) -> Shown:
    found = f"{stage['cases']:,} of {stage['stored']:,} cases, {stage['compared']:,} compared"
    rows: list[Row] = [("similar", found)]
    if stage["fell_back"]:
        rows.append(("too few are similar", "the nearest are taken"))
    return "similar cases", rows, _cases(stage["nearest"])


def _cases(cases: list[Mapping[str, Any]]) -> list[Row]:
    """Cases beside each other; features in which all are the same are left out."""
    columns = []
    for case in cases:
        column = {
            "alike": percent(case["similarity"]),
            "did": case["solution"],
            "small bets": _won(case["outcome"]),
        }
        alike = {name: share for name, share in case["columns"].items() if not _is_same(name, cases)}
        columns.append(column | {feature_words(name): percent(share) for name, share in alike.items()})
    return _beside(tuple(str(case["case"]) for case in cases), columns)


def _is_same(name: str, cases: list[Mapping[str, Any]]) -> bool:
    return all(case["columns"].get(name, 1) > 0.9995 for case in cases)


def _won(outcome: float) -> str:
    return f"{outcome:+.2f}" if outcome else "0"


def _reuse(stage: Mapping[str, Any]) -> Shown:
    rows: list[Row] = [("chosen", policy_words(stage["policy"]))]
    several = len(stage["memories"]) > 1
    if several:
        rows.append(("memories", f"{len(stage['memories'])}, {stage['together']}"))
    if stage["explore"]:
        rows.append(("any action for a try", percent(stage["explore"])))
    if stage["draw"] is not None:
        rows.append(("drawn by", f"{stage['draw']:.3f}"))
    if stage["cited"]:
        rows.append(("weighed most", ", ".join(str(each["case"]) for each in stage["cited"])))
    names, columns = list[str](), list[dict[str, str]]()
    for number, memory in enumerate(stage["memories"], 1):
        for solution, votes in memory["votes"].items():
            names.append(f"{solution} ({number})" if several else solution)
            mean = memory["outcomes"].get(solution, 0.0) / votes if votes else 0.0
            columns.append({
                "cases": f"{votes:,}",
                "small bets on average": _won(mean),
                "probability": percent(memory["probabilities"].get(solution, 0.0)),
            })  # fmt: skip
    return "what was done in similar cases", rows, _beside(tuple(names), columns)


_SHOWN: Mapping[str, Callable[[Mapping[str, Any]], Shown]] = {
    "value": _value,
    "beliefs": _beliefs,
    "case": _case,
    "retrieval": _retrieval,
    "reuse": _reuse,
}
"""The stages with words of their own."""


def _any(stage: Mapping[str, Any]) -> Shown:
    """Another stage, by the names of its fields; a list of records is its table."""
    rows, table = list[Row](), list[Row]()
    for key, value in stage.items():
        if key in ("stage", "seconds", "done") or value in ("", None, [], {}):
            continue
        name = key.replace("_", " ")
        if isinstance(value, list) and isinstance(value[0], Mapping):
            table += _columns(value)
        elif isinstance(value, Mapping) and any(
            isinstance(inner, Mapping | list) for inner in value.values()
        ):
            rows += [(f"{name} {inner}", _word(given)) for inner, given in value.items()]
        else:
            rows.append((name, _word(value)))
    return stage["stage"], rows, table


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_word(inner)}" for key, inner in value.items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(_word, value)) or "-"
    return str(value)


def _columns(records: list[Mapping[str, Any]]) -> list[Row]:
    """Records as columns and fields as lines, since records are few and fields many."""
    flat = [dict(_fields(record)) for record in records]
    for record in flat:
        if "player" in record:  # it is named by its seat, or by its own name
            record.pop("position", None)
    first = next(iter(flat[0]))
    names = tuple(record.pop(first, "-") for record in flat)
    return [(first.replace("_", " "), *names), *_beside(names, flat)[1:]]


def _fields(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fields of a record, mappings entry by entry; a key that occurs twice follows its field's name."""
    keys = Counter(key for value in record.values() if isinstance(value, Mapping) for key in value)
    for name, value in record.items():
        if isinstance(value, Mapping):
            for key, inner in value.items():
                yield key if keys[key] == 1 else f"{name} {key}", _word(inner)
        else:
            yield name.replace("_", " "), _word(value)


def _beside(names: Row, columns: list[dict[str, str]]) -> list[Row]:
    """Columns as the rows of a table under their names; "-" where one lacks a quantity."""
    if not columns:
        return []
    quantities = dict.fromkeys(name for column in columns for name in column)
    return [("", *names), *((name, *(column.get(name, "-") for column in columns)) for name in quantities)]
