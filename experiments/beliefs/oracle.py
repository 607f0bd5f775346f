"""The oracle: exact Bayes over the 1,326 holdings with the watched player's own policy.

A formula player has a probability of each action with any two cards (``agents.poki.formula``); its actions so
far are then a likelihood of every holding, and the deal is uniform. The oracle has the public observation,
whose only cards are the board, and the player's actions contain no more information. A simulation player
samples its decisions after the flop with its own two cards, so that its policy is known only before the flop.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.poki.formula import Formula
from baycarp.agents.poki.preflop import answer, shares, thresholds
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.poki.weights import OpponentFrequencies
from baycarp.agents.registry import load
from baycarp.agents.sampling import legal_policy
from baycarp.card import CLASS_OF, blocked_by
from baycarp.errors import ModelError
from baycarp.game import Act, HandOver, Observation, State
from baycarp.game.notation.hand import Hand, states
from baycarp.kernels.simulation import RULES, rule_shares, triples
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, Rules, spots
from baycarp.rules.income import income_group, income_rates
from baycarp.rules.strength import holding_values
from experiments.beliefs.decision_points import SHOWN, street_ends
from experiments.beliefs.strengths import against

__all__ = ["Oracle"]

Array = NDArray[np.float64]


class Oracle:
    """Exact posteriors of the players of one session, hand after hand.

    Parameters
    ----------
    players
        The specification of each, by name. Only formula players have a posterior.

    Examples
    --------
    >>> from baycarp.card import CLASSES
    >>> from baycarp.game.notation.acpc import parse_state
    >>> from baycarp.game.variant import Variant
    >>> hand = parse_state("STATE:0:rc/rf:AhKd|7c7d/Qs7h2c:20|-20:Ann|Bob", Variant.ring(2))
    >>> found = Oracle({"Ann": "jake", "Bob": "karma"}).after(hand)[0, 1]  # Bob raised before the flop
    >>> cells = np.unique(CLASS_OF[found > 0])
    >>> len(cells), [CLASSES[cell] for cell in cells[:3]]
    (24, ['AA', 'AKs', 'AQs'])
    """

    def __init__(self, players: Mapping[str, str]) -> None:
        self._agents = {name: load(spec) for name, spec in players.items()}
        self._opponents = OpponentFrequencies()

    def after(self, hand: Hand) -> dict[tuple[int, int], Array]:
        """The posterior of each player in at the end of each street, by (street, position).

        The hands of a session must be in order: every player models the others by their earlier actions.

        Parameters
        ----------
        hand
            Finished, every player named.

        Returns
        -------
        dict of float64 arrays, shape (1326,)
            They sum to 1. A player without a policy after the flop has the first street only.

        Raises
        ------
        ModelError
            An action has probability 0 by its player's policy: the hand is another player's.
        """
        (ends, last), found = street_ends(hand), {}
        for position, name in enumerate(hand.players):
            agent = self._agents.get(name)
            last_end = 1 if isinstance(agent, Simulation) else 4
            streets = sum(position in end.seats_in for end in ends[:last_end])
            if not isinstance(agent, Formula) or not streets:
                continue
            turns = [turn for turn in _turns(hand, last, position) if turn.act.street < streets]
            each = self._likelihoods(agent, turns, streets)
            for street, likelihood in enumerate(accumulate(each, np.multiply)):
                chances = np.where(blocked_by(ends[street].board[: SHOWN[street]]), 0.0, likelihood)
                if not chances.any():
                    raise ModelError(f"hand {hand.id}: {name} did what {agent} never does")
                found[street, position] = chances / chances.sum()
        self._opponents.learn(HandOver(last.observe(None, hand.players), ()).observation)
        return found

    def _likelihoods(self, agent: Formula, turns: Sequence["_Turn"], streets: int) -> Iterator[Array]:
        """The probability of all its actions on a street, given each holding; street by street."""
        yield _before_flop(agent, [turn for turn in turns if turn.act.street == 0])
        rules, bluff = agent.style.rules(), _Bluff()
        for street in range(1, streets):
            likelihood = np.ones(1326)
            for turn in turns:
                if turn.act.street == street:
                    figures = self._figures(agent, turn.observation)
                    following = bluff.stands(turn.observation)
                    likelihood *= _chances(turn, rules, figures, following)
                    if FOLD_CALL_RAISE[turn.act.action.name] == 2:
                        bluff = _Bluff(
                            len(turn.observation.acts), _semi_bluffs(turn.spot, rules, figures, following)
                        )
            yield likelihood

    def _figures(self, agent: Formula, observation: Observation) -> tuple[Array, Array, Array]:
        """HS, PPot and NPot of each holding by the player's opponent model."""
        if agent.style.model == 0:
            return holding_values(observation.board)
        tables = self._opponents.weigh(observation)
        return against(observation.board, tables[tables.any(axis=1)] ** agent.style.model)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A decision of the player: its observation without its cards, its betting context, and its action.

    ``takes`` = which columns (fold, call, raise) of a triple result in its action.
    """

    observation: Observation
    spot: LimitSpot
    act: Act
    takes: Array


def _turns(hand: Hand, last: State, position: int) -> Iterator[_Turn]:
    for state, (act, spot) in zip(states(hand), spots(last.acts, hand.variant), strict=False):
        if act.seat == position:
            state.deal(dict.fromkeys(range(hand.variant.seats), ()))
            observation = state.observe(position, hand.players)
            takes = [legal_policy(observation, column)[act.action] for column in np.eye(3).tolist()]
            yield _Turn(observation, spot, act, np.array(takes))


def _before_flop(agent: Formula, turns: Sequence[_Turn]) -> Array:
    """All its actions before the flop at once: its strategy is chosen at the first, and kept."""
    if not turns:
        return np.ones(1326)
    first, seats = turns[0].spot, turns[0].observation.variant.seats
    small_blind = first.seat == (turns[0].observation.variant.button if seats == 2 else 0)
    style, group = agent.style, income_group(first.joined, first.behind)
    least = thresholds(group, first.after, small_blind, style.preflop)
    does = {plan: prod(turn.takes[answer(plan, turn.spot)] for turn in turns) for plan in least}
    likelihood = [
        sum(share * does[plan] for plan, share in shares(float(rate), least, style.mixing).items())
        for rate in income_rates()[group]
    ]
    return np.array(likelihood)[CLASS_OF]


@dataclass(frozen=True, slots=True)
class _Bluff:
    """The time of its last bet after the flop, and the holdings with which that was a semi-bluff."""

    since: int = 0
    holdings: NDArray[np.bool_] | None = None

    def stands(self, observation: Observation) -> NDArray[np.bool_] | None:
        """The holdings with which it follows up: no other player has bet or raised since."""
        later = observation.acts[self.since :]
        bold = any(act.seat != observation.seat and FOLD_CALL_RAISE[act.action.name] == 2 for act in later)
        return None if bold else self.holdings


def _chances(
    turn: _Turn, rules: Rules, figures: tuple[Array, Array, Array], following: NDArray[np.bool_] | None
) -> Array:
    """The probability of its action, given each holding; nan where the board blocks."""
    chances = triples(turn.spot, rules, *figures) @ turn.takes
    if following is not None:
        followed = triples(turn.spot._replace(following=True), rules, *figures) @ turn.takes
        chances = np.where(following, followed, chances)
    return chances


def _semi_bluffs(
    spot: LimitSpot, rules: Rules, figures: tuple[Array, Array, Array], following: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    """The holdings whose bet is a semi-bluff, by the rule with the greatest share."""
    if spot.owed or not spot.can_raise:
        return None
    found = np.zeros(1326, np.bool_)
    for holding in np.flatnonzero(~np.isnan(figures[0])):
        faced = spot if following is None else spot._replace(following=bool(following[holding]))
        given, _ = rule_shares(faced, rules, *(float(figure[holding]) for figure in figures))
        found[holding] = RULES[int(np.argmax(given))] == "semi-bluff"
    return found
