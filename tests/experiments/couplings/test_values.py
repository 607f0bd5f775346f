"""Outcomes by other values: each departs from G-bucks in one thing."""

from itertools import islice

import numpy as np
import pytest

from baycarp.agents.value.lookahead import look_ahead
from baycarp.game.notation.hand import replay, states
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.rules.outcome import HandResult, Stake, g_bucks
from baycarp.strategies.model import load_model
from baycarp.training.casebases import cases_of_session
from experiments.couplings.values import BY_WEIGHTS, VALUES, Valuation, outcomes_of, revalued

HANDS = 5


@pytest.fixture(scope="module")
def model(coupled_models):
    return load_model(coupled_models / "network")


@pytest.fixture(scope="module")
def valued(model, watched):
    return outcomes_of(model, watched[:HANDS], 0, playouts=4)


@pytest.fixture(scope="module")
def stakes(watched):
    """Actions of the acting players, each against any cards of the opponents."""
    found = []
    for hand in islice(watched, 8):
        for number, act in enumerate(replay(hand).acts):
            before = next(islice(states(hand), number, None))
            others = [seat for seat in before.seats_in if seat != act.seat]
            found.append(Stake(before.observe(act.seat, hand.players, 3), act, dict.fromkeys(others, ANY)))
    return found


ANY = np.ones(1326)
RESULT = HandResult(0.0, False, {}, (2.0, 4.0, 8.0, -6.0))


def test_every_watched_action_has_each_value(model, watched, valued):
    expected = [each.base for each in cases_of_session(watched[:HANDS], 0, model.strategy, model.network)]
    for name, values in valued.items():
        assert values.shape == (len(VALUES), expected.count(name))
        assert np.isfinite(values).all()
    assert sum(values.shape[1] for values in valued.values()) > 10


def test_a_fold_saves_what_the_call_would_lose(stakes):
    folds = [each for each in stakes if each.act.action.name == "fold"][:4]
    for stake in folds:
        state = stake.observation.state.copy()
        called = g_bucks(Stake(stake.observation, state.apply(state.named("call")), stake.ranges), RESULT)
        values = Valuation(2)(stake, RESULT)
        assert values["saved"] == -called
        assert {values[name] for name in BY_WEIGHTS if name != "saved"} == {0.0}
    assert folds


def test_later_streets_are_added(stakes):
    stake = next(each for each in stakes if each.act.action.name in ("call", "raise"))
    values = Valuation(2)(stake, RESULT)
    later = {0: 4 + 8 - 6, 1: 8 - 6, 2: -6, 3: 0}[stake.act.street]
    small_bet = stake.observation.variant.small_bet
    assert values["continued"] == pytest.approx(values["g-bucks"] + later / small_bet)
    assert values["saved"] == values["g-bucks"]


def test_jointly_one_opponent_is_no_other(stakes):
    """Against one the shares agree; against several the product is less than the joint share."""
    one = [
        each
        for each in stakes
        if len(each.ranges) == 1 and each.act.street and each.act.action.name != "fold"
    ]
    several = next(each for each in stakes if len(each.ranges) > 2 and each.act.action.name == "call")
    for stake in one[:3]:
        values = Valuation(2)(stake, RESULT)
        assert values["joint"] == pytest.approx(values["g-bucks"], abs=1e-6)
    values = Valuation(2)(several, RESULT)
    assert values["joint"] != values["g-bucks"]


def test_the_look_ahead_is_that_of_the_default_agent(stakes):
    stake = next(each for each in stakes if each.act.action.name in ("call", "raise"))
    found = look_ahead(stake.observation, PlayerModels(load_styles()), 8, stake.observation.hand)
    chips = next(value.chips for value in found if value.action == stake.act.action)
    values = Valuation(8)(stake, RESULT)
    assert values["look-ahead"] == pytest.approx(chips / stake.observation.variant.small_bet)


def test_outcomes_alone_are_exchanged(model):
    outcomes = {name: np.arange(len(base), dtype=float) for name, base in model.casebases.items()}
    other = revalued(model, outcomes)
    for name, base in other.casebases.items():
        ours, theirs = base.columns(), model.casebases[name].columns()
        assert np.array_equal(ours["outcomes"], outcomes[name])
        for each in set(ours) - {"ids", "outcomes"}:
            assert np.array_equal(ours[each], theirs[each])
