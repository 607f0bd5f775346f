"""The values of the actions as a line of text and as bars, from the record of their stage alone."""

from collections.abc import Mapping
from html import escape
from typing import Any

from baycarp.agents.value.words import amount_words

__all__ = ["values_html", "values_line"]

WIDE, HIGH = 200, 12
"""Of a bar's picture, in pixels; the bars of all actions share one scale and one zero."""

GAIN, LOSS, LINE = "#4878a8", "#b5533c", "#888"


def values_line(stage: Mapping[str, Any]) -> str:
    """The values, the best first, with their errors and their unit.

    Examples
    --------
    >>> call = {"action": "call 20", "chips": -24.0, "error": 2.0}
    >>> values_line({"values": [call, {"action": "fold", "chips": 0.0, "error": 0.0}], "big_blind": 20})
    'fold 0, call 20 -1.20 ± 0.10 (big blinds)'
    """
    words = (f"{each['action']} {_amount(each, stage)}" for each in _ordered(stage))
    return f"{', '.join(words)} ({_unit(stage)})"


def values_html(stage: Mapping[str, Any], policy: Mapping[str, float]) -> str:
    """A table: each action, its value as a bar with its error, in numbers, and its probability."""
    ends = [each["chips"] + sign * each["error"] for each in stage["values"] for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    scale = WIDE / (high - low or 1.0)
    head = "".join(f'<th scope="col">{name}</th>' for name in ("action", "", _unit(stage), "probability"))
    rows = "".join(
        f'<tr><th scope="row">{escape(each["action"])}</th><td>{_bar(each, low, scale)}</td>'
        f"<td>{_amount(each, stage)}</td><td>{policy.get(each['action'], 0.0):.2f}</td></tr>"
        for each in _ordered(stage)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _ordered(stage: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return sorted(stage["values"], key=lambda each: -each["chips"])


def _amount(value: Mapping[str, Any], stage: Mapping[str, Any]) -> str:
    return amount_words(value["chips"], value["error"], stage["big_blind"])


def _unit(stage: Mapping[str, Any]) -> str:
    return "big blinds" if stage["big_blind"] else "chips"


def _bar(value: Mapping[str, Any], low: float, scale: float) -> str:
    """From the zero of all bars to the value, with a line over its error."""
    zero, end = -low * scale, (value["chips"] - low) * scale
    half, middle = value["error"] * scale, HIGH // 2
    colour = GAIN if value["chips"] > 0 else LOSS
    return (
        f'<svg width="{WIDE}" height="{HIGH}" aria-hidden="true">'
        f'<rect x="{min(zero, end):.0f}" width="{abs(end - zero):.0f}" height="{HIGH}" fill="{colour}"/>'
        f'<path d="M{zero:.0f} 0V{HIGH}M{end - half:.0f} {middle}H{end + half:.0f}" stroke="{LINE}"/></svg>'
    )
