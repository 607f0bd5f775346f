"""The re-solve: own and opponent's ranges at the root of a subgame, solved by a counted number of iterations.

Three forms:

    unsafe      the opponent holds what is believed, and plays freely. What it can win by another range is
                not limited
    safe        the opponent chooses first, holding by holding: it takes what is promised, or plays (the
                gadget of Burch, Johanson and Bowling 2014). With its best-response values against the
                blueprint as promises no holding gets more than against the blueprint. A part of the
                opponent has no choice and holds what is believed: among the safe strategies those are
                better that win more from it
    restricted  with a probability the opponent follows a model, holding what is believed, and plays as in
                the safe form otherwise (restricted Nash response, Johanson, Zinkevich and Bowling 2007).
                That is a trade, not safe
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.resolve.promises import Promises
from baycarp.agents.resolve.subgame import Place, Shares, Subgame, as_action
from baycarp.card import blocked_by
from baycarp.errors import ArgumentError, brief
from baycarp.game import Action, Observation
from baycarp.kernels.spots import DECISION, GIVEN, Engine, Probe

__all__ = ["ITERATIONS", "FollowedModel", "Resolved", "TurnSolve", "resolve", "solve"]

Weights = NDArray[np.float64]

ITERATIONS = {"limit": {4: 96, 5: 60}, "no-limit": {4: 240, 5: 120}}
"""Iterations by the betting and the cards on the board at the root: of the turn about a second, of
the river 10 to 20 ms."""

WIDE = 0.005
"""A gap after which as many iterations follow again; so it is in one of twenty subgames of the turn."""

PARTS = {4: 4, 5: 1}
"""On the turn an iteration walks a fourth of the rivers: for the same work it loses a third as much."""

BEGIN, COUNTED = 0.0625, 12
"""Regrets that the blueprint's actions begin with, in pots; under a time limit they count as iterations."""

ROUND, ROUNDS, ROUND_PARTS = 6, 24, 6
"""Of the turn under a time limit: the iterations of a round, rounds at most, and parts of the rivers."""

FORCED = 0.03
"""The part of the opponent that has no choice, of the safe form; our choice, measured by
``python -m experiments resolve``."""

LEAST = 1e-6
"""The least weight of an own holding, as a share of the greatest: each has a policy."""

SPREAD = 0.5
"""The part of the weights before the choice that all holdings share alike: each can choose."""


@dataclass(frozen=True, slots=True)
class FollowedModel:
    """A model of the opponent that it follows with a probability.

    Parameters
    ----------
    shares
        Of its actions.
    trust
        The probability, above 0, at most 1.

    Raises
    ------
    ArgumentError
        Another probability.
    """

    shares: Shares
    trust: float

    def __post_init__(self) -> None:
        if not 0 < self.trust <= 1:
            raise ArgumentError(f"trust {brief(self.trust)}: expected above 0, at most 1")


class _OpponentPart(NamedTuple):
    """A part of the opponent: its weights, how often it has to play, whether it follows the model."""

    weights: Weights
    plays: Weights
    follows: bool


@dataclass(frozen=True, eq=False)
class Resolved:
    """A solved subgame at a decision.

    Parameters
    ----------
    subgame
        The hand from the root on.
    player
        The own number in it: 0 is the first to act.
    engine
        The strategies.
    safe
        Whether the opponent had promises to choose, and follows no model.
    shift
        Nodes of the engine before the root of the subgame.
    other
        The weights of the opponent's rows in the engine.
    """

    subgame: Subgame
    player: int
    engine: Engine
    safe: bool
    shift: int
    other: Weights

    @cached_property
    def place(self) -> Place:
        """The decision that the hand is at."""
        return self.subgame.place

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions at the table of the steps of the decision."""
        return tuple(as_action(self.place.state, step) for step in self.place.node.steps)

    @cached_property
    def policy(self) -> NDArray[np.float64]:
        """The average strategy: float64, shape (actions, 1326); equal shares where the board blocks."""
        return self.shares(self.place)

    def shares(self, place: Place) -> NDArray[np.float64]:
        """The same at any decision on the street of the root; of the opponent, as it is believed."""
        held = self.subgame.held
        found = np.full((len(place.node.steps), 1326), 1 / len(place.node.steps))
        found[:, held] = self.engine.strategy(place.number + self.shift)[:, : len(held)]
        return found

    def promises(self, river: Subgame) -> Promises:
        """What each holding of the opponent wins on a river after this turn, by its best response."""
        held, node = self.subgame.held, self.subgame.river_of(river.start)
        cards = river.board[len(self.subgame.board) :]
        best = self.engine.best_values(1 - self.player, self.subgame.arrays.index[node] + self.shift, cards)
        found = np.full(1326, np.nan)
        found[held] = best[-len(held) :] + node.now.totals[1 - self.player]
        return Promises(found)

    def beyond(self, promised: Promises) -> NDArray[np.float64]:
        """What each holding of the opponent wins by its best response beyond its promise, in chips: (1326,).

        nan = blocked, or it meets no own holding.
        """
        held = self.subgame.held
        best = self.engine.best_values(1 - self.player, self.shift)[-len(held) :]
        found = np.full(1326, np.nan)
        found[held] = best - promised.values[held]
        return found

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """What each action wins of each own holding from here on: float64, shape (actions, 1326), in chips.

        A fold is 0; nan = blocked, or no holding of the opponent comes here with it.
        """
        found = np.full((len(self.actions), 1326), np.nan)
        found[:, self.subgame.held] = self._probe.action_value + self.place.node.now.totals[self.player]
        return found

    @cached_property
    def _probe(self) -> Probe:
        return self.engine.probe(self.place.number + self.shift)

    @cached_property
    def reached(self) -> float:
        """How much of the opponent's range at the root comes to the decision, 0..1."""
        plays = self.engine.strategy(0)[1] if self.shift else 1.0  # the others take what is promised
        root = (self.other * plays).sum()
        return float(self._probe.reach[1 - self.player].sum() / root) if root else 0.0

    @cached_property
    def gap(self) -> float:
        """Half of what both best responses gain in the solved game, as a share of the pot at the root."""
        pot = float(self.subgame.start.pot)
        return max(0.0, float(self.engine.values("locked").sum()) - pot) / (2 * pot)


def resolve(
    observation: Observation,
    own: Weights,
    other: Weights,
    *,
    promised: Promises | None = None,
    follow: FollowedModel | None = None,
    iterations: int = 0,
) -> Resolved:
    """Solve the rest of a hand of two players, from the start of the street on.

    The same arguments give the same bits.

    Parameters
    ----------
    observation
        On the turn or the river, at an own decision.
    own, other
        Weights of the holdings at the start of the street: float64, shape (1326,), at least 0. Every own
        holding beside the board has a policy, whatever its weight.
    promised
        What each holding of the opponent has from the start of the street on; None = unsafe.
    follow
        A model of the opponent, and how far it is trusted; None = not at all.
    iterations
        0 = ``ITERATIONS``, and as many again where the gap is above ``WIDE``.

    Raises
    ------
    VariantError
        No hand that can be re-solved; see ``Subgame.of``.
    ArgumentError
        Weights out of range.
    """
    if observation.state.to_act is None or observation.state.to_act != observation.seat:
        raise ArgumentError("resolve: expected an observation of the player to act")
    subgame = Subgame.of(observation.state)
    player = subgame.seats.index(observation.state.to_act)
    return solve(subgame, player, (own, other), promised=promised, follow=follow, iterations=iterations)


def solve(
    subgame: Subgame,
    player: int,
    ranges: tuple[Weights, Weights],
    *,
    promised: Promises | None = None,
    follow: FollowedModel | None = None,
    iterations: int = 0,
) -> Resolved:
    """The same for a player of a subgame, whoever is to act; ``ranges`` are the own one and the other's."""
    found = _begun(subgame, player, ranges, promised, follow)
    if follow and follow.trust == 1:
        return found
    cards = len(subgame.board)
    counted = ITERATIONS["limit" if subgame.start.variant.betting == "limit" else "no-limit"]
    found.engine.run(iterations or counted[cards], parts=PARTS[cards])
    if not iterations and found.gap > WIDE:
        found.engine.run(counted[cards], parts=PARTS[cards])
        return replace(found)
    return found


class TurnSolve:
    """A subgame of the turn solved round by round, for a third of the work: the form under a time limit.

    The own player does not raise on the river: what is left is a strategy of the whole subgame, so that what
    a best response wins from it is exact. On the river the hand is solved again, with all raises.

    Parameters
    ----------
    subgame, player, ranges, promised, follow
        As those of ``solve``.
    """

    def __init__(
        self,
        subgame: Subgame,
        player: int,
        ranges: tuple[Weights, Weights],
        *,
        promised: Promises | None = None,
        follow: FollowedModel | None = None,
    ) -> None:
        fewer = subgame.calling(player)
        self._promised = promised.within(subgame, fewer) if promised else None
        self._begun = _begun(fewer, player, ranges, self._promised, follow)
        self._other, self._left = ranges[1], ROUNDS
        if promised:
            self._begun.engine.resume(COUNTED)
        if follow and follow.trust == 1:
            self._left = 0  # it is solved

    def round(self) -> bool:
        """Solve for another round; True = there is no more to do."""
        if self._left:
            self._begun.engine.run(ROUND, parts=ROUND_PARTS)
            self._left -= 1
        return not self._left

    def found(self) -> Resolved | None:
        """The result so far, if it is one: None = it has to be solved for longer.

        Safe, a best response wins no more than what is promised, in the mean over the believed holdings, and
        this is checked; in the other forms the gap is at most ``WIDE``.
        """
        found = replace(self._begun)
        if self._promised is None or not found.safe:
            return found if found.gap <= WIDE else None
        beyond = found.beyond(self._promised)
        return found if np.nansum(np.where(self._other > 0, beyond, 0) * self._other) <= 0 else None


def _begun(
    subgame: Subgame,
    player: int,
    ranges: tuple[Weights, Weights],
    promised: Promises | None,
    follow: FollowedModel | None,
) -> Resolved:
    """Before the first iteration; with full trust, the best response to the model."""
    own, other = ranges
    held, trust = subgame.held, follow.trust if follow else 0.0
    own, other = _weights(own, "own", held), _weights(other, "other", held)
    values = None if promised is None else promised.values[held]
    parts = _parts(other, values, trust)
    has_gadget = values is not None and trust < 1
    engine = _engine(subgame, player, np.maximum(own, LEAST * own.max()), parts, has_gadget)
    shift = 2 if has_gadget else 0
    if has_gadget:
        assert values is not None
        _offer(engine, np.where(np.isnan(values), 0.0, values), parts)
    for node, table, classes in promised.tables if promised else ():
        engine.play(node + shift, BEGIN * float(subgame.start.pot) * table, classes, begin=True)
    if follow:
        _lock(engine, subgame, 1 - player, follow.shares, parts, shift)
    if trust == 1:
        engine.respond(player)
    rows = np.concatenate([part.weights for part in parts])
    return Resolved(subgame, player, engine, has_gadget and not trust, shift, rows)


def _weights(given: Weights, name: str, held: NDArray[np.intp]) -> Weights:
    weights = np.asarray(given, np.float64)
    if weights.shape != (1326,) or not np.isfinite(weights).all() or weights.min() < 0:
        raise ArgumentError(f"{name}: expected 1326 finite weights of at least 0, got shape {weights.shape}")
    weights = weights[held]
    if not weights.any():
        raise ArgumentError(f"{name}: expected a holding beside the board")
    return np.asarray(weights / weights.sum())


def _parts(other: Weights, promised: Weights | None, trust: float) -> list[_OpponentPart]:
    """The parts of the opponent, weights summed to 1."""
    always = np.ones(len(other))
    parts = [_OpponentPart(trust * other, always, True)] if trust else []
    if trust == 1:
        return parts
    if promised is None:
        return [*parts, _OpponentPart((1 - trust) * other, always, False)]
    known = ~np.isnan(promised)
    spread = np.where(known, (1 - SPREAD) * other + SPREAD / known.sum(), 0.0)
    forced = np.where(known, FORCED * other, 0.0)
    weights = forced + (1 - FORCED) * spread
    return [*parts, _OpponentPart((1 - trust) * weights, forced / np.where(known, weights, 1.0), False)]


def _engine(
    subgame: Subgame, player: int, own: Weights, parts: Sequence[_OpponentPart], has_gadget: bool
) -> Engine:
    """The subgame in the engine, a row of the opponent a holding and part; with the gadget two nodes more."""
    cards = [subgame.cards, np.tile(subgame.cards, (len(parts), 1))]
    weights = [own, np.concatenate([part.weights for part in parts])]
    if player:
        cards.reverse()
        weights.reverse()
    arrays = _with_gadget(subgame, 1 - player) if has_gadget else _arrays(subgame)
    return Engine(subgame.board, cards, weights, *arrays)


def _arrays(subgame: Subgame) -> list[NDArray[Any]]:
    tree = subgame.arrays
    return [tree.kind, tree.player, tree.first, tree.count, tree.payoff]


def _with_gadget(subgame: Subgame, player: int) -> list[NDArray[Any]]:
    """The tree below a choice of a player: node 0, and what is given, node 1."""
    kind, actor, first, count, payoff = _arrays(subgame)
    given = np.full((1, 2, 3), float(subgame.start.pot))
    return [
        np.concatenate([np.array([DECISION, GIVEN], kind.dtype), kind]),
        np.concatenate([np.full(2, player, actor.dtype), actor]),
        np.concatenate([np.array([1, 0], first.dtype), np.where(count > 0, first + 2, 0)]),
        np.concatenate([np.array([2, 0], count.dtype), count]),
        np.concatenate([np.zeros((1, 2, 3)), given, payoff]),
    ]


def _offer(engine: Engine, promised: Weights, parts: Sequence[_OpponentPart]) -> None:
    """The choice between what is promised and play, of the parts that have it."""
    engine.set_given(1, np.tile(promised, len(parts)))
    play = np.concatenate([part.plays for part in parts])
    free = np.full(len(play), np.nan)
    least = np.where(play > 0, -play, np.nan)
    engine.lock(0, (), np.where(play < 1, [free, least], [1 - play, play]))


def _lock(
    engine: Engine, subgame: Subgame, player: int, follow: Shares, parts: Sequence[_OpponentPart], shift: int
) -> None:
    """The parts that follow the model act as it does, on every board."""
    for place in subgame.decisions(player):
        actions = tuple(as_action(place.state, step) for step in place.node.steps)
        for cards in engine.boards(place.number + shift):
            state = place.state.copy()
            state.deal(board=subgame.board + cards)
            shares = np.array(follow(state, actions), np.float64)
            shares[:, blocked_by(subgame.board + cards)] = 1 / len(actions)
            shares = shares[:, subgame.held]
            free = np.full_like(shares, np.nan)
            fixed = np.concatenate([shares if part.follows else free for part in parts], axis=1)
            engine.lock(place.number + shift, cards, fixed)
