"""Small games straight from their definitions: recursive walks of the protocol, without arrays; slow."""

from itertools import product
from math import prod

import numpy as np
import pytest

from baycarp.solvers import CHANCE, END, GAMES, StrategyProfile, flatten
from baycarp.solvers.small.mccfr import Sampler

TREES = {name: flatten(make()) for name, make in GAMES.items()}
KUHN, LEDUC = TREES["kuhn"], TREES["leduc"]


def random_strategy(tree, seed):
    """A strategy of both players with random probabilities."""
    rng = np.random.default_rng(seed)
    return StrategyProfile(
        tree, tuple(side.proportions(rng.exponential(size=side.sequences)) for side in tree.sides)
    )


def moves(game, state, tables):
    """(probability, next state) of each move, where the player to act plays a table."""
    turn = game.turn(state)
    if turn == CHANCE:
        odds = game.probabilities(state)
    else:
        row = tables[turn][game.information(state)]
        odds = [row[action] for action in game.actions(state)]
    return [(chance, game.play(state, move)) for move, chance in enumerate(odds)]


def expected(game, tables, state=None):
    """What player 0 wins when both play tables."""
    state = game.root() if state is None else state
    if game.turn(state) == END:
        return game.returns(state)[0]
    return sum(chance * expected(game, tables, after) for chance, after in moves(game, state, tables))


def information_sets(game, player, state=None):
    """By information set of a player, the actions."""
    state = game.root() if state is None else state
    turn = game.turn(state)
    if turn == END:
        return {}
    met = {game.information(state): tuple(game.actions(state))} if turn == player else {}
    count = len(game.probabilities(state)) if turn == CHANCE else len(game.actions(state))
    for move in range(count):
        met |= information_sets(game, player, game.play(state, move))
    return met


def pure_strategies(game, player):
    """Every pure strategy of a player, as a table."""
    sets = information_sets(game, player)
    for chosen in product(*sets.values()):
        yield {
            key: {action: float(action == each) for action in sets[key]}
            for key, each in zip(sets, chosen, strict=True)
        }


def counterfactual_value(game, tables, player, information, action):
    """Over the nodes of an information set: reach by chance and opponent, times the value after it."""

    def walk(state, reach):
        turn = game.turn(state)
        if turn == END:
            return 0.0
        if turn == player and game.information(state) == information:
            after = game.play(state, list(game.actions(state)).index(action))
            return reach * (1 - 2 * player) * expected(game, tables, after)
        return sum(
            walk(after, reach * (1 if turn == player else chance))
            for chance, after in moves(game, state, tables)
        )

    return walk(game.root(), 1.0)


def value_by_linear_program(game, model=None, trust=0.0):
    """What player 0 wins in equilibrium: a linear program over sequences (Koller, Megiddo, von Stengel 1996).

    Over the first player's plan x and the values q of the second player's information sets, the value of the
    root is largest where no action of the second player makes it smaller. The second player follows a model,
    its table, with probability ``trust``, and is free with the rest.
    """
    linprog = pytest.importorskip("scipy.optimize", reason="no scipy").linprog
    sequences, sets, payoffs = ({(): 0}, {(): 0}), ({}, {}), {}

    def walk(state, chance, own):
        turn = game.turn(state)
        if turn == END:
            payoffs[own] = payoffs.get(own, 0) + chance * game.returns(state)[0]
        elif turn == CHANCE:
            for move, odds in enumerate(game.probabilities(state)):
                walk(game.play(state, move), chance * odds, own)
        else:
            key = game.information(state)
            sets[turn][key] = own[turn], [(*own[turn], (key, action)) for action in game.actions(state)]
            for move, after in enumerate(sets[turn][key][1]):
                sequences[turn].setdefault(after, len(sequences[turn]))
                walk(game.play(state, move), chance, (after, own[1]) if turn == 0 else (own[0], after))

    walk(game.root(), 1.0, ((), ()))
    matrix = np.zeros([len(each) for each in sequences])
    for (first, second), payoff in payoffs.items():
        matrix[sequences[0][first], sequences[1][second]] = payoff
    followed = [prod(model[key][action] for key, action in each) if model else 0 for each in sequences[1]]
    plans = []
    for player in (0, 1):
        rows = np.zeros((1 + len(sets[player]), len(sequences[player])))
        rows[0, 0] = 1
        for row, (before, actions) in zip(rows[1:], sets[player].values(), strict=True):
            row[sequences[player][before]] = -1
            row[[sequences[player][action] for action in actions]] = 1
        plans.append(rows)
    (ours, x), (theirs, _) = plans[0].shape, plans[1].shape
    solved = linprog(
        np.concatenate([-trust * matrix @ followed, [-1.0], np.zeros(theirs - 1)]),
        A_ub=np.hstack([(trust - 1) * matrix.T, plans[1].T]),
        b_ub=np.zeros(matrix.shape[1]),
        A_eq=np.hstack([plans[0], np.zeros((ours, theirs))]),
        b_eq=[1.0] + [0.0] * (ours - 1),
        bounds=[(0, None)] * x + [(None, None)] * theirs,
    )
    assert solved.status == 0
    return -solved.fun


def counterfactual_values(strategy, player):
    """By the sweeps of the package: the value of each action of a player, and at 0 that of the game."""
    sides = strategy.tree.sides
    gains = strategy.tree.gains(player, sides[1 - player].plan(strategy.probabilities[1 - player]))
    sides[player].mean(gains, strategy.probabilities[player])
    return gains


def sampled_values(strategy, player, walks, seed):
    """The same as walks sample them: shape (walks, sequences); 0 in information sets that are not visited."""
    tree = strategy.tree
    sampler, side = Sampler(tree, seed), tree.sides[player]
    tables = [
        [
            given[start : start + len(actions)].tolist()
            for start, actions in zip(each.first, each.actions, strict=True)
        ]
        for each, given in zip(tree.sides, strategy.probabilities, strict=True)
    ]
    values = np.zeros((walks, side.sequences))
    for row in values:
        row[0], own, _ = sampler.walk(player, (tables[0].__getitem__, tables[1].__getitem__))
        for number, sampled, _ in own:
            row[side.first[number] : side.first[number] + len(sampled)] = sampled
    return values
