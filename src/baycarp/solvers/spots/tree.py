"""The public tree of a spot without cards: built from sizes, edited by hand, and as arrays.

A line is a way through it: ``"check, bet 60%, call, check"``. Its steps have commas or slashes between them,
sizes as in ``sizes`` or as totals in chips. Cards may stand where a street begins: ``"check, check, 2s"``.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import DECK, as_cards
from baycarp.errors import ArgumentError, CardError, brief
from baycarp.solvers.spots.betting import BettingRules, Kind, Moment, Step
from baycarp.solvers.spots.sizes import PLAYERS, STREETS, parse_sizes

__all__ = ["MOST_NODES", "PlacedLine", "SpotNode", "SpotTree", "TreeArrays"]

MOST_NODES = 1 << 20
"""Nodes of a tree, at most."""

_SIZED = ("bet", "raise", "all-in")
_SHORT = {"f": "fold", "x": "check", "k": "check", "c": "call", "a": "all-in", "allin": "all-in"}
_BET = re.compile(r"(?:(?:bet|raise|b|r|all-in)\s*(?:to\s*)?)?(?P<size>[0-9.]+|[0-9.]*[%cxe])")


@dataclass(slots=True, eq=False)
class SpotNode:
    """A node: a decision with its steps and what follows each, a deal with one child, or a leaf.

    Parameters
    ----------
    kind
        What it is.
    now
        The betting there; of a fold, that of the player that folds.
    steps, children
        Of a decision: fold, check or call, bets ascending; and the node after each.
    left_out
        Sizes that do not exist there, and why.
    """

    kind: Kind
    now: Moment
    steps: list[Step] = field(default_factory=list)
    children: list["SpotNode"] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        """Whether nothing follows."""
        return self.kind in (Kind.FOLD, Kind.SHOWDOWN)

    def child(self, step: Step) -> "SpotNode":
        """What follows a step."""
        return self.children[self.steps.index(step)]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedLine:
    """Where a line leads: the node, the cards that it names, the nodes on the way and the steps from each."""

    node: SpotNode
    cards: tuple[int, ...]
    way: tuple[tuple[SpotNode, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class TreeArrays:
    """A tree as the engine has it: nodes in the order of breadth, children one after another.

    Parameters
    ----------
    kind, player, first, count
        uint8, int8, int32, int32, shape (nodes,): see ``Kind``; the player of a decision; the first child and
        the number of children.
    payoff
        float64, shape (nodes, 2, 3): for each player what it has at a leaf when it wins, ties, loses.
    cards
        uint8, shape (nodes,): the cards on the board; of a deal, those before it.
    index
        The number of each node.
    """

    kind: NDArray[np.uint8]
    player: NDArray[np.int8]
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    payoff: NDArray[np.float64]
    cards: NDArray[np.uint8]
    index: Mapping[SpotNode, int]


class SpotTree:
    """The betting of a spot; ``add`` and ``remove`` change it in place.

    Parameters
    ----------
    rules
        Pot, stack and sizes.
    start
        The betting at the root.
    root
        Of an own tree; None = it is built by the rules.

    Raises
    ------
    ArgumentError
        A tree of more than ``MOST_NODES`` nodes.

    Examples
    --------
    >>> from baycarp.solvers.spots.spot import Spot
    >>> tree = Spot("Td9d6hQc2s", pot=200, stack=900, sizes="60%", raises="").build_tree()
    >>> tree.add("check, bet 60%", "raise a")
    >>> print(tree)
    oop  check
      ip  check > showdown 200
      ip  bet 120
        oop  fold > ip wins 200
        oop  call > showdown 440
        oop  all-in 900
          ip  fold > oop wins 440
          ip  call > showdown 2000
    oop  bet 120
      ip  fold > oop wins 200
      ip  call > showdown 440
    """

    def __init__(self, rules: BettingRules, start: Moment, root: SpotNode | None = None) -> None:
        self.rules = rules
        self.root = root or SpotNode(Kind.DECISION, start)
        if root is None:
            self._grow(self.root)

    def _grow(self, top: SpotNode) -> None:
        """Build what follows a node."""
        waiting, made = [top], 0
        while waiting:
            node = waiting.pop()
            if node.kind is Kind.DEAL:
                node.children = [SpotNode(Kind.DECISION, node.now)]
            elif node.kind is Kind.DECISION:
                node.steps, node.left_out = self.rules.steps(node.now)
                node.children = [SpotNode(*self.rules.after(node.now, step)) for step in node.steps]
            waiting += node.children
            made += len(node.children)
            if made > MOST_NODES:
                raise ArgumentError(
                    f"a tree of more than {MOST_NODES:,} nodes: expected fewer or larger sizes"
                )

    def __iter__(self) -> Iterator[SpotNode]:
        """The nodes in the order of breadth."""
        waiting = deque([self.root])
        while waiting:
            node = waiting.popleft()
            yield node
            waiting += node.children

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def copy(self) -> "SpotTree":
        """An independent copy."""
        return SpotTree(self.rules, self.root.now, _copied(self.root))

    def find(self, line: str) -> PlacedLine:
        """Where a line leads; where it ends before a deal, to the deal.

        Raises
        ------
        ArgumentError
            A step that is not in the tree.
        CardError
            A card twice, or one where none is dealt.
        """
        node = self.root
        cards, way = list[int](), list[tuple[SpotNode, int]]()
        for word in filter(None, (each.strip() for each in re.split(r"[,/]", line))):
            card = _card(word)
            if card is not None and node.kind is not Kind.DEAL:
                raise CardError(f"line {line[:80]!r}: card {word}: expected where a street begins")
            if node.kind is Kind.DEAL:
                node = node.children[0]
                if card is not None:
                    cards.append(card)
                    continue
            at = node.steps.index(self.step(node, word)) if node.steps else -1
            if at < 0:
                raise ArgumentError(f"line {line[:80]!r}: {word!r}: expected nothing, the hand is over")
            way.append((node, at))
            node = node.children[at]
        as_cards(cards, f"cards of line {line[:80]!r}")
        return PlacedLine(node, tuple(cards), tuple(way))

    def step(self, node: SpotNode, word: str) -> Step:
        """The step of a decision that a text names: ``"fold"``, ``"bet 60%"``, ``"raise 300"``, ``"all-in"``.

        Raises
        ------
        ArgumentError
            None of the tree.
        """
        name = _SHORT.get(word.strip().lower(), word.strip().lower())
        if name == "call" and "call" not in [step.name for step in node.steps]:
            name = "check"
        named = [step for step in node.steps if name in (step.name, str(step)) and step.name not in _SIZED]
        named += [step for step in node.steps if name == str(step) or name == step.name == "all-in"]
        named = named or self._sized(node, name)
        if not named:
            raise ArgumentError(f"{word[:40]!r}: expected one of {', '.join(map(str, node.steps))}")
        return named[0]

    def _sized(self, node: SpotNode, name: str) -> list[Step]:
        """The bets of a size: the exact one first, then the one that all-in is forced for."""
        if not (found := _BET.fullmatch(name)):
            return []
        (size,) = parse_sizes(_with_unit(found["size"]), "step")
        place = self.rules.place(node.now)
        totals = (size.total(place), self.rules.thresholds.total(size, place))
        bets = [step for step in node.steps if step.name in _SIZED]
        return [step for total in totals for step in bets if isclose(step.total, total, rel_tol=1e-6)]

    def add(self, line: str, *steps: str) -> None:
        """Add bets or raises where a line leads, each with what follows it by the tree's sizes.

        Parameters
        ----------
        line
            To a decision; ``""`` is the root.
        steps
            Such as ``"raise 3x"``, ``"bet 33%"``, ``"200c"`` or ``"all-in"``; not rounded, not merged.

        Raises
        ------
        ArgumentError
            No decision, or a bet that is not legal there, or that exists.
        """
        node = self._decision(line)
        for word in steps:
            size = re.sub(r"^(bet|raise)\s*(to\s*)?", "", word.strip().lower())
            sizes = parse_sizes(_with_unit(size), "step")
            if len(sizes) != 1:
                raise ArgumentError(f"step {word!r}: expected one bet or raise")
            step = self.rules.verified_step(node.now, sizes[0].total(self.rules.place(node.now)))
            self._insert(node, step)

    def _insert(self, node: SpotNode, step: Step) -> None:
        if step in node.steps:
            raise ArgumentError(f"{step}: expected a step that the tree lacks")
        at = sum(other.name not in _SIZED or other.total < step.total for other in node.steps)
        child = SpotNode(*self.rules.after(node.now, step))
        self._grow(child)
        node.steps.insert(at, step)
        node.children.insert(at, child)

    def remove(self, line: str) -> None:
        """Remove the last step of a line, with all that follows it.

        Raises
        ------
        ArgumentError
            No such line, an empty one, or the only step of a decision.
        """
        way = self.find(line).way
        if not way:
            raise ArgumentError("line '': expected a step to remove")
        node, at = way[-1]
        if len(node.steps) == 1:
            raise ArgumentError(f"line {line[:80]!r}: expected a step beside others")
        del node.steps[at], node.children[at]

    def _decision(self, line: str) -> SpotNode:
        node = self.find(line).node
        node = node.children[0] if node.kind is Kind.DEAL else node
        if node.kind is not Kind.DECISION:
            raise ArgumentError(f"line {line[:80]!r}: expected a decision, the hand is over")
        return node

    def lines(self, street: str | None = None) -> list[str]:
        """The lines to all leaves; of a street, to its decisions."""
        found = list[str]()
        for line, node in self._walk():
            if node.is_leaf if street is None else self._is_decision_on(node, street):
                found.append(line)
        return found

    def _is_decision_on(self, node: SpotNode, street: str) -> bool:
        if street not in STREETS.values():
            raise ArgumentError(f"street {brief(street)}: expected one of {', '.join(STREETS.values())}")
        return node.kind is Kind.DECISION and STREETS[node.now.cards] == street

    def _walk(self) -> Iterator[tuple[str, SpotNode]]:
        """Every node with its line, each before what follows it."""
        waiting = [("", self.root)]
        while waiting:
            line, node = waiting.pop()
            yield line, node
            if node.kind is Kind.DEAL:
                waiting.append((line, node.children[0]))
            else:
                after = [f"{line}, {step}" if line else str(step) for step in node.steps]
                waiting += reversed(list(zip(after, node.children, strict=True)))

    def arrays(self) -> TreeArrays:
        """The tree as the engine has it."""
        paid, nothing = self.root.now.totals, np.zeros((2, 3))
        rows = list[tuple[int, int, int, int, Any, int]]()
        index, end = dict[SpotNode, int](), 1
        for number, node in enumerate(self):
            index[node] = number
            player = node.now.player if node.kind is Kind.DECISION else 0
            payoff = self.rules.payoff(node.kind, node.now, paid) if node.is_leaf else nothing
            first = end if node.children else 0
            shown = node.now.cards - (node.kind is Kind.DEAL)
            rows.append((node.kind, player, first, len(node.children), payoff, shown))
            end += len(node.children)
        kind, actors, first_child, count, payoffs, cards = zip(*rows, strict=True)
        return TreeArrays(
            np.array(kind, np.uint8),
            np.array(actors, np.int8),
            np.array(first_child, np.int32),
            np.array(count, np.int32),
            np.array(payoffs, np.float64),
            np.array(cards, np.uint8),
            index,
        )

    def counts(self) -> dict[str, int]:
        """The nodes by kind: decisions, folds, showdowns, deals."""
        found = dict.fromkeys(("decisions", "folds", "showdowns", "deals"), 0)
        names = tuple(found)
        for node in self:
            found[names[node.kind]] += 1
        return found

    def __str__(self) -> str:
        lines = list[str]()
        waiting: list[tuple[int, SpotNode, int]] = self._branches(self.root, 0)
        while waiting:
            depth, node, at = waiting.pop()
            child = node.children[at]
            then = ""
            if child.kind is Kind.DEAL:
                then, child = f" > {STREETS[child.now.cards]}", child.children[0]
            elif child.is_leaf:
                then = f" > {self._end(child)}"
            lines.append(f"{'  ' * depth}{PLAYERS[node.now.player]}  {node.steps[at]}{then}")
            waiting += self._branches(child, depth + 1)
        return "\n".join(lines)

    @staticmethod
    def _branches(node: SpotNode, depth: int) -> list[tuple[int, SpotNode, int]]:
        return [(depth, node, at) for at in reversed(range(len(node.steps)))]

    def _end(self, leaf: SpotNode) -> str:
        pot = f"{self.rules.pot + 2 * leaf.now.matched:.10g}"
        if leaf.kind is Kind.FOLD:
            return f"{PLAYERS[1 - leaf.now.player]} wins {pot}"
        return f"showdown {pot}"


def _card(word: str) -> int | None:
    card = word[:1].upper() + word[1:].lower()
    return DECK.index(card) if card in DECK else None


def _with_unit(size: str) -> str:
    """A size; a bare number is one of chips."""
    return f"{size}c" if size[-1:] in "0123456789." else size


def _copied(root: SpotNode) -> SpotNode:
    top = SpotNode(root.kind, root.now)
    waiting = [(root, top)]
    while waiting:
        node, other = waiting.pop()
        other.steps, other.left_out = list(node.steps), list(node.left_out)
        other.children = [SpotNode(child.kind, child.now) for child in node.children]
        waiting += zip(node.children, other.children, strict=True)
    return top
