"""Re-solving against the slow reference: what a best response gains, holding by holding."""

from functools import cache, partial

import numpy as np
import pytest
from solvers.spots import reference

from baycarp.agents.registry import load
from baycarp.agents.resolve.blueprint import LimitTables, NoLimitTables
from baycarp.agents.resolve.own import OwnRange
from baycarp.agents.resolve.promises import promises
from baycarp.agents.resolve.solve import FollowedModel, TurnSolve, resolve
from baycarp.agents.resolve.stages import ResolveStage
from baycarp.agents.resolve.subgame import Subgame, as_action
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL
from baycarp.agents.trace import stage_of
from baycarp.card import blocked_by, holding_index
from baycarp.errors import ArgumentError, ModelError, VariantError
from baycarp.game import State, Variant
from baycarp.game.notation.observe import observe
from baycarp.kernels.spots import Engine
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles

LIMIT = "holdem.limit.2p.reverse_blinds"
RIVERS = (
    "MATCHSTATE:1:0:rc/crc/crc/:|AhKd/Ts9d2c/3h/Jd",
    "MATCHSTATE:1:0:cc/crc/cc/r:|AhKd/Qs7d2c/3h/6d",
)
TURN = "MATCHSTATE:1:0:rc/crc/c:|AhKd/Qs7d2c/3h"
EXACT = 0.01
"""A share of the pot: what a re-solve of 60 iterations may give a holding beyond its promise."""


@cache
def blueprint():
    return LimitTables(Equilibrium())


@cache
def models():
    return PlayerModels(load_styles())


def hand(line):
    """The observation of a position, itself to act, by adding a check where it is not."""
    observation = observe(line, game=LIMIT)
    if observation.state.to_act != observation.seat:
        state = observation.state.copy()
        state.apply(state.named("check"))
        observation = state.observe(observation.seat)
    return observation


def given(line):
    """A hand with its subgame, own number, both ranges by the blueprint, and what is promised."""
    observation = hand(line)
    subgame = Subgame.of(observation.state)
    player = subgame.seats.index(observation.seat)
    carried = OwnRange(blueprint().chance)
    own, other = (carried.at(subgame.start, seat) for seat in (observation.seat, 1 - observation.seat))
    return observation, subgame, player, own, other, promises(subgame, blueprint(), player, own)


def referee(subgame, player, own, shares, other=None):
    """The definition of a river: a player is locked to shares of (state, actions), the other one is free."""
    tree = subgame.arrays
    weights = [own[subgame.held], np.ones(len(subgame.held)) if other is None else other[subgame.held]]
    cards = (subgame.cards, subgame.cards)
    engine = reference.Engine(
        subgame.board,
        cards,
        weights[:: -1 if player else 1],
        tree.kind,
        tree.player,
        tree.first,
        tree.count,
        tree.payoff,
    )
    for place in subgame.decisions(player):
        actions = tuple(as_action(place.state, step) for step in place.node.steps)
        engine.lock(place.number, (), shares(place.state, actions)[:, subgame.held])
    return engine


def best_values(engine, player):
    """What each holding of a player has by its best response."""
    reach = engine.weights[1 - player]
    values = engine._walk(0, (), player, engine.weights[player], reach, reference._Best(engine, free=False))
    met = reach @ (engine.apart if player else engine.apart.T)
    return values / np.where(met > 0, met, np.nan)


def by_tables(state, actions):
    return blueprint().table(state, actions)[blueprint().classes(state)].T


def of_solve(solved, state, actions):
    (place,) = (each for each in solved.subgame.decisions(solved.player) if each.state == state)
    return solved.shares(place)


def excess(solved, own, promised):
    """What holdings of the opponent have beyond their promises, as a share of the pot."""
    engine = referee(solved.subgame, solved.player, own, partial(of_solve, solved))
    beyond = best_values(engine, 1 - solved.player) - promised.values[solved.subgame.held]
    return beyond / solved.subgame.start.pot


@pytest.mark.parametrize("line", RIVERS)
def test_promises_are_best_responses_to_the_blueprint(line):
    _, subgame, player, own, _, promised = given(line)
    engine = referee(subgame, player, own, by_tables)
    expected = best_values(engine, 1 - player)
    np.testing.assert_allclose(promised.values[subgame.held], expected, rtol=1e-4, equal_nan=True)


@pytest.mark.parametrize("line", RIVERS)
def test_no_holding_gains_from_a_safe_re_solve(line):
    observation, subgame, _, own, other, promised = given(line)
    solved = resolve(observation, own, other, promised=promised)
    assert solved.safe
    beyond = excess(solved, own, promised)
    assert np.nanmax(beyond) < EXACT
    weights = np.where(np.isnan(beyond), 0, other[subgame.held])
    assert np.nansum(beyond * weights) / weights.sum() < -EXACT / 10  # and it wins more from the believed


@pytest.mark.slow
def test_a_turn_in_time_is_a_strategy_of_the_whole_subgame_and_keeps_its_promise():
    _, subgame, player, own, other, promised = given(TURN)
    turn = TurnSolve(subgame, player, (own, other), promised=promised)
    assert turn.found() is None  # nothing is solved
    while (found := turn.found()) is None:
        assert not turn.round()
    tree, weights = subgame.arrays, [own[subgame.held], np.ones(len(subgame.held))]
    cards = (subgame.cards, subgame.cards)
    arrays = (tree.kind, tree.player, tree.first, tree.count, tree.payoff)
    whole = Engine(subgame.board, cards, weights[:: -1 if player else 1], *arrays)
    fewer = {str(place.state.acts): place for place in found.subgame.decisions(player)}
    for place in subgame.decisions(player):
        if str(place.state.acts) not in fewer:
            continue  # the own raises that lead there are not made
        same = fewer[str(place.state.acts)]
        kept = [place.node.steps.index(step) for step in same.node.steps]
        for dealt in whole.boards(place.number):
            shares = np.zeros((len(place.node.steps), len(subgame.held)))
            shares[kept] = found.engine.strategy(same.number + found.shift, dealt)[:, : len(subgame.held)]
            shares = np.nan_to_num(shares)
            shares[kept[0], shares.sum(axis=0) == 0] = 1  # blocked by the card that was dealt
            whole.lock(place.number, dealt, shares)
    best = whole.best_values(1 - player, 0) - promised.values[subgame.held]
    beyond = found.beyond(promised)[subgame.held]
    assert beyond == pytest.approx(best, abs=1e-3 * subgame.start.pot, nan_ok=True)
    weights = other[subgame.held] / other[subgame.held].sum()
    assert np.nansum(best * weights) <= 1e-4 * subgame.start.pot


def test_an_unsafe_re_solve_that_believes_too_much_is_exploited():
    """The opponent is believed to bet its best holdings alone: nothing is called, and all others gain."""
    observation, _, _, own, _, promised = given(RIVERS[1])
    strong = np.zeros(1326)
    values = np.where(np.isnan(promised.values), -np.inf, promised.values)
    strong[np.argsort(values)[-20:]] = 1.0
    unsafe = resolve(observation, own, strong)
    assert not unsafe.safe
    assert np.nanmax(excess(unsafe, own, promised)) > 0.2
    safe = resolve(observation, own, strong, promised=promised)
    assert np.nanmax(excess(safe, own, promised)) < 2 * EXACT


@pytest.mark.slow
def test_full_trust_is_the_best_response_to_the_model():
    observation, subgame, player, own, other, promised = given(RIVERS[0])
    won = []
    for trust in (0.0, 0.5, 1.0):
        follow = FollowedModel(models().shares, trust) if trust else None
        solved = resolve(observation, own, other, promised=promised, follow=follow)
        assert solved.safe == (trust == 0)
        against = referee(subgame, 1 - player, other, models().shares, own)
        for place in subgame.decisions(player):
            against.lock(place.number, (), solved.shares(place)[:, subgame.held])
        won.append(against.values()[player])
    best = referee(subgame, 1 - player, other, models().shares, own).values("locked")[player]
    assert won[0] < won[1] < won[2]
    assert won[2] == pytest.approx(best, abs=1e-3 * subgame.start.pot)


def test_the_same_arguments_give_the_same_bits():
    observation, *_, own, other, promised = given(RIVERS[0])
    one, two = (resolve(observation, own, other, promised=promised, iterations=7) for _ in range(2))
    assert (one.policy == two.policy).all()
    assert one.engine.iterations == 7
    assert np.isclose(one.policy.sum(axis=0), 1).all()


def test_values_are_from_here_on_and_a_fold_is_worth_nothing():
    observation, _, _, own, other, promised = given(RIVERS[1])
    solved = resolve(observation, own, other, promised=promised)
    assert [action.name for action in solved.actions] == ["fold", "call", "raise"]
    free = ~np.isnan(solved.values).any(axis=0)
    np.testing.assert_allclose(solved.values[0, free], 0, atol=1e-6)
    nuts = holding_index(*observe("MATCHSTATE:1:0:cc/crc/cc/r:|5s4s/Qs7d2c/3h/6d", game=LIMIT).hole)
    assert solved.values[1, nuts] > observation.state.pot - 1  # nothing beats it: the pot, and its call back
    assert 0 <= solved.gap < EXACT


def test_shares_of_models_are_those_by_which_they_update_their_belief():
    """By Bayes: the belief after an act is the one before times the share of the act."""
    observation = hand(RIVERS[1])
    state = Subgame.of(observation.state).start
    assert state.to_act == 1 - observation.seat
    actions, believed = state.legal_actions(), []
    found = models().shares(state, actions)
    for action in actions:
        after = state.copy()
        after.apply(action)
        belief, before = (
            models().believe(each.observe(observation.seat), state.to_act, "").weights
            for each in (after, state)
        )
        believed.append(belief / np.where(before > 1e-6, before, np.nan))
    known = ~np.isnan(believed[0])
    for share, ratio in zip(found[:, known], np.array(believed)[:, known], strict=True):
        np.testing.assert_allclose(ratio / share, (ratio / share).mean(), rtol=1e-4)
    np.testing.assert_allclose(found[:, known].sum(axis=0), 1)


def test_the_own_range_counts_each_act_by_what_decided_it():
    subgame = Subgame.of(hand(RIVERS[0]).state)
    carried, seat = OwnRange(blueprint().chance), 1
    expected, state = np.ones(1326), State(Variant.load(LIMIT))
    decided = []
    for act in subgame.start.acts:
        if state.street:
            state.deal(board=subgame.board[: state.street + 2])
        if act.seat == seat:
            actions = state.legal_actions()
            table = by_tables(state, actions)
            if state.street == 2:
                table = np.full_like(table, 1 / len(table))
                decided.append((state.copy(), actions, table))
            expected *= table[actions.index(act.action)]
        state.apply(act.action)
    for each in decided:
        carried.decided(*each)
    expected[blocked_by(subgame.start.board)] = 0
    np.testing.assert_allclose(carried.at(subgame.start, seat), expected)
    carried.begin()
    assert not np.allclose(carried.at(subgame.start, seat), expected)


@pytest.mark.slow
def test_equilibrium_re_solves_the_turn_and_then_the_river():
    agent = load("equilibrium(resolve=True)")
    state = hand(TURN).state.copy()
    agent.sit(0, state.variant, 1)
    decided = agent.decide(state.observe(state.to_act))
    stage = stage_of(decided.trace, ResolveStage)
    assert (stage.root, stage.safe) == ("turn", True)
    assert stage.gap < 0.03
    own = holding_index(*state.hole_of(state.to_act)) if state.hole_of(state.to_act) else 0
    public = Subgame.of(state).place.state
    table = agent.policies(public)
    assert table[~blocked_by(state.board)].sum(axis=1) == pytest.approx(1)
    for action, share in decided.policy.items():
        assert table[own][{"fold": 0, "check": 1, "call": 1}.get(action.name, 2)] == pytest.approx(share)
    turn = agent.hands.at(state, state.to_act)
    seat = state.to_act
    state.apply(state.named("check"))
    while state.street == 2:
        state.apply(state.named("check"))
    state.deal(board=[*state.board, 51])
    while state.to_act != seat:
        state.apply(state.named("check"))
    river = agent.hands.at(state, seat)
    promised = turn.promises(river.subgame)
    beyond = excess(river, agent.hands._own.at(river.subgame.start, seat), promised)
    assert river.safe
    assert np.nanmax(beyond) < 3 * EXACT
    assert load("equilibrium(resolve=True, root='river')").hands.at(hand(TURN).state, 1) is None
    late = agent.decide(hand(TURN), time_limit=0.05)
    assert "as solved" in late.reason  # the blueprint, in time


def test_no_limit_promises_as_long_as_the_betting_is_that_of_the_solved_game():
    player = EquilibriumNL()
    variant = Variant.load("holdem.nolimit.2p.100bb")
    state = State(variant)
    actions, _ = player.policies(state.observe(state.to_act))
    known = [action for action in actions if action.name == "raise"][1]
    tables = NoLimitTables(player)
    for raised in (known, type(known)("raise", known.amount + 7)):
        hand_ = State(variant)
        hand_.apply(raised)
        hand_.apply(hand_.named("call"))
        hand_.deal(board="Qs7d2c")
        assert tables.is_solved(hand_) == (raised == known)
        legal = hand_.legal_actions()
        np.testing.assert_allclose(tables.table(hand_, legal).sum(axis=1), 1)


def test_bad_arguments_are_named():
    observation, *_, own, other, _ = given(RIVERS[0])
    with pytest.raises(ArgumentError, match="own: expected 1326 finite weights"):
        resolve(observation, own[:5], other)
    with pytest.raises(ArgumentError, match="other: expected a holding"):
        resolve(observation, own, np.zeros(1326))
    with pytest.raises(ArgumentError, match="trust 0: expected above 0"):
        FollowedModel(models().shares, 0)
    with pytest.raises(ModelError, match="root 'flop': expected turn or river"):
        load("equilibrium(resolve=True, root='flop')")
    with pytest.raises(VariantError, match="on the turn or the river"):
        Subgame.of(observe("MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", game=LIMIT).state)
