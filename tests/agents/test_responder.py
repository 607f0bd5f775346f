"""The responder: what it reckons, against a slow reckoning; and it takes from who gives."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.registry import identity
from baycarp.agents.responder import Responder
from baycarp.errors import ModelError, TableError
from baycarp.game.variant import Variant
from baycarp.opponents.actions import SHAPES, ActionModel, sensible
from baycarp.opponents.buckets import buckets
from baycarp.opponents.moves import LEGAL, PRICE_OF, to_move
from baycarp.opponents.styles import Styles, save_styles

GAME = "holdem.limit.2p.reverse_blinds"


def kept(model, path):
    save_styles(Styles((model,), (1.0,)), path, "the test")
    return path


def always(choice):
    """A model of who always does one thing, where he may."""
    tables = []
    for street, shape in enumerate(SHAPES):
        legal = LEGAL[PRICE_OF[street]]
        wanted = np.eye(3)[choice] * legal
        wanted = np.where(wanted.sum(axis=1, keepdims=True) > 0, wanted, np.array([0.0, 1.0, 0.0]))
        tables.append(np.broadcast_to(wanted[:, None, :], shape).copy())
    return ActionModel(tuple(tables))


def worth_of(decision):
    return next(stage.said["chips"] for stage in decision.trace if stage.name == "response")


def test_against_who_always_folds_anything_bets(tmp_path):
    seen = baycarp.observe("MATCHSTATE:0:0:cc/:7h2d|/AsKdQc", game=GAME)
    decision = Responder(kept(always(0), tmp_path / "m.npz")).decide(seen)
    assert decision.action.name == "bet"
    assert worth_of(decision)["bet"] == pytest.approx(seen.state.pot)


def test_against_who_always_calls_strength_alone_counts(tmp_path):
    agent = Responder(kept(always(1), tmp_path / "m.npz"))
    for hole, board, name in (("AhAd", "As7d2c", "bet"), ("4h3d", "AsKdQc", "check")):
        seen = baycarp.observe(f"MATCHSTATE:0:0:cc/:{hole}|/{board}", game=GAME)
        decision = agent.decide(seen)
        share = baycarp.equity(hole, np.ones(1326), board)
        pot, bet = seen.state.pot, seen.variant.small_bet
        assert worth_of(decision)["check"] == pytest.approx(share * pot)
        assert worth_of(decision)["bet"] == pytest.approx(share * (pot + 2 * bet) - bet)
        assert decision.action.name == name


def test_what_a_raise_is_worth_holding_by_holding(tmp_path):
    model = sensible()
    agent = Responder(kept(model, tmp_path / "m.npz"))
    seen = baycarp.observe("MATCHSTATE:1:0:cc/cc/r:|QhJd/Qs7d2c/8c", game=GAME)  # he bet the turn
    worth = worth_of(agent.decide(seen))
    posterior = agent._range(seen)
    state = seen.state.copy()
    paid = state.apply(state.named("raise")).paid
    codes = buckets(tuple(seen.board), 2)
    row = agent.model.tables[2][to_move(state.observe(state.to_act))]
    total = 0.0
    for holding in np.flatnonzero(posterior):
        chance, folds = posterior[holding], row[codes[holding], 0]
        one = np.zeros(1326)
        one[holding] = 1.0
        share = baycarp.equity("QhJd", one, "Qs7d2c8c")
        called = share * (state.pot + state.owed) - paid
        total += chance * (folds * seen.state.pot + (1 - folds) * called)
    assert worth["raise"] == pytest.approx(total)


def test_it_plays_heads_up_limit_only(tmp_path):
    path = kept(sensible(), tmp_path / "m.npz")
    agent = baycarp.load(f"responder(model={str(path)!r})")
    assert identity(f"responder(model={str(path)!r})").endswith(f" with model {agent.digest}")
    assert agent.digest != Responder(kept(always(1), tmp_path / "other.npz")).digest
    with pytest.raises(TableError):
        agent.plays.verify(Variant.ring(3))
    with pytest.raises(ModelError, match="no styles"):
        baycarp.load(f"responder(model={str(tmp_path / 'none.npz')!r})")
