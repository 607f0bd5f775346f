"""What a local best response wins from ``equilibriumnl``: a lower bound of its loss to a best response.

    python -m experiments.solvers.local_response_nolimit AGENT GAME HANDS

The responder values a fold, a call and some bets as if both players then checked and called to the showdown,
from its belief about the holding of the player, and plays the best. It knows the probabilities of the player,
and none of its draws. The holding of the player is not drawn: its actions are those of all holdings that it
may have, and an all-in or a showdown is valued against them. Source: Lisy and Bowling (2017), "Equilibrium
approximation quality of current no-limit poker bots".
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.registry import load_for
from baycarp.agents.solved.equilibrium import EquilibriumNL
from baycarp.arena.measure import Z95
from baycarp.card import blocked_by, holding_index
from baycarp.errors import ModelError
from baycarp.evaluation import equity
from baycarp.game import Action, State, Variant
from baycarp.game.state import SHOWN
from baycarp.kernels.game import deal
from baycarp.rules.betting.sizes import BetRange

APART = 1_000_000
"""Hands between the one in play and the one by whose draws the responder reads the player."""

BETS = (0.5, 1.0, 2.0, 4.0)
"""Bets of the responder beside all-in, as shares of the pot."""


@dataclass(slots=True)
class Belief:
    """The weights of the player's holdings, as one who reads its policy by the draws of a hand knows them."""

    player: EquilibriumNL
    own: NDArray[np.uint8]
    hand: int
    weights: NDArray[np.float64]

    def policies(self, state: State) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The actions of the player to act, and their probabilities by holding."""
        return self.player.policies(state.observe(state.to_act, hand=self.hand))

    def chances(self, state: State) -> dict[Action, float]:
        """The probability of each action of the player to act."""
        known, probabilities = self.policies(state)
        return dict(zip(known, (probabilities @ self.weights / self.weights.sum()).tolist(), strict=True))

    def observe(self, state: State, action: Action) -> None:
        """Condition on an action of the player; one that no holding would choose changes nothing."""
        known, probabilities = self.policies(state)
        if action in known and (after := self.weights * probabilities[known.index(action)]).sum() > 0:
            self.weights = after

    def block(self, board: tuple[int, ...]) -> None:
        """Forget the holdings that a board blocks."""
        free = ~blocked_by(board)
        self.weights = self.weights * free if (self.weights * free).sum() > 0 else free.astype(np.float64)

    def share(self, board: tuple[int, ...], weights: NDArray[np.float64]) -> float:
        """The responder's share of the pot at a showdown after checks and calls."""
        own = np.zeros(1326)
        own[holding_index(*self.own)] = 1.0
        return equity(own, weights / weights.max(), np.array(board, np.uint8))


def bets(state: State) -> Iterator[Action]:
    """The bets that the responder values."""
    if (legal := BetRange.of(state)) is not None:
        sizes = (round(share * legal.pot) for share in BETS)
        yield from (legal.action(chips) for chips in sizes if legal.least <= chips < legal.most)
        yield legal.action(legal.most)


def best_action(state: State, belief: Belief) -> Action:
    """The action of the greatest value in chips, if checks and calls follow."""
    pot, owed, weights = state.pot, state.owed, belief.weights
    called = belief.share(state.board, weights) * (pot + owed) - owed
    passive = {"fold": 0.0, "check": called, "call": called}
    values = {each: passive[each.name] for each in state.legal_actions() if each.name in passive}
    for action in bets(state):
        after = state.copy()
        paid = after.apply(action).paid
        known, probabilities = belief.policies(after)
        called = weights * (1 - probabilities[[each.name == "fold" for each in known]].sum(axis=0))
        calls = float(called.sum() / weights.sum())
        values[action] = (1 - calls) * pot
        if calls > 0:
            share = belief.share(state.board, called)
            values[action] += calls * (share * (after.pot + after.owed) - paid)
    return max(values, key=values.__getitem__)


def won(player: EquilibriumNL, variant: Variant, number: int, position: int) -> float:
    """What the responder wins in a hand, in big blinds, from all holdings that the player may have."""
    deck = np.frombuffer(deal(1, 0, number, 9), np.uint8)
    draw = np.random.default_rng((number, position))
    own, board = deck[2 * position : 2 * position + 2], deck[4:]
    free = (~blocked_by(own.tolist())).astype(np.float64)
    known, believed = (Belief(player, own, number + apart, free) for apart in (0, APART))
    state = State(variant)
    while not state.is_over:
        if len(state.board) < SHOWN[state.street]:
            state.deal(board=board[: SHOWN[state.street]])
            known.block(state.board)
            believed.block(state.board)
        if state.to_act == position:
            state.apply(best_action(state, believed))
            continue
        chances = known.chances(state)
        action = list(chances)[draw.choice(len(chances), p=np.array([*chances.values()]))]
        known.observe(state, action)
        believed.observe(state, action)
        state.apply(action)
    share = float(position in state.seats_in)
    if len(state.seats_in) == 2:
        share = known.share(state.board, known.weights)  # of an all-in, over the cards to come
    return min(state.committed) * (2 * share - 1) / variant.big_blind


def lines(spec: str, game: str, hands: int) -> Iterator[str]:
    """A line about every tenth of the hands, half of them in each position."""
    variant = Variant.load(game)
    player = load_for(variant, spec)
    if not isinstance(player, EquilibriumNL):
        raise ModelError(f"agent {spec!r}: expected equilibriumnl")
    player.sit(0, variant, 1)
    results: list[float] = []
    for number in range(hands // 2):
        results.append((won(player, variant, number, 0) + won(player, variant, number, 1)) / 2)
        if (number + 1) % max(hands // 20, 1) == 0 and number:
            error = np.std(results, ddof=1) / len(results) ** 0.5
            yield f"{2 * len(results)} hands: {1000 * np.mean(results):+.0f} ± {1000 * Z95 * error:.0f} mbb/h"


if __name__ == "__main__":
    for line in lines(sys.argv[1], sys.argv[2], int(sys.argv[3])):
        print(line, flush=True)
