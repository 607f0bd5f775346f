"""The responder: its values beside a slow enumeration; and it beats weak opponents."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.registry import identity
from baycarp.agents.responder import Responder, ResponseStage
from baycarp.agents.trace import stage_of
from baycarp.card import CLASS_OF, HOLDINGS, HOLDS, cards
from baycarp.errors import ModelError, TableError
from baycarp.game.variant import Variant
from baycarp.opponents.actions.buckets import buckets
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel, sensible
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, hand_moves, to_move
from baycarp.opponents.actions.styles import Styles, save_styles
from baycarp.rules.income import IncomeGroup

GAME = "holdem.limit.2p.reverse_blinds"


def kept(model, path):
    save_styles(Styles((model,), (1.0,)), path, "the test")
    return path


def always(choice):
    """The model of a player that always chooses one action where it is legal."""
    tables = []
    for street, shape in enumerate(SHAPES):
        legal = LEGAL[PRICE_OF[street]]
        wanted = np.eye(3)[choice] * legal
        wanted = np.where(wanted.sum(axis=1, keepdims=True) > 0, wanted, np.array([0.0, 1.0, 0.0]))
        tables.append(np.broadcast_to(wanted[:, None, :], shape).copy())
    return ActionModel(tuple(tables))


def by_half(choices, otherwise):
    """A model of a player that before the flop chooses by the half of the buckets: weaker, stronger."""
    tables = [table.copy() for table in always(otherwise).tables]
    legal = LEGAL[PRICE_OF[0]]
    for half, choice in zip((slice(0, 8), slice(8, 16)), choices, strict=True):
        wanted = np.where(legal[:, choice, None], np.eye(3)[choice], np.array([0.0, 1.0, 0.0]))
        tables[0][:, half] = wanted[:, None, :]
    return ActionModel(tuple(tables))


def stronger_half(without):
    """The holdings in the upper eight of the sixteen pre-flop buckets, ordered by exact heads-up equity.

    The buckets hold shares of the 1,326 that fall by 0.85 from one to the next.
    """
    everything = np.ones(1326)
    of_class = {}
    for holding, hand_class in enumerate(CLASS_OF):
        if hand_class not in of_class:
            of_class[hand_class] = baycarp.equity(HOLDINGS[holding], everything)
    equity = np.array([of_class[hand_class] for hand_class in CLASS_OF])
    place = np.array([(np.sum(equity < each) + np.sum(equity <= each)) / 2 / 1326 for each in equity])
    sizes = [0.85**bucket for bucket in range(16)]
    chosen = place >= sum(sizes[:8]) / sum(sizes)
    return chosen & ~HOLDS[cards(without)].any(axis=0)


def worth_of(decision):
    return stage_of(decision.trace, ResponseStage).chips


def test_any_hand_bets_against_an_opponent_that_always_folds(tmp_path):
    observation = baycarp.observe("MATCHSTATE:0:0:cc/:7h2d|/AsKdQc", game=GAME)
    decision = Responder(kept(always(0), tmp_path / "m.npz")).decide(observation)
    assert decision.action.name == "bet"
    assert worth_of(decision)["bet"] == pytest.approx(observation.state.pot)


def test_strength_alone_counts_against_an_opponent_that_always_calls(tmp_path):
    agent = Responder(kept(always(1), tmp_path / "m.npz"))
    for hole, board, name in (("AhAd", "As7d2c", "bet"), ("4h3d", "AsKdQc", "check")):
        observation = baycarp.observe(f"MATCHSTATE:0:0:cc/:{hole}|/{board}", game=GAME)
        decision = agent.decide(observation)
        share = baycarp.equity(hole, np.ones(1326), board)
        pot, bet = observation.state.pot, observation.variant.small_bet
        assert worth_of(decision)["check"] == pytest.approx(share * pot)
        assert worth_of(decision)["bet"] == pytest.approx(share * (pot + 2 * bet) - bet)
        assert decision.action.name == name


def test_a_raise_before_the_flop_is_read_in_the_order_of_two_players(tmp_path):
    observation = baycarp.observe("MATCHSTATE:0:0:r:7h2d|", game=GAME)
    agent = Responder(kept(by_half((1, 2), otherwise=1), tmp_path / "m.npz"))  # raises with the stronger half
    worth = worth_of(agent.decide(observation))
    share = baycarp.equity("7h2d", stronger_half("7h2d").astype(float))
    state = observation.state
    assert worth["call"] == pytest.approx(share * (state.pot + state.owed) - state.owed)


def test_the_answer_to_a_raise_before_the_flop_is_by_the_order_of_two_players(tmp_path):
    observation = baycarp.observe("MATCHSTATE:1:0::|QhJd", game=GAME)
    agent = Responder(kept(by_half((0, 1), otherwise=1), tmp_path / "m.npz"))  # calls with the stronger half
    worth = worth_of(agent.decide(observation))
    state = observation.state.copy()
    paid = state.apply(state.named("raise")).paid
    calling = stronger_half("QhJd")
    calls = calling.sum() / 1225
    share = baycarp.equity("QhJd", calling.astype(float))
    expected = (1 - calls) * observation.state.pot + calls * (share * (state.pot + state.owed) - paid)
    assert worth["raise"] == pytest.approx(expected)


def test_the_worth_of_a_raise_by_enumerating_holdings(tmp_path):
    agent = Responder(kept(sensible(), tmp_path / "m.npz"))
    observation = baycarp.observe("MATCHSTATE:1:0:cc/cc/r:|QhJd/Qs7d2c/8c", game=GAME)  # he bet the turn
    worth = worth_of(agent.decide(observation))
    own_moves = [move for move in hand_moves(observation.acts, observation.variant).moves if move.seat == 0]
    posterior = agent.model.posterior(own_moves, observation.board, IncomeGroup.IR2, observation.hole)
    state = observation.state.copy()
    paid = state.apply(state.named("raise")).paid
    codes = buckets(tuple(observation.board), IncomeGroup.IR2)
    row = agent.model.tables[2][to_move(state.observe(state.to_act))]
    total = 0.0
    for holding in np.flatnonzero(posterior):
        chance, folds = posterior[holding], row[codes[holding], 0]
        one = np.zeros(1326)
        one[holding] = 1.0
        share = baycarp.equity("QhJd", one, "Qs7d2c8c")
        called = share * (state.pot + state.owed) - paid
        total += chance * (folds * observation.state.pot + (1 - folds) * called)
    assert worth["raise"] == pytest.approx(total)


def test_it_plays_heads_up_limit_only(tmp_path):
    path = kept(sensible(), tmp_path / "m.npz")
    agent = baycarp.load(f"responder(model={str(path)!r})")
    assert identity(f"responder(model={str(path)!r})").endswith(f" with {agent.loaded_from[0]}")
    assert agent.loaded_from != Responder(kept(always(1), tmp_path / "other.npz")).loaded_from
    with pytest.raises(TableError):
        agent.plays.verify(Variant.ring(3))
    with pytest.raises(ModelError, match="no styles"):
        baycarp.load(f"responder(model={str(tmp_path / 'none.npz')!r})")
