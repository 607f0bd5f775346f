"""A spot of two players solved: what an equilibrium does with every hand."""

from typing import Any

import numpy as np

from baycarp.api.solve_spot import solve_spot
from baycarp.card import text
from baycarp.errors import ArgumentError, brief
from baycarp.solvers.spots.sizes import STREETS
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.view import SpotView
from baycarp.tools.parameters import BettingLine, Hole, StreetSpot

__all__ = ["solve"]

SECONDS = 3.0
"""The time of the iterations."""

TARGET = 0.5
"""Exploitability at which a solve ends, in per cent of the pot."""

MEMORY = 1 << 30
"""Bytes that a solve may take; more is refused before it begins."""

MOST_DECISIONS = 600
"""Decisions of a tree, before it is dealt; more are refused before it is solved."""

MOST_SIZES = 4
"""Bets, and raises, that a decision may have: a tree of more takes long to lay out."""

LISTED = 24
"""Decisions of the first street in an answer."""


def solve(spot: StreetSpot, line: BettingLine = "", holding: Hole = "") -> dict[str, Any]:
    """Solve a spot of two players on a flop, turn or river: approach its equilibrium, range against range.

    'exploitability' is in per cent of the pot: how far the result is from an equilibrium; 'values' are the
    chips that each player (oop acts first, ip last) gets of the pot. 'lines' has the decisions of the first
    street: how often each comes, and the shares of the actions there. 'at' is the decision after 'line', with
    the shares of the actions by starting hand; with 'holding' that hand's own shares and values in chips.
    """
    for name in ("sizes", "raises"):
        if (count := getattr(spot, name).count(",") + 1) > MOST_SIZES:
            raise ArgumentError(f"{name}: {count}: expected at most {MOST_SIZES}")
    given = Spot(spot.board, spot.pot, spot.stack, spot.oop, spot.ip, spot.sizes, spot.raises)
    if (decisions := given.build_tree().counts()["decisions"]) > MOST_DECISIONS:
        raise ArgumentError(f"{decisions} decisions: expected at most {MOST_DECISIONS}: give fewer sizes")
    solution = solve_spot(given, TARGET, SECONDS, memory=MEMORY)
    found: dict[str, Any] = {
        "exploitability": round(solution.exploitability, 3),
        "iterations": solution.iterations,
        "values": {"oop": round(solution.values[0], 2), "ip": round(solution.values[1], 2)},
        "lines": _lines(solution),
    }
    return found | _at(solution, line, holding)


def _lines(solution: Solution) -> dict[str, Any]:
    """The decisions of the first street: how often each comes, and the shares of its actions."""
    total = solution.at().met
    views = (solution.at(line) for line in solution.tree.lines(STREETS[len(solution.spot.cards)])[:LISTED])
    return {view.line: _rounded({"chance": view.met / total, **view.frequencies()}) for view in views}


def _at(solution: Solution, line: str, holding: str) -> dict[str, Any]:
    view = solution.at(line)
    if view.player is None:
        raise ArgumentError(f"line {line[:80]!r}: expected one that ends at a decision")
    at: dict[str, Any] = {"line": line, "board": text(view.board), "player": view.player, "pot": view.pot}
    at["shares"] = _rounded(view.frequencies())
    if holding:
        records = [each for each in view.to_records() if set(_cards(each["holding"])) == set(_cards(holding))]
        if not records:
            raise ArgumentError(f"holding {brief(holding)}: expected one of the range of {view.player} here")
        return {"at": at, "holding": _rounded(records[0])}
    return {"at": at, "by starting hand": _by_class(view)}


def _by_class(view: SpotView) -> dict[str, list[float]]:
    """Of each starting hand in the range the shares of the actions, in their order."""
    records = view.to_records()
    found: dict[str, list[float]] = {}
    for name in dict.fromkeys(str(each["class"]) for each in records):
        rows = [each for each in records if each["class"] == name and each["weight"] > 0]
        if rows:
            weights = np.array([each["weight"] for each in rows])
            shares = np.array([[each[action] for action in view.actions] for each in rows])
            found[name] = [round(float(share), 3) for share in weights @ shares / weights.sum()]
    return found


def _cards(holding: str) -> tuple[str, str]:
    return holding[:2], holding[2:]


def _rounded(value: Any) -> Any:
    """Numbers with three digits."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value
