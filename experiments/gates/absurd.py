"""Actions that no good player takes, looked for in random spots of two to ten seats.

An agent learns from random hands and decides once in each. What it may do is judged by its own belief about
the opponents; the share of the pot is computed here anew, by ranking every holding or drawn deals.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from math import hypot, inf
from random import Random
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer, Decision, Supposing
from baycarp.agents.registry import DEFAULT, load
from baycarp.agents.trace import stage_of
from baycarp.agents.value.stages import ValueStage
from baycarp.budget import Budget
from baycarp.card import HOLDINGS, blocked_by, text
from baycarp.game import Acted, Action, HandOver, Observation, State, Variant
from baycarp.kernels.hands import rank
from baycarp.kit.games import random_action, random_deck
from baycarp.kit.trial import moment
from experiments.gates.gate import Result, Share

__all__ = ["GAMES", "LIMITS", "absurd", "folding", "pot_share", "searched", "spots", "unordered"]

GAMES = tuple(
    Variant.load(name)
    for seats in range(2, 11)
    for name in (
        "holdem.limit.2p.reverse_blinds" if seats == 2 else f"holdem.limit.{seats}p",
        "holdem.nolimit.10p" if seats == 10 else f"holdem.nolimit.{seats}p.100bb",
    )
)
"""Two games of every number of seats."""

LIMITS: Mapping[float, tuple[int, int]] = {0.005: (100_000, 1000), 0.5: (2000, 40)}
"""Seconds a decision -> spots, and spots of a part."""

TABLE = 20
"""Hands that an agent learns from at one table, before it meets others."""

DEALS = 4000
"""Drawn deals for each opponent."""

ERRORS = 3.0
"""Standard errors, of our own share and of the agent's value, by which a call must be wrong."""

NEVER = 1e-9
"""A probability of less is none: sums of weights round."""


def folding(limit: float, share: Share) -> Result:
    """The same with the planted fault: an agent that always folds."""
    fold = Decision(Action("fold"), {Action("fold"): 1.0})
    with patch.object(type(load("call")), "decide", lambda *_, **__: fold):
        return searched(limit, share, "call")


def searched(limit: float, share: Share, name: str = DEFAULT) -> Result:
    """A share of the spots of an agent under a time limit."""
    agent, other, result = load(name), load(name), Result()
    for number, count in share.blocks(TABLE):
        for observation, decision, rng in spots(agent, number // TABLE, count, share.seed, Budget(limit)):
            result.done += 1
            decide = partial(other.decide, budget=Budget(limit))
            for words in (*absurd(agent, observation, decision, rng), *unordered(other, observation, decide)):
                result.find("other", f"{words}: {moment(observation)}")
    return result


def spots(
    agent: Agent, table: int, hands: int, seed: int, budget: Budget
) -> Iterator[tuple[Observation, Decision, np.random.Generator]]:
    """An agent's decisions at one table: one of each random hand, on the last street that was played.

    Parameters
    ----------
    agent
        It learns every hand.
    table
        The number of the table: with the seed it fixes the game, the hands, and the names.
    hands, seed, budget
        The hands at the table, and of the decisions.
    """
    variant = GAMES[table % len(GAMES)]
    draw, rng = Random(f"{seed} {table}"), np.random.default_rng((seed, table))
    agent.sit(0, variant, seed)
    for hand in range(hands):
        deck, played = _hand(draw, variant)
        last = max(act.street for act in played.acts)
        at = draw.choice([number for number, act in enumerate(played.acts) if act.street == last])
        seat = played.acts[at].seat
        names = tuple("hero" if each == seat else f"p{each}" for each in range(variant.seats))
        state = State(variant, deck=deck)
        for number, act in enumerate(played.acts):
            if number == at:
                observation = state.observe(seat, names, hand)
                yield observation, agent.decide(observation, budget=budget), rng
            agent.learn(Acted(state.observe(None, names, hand), state.apply(act.action)))
        agent.learn(HandOver(state.observe(None, names, hand), state.payoffs()))


def _hand(draw: Random, variant: Variant) -> tuple[list[int], State]:
    deck = random_deck(draw, variant)
    state = State(variant, deck=deck)
    while not state.is_over:
        state.apply(random_action(draw, state))
    return deck, state


def absurd(
    agent: Agent, observation: Observation, decision: Decision, rng: np.random.Generator
) -> Iterator[str]:
    """What is absurd in the policy of a decision, in words."""
    chances = decision.policy_by_kind()
    if chances.get("fold", 0.0) > NEVER and not observation.state.owed:
        yield "folds where a check is free"
    if chances.get("fold", 0.0) > NEVER and _is_best(observation):
        yield "folds the best possible hand"
    if chances.get("call", 0.0) > NEVER and isinstance(agent, Believer):
        yield from _dear(agent, observation, decision, rng)


def _dear(
    agent: Believer, observation: Observation, decision: Decision, rng: np.random.Generator
) -> Iterator[str]:
    """A call of a last bet whose share of the pot is below its price by more than the error."""
    after = observation.state.copy()
    paid = after.apply(after.named("call")).paid
    if after.to_act is not None:
        return
    ranges = {seat: belief.weights for seat, belief in agent.beliefs(observation).items()}
    share, error = pot_share(observation, after, ranges, rng)
    contested = sum(_pots(after, observation.seat).values())
    stage = stage_of(decision.trace, ValueStage)
    own = next((each.error for each in stage.values if each.action.name == "call"), 0.0) if stage else 0.0
    if share < (paid - own) / contested - ERRORS * hypot(error, own / contested):
        yield f"calls {paid} for {contested} with {share:.3f} of it"


def _is_best(observation: Observation) -> bool:
    """Whether no other holding beats the own one on the board as it is."""
    if not observation.board:
        return False
    others = HOLDINGS[~blocked_by((*observation.hole, *observation.board))]
    board = np.tile(np.array(observation.board, np.uint8), (len(others), 1))
    return bool(_ranks(others, board).max() <= rank([*observation.hole, *observation.board]))


def _ranks(holdings: NDArray[np.uint8], board: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Of each holding on its board: uint8, shapes (n, 2) and (n, 3..5)."""
    return np.asarray(rank(np.hstack([holdings, board])))


def _pots(after: State, seat: int | None) -> dict[int, int]:
    """The chips of each pot that a position can win, by what a player must have put in for it."""
    assert seat is not None
    tops = sorted({min(after.committed[each], after.committed[seat]) for each in after.seats_in})
    sums = [sum(min(chips, top) for chips in after.committed) for top in tops]
    return {top: pot - below for top, pot, below in zip(tops, sums, [0, *sums], strict=False)}


def pot_share(
    observation: Observation,
    after: State,
    ranges: Mapping[int, NDArray[np.float64]],
    rng: np.random.Generator,
) -> tuple[float, float]:
    """The share of the chips in reach that a position wins at the showdown, ties included, and its error.

    Parameters
    ----------
    observation, after
        Of the position, and the state after its last action.
    ranges
        The weights of the holdings of each opponent still in; of all opponents, those without a common card
        count with the product.
    rng
        Of the deals; one opponent on the river is counted exactly.
    """
    seats = sorted(ranges)
    exact = len(seats) == 1 and len(observation.board) == 5
    if exact:
        chances = ranges[seats[0]] / ranges[seats[0]].sum()
        held = np.flatnonzero(chances)[:, None]
        chances = chances[held[:, 0]]
    else:
        drawn = [rng.choice(1326, DEALS * len(seats), p=ranges[seat] / ranges[seat].sum()) for seat in seats]
        held = np.array(drawn).T
        cards = np.sort(HOLDINGS[held].reshape(len(held), -1), axis=1)
        held = held[(np.diff(cards, axis=1) > 0).all(axis=1)]
        chances = np.full(len(held), 1 / max(len(held), 1))
    won = _won(observation, after, seats, held, rng)
    mean = float(chances @ won)
    return mean, 0.0 if exact else float(won.std() / len(held) ** 0.5) if len(held) else inf


def _won(
    observation: Observation,
    after: State,
    seats: list[int],
    held: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """The share that is won in each deal, given the opponents' holdings in it, shape (deals, seats)."""
    board = _boards(observation, held, rng)
    own = np.tile(np.array(observation.hole, np.uint8), (len(held), 1))
    mine = _ranks(own, board)
    theirs = np.array([_ranks(HOLDINGS[one], board) for one in held.T])
    pots, won = _pots(after, observation.seat), np.zeros(len(held))
    for top, pot in pots.items():
        reach = theirs[[after.committed[seat] >= top for seat in seats]]
        best = (reach <= mine).all(axis=0)
        won += pot * best / (1 + (reach == mine).sum(axis=0))
    return np.asarray(won / sum(pots.values()))


def _boards(observation: Observation, held: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The board of each deal: the cards to come are any that nobody holds."""
    known = np.tile(np.array(observation.board, np.uint8), (len(held), 1))
    order = rng.random((len(held), 52))
    order[:, [*observation.hole, *observation.board]] = 2
    np.put_along_axis(order, HOLDINGS[held].reshape(len(held), -1).astype(np.int64), 2, axis=1)
    return np.hstack([known, np.argsort(order, axis=1)[:, : 5 - known.shape[1]].astype(np.uint8)])


def unordered(agent: Agent, observation: Observation, decide: partial[Decision]) -> Iterator[str]:
    """Two holdings that block nothing: what an action is worth to the weaker and not to the stronger.

    On the river against one opponent, whose belief is replaced by one without the cards of both holdings. The
    agent is not the one at the table, which would remember the other holdings as its own.
    """
    state, seat = observation.state, observation.seat
    others = [each for each in state.seats_in if each != seat]
    if len(observation.board) < 5 or len(others) > 1 or seat is None or not isinstance(agent, Supposing):
        return
    rng = np.random.default_rng(observation.hand)
    free = np.flatnonzero(~blocked_by(observation.board))
    one, other = (tuple(HOLDINGS[each].tolist()) for each in rng.choice(free, 2, replace=False))
    weak, strong = sorted((one, other), key=lambda hole: rank([*hole, *observation.board]))
    agent.sit(seat, observation.variant, 0)
    weights = np.where(blocked_by((*one, *other, *observation.board)), 0.0, rng.random(1326))
    agent.suppose({others[0]: weights})
    values = [_values(decide(_holding(observation, hole))) for hole in (weak, strong)]
    for action in values[0].keys() & values[1].keys():
        (low, error), (high, other_error) = values[0][action], values[1][action]
        if high < low - ERRORS * float(np.hypot(error, other_error)) - NEVER * state.pot:
            yield f"{action} is worth {low:.2f} with {text(weak)}, {high:.2f} with {text(strong)}"


def _holding(observation: Observation, hole: tuple[int, ...]) -> Observation:
    """The same with another holding."""
    assert observation.seat is not None
    state = observation.state.copy()
    state.deal({observation.seat: hole})
    return observation._replace(state=state)


def _values(decision: Decision) -> dict[Action, tuple[float, float]]:
    stage = stage_of(decision.trace, ValueStage)
    return {each.action: (each.chips, each.error) for each in stage.values} if stage else {}
