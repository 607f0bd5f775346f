"""A decision of a hand as a spot, with the ranges of both players as the public actions leave them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer
from baycarp.agents.registry import load_for
from baycarp.arena.recorded import sit_through
from baycarp.card import text
from baycarp.errors import TableError, VariantError
from baycarp.game import Observation, Variant
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.responses.spots import SpotRecord
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.spot import Spot
from baycarp.web.frames import Frame
from baycarp.web.spots.fields import USUAL, written
from baycarp.web.spots.locks import AVERAGE

__all__ = ["OpenedDecision", "fields_of", "open_decision", "public_ranges"]

DEEP_LIMIT = 1000
"""Big blinds of a stack in a game of limit, at most: more than its bets can take."""

BEFORE = 50
"""Earlier hands of which a model learns before the decision."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenedDecision:
    """A decision for the page.

    Parameters
    ----------
    fields
        Of the page.
    about
        The hand in words: names, cards of the player to act, its action, what the ranges are of.
    variant
        The game of the hand.
    record
        The hand that leads to the spot.
    readers
        What is known of each player, by the words that the page has for it.
    """

    fields: Mapping[str, str]
    about: Frame
    variant: Variant
    record: SpotRecord
    readers: Mapping[str, Reader]


def public_ranges(
    agent: Agent | None, reader: Reader, observation: Observation
) -> dict[int, NDArray[np.float64]]:
    """The range of each player still in, as the others may believe it: no player's cards are known.

    Parameters
    ----------
    agent
        Where it holds beliefs these are meant; it has observed the hand.
    reader
        Else what these models predict.
    observation
        The public one.
    """
    if isinstance(agent, Believer):
        found = {seat: belief.weights for seat, belief in agent.beliefs(observation).items()}
        if {*observation.state.seats_in} <= {*found}:
            return found
    joint = reader.joint(observation)
    return {seat: joint[seat].sum(axis=0) for seat in observation.state.seats_in}


def fields_of(observation: Observation, ranges: Mapping[int, NDArray[np.float64]]) -> dict[str, str]:
    """The fields of the spot that a decision is.

    Raises
    ------
    TableError
        The decision is no spot: before the flop, of other than two players, or after an all-in.
    """
    try:
        spot = Spot.of(observation, {seat: weights for seat, weights in ranges.items() if weights.any()})
    except VariantError as error:
        raise TableError(f"this decision cannot be solved as a spot: {error}") from None
    game = observation.variant
    is_limit = game.betting == "limit"
    stack = min(spot.stack, DEEP_LIMIT * game.big_blind) if is_limit else spot.stack
    return {
        **USUAL,
        "board": text(spot.cards),
        "pot": f"{spot.pot:.10g}",
        "stack": f"{stack:.10g}",
        "oop": written(spot.weights(0)),
        "ip": written(spot.weights(1)),
        "line": spot.line,
        "betting": game.name if is_limit else game.betting,
    }


def open_decision(hands: Sequence[Hand], act: int, adviser: str) -> OpenedDecision:
    """A decision of the last of some hands.

    Parameters
    ----------
    hands
        The hand, after those of which models learn first.
    act
        The index of its action, from 0.
    adviser
        An agent; where it holds beliefs the ranges are its own. Empty: those of the models of players.

    Raises
    ------
    TableError
        No such action, or one that is no spot.
    """
    hand = hands[-1]
    if not 0 <= act < len(hand.actions):
        raise TableError(f"act {act}: no decision to open")
    state = next(islice(states(hand), act, None))
    number = len(hands) - 1
    observation = state.observe(None, hand.players, number)
    earlier = [each for each in hands[-1 - BEFORE : -1] if each.players]
    fields_of(observation, {})  # refused before models are asked
    reader = Reader(load_players(SHIPPED))
    for at, each in enumerate(earlier):
        reader.learn(replay(each).observe(None, each.players, at))
    agent = load_for(observation.variant, adviser) if adviser else None
    if isinstance(agent, Believer) and agent.plays.fits(observation.variant):
        own = state.observe(state.to_act, hand.players, number)
        sit_through(agent, [*earlier, hand], own, decides=False)
    fields = fields_of(observation, public_ranges(agent, reader, observation))
    record = SpotRecord.of(observation)
    names = [hand.players[seat] if hand.players else f"p{seat + 1}" for seat in record.seats]
    assert state.to_act is not None
    about: Frame = {
        "players": names,
        "toAct": record.seats.index(state.to_act),
        "hole": text(state.hole_of(state.to_act)),
        "taken": str(hand.actions[act]),
        "hands": len(earlier),
        "model": adviser if isinstance(agent, Believer) else "the models of players",
    }
    other = 1 - record.seats.index(state.to_act)
    known = {f"{name}, as in hands before ({len(earlier)})": reader for name in names} if earlier else {}
    like = list(known)[other] if known else AVERAGE
    about["lock"] = {
        "kind": "player",
        "player": PLAYERS[other],
        "name": like,
        "street": int(len(observation.board) == 3),
    }
    return OpenedDecision(fields, about, observation.variant, record, known)
