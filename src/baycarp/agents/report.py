"""A decision as text and as HTML, from its record alone."""

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from baycarp.agents.value.shown import values_html, values_line

__all__ = ["as_html", "as_text"]


CASES = 2
"""Retrieved cases beside the values; all of the record's are among the details."""


def as_text(decision: Mapping[str, Any]) -> str:
    """Render ``Decision.to_dict()`` as indented text: the sentence, the policy, then each stage.

    Where actions were valued, values come next to the sentence, and what is behind them under "details".
    """
    amount = f" {decision['amount']}" if decision["amount"] else ""
    receipt = "every stage done, nothing sampled" if decision["exact"] else "cut short or sampled"
    lines = [
        f"{decision['action']}{amount}" + (f": {decision['reason']}" if decision["reason"] else ""),
        "policy   " + "  ".join(f"{action}: {p:.2f}" for action, p in decision["policy"].items()),
    ]
    if value := _stage(decision, "value", "values"):
        lines.insert(1, f"values   {values_line(value)}")
        lines += [f"case     {each}" for each in _cases(decision)]
        lines += ["", "details"]
    lines.append(f"receipt  {1000 * decision['elapsed']:.2f} ms, {receipt}")
    for stage in decision["trace"]:
        mark = "" if stage["done"] else "  (not done)"
        lines.append(f"\n{stage['stage']}  {1000 * stage['seconds']:.2f} ms{mark}")
        lines += ("  " + line for line in _lines(_figures(stage)))
    return "\n".join(lines)


def _stage(decision: Mapping[str, Any], name: str, field: str) -> Mapping[str, Any] | None:
    """The first stage of a name that was completed and has something in a field."""
    found = (each for each in decision["trace"] if each["stage"] == name and each["done"])
    return next((each for each in found if each[field]), None)


def _cases(decision: Mapping[str, Any]) -> list[str]:
    """The nearest retrieved cases, each as a line."""
    retrieval = _stage(decision, "retrieval", "nearest")
    return [
        f"{case['case']}, {case['similarity']:.3f} similar: "
        f"{case['solution']}, outcome {case['outcome']:+.2f}"
        for case in (retrieval["nearest"][:CASES] if retrieval else ())
    ]


def _figures(stage: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a stage that are not empty, with their names in words."""
    return {
        key.replace("_", " "): value
        for key, value in stage.items()
        if key not in ("stage", "seconds", "done") and value not in ("", None, [], {})
    }


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    width = max((len(str(key)) for key in figures), default=0)
    for key, value in figures.items():
        if isinstance(value, Mapping) and any(isinstance(inner, Mapping | list) for inner in value.values()):
            yield f"{key}"
            yield from ("  " + line for line in _lines(value))
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            yield f"{key}"
            yield from ("  " + line for line in _columns(value))
        else:
            yield f"{key!s:<{width}}  {_word(value)}"


def _word(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_word(inner)}" for key, inner in value.items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(_word, value)) or "-"
    return str(value)


def _columns(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """Records as columns and fields as lines, since records are few and fields many."""
    flat = [dict(_fields(row)) for row in rows]
    for row in flat:
        if "player" in row:  # it is named by its seat, or by its own name
            row.pop("position", None)
    names = list(dict.fromkeys(name for row in flat for name in row))
    table = [[name, *(row.get(name, "-") for row in flat)] for name in names]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *cells in table:
        values = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *values])


def _fields(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fields of a record, mappings entry by entry; a key that occurs twice follows its field's name."""
    keys = Counter(key for value in row.values() if isinstance(value, Mapping) for key in value)
    for name, value in row.items():
        if isinstance(value, Mapping):
            for key, inner in value.items():
                yield key if keys[key] == 1 else f"{name} {key}", _word(inner)
        else:
            yield name, _word(value)


def as_html(decision: Mapping[str, Any]) -> str:
    """Render ``Decision.to_dict()`` for a notebook: bars for the policy, then each stage, folded.

    Where actions were valued, the bars are those of their values.
    """
    sentence = escape(as_text({**decision, "trace": []}).splitlines()[0])
    stages = "".join(
        f"<details><summary>{escape(stage['stage'])} ({1000 * stage['seconds']:.2f} ms)</summary>"
        f"<pre>{escape(chr(10).join(_lines(_figures(stage))))}</pre></details>"
        for stage in decision["trace"]
    )
    if value := _stage(decision, "value", "values"):
        cases = "".join(f"<li>case {escape(each)}</li>" for each in _cases(decision))
        bars = values_html(value, decision["policy"]) + (f"<ul>{cases}</ul>" if cases else "")
        stages = f"<details><summary>details</summary>{stages}</details>"
    else:
        bars = f"<table>{_policy_bars(decision['policy'])}</table>"
    return f"<div><b>{sentence}</b>{bars}{stages}</div>"


def _policy_bars(policy: Mapping[str, float]) -> str:
    return "".join(
        f'<tr><td>{escape(action)}</td><td><svg width="160" height="12">'
        f'<rect width="{160 * p:.0f}" height="12" fill="#4878a8"/></svg></td><td>{p:.2f}</td></tr>'
        for action, p in policy.items()
    )
