"""The locks of the page: shares at a decision, a frequency over a range, or a player that follows another."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from baycarp.agents.registry import load
from baycarp.card import blocked_by
from baycarp.errors import ArgumentError, NotationError
from baycarp.game import Variant
from baycarp.game.notation.wire import string, whole
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.ranges import Range
from baycarp.responses.spots import SpotRecord, follow_agent, follow_reader
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.locks import (
    FixedTable,
    Follow,
    Lock,
    RangeFrequency,
    SpotDecision,
    SpotLock,
    seat,
    verify_shares,
)
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotNode, SpotTree

__all__ = ["AGENTS", "AVERAGE", "LIMIT_AGENTS", "MOST_LOCKS", "FollowedPlayers", "read_locks"]

MOST_LOCKS = 50

AVERAGE = "the average opponent"
"""The models of players, of an opponent of whom nothing is known."""

CALLS = "call"
"""The agent that checks and calls: it needs no cards, so that it is asked once a decision of the tree."""

AGENTS = (CALLS, "sizer", "sartrenl")
LIMIT_AGENTS = (CALLS, "rule", "formula", "jake", "karma", "equilibrium", "sartre")
"""Agents that a player may follow: heads-up without limit, and with."""

OPENING = 5.0
"""The pot of a made-up hand in big blinds: a raise to two and a half of them."""


@dataclass
class FollowedPlayers:
    """What a player of the spot may follow, by the names that the page was given.

    Parameters
    ----------
    record
        The hand that leads to the spot; None = one is made up.
    readers
        What is known of players of a session, by the words for each.
    """

    record: SpotRecord | None = None
    readers: dict[str, Reader] = field(default_factory=dict)

    def names(self, is_limit: bool) -> list[str]:
        """Those that fit a betting."""
        return [*self.readers, AVERAGE, *(LIMIT_AGENTS if is_limit else AGENTS)]

    def follow(self, name: str, player: str, spot: Spot, stop: Callable[[], bool]) -> Follow:
        """The lock of a player to one of the names.

        Raises
        ------
        ArgumentError
            Another name or player.
        VariantError, ModelError
            An agent that does not play the game.
        """
        game = spot.betting
        if name == CALLS:
            return Follow(player, _calls, cards=False)
        if name not in self.names(isinstance(game, Variant)):
            raise ArgumentError(f"player {name[:60]!r}: expected a name of the list")
        big_blind = game.big_blind if isinstance(game, Variant) else spot.pot / OPENING
        record = self.record or SpotRecord.made_up(spot, big_blind)
        if name in self.readers or name == AVERAGE:
            reader = self.readers.get(name) or Reader(load_players(SHIPPED))
            return _stoppable(follow_reader(reader, player, record), stop)
        agent = load(name)
        agent.plays.verify(record.state.variant)
        return _stoppable(follow_agent(agent, player, record), stop)


@dataclass(frozen=True, slots=True, eq=False)
class FirstStreet:
    """A player follows a model on the spot's first street, and plays freely on those after it."""

    follow: Follow

    def tables(self, spot: Spot, tree: SpotTree) -> Iterator[FixedTable]:
        """The decisions of the player on that street."""
        player, blocked = seat(self.follow.player), blocked_by(spot.cards)
        waiting = [(tree.root, "", tuple[tuple[SpotNode, int], ...]())]
        while waiting:
            node, line, way = waiting.pop()
            if node.kind is not Kind.DECISION:
                continue
            if node.now.player == player:
                asked = SpotDecision(line, node, spot.cards, player, way)
                shares = np.array(self.follow.policies(asked), np.float64)
                shares[:, blocked] = 1 / len(node.steps)
                verify_shares(shares, node, line)
                yield FixedTable(node, None, shares)
            for at, (step, child) in enumerate(zip(node.steps, node.children, strict=True)):
                waiting.append((child, f"{line}, {step}" if line else str(step), (*way, (node, at))))


class StoppedLock(ArgumentError):
    """A stop while a model was asked."""


def _calls(decision: SpotDecision) -> Any:
    """Check or call with every holding."""
    steps = [step.name in ("check", "call") for step in decision.node.steps]
    return np.repeat(np.array(steps, np.float64)[:, None], 1326, axis=1)


def _stoppable(follow: Follow, stop: Callable[[], bool]) -> Follow:
    def policies(decision: SpotDecision) -> Any:
        """Ask the model, unless it is stopped."""
        if stop():
            raise StoppedLock("stopped before the locks were made; nothing is changed")
        return follow.policies(decision)

    return Follow(follow.player, policies, follow.cards)


def read_locks(
    given: Any, spot: Spot, players: FollowedPlayers, stop: Callable[[], bool]
) -> list[SpotLock | RangeFrequency]:
    """The locks of a message; of two at one decision, the later one has its holdings.

    Parameters
    ----------
    given
        A list of objects. ``{"kind": "shares", "line", "holdings", "shares": {action: 0..1}}``;
        ``{"kind": "frequency", "line", "action", "share"}``;
        ``{"kind": "player", "player", "name", "street": 0 or 1}``, 1: on the first street alone.
    spot, players
        Of the page.
    stop
        Ends what takes long.

    Raises
    ------
    NotationError
        Another object.
    BaycarpError
        A lock that does not fit the spot.
    """
    if not isinstance(given, list) or len(given) > MOST_LOCKS:
        raise NotationError(f"locks: expected a list of at most {MOST_LOCKS}")
    tree, found = spot.build_tree(), list[SpotLock | RangeFrequency]()
    tables = dict[str, Any]()
    for each in given:
        if not isinstance(each, dict):
            raise NotationError("locks: expected objects")
        kind = string(each, "kind")
        if kind == "shares":
            _write(tables, each, tree)
        elif kind == "frequency":
            found.append(RangeFrequency(string(each, "line"), string(each, "action"), _share(each)))
        elif kind == "player":
            player, name = string(each, "player"), string(each, "name")
            follow = players.follow(name, player, spot, stop)
            found.append(FirstStreet(follow) if whole(each, "street", 0, most=1) else follow)
        else:
            raise NotationError(f"kind {kind[:40]!r}: expected shares, frequency or player")
    for lock in found:
        if isinstance(lock, RangeFrequency):
            lock.way(spot, tree)
    return [*found, *(Lock(line, table) for line, table in tables.items())]


def _write(tables: dict[str, Any], lock: Mapping[str, Any], tree: SpotTree) -> None:
    """Write the shares of a lock into the table of its decision."""
    line, shares = string(dict(lock), "line"), lock.get("shares")
    if not isinstance(shares, dict) or not shares or len(shares) > 64:
        raise NotationError("shares: expected an object with a share for each action that is locked")
    place = tree.find(line)
    node = place.node.children[0] if place.node.children and not place.node.steps else place.node
    if not node.steps:
        raise ArgumentError(f"line {line[:80]!r}: expected a decision")
    text = string(dict(lock), "holdings", "").strip()
    held = Range(text).weights > 0 if text else np.ones(1326, np.bool_)
    table = tables.setdefault(line, np.full((len(node.steps), 1326), np.nan))
    table[:, held] = np.nan
    for word, share in shares.items():
        at = node.steps.index(tree.step(node, str(word)))
        table[at, held] = _share({"share": share})


def _share(given: Mapping[str, Any]) -> float:
    share = given.get("share")
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise NotationError(f"share {str(share)[:20]!r}: expected 0 to 1")
    return float(share)
