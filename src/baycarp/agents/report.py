"""A decision as text and as HTML, from its record alone."""

from collections.abc import Iterator, Mapping
from html import escape
from textwrap import wrap
from typing import Any

from baycarp.agents.sections import TraceSection, sections
from baycarp.agents.terms import percent
from baycarp.agents.value.shown import values_html, values_line

__all__ = ["as_html", "as_text"]


WIDE = 76
"""Columns of a row without its margins."""

CASES = 2
"""Retrieved cases beside the values; all of the record's are among the details."""


def as_text(decision: Mapping[str, Any]) -> str:
    """Render ``Decision.to_dict()`` as indented text: the sentence, the policy, then each step.

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
        lines += [f"similar  {each}" for each in _cases(decision)]
        lines += ["", "details"]
    lines.append(f"receipt  {1000 * decision['elapsed']:.2f} ms, {receipt}")
    for section in sections(decision):
        mark = "" if section.done else "  (not done)"
        lines.append(f"\n{section.title}  {1000 * section.seconds:.2f} ms{mark}")
        lines += ("  " + line for line in _lines(section))
    return "\n".join(lines)


def _stage(decision: Mapping[str, Any], name: str, field: str) -> Mapping[str, Any] | None:
    """The first stage of a name that was completed and has something in a field."""
    found = (each for each in decision["trace"] if each["stage"] == name and each["done"])
    return next((each for each in found if each[field]), None)


def _cases(decision: Mapping[str, Any]) -> list[str]:
    """The nearest retrieved cases, each as a line."""
    retrieval = _stage(decision, "retrieval", "nearest")
    return [
        f"{percent(case['similarity'])} alike: {case['solution']}, outcome {case['outcome']:+.2f} small bets"
        for case in (retrieval["nearest"][:CASES] if retrieval else ())
    ]


def _lines(section: TraceSection) -> Iterator[str]:
    """The rows of a section, then its table: names to the left, cells to the right."""
    width = max((len(name) for name, *_ in section.rows), default=0)
    for name, value in section.rows:
        first, *others = wrap(value, max(30, WIDE - width)) or [""]
        yield f"{name:<{width}}  {first}"
        yield from (" " * (width + 2) + line for line in others)
    widths = [max(map(len, column)) for column in zip(*section.table, strict=True)]
    for name, *cells in section.table:
        values = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *values])


def as_html(decision: Mapping[str, Any]) -> str:
    """Render ``Decision.to_dict()`` for a notebook: bars for the policy, then each step, folded.

    Where actions were valued, the bars are those of their values.
    """
    sentence = escape(as_text({**decision, "trace": []}).splitlines()[0])
    steps = "".join(
        f"<details><summary>{escape(section.title)} ({1000 * section.seconds:.2f} ms)</summary>"
        f"<pre>{escape(chr(10).join(_lines(section)))}</pre></details>"
        for section in sections(decision)
    )
    if value := _stage(decision, "value", "values"):
        cases = "".join(f"<li>{escape(each)}</li>" for each in _cases(decision))
        bars = values_html(value, decision["policy"]) + (f"<ul>{cases}</ul>" if cases else "")
        steps = f"<details><summary>details</summary>{steps}</details>"
    else:
        bars = f"<table>{_policy_bars(decision['policy'])}</table>"
    return f"<div><b>{sentence}</b>{bars}{steps}</div>"


def _policy_bars(policy: Mapping[str, float]) -> str:
    return "".join(
        f'<tr><td>{escape(action)}</td><td><svg width="160" height="12">'
        f'<rect width="{160 * p:.0f}" height="12" fill="#4878a8"/></svg></td><td>{p:.2f}</td></tr>'
        for action, p in policy.items()
    )
