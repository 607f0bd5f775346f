"""Players of the package as models of a spot: their policies for all holdings at each decision.

``follow_agent`` asks an agent, ``follow_reader`` the models of opponents. They see a hand
that leads to the spot: the recorded one, or one that is made up, in which a raise or a call before the flop
builds the pot, and both check to the street of the spot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.agents.cases.classes import checked_policies, offers_classes
from baycarp.agents.resolve.subgame import SIZED, as_action
from baycarp.card import HOLDINGS, blocked_by
from baycarp.errors import ArgumentError, VariantError, brief
from baycarp.game import Action, Observation, State, Variant
from baycarp.game.state import SHOWN
from baycarp.kernels.search import hand_choices
from baycarp.opponents.moves.reading import Reader
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.rules.betting.sizes import soft
from baycarp.rules.features import coded
from baycarp.solvers.spots.betting import Step
from baycarp.solvers.spots.locks import Follow, SpotDecision, seat
from baycarp.solvers.spots.spot import Spot

__all__ = ["SpotRecord", "follow_agent", "follow_reader"]

Policies = NDArray[np.float64]

FINEST = 1000
"""Chips are multiples of a thousandth of a chip, at least, where a hand is made up."""


@dataclass(frozen=True, slots=True, eq=False)
class SpotRecord:
    """A hand that leads to a spot.

    Parameters
    ----------
    state
        At the spot's first decision; its board is that of the spot.
    seats
        The positions of the first and of the second player.
    unit
        Chips of the hand that are one of the spot.
    names
        Of the players, by position.
    """

    state: State
    seats: tuple[int, int]
    unit: float = 1.0
    names: tuple[str, ...] = ()

    @staticmethod
    def of(observation: Observation) -> "SpotRecord":
        """A recorded hand, at the decision of ``Spot.of(observation)``."""
        state, variant = observation.state, observation.variant
        inside = sorted(state.seats_in, key=lambda each: (each - variant.first[state.street]) % variant.seats)
        if len(inside) != 2 or not state.street:
            raise VariantError(f"a hand with {len(inside)} players in: expected two, from the flop on")
        return SpotRecord(state, (inside[0], inside[1]), 1.0, observation.players)

    @staticmethod
    def made_up(spot: Spot, big_blind: float) -> "SpotRecord":
        """A heads-up hand that leads to a spot.

        Parameters
        ----------
        spot
            The spot.
        big_blind
            In its chips; at most half of the pot.

        Raises
        ------
        ArgumentError
            Another big blind, or chips that are no multiples of a common unit.
        """
        half = spot.pot / 2
        if not 0 < big_blind <= half:
            raise ArgumentError(
                f"big_blind {brief(big_blind)}: expected above 0, at most half the pot, {half:g}"
            )
        amounts = [Fraction(each).limit_denominator(FINEST) for each in (half, big_blind / 2, spot.stack)]
        unit = lcm(*(each.denominator for each in amounts))
        in_pot, small, behind = (round(unit * each) for each in amounts)
        game = spot.betting
        if not isinstance(game, Variant):
            stacks = (behind + in_pot,) * 2
            game = replace(Variant.ring(2, 2, betting="no-limit", stacks=stacks), blinds=(2 * small, small))
        state = State(game)
        state.apply(_opening(state, in_pot))
        state.apply(state.named("check") if state.owed == 0 else state.named("call"))
        for street in range(1, len(spot.cards) - 2):
            state.deal(board=spot.cards[: SHOWN[street]])
            for _ in range(2):
                state.apply(state.named("check"))
        state.deal(board=spot.cards)
        for word in filter(None, map(str.strip, spot.line.split(","))):
            name, _, chips = word.lower().partition(" ")
            total = float(chips.removeprefix("to ") or 0)
            state.apply(as_action(state, Step(name, total), unit))
        return SpotRecord(state, (0, 1), unit, ("oop", "ip"))


def _opening(state: State, total: int) -> Action:
    """The first action before the flop: a raise to a total, or a call."""
    legal = {action.name: action for action in state.legal_actions()}
    return Action("raise", total) if state.can(Action("raise", total)) else legal["call"]


def _state_at(record: SpotRecord, decision: SpotDecision) -> State:
    """The hand at a decision of the spot."""
    state = record.state.copy()
    for node, at in decision.way:
        state.apply(as_action(state, node.steps[at], record.unit))
        if not state.is_over and SHOWN[state.street] > len(state.board):
            state.deal(board=decision.board[: SHOWN[state.street]])
    return state


def follow_agent(agent: Agent, player: str, record: SpotRecord) -> Follow:
    """A player follows an agent.

    An agent that answers as a table is asked once a decision, another one once a holding. Its bets count as
    the two sizes of the tree beside them, by soft translation (Rubin and Watson 2012).

    Parameters
    ----------
    agent
        It plays the hand's game; it learns nothing.
    player
        ``"oop"`` or ``"ip"``.
    record
        A hand that leads to the spot.
    """
    own = record.seats[seat(player)]
    agent.sit(own, record.state.variant, 1)

    def policies(decision: SpotDecision) -> Policies:
        state = _state_at(record, decision)
        if state.is_over or state.to_act != own:
            return _free(decision)
        if offers_classes(agent) and sum(step.name in SIZED for step in decision.node.steps) == 1:
            table = checked_policies(agent.policies(state), state)  # type: ignore[attr-defined]
            return _of_kinds(table, decision)
        return _by_holding(agent, state, record, decision)

    return Follow(player, policies)


RAISES = 2
"""The first choice of the models of players that is a bet or raise."""


def _free(decision: SpotDecision) -> Policies:
    return np.full((len(decision.node.steps), 1326), np.nan)


def _of_kinds(table: Policies, decision: SpotDecision) -> Policies:
    """(fold, call, raise) by holding as shares of the steps; there is one bet."""
    steps = [step.name for step in decision.node.steps]
    found = np.zeros((len(steps), 1326))
    for at, name in enumerate(steps):
        found[at] = table[:, 2 if name in SIZED else FOLD_CALL_RAISE[name]]
    return found


def _by_holding(agent: Agent, state: State, record: SpotRecord, decision: SpotDecision) -> Policies:
    found = np.zeros((len(decision.node.steps), 1326))
    own = state.to_act
    assert own is not None
    for holding in np.flatnonzero(~blocked_by(decision.board)).tolist():
        dealt = state.copy()
        dealt.deal(holes={own: HOLDINGS[holding]})
        policy = agent.decide(dealt.observe(own, record.names)).policy
        found[:, holding] = _translated(policy, decision, record.unit)
    return found


def _translated(policy: Mapping[Action, float], decision: SpotDecision, unit: float) -> Policies:
    """A policy as shares of the steps of the tree."""
    steps = decision.node.steps
    found = np.zeros(len(steps))
    bets = [(at, step.total) for at, step in enumerate(steps) if step.name in SIZED]
    calls = next(at for at, step in enumerate(steps) if step.name in ("check", "call"))
    for action, share in policy.items():
        if action.name == "fold" and steps[0].name == "fold":
            found[0] += share
        elif action.name not in ("bet", "raise") or not bets:
            found[calls] += share
        else:
            for at, part in _beside(bets, action.amount / unit, max(decision.node.now.street)):
                found[at] += share * part
    return np.asarray(found / found.sum())


def _beside(bets: list[tuple[int, float]], total: float, level: float) -> list[tuple[int, float]]:
    """The sizes beside a bet, with their shares."""
    above = next((number for number, (_, size) in enumerate(bets) if size >= total), len(bets))
    if above in (0, len(bets)):
        return [(bets[min(above, len(bets) - 1)][0], 1.0)]
    (below, x), (beyond, y) = bets[above - 1 : above + 1]
    smaller = soft(total - level, x - level, y - level)
    return [(below, smaller), (beyond, 1 - smaller)]


def follow_reader(reader: Reader, player: str, record: SpotRecord) -> Follow:
    """A player acts as the models of players predict it; all holdings are asked at once.

    Every bet that they predict counts as the size of the tree whose class is nearest; sizes of one class
    share it evenly. Of the clusters each counts with the probability that the player's acts so far give it,
    holding by holding.

    Parameters
    ----------
    reader
        What is known of the players; it learns nothing.
    player
        ``"oop"`` or ``"ip"``.
    record
        A hand that leads to the spot.
    """
    own, other = record.seats[seat(player)], record.seats[1 - seat(player)]

    def policies(decision: SpotDecision) -> Policies:
        state = _state_at(record, decision)
        if state.is_over or state.to_act != own:
            return _free(decision)
        choices = [_choice(state, step, record.unit) for step in decision.node.steps]
        move = reader.moves(_after(state, record.unit, decision, other, record.names))[own][-1]
        mixed = reader.shares(state.observe(other, record.names), own, move)
        return _mixtures(_gathered(mixed, choices))

    return Follow(player, policies)


def _after(
    state: State, unit: float, decision: SpotDecision, observer: int, names: tuple[str, ...]
) -> Observation:
    """The hand after a step of the decision that does not end it, for the other player: cards are unseen."""
    for step in reversed(decision.node.steps):
        acted = state.copy()
        acted.apply(as_action(state, step, unit))
        if step.name != "fold":
            return acted.observe(observer, names)
    raise ArgumentError(f"{decision.line!r}: expected a step besides a fold")


def _choice(state: State, step: Step, unit: float) -> int:
    """The number of a step among the choices of the models of players."""
    acted = state.copy()
    acted.apply(as_action(state, step, unit))
    stacks = tuple(map(sum, zip(acted.stacks, acted.committed, strict=True)))
    choices, _ = hand_choices(acted.rules, stacks, coded([act.action for act in acted.acts]))
    return int(choices[-1])


def _gathered(mixed: Policies, choices: list[int]) -> Policies:
    """Predicted choices as those of the steps: folds and calls are their own, bets go to the nearest one."""
    found = np.zeros((len(choices), mixed.shape[1]))
    for choice, chances in enumerate(mixed):
        own = [each for each in choices if (each >= RAISES) == (choice >= RAISES)]
        if choice < RAISES:
            own = [each for each in own if each == choice]
        if not own:
            continue
        nearest = min(own, key=lambda each: abs(each - choice))
        at = [number for number, each in enumerate(choices) if each == nearest]
        found[at] += chances / len(at)
    return found


def _mixtures(weights: Policies) -> Policies:
    """Rows of likelihoods as shares; holdings that none explains have equal ones, they are not held."""
    sums = weights.sum(axis=0)
    return np.asarray(np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), 1 / len(weights)))
