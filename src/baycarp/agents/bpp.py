"""The Bayesian Poker Player (BPP): a Bayesian decision network for heads-up fixed limit, and betting curves.

Sources: Korb, Nicholson and Jitnah (1999), "Bayesian poker"; Carlton (2000), chapter 6, the utilities;
Nicholson, Korb and Boulton (2006), "Using Bayesian decision networks to play Texas hold'em poker", as Unger
(2011), section 4.3.1, and Korb and Nicholson's book describe it. The network is in ``opponents.bpp``.

The utility of an action is what it wins from here on: nothing by a fold; by a pass (check or call) the final
pot F less the own future contribution b if BPP wins, and -b if it loses; by a bet likewise with F' and b'. Of
two actions a betting curve chooses, by an exponential of the difference of their expected utilities.

Where our sources are silent the choice is ours: how F and b are estimated (``FUTURE``), the steepness of the
curves, that actions of earlier streets are evidence of the final hand, and the table of a typical opponent.
Bluffs by a chance of their own (Korb et al. 1999) are left out. The combinatorial twin decides alike, with
every holding and every board in place of the network: what it wins more is the price of 25 types. Its source
samples 100,000 decks, it enumerates all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Anytime, Recorder
from baycarp.agents.base import Decision, Plays
from baycarp.agents.factory import Factory
from baycarp.agents.sampling import draw, generator, legal_policy
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.card import blocked_by, holding_index
from baycarp.evaluation import equity
from baycarp.game import STREETS, Event, HandOver, Observation, Variant
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.opponents.bpp.acts import ActTable, AnsweringAct, responses
from baycarp.opponents.bpp.hands import BOARDS, SEGMENTS, TYPES, board_state, draws, hand_types
from baycarp.opponents.bpp.network import CardQuery, typical
from baycarp.rules.betting.context import LimitSpot, facing

__all__ = ["BPP", "Bpp", "BppStage", "curve", "curves", "winnings"]

FUTURE = 0.5
"""Bets that each player is expected to add on a later street."""

STEEPNESS = 2.0
"""Of the betting curves, by small bets: at a difference of one the worse action has 7 %."""


@dataclass(frozen=True, slots=True)
class BppStage(Stage, name="bpp"):
    """A query of the decision network.

    Parameters
    ----------
    evidence
        The observed nodes: node -> state.
    win
        P(BPP_Win), 0..1, ties half.
    winnings
        The expected utility of fold, pass and bet, in small bets; bet is absent beyond the cap.
    opponent
        The likeliest final types of the opponent with their probabilities; empty of the twin.
    """

    evidence: Mapping[str, str]
    win: float
    winnings: Mapping[str, float]
    opponent: Mapping[str, float]


class Bpp:
    """Plays by its decision network.

    Parameters
    ----------
    learning
        Whether each opponent's table moves with what it does (dynamic), or is a typical opponent's (static).
    combinatorial
        Whether every holding and board is enumerated in place of the network.
    """

    plays = Plays(frozenset({"limit"}), 2, 2)

    def __init__(self, learning: bool = True, combinatorial: bool = False) -> None:
        self.learning, self.combinatorial, self._seed = learning, combinatorial, 0
        self._anytime = Anytime()
        self.tables: dict[str, ActTable] = {}

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: every opponent is a typical one."""
        self.plays.verify(variant)
        self._seed, self.tables = whole(seed, "seed", 0, MOST_SEED), {}

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action from the betting curves; see ``Agent.decide``."""
        self.plays.verify_turn(observation)
        meter = (budget or Budget(time=time_limit)).start()
        return self._anytime.decide(meter, observation, {"network": self._answer}, first="rules")

    def learn(self, event: Event) -> None:
        """Count the actions of a finished hand, by the cards that were shown or else by those inferred."""
        if not self.learning or not isinstance(event, HandOver):
            return
        seen, board = event.observation, tuple(event.observation.board)
        if seen.variant.seats != 2 or seen.variant.betting != "limit":
            return
        for seat, name in enumerate(seen.players):
            table = self.tables.setdefault(name, typical())
            done, hole = responses(seen.acts, seat, seen.variant), seen.state.hole_of(seat)
            shown = np.eye(1, 1326, holding_index(*hole))[0] if hole else table.weights(done, board)
            if shown.any():
                table.learn(done, board, shown / shown.sum())

    def _table(self, observation: Observation, seat: int) -> ActTable:
        names = observation.players
        return self.tables.get(names[seat], typical()) if names else typical()

    def _answer(self, observation: Observation, recorder: Recorder) -> Answer:
        spot = facing(observation)
        opponent = 1 - spot.seat
        done = responses(observation.acts, opponent, observation.variant)
        table = self._table(observation, opponent)
        evidence, opposing = _cards(observation), dict[str, float]()
        if self.combinatorial:
            win = enumerated(observation, table, done)
        else:
            win, final = inferred(observation, table, done)
            likeliest = np.argsort(-final)[:3]
            opposing = {TYPES[kind]: float(final[kind]) for kind in likeliest}
        utilities = winnings(win, spot, observation.variant.small_bet)
        policy = legal_policy(observation, curves(utilities, may_fold=spot.owed > 0))
        action = draw(policy, generator(self._seed, observation).random())
        recorder.add(BppStage(evidence, win, utilities, opposing, seconds=recorder.lap()))
        worth = ", ".join(f"{name} {each:+.2f}" for name, each in utilities.items())
        return Answer(action, policy, f"wins with {win:.0%}: {worth} small bets")


def _cards(observation: Observation) -> dict[str, str]:
    """The observed nodes of cards."""
    board, holding = tuple(observation.board), holding_index(*observation.hole)
    return {
        "Round": STREETS[observation.street],
        "Board": BOARDS[board_state(board)],
        "BPP_Current": TYPES[hand_types(board)[holding]],
        "BPP_Draw": "yes" if draws(board)[holding] else "no",
    }


@cache
def _query() -> CardQuery:
    return CardQuery()


def inferred(
    observation: Observation, table: ActTable, done: tuple[AnsweringAct, ...]
) -> tuple[float, NDArray[np.float64]]:
    """P(win) by the network given the opponent's actions, and the distribution of its final type."""
    query, now, before = _query(), np.ones(len(SEGMENTS)), np.ones(len(TYPES))
    board = tuple(observation.board)
    for each in done:
        likely = table.likelihood(each)
        if each.street == observation.street:
            now = now * likely
        else:
            lying = board_state(board[: each.street + 2] if each.street else ())
            before = before * (query.segments_given_final(each.street, lying) @ likely)
    return query.win(_cards(observation), now, before)


def enumerated(observation: Observation, table: ActTable, done: tuple[AnsweringAct, ...]) -> float:
    """P(win) by all holdings of the opponent, weighted by its actions, and all boards."""
    board = tuple(observation.board)
    weights = np.where(blocked_by(observation.hole), 0.0, table.weights(done, board))
    return equity(observation.hole, weights, board)


def winnings(win: float, spot: LimitSpot, small_bet: int) -> dict[str, float]:
    """The expected utility of each action, in small bets: node ``Winnings``.

    Parameters
    ----------
    win
        P(BPP_Win), 0..1.
    spot
        The situation.
    small_bet
        In chips.
    """
    later = FUTURE * spot.later
    contributed, raised = spot.owed + later, spot.owed + spot.bet + later
    found = {"fold": 0.0, "pass": win * (spot.pot + contributed + later) - contributed}
    if spot.can_raise:
        found["bet"] = win * (spot.pot + raised + spot.bet + later) - raised
    return {name: chips / small_bet for name, chips in found.items()}


def curve(difference: float) -> float:
    """The probability of the first of two actions, by its expected utility less the other's, in small bets.

    Examples
    --------
    >>> curve(0.0), round(curve(1.0), 3), round(curve(-1.0), 3)
    (0.5, 0.932, 0.068)
    """
    worse = 0.5 * exp(-STEEPNESS * abs(difference))
    return 1 - worse if difference > 0 else worse


def curves(utilities: Mapping[str, float], may_fold: bool) -> tuple[float, float, float]:
    """The probabilities of fold, pass and bet: a fold against the better of the others, then those two."""
    bet = curve(utilities["bet"] - utilities["pass"]) if "bet" in utilities else 0.0
    stays = max(utilities["pass"], utilities.get("bet", utilities["pass"]))
    fold = curve(utilities["fold"] - stays) if may_fold else 0.0
    return fold, (1 - fold) * (1 - bet), (1 - fold) * bet


BPP = Factory(
    Bpp, "heads-up: a Bayesian decision network and betting curves (Nicholson et al. 2006)", published={}
)
