"""A node of a solution for the page: JSON values, by class and by holding; nan becomes null."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES, DECK, HOLDINGS, blocked_by, text
from baycarp.errors import ArgumentError
from baycarp.solvers.spots.betting import Kind, Step
from baycarp.solvers.spots.equity import beside
from baycarp.solvers.spots.sizes import PLAYERS, STREETS
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.tree import SpotNode
from baycarp.solvers.spots.view import SpotView
from baycarp.web.frames import Frame

__all__ = ["ViewCache", "class_number"]

KINDS = {Kind.DECISION: "decision", Kind.DEAL: "deal", Kind.FOLD: "fold", Kind.SHOWDOWN: "showdown"}


def class_number(name: str) -> int:
    """The number of a starting class.

    Raises
    ------
    ArgumentError
        No such class.
    """
    if name not in CLASSES:
        raise ArgumentError(f"class {name[:20]!r}: expected one such as AKs, AKo or TT")
    return CLASSES.index(name)


class ViewCache:
    """The nodes of a solution that were looked at, as long as it does not change."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._views: dict[str, SpotView] = {}
        self._iterations = -1

    def at(self, line: str) -> SpotView:
        """A node; see ``Solution.at``."""
        if self._iterations != self.solution.iterations or len(self._views) > 200:
            self._views, self._iterations = {}, self.solution.iterations
        if line not in self._views:
            self._views[line] = self.solution.at(line)
        return self._views[line]

    def node(self, line: str) -> Frame:
        """A node: board, pot, the way to it, strategy and EV by class; the equity is ``equity``."""
        view = self.at(line)
        found: Frame = {
            "line": line,
            "kind": KINDS[view.node.kind],
            "board": _cards(view.board),
            "pot": _rounded(view.pot),
            "way": self._way(line),
            "iterations": self.solution.iterations,
            "players": [self._player(view, player) for player in PLAYERS],
            "chance": _rounded(view.met / max(self.at("").met, 1e-300), 6),
        }
        if view.node.kind is Kind.DEAL:
            found["dealt"] = STREETS[view.node.now.cards]
        if view.player:
            found |= self._decision(view)
        return found

    def _decision(self, view: SpotView) -> Frame:
        weights = self._met(view, view.node.now.player)
        shares = [_by_class(row, weights) for row in view.strategy]
        evs = [_by_class(row, weights) for row in view.action_ev]
        means = [view.mean(row, PLAYERS[view.node.now.player]) for row in view.action_ev]
        return {
            "toAct": view.node.now.player,
            "actions": [self._action(view.node, step) for step in view.node.steps],
            "frequencies": self._frequencies(view),
            "evs": [_rounded(each) for each in means],
            "shares": [_numbers(each) for each in shares],
            "actionEvs": [_numbers(each) for each in evs],
            "leftOut": view.node.left_out[:10],
        }

    def _action(self, node: SpotNode, step: Step) -> Frame:
        """An action: its name in lines, its kind, and its part of the pot."""
        place = self.solution.tree.rules.place(node.now)
        sized = step.name in ("bet", "raise", "all-in")
        return {
            "name": str(step),
            "kind": step.name,
            "pot": _rounded(place.share(step.total), 3) if sized else None,
        }

    def _player(self, view: SpotView, player: str) -> Frame:
        number = PLAYERS.index(player)
        reach, live = view.range(player), ~blocked_by(view.board)
        counts = np.maximum(np.bincount(CLASS_OF, live, 169), 1)
        values = view.ev(player)
        return {
            "weights": _numbers(np.bincount(CLASS_OF, reach, 169) / counts),
            "holdings": _rounded(float(reach.sum()), 1),
            "ev": _rounded(view.mean(values, player)),
            "evs": _numbers(_by_class(values, self._met(view, number))),
        }

    @staticmethod
    def _met(view: SpotView, player: int) -> NDArray[np.float64]:
        """The weights by which holdings count in a mean; its own alone where the other never comes."""
        own = view.range(PLAYERS[player])
        met = own * beside(view.range(PLAYERS[1 - player]))
        return met if met.any() else own

    def _frequencies(self, view: SpotView) -> list[float | None]:
        """The share of each action over the range."""
        weights = self._met(view, view.node.now.player)
        if not weights.any():
            return [None] * len(view.actions)
        return [_rounded(float(np.nan_to_num(row) @ weights / weights.sum())) for row in view.strategy]

    def _way(self, line: str) -> list[Frame]:
        """The steps to a node: at each decision the actions with their shares, at each deal the card."""
        words = [each.strip() for each in line.replace("/", ",").split(",") if each.strip()]
        found = list[Frame]()
        for number, word in enumerate(words):
            before = ", ".join(words[:number])
            view = self.at(before)
            if view.node.kind is Kind.DEAL:
                found.append(
                    {"line": before, "street": STREETS[view.node.now.cards], "card": word.capitalize()}
                )
                continue
            found.append(
                {
                    "line": before,
                    "toAct": view.node.now.player,
                    "actions": [self._action(view.node, step) for step in view.node.steps],
                    "frequencies": self._frequencies(view),
                    "chosen": view.node.steps.index(self.solution.tree.step(view.node, word)),
                }
            )
        return found

    def equity(self, line: str) -> Frame:
        """The equities of both players at a node, by class and in the mean."""
        view, found = self.at(line), list[Frame]()
        for number, player in enumerate(PLAYERS):
            values = view.equity(player)
            by_class = _numbers(_by_class(values, self._met(view, number)))
            found.append({"equity": _rounded(view.mean(values, player)), "equities": by_class})
        return {"line": line, "players": found}

    def holdings(self, line: str, player: str, name: str) -> Frame:
        """The holdings of a class at a node: weight, EV, equity; shares and EVs of the actions."""
        view, number = self.at(line), PLAYERS.index(player)
        own = np.flatnonzero((class_number(name) == CLASS_OF) & ~blocked_by(view.board))[::-1]
        acts = view.player == player
        weights, evs, equities = view.range(player), view.ev(player), view.equity(player)
        rows = [
            {
                "holding": text(HOLDINGS[at]),
                "weight": _rounded(float(weights[at])),
                "ev": _rounded(float(evs[at])),
                "equity": _rounded(float(equities[at])),
                "shares": _numbers(view.strategy[:, at]) if acts else [],
                "actionEvs": _numbers(view.action_ev[:, at]) if acts else [],
            }
            for at in own.tolist()
            if self.solution.spot.weights(number)[at] > 0
        ]
        return {"line": line, "player": player, "class": name, "rows": rows}

    def cards(self, line: str) -> Frame:
        """What every card of the deal at a node changes."""
        view = self.at(line)
        if view.node.kind is not Kind.DEAL:
            raise ArgumentError(f"line {line[:80]!r}: expected one that ends where a card is dealt")
        street = STREETS[view.node.now.cards]
        rows = []
        for record in self.solution.summary(street, line):
            rows.append(
                {
                    "card": record[street],
                    "chance": _rounded(record["chance"]),
                    "ev": [_rounded(record[f"ev {player}"]) for player in PLAYERS],
                    "equity": [_rounded(record[f"equity {player}"]) for player in PLAYERS],
                    "frequencies": {
                        name: _rounded(share)
                        for name, share in record.items()
                        if name.split()[0] in ("fold", "check", "call", "bet", "raise", "all-in")
                    },
                }
            )
        return {"line": line, "street": street, "rows": rows}


def _by_class(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of values of holdings by class; nan where the class has no weight, or no value."""
    known = (weights > 0) & ~np.isnan(values)
    sums = np.bincount(CLASS_OF[known], weights[known], 169)
    found = np.bincount(CLASS_OF[known], values[known] * weights[known], 169)
    return np.where(sums > 0, found / np.where(sums > 0, sums, 1.0), np.nan)


def _numbers(values: Sequence[float] | NDArray[np.floating]) -> list[float | None]:
    return [_rounded(float(each)) for each in values]


def _rounded(value: float, digits: int = 4) -> float | None:
    return None if np.isnan(value) else round(float(value), digits)


def _cards(ids: Sequence[int]) -> list[str]:
    return [DECK[each] for each in ids]
