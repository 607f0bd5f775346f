"""The oracle against the decisions of the players themselves with other cards."""

import numpy as np
import pytest

from baycarp.agents.poki.formula import RuleStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.arena.hand import play_hand
from baycarp.card import HOLDINGS, HOLDS
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, states
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal
from baycarp.kernels.strength import strength
from experiments.beliefs.oracle import Oracle
from experiments.beliefs.strengths import against

PLAYERS = {
    "Ann": "formula(level='loose', shift=-100, aggression=0.9)",
    "Bob": "formula(level='loose', shift=-150, tightness=0.3, model=0)",
    "Cid": "formula(level='loose', shift=-60, tightness=0.4, model=0.6, deception=0.3, implied=2)",
    "Dee": "jake",
}


def played(hands):
    """Hands at a table, each with the state of every player at its start."""
    variant, names = Variant.ring(4), tuple(PLAYERS)
    agents = [load(spec) for spec in PLAYERS.values()]
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, seat)
    for number in range(hands):
        turn = [(seat + number) % 4 for seat in range(4)]
        order = tuple(names[seat] for seat in turn)
        state = play_hand(
            State(variant, deck=deal(3, 0, number, 13)), [agents[seat] for seat in turn], order, number
        )
        yield Hand.of(state, order, number)


def asked(hand, position, agent, holding, streets):
    """The probability of all actions up to a street, from the player's decision at each."""
    cards, chance = HOLDINGS[holding], 1.0
    for state, action in zip(states(hand), hand.actions, strict=False):
        if state.to_act != position or state.street >= streets:
            continue
        state.deal(dict.fromkeys(range(4), ()), state.board)
        state.deal({position: cards})
        decision = agent.decide(state.observe(position, hand.players, hand.id))
        chance *= decision.policy[action]
        if action.name in ("bet", "raise") and state.street:
            semi = stage_of(decision.trace, RuleStage).rule == "semi-bluff"
            agent._bluff = (hand.id, state.observe(position).hole, len(state.acts)) if semi else None
    return chance


@pytest.mark.parametrize("which", PLAYERS)
@pytest.mark.slow
def test_the_oracle_is_the_players_policy_with_any_cards(which):
    oracle, agent, rng, met = Oracle(PLAYERS), load(PLAYERS[which]), np.random.default_rng(5), set()
    for hand in played(18):
        position = hand.players.index(which)
        found = {
            street: chances for (street, seat), chances in oracle.after(hand).items() if seat == position
        }
        for street, chances in found.items():
            assert chances.sum() == pytest.approx(1)
            blocked = HOLDS[list(hand.board[: (0, 3, 4, 5)[street]])].any(axis=0)
            assert not chances[blocked].any()
            met.add(street)
        if found:
            street = max(found)
            free = np.flatnonzero(~HOLDS[list(hand.board)].any(axis=0))
            some = [*rng.choice(free, 6), int(np.argmax(found[street]))]
            agent._bluff = None
            likelihood = np.array([asked(hand, position, agent, holding, street + 1) for holding in some])
            expected = likelihood / likelihood[-1]
            np.testing.assert_allclose(found[street][some] / found[street][some[-1]], expected, atol=1e-4)
        agent.learn(HandOver(list(states(hand))[-1].observe(None, hand.players), ()))
    assert met == {0, 1, 2, 3}


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_strengths_against_ranges_are_those_of_one_holding(cards):
    rng = np.random.default_rng(cards)
    board = tuple(rng.permutation(52)[:cards].tolist())
    blocked = HOLDS[list(board)].any(axis=0)
    tables = np.where(blocked, 0.0, rng.random((3, 1326)))
    figures = against(board, tables)
    assert all(np.array_equal(np.isnan(figure), blocked) for figure in figures[: 6 - cards])
    for holding in rng.choice(np.flatnonzero(~blocked), 30):
        left = np.where(HOLDS[HOLDINGS[holding]].any(axis=0), 0.0, tables)
        field = (left / left.sum(axis=1, keepdims=True)).mean(axis=0)
        expected = strength(HOLDINGS[holding], board, field, ahead=1)
        assert [figure[holding] for figure in figures] == pytest.approx(expected, abs=1e-5)
