"""Kuhn and Leduc as games and as arrays, against walks of their definitions and against OpenSpiel."""

from time import process_time

import pytest
from reference.openspiel_games import Peer
from reference.small_games import (
    KUHN,
    LEDUC,
    TREES,
    expected,
    information_sets,
    pure_strategies,
    random_strategy,
)

from baycarp.errors import ArgumentError, VariantError
from baycarp.solvers import (
    CHANCE,
    END,
    Kuhn,
    Leduc,
    StrategyProfile,
    best_response,
    exploitability,
    flatten,
    nash_conv,
    value,
)
from baycarp.solvers.small import kuhn

ALPHAS = [0, 0.05, 1 / 9, 0.2, 0.3, 1 / 3]


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]


# The games


def states(game, state=None):
    state = game.root() if state is None else state
    yield state
    turn = game.turn(state)
    if turn != END:
        moves = game.probabilities(state) if turn == CHANCE else game.actions(state)
        for move in range(len(moves)):
            yield from states(game, game.play(state, move))


def test_sizes_are_those_of_the_literature():
    assert [len(side.informations) for side in KUHN.sides] == [6, 6]
    assert sum(len(side.informations) for side in LEDUC.sides) == 288
    assert len(KUHN.nodes.turn) == len(list(states(Kuhn()))) == 58
    assert len(LEDUC.nodes.turn) == len(list(states(Leduc())))


def test_payoffs_are_zero_sum_and_bounded(tree):
    most = {"kuhn": 2, "leduc": 13}[tree.game.name]
    returns = [tree.game.returns(state) for state in states(tree.game) if tree.game.turn(state) == END]
    assert all(first + second == 0 for first, second in returns)
    assert max(abs(first) for first, _ in returns) == most


@pytest.mark.parametrize(
    ("cards", "rounds", "won"),
    [
        ("KQJ", ("cc", "cc"), 1),
        ("JQJ", ("cc", "cc"), 1),  # the pair
        ("QQJ", ("crrc", "crrc"), 0),
        ("QKK", ("crrc", "rrc"), -13),
        ("KQ", ("rf",), 1),
        ("KQ", ("rrf",), -3),
        ("KQJ", ("rc", "crrf"), 7),
        ("QKJ", ("rrc", "rf"), 5),
    ],
)
def test_chips_of_leduc(cards, rounds, won):
    assert Leduc().returns((cards, rounds)) == (won, -won)


def test_chance_deals_ranks_by_the_cards_that_are_left():
    game = Leduc()
    assert game.probabilities(("Q", ("",))) == [0.4, 0.2, 0.4]
    assert game.probabilities(("QQ", ("cc",))) == [0.5, 0.5]
    assert [game.play(("QQ", ("cc",)), move)[0] for move in (0, 1)] == ["QQJ", "QQK"]


# The equilibria of Kuhn


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_family_of_equilibria_has_the_published_value(alpha):
    strategy = StrategyProfile.of(KUHN, kuhn.equilibrium(alpha))
    assert value(strategy) == pytest.approx(-1 / 18, abs=1e-9)
    assert best_response(strategy, 0).value == pytest.approx(-1 / 18, abs=1e-9)
    assert best_response(strategy, 1).value == pytest.approx(1 / 18, abs=1e-9)


@pytest.mark.parametrize(("information", "action"), [("J:", "bet"), ("Q:cr", "call"), ("K:", "bet")])
def test_a_step_away_from_them_can_be_exploited(information, action):
    first, second = kuhn.equilibrium(0.2)
    (other,) = set(first[information]) - {action}
    first[information] = {action: first[information][action] + 0.1, other: first[information][other] - 0.1}
    assert exploitability(StrategyProfile.of(KUHN, (first, second))) > 1e-3


@pytest.mark.parametrize("alpha", [-1e-9, 0.34, float("nan")])
def test_alpha_outside_the_family_is_refused(alpha):
    with pytest.raises(ArgumentError, match="alpha"):
        kuhn.equilibrium(alpha)


# Values and best responses


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_a_walk(tree, seed):
    strategy = random_strategy(tree, seed)
    assert value(strategy) == pytest.approx(expected(tree.game, strategy.tables()), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_is_the_best_of_all_pure_strategies(player, seed):
    strategy = random_strategy(KUHN, seed)
    tables = list(strategy.tables())

    def won(pure):
        tables[player] = pure
        return (1 - 2 * player) * expected(KUHN.game, tables)

    every = [won(pure) for pure in pure_strategies(KUHN.game, player)]
    assert len(every) == 64
    assert best_response(strategy, player).value == pytest.approx(max(every), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [0, 1])
def test_the_strategy_of_a_best_response_wins_its_value(tree, player, seed):
    strategy = random_strategy(tree, seed)
    response = best_response(strategy, player)
    both = list(strategy.probabilities)
    both[player] = response.probabilities
    played = value(StrategyProfile(tree, tuple(both))) * (1 - 2 * player)
    assert played == pytest.approx(response.value, abs=1e-12)
    assert set(response.probabilities.tolist()) == {0, 1}
    assert response.value > value(strategy) * (1 - 2 * player)


@pytest.mark.parametrize(("name", "both"), [("kuhn", 11 / 12), ("leduc", 4.747222222222222)])
def test_uniform_strategies_lose_the_published_amount(name, both):
    """0.916666 and 4.747222, as in the documentation of OpenSpiel's algorithms."""
    assert nash_conv(StrategyProfile.uniform(TREES[name])) == pytest.approx(both, abs=1e-9)


# Against OpenSpiel


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_exploitability_is_that_of_openspiel(tree, seed):
    peer = Peer.of(tree)
    strategy = StrategyProfile.uniform(tree) if seed is None else random_strategy(tree, seed)
    theirs = peer.pyspiel.nash_conv(peer.game, peer.policy(strategy))
    assert nash_conv(strategy) == pytest.approx(theirs, abs=1e-12)


def test_leduc_by_ranks_has_the_exploitability_of_leduc_by_cards():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = pyspiel.load_game("leduc_poker")
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert nash_conv(StrategyProfile.uniform(LEDUC)) == pytest.approx(uniform, abs=1e-12)


# The arrays


def test_information_sets_are_those_of_a_walk(tree):
    for player, side in enumerate(tree.sides):
        walked = information_sets(tree.game, player)
        assert dict(zip(side.informations, side.actions, strict=True)) == walked


def test_a_plan_is_the_product_of_a_players_own_actions():
    strategy = random_strategy(LEDUC, 3)
    side, given = LEDUC.sides[0], strategy.probabilities[0]
    plan, first = side.plan(given), strategy.tables()[0]
    chance = first["Q:"]["check"] * first["Q:cr"]["raise"] * first["QK:crrc/"]["bet"]
    assert plan[side.sequence("QK:crrc/", 1)] == pytest.approx(chance, abs=1e-15)
    assert plan[0] == 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda rows: rows.pop("J:"), "'J:'"),
        (lambda rows: rows.update(X={"check": 1.0}), "'X'"),
        (lambda rows: rows.update({"J:": {"check": 1.0}}), "probability of check, bet"),
        (lambda rows: rows.update({"J:": {"check": 0.5, "bet": 0.6}}), "sum to 1"),
        (lambda rows: rows.update({"J:": {"check": -0.5, "bet": 1.5}}), "sum to 1"),
        (lambda rows: rows.update({"J:": {"check": float("nan"), "bet": 1.0}}), "sum to 1"),
    ],
)
def test_tables_that_are_no_strategy_are_refused(change, named):
    first, second = kuhn.equilibrium(0.1)
    change(first)
    with pytest.raises(ArgumentError, match=named):
        StrategyProfile.of(KUHN, (first, second))


# Games that are refused


class Coin:
    """Chance tosses a coin; player 0 calls it twice, in one information set each time."""

    name = "coin"
    odds = (0.5, 0.5)
    sets = ("first", "second")
    calls = sides = ("heads", "tails")

    def root(self):
        return ()

    def turn(self, state):
        return (CHANCE, 0, 0, END)[len(state)]

    def probabilities(self, state):
        return self.odds

    def actions(self, state):
        return self.calls if state else self.sides

    def information(self, state):
        return self.sets[len(state) - 1] + (":" + str(state[1]) if len(state) == 2 else "")

    def play(self, state, move):
        return (*state, move)

    def returns(self, state):
        won = sum(call == state[0] for call in state[1:]) - 1.0
        return won, -won


def changed(**attributes):
    return type("Changed", (Coin,), attributes)()


def test_a_player_alone_is_a_game():
    tree = flatten(Coin())
    assert [len(side.informations) for side in tree.sides] == [3, 0]
    assert value(StrategyProfile.uniform(tree)) == 0
    assert best_response(StrategyProfile.uniform(tree), 0).value == 0  # the coin is hidden
    assert best_response(StrategyProfile.uniform(tree), 1).value == 0


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (changed(information=lambda self, state: self.sets[len(state) - 1]), "no perfect recall"),
        (changed(information=lambda self, state: "drive"), "no perfect recall"),  # absent-minded
        (changed(odds=(0.5, 0.6)), "sum 1"),
        (changed(odds=(1.0, 0.0)), "sum 1"),
        (changed(odds=(1.0,)), "1 probabilities for 2 moves"),
        (changed(odds=(0.5, 0.3, 0.2)), "3 probabilities for 2 moves"),
        (changed(odds=(float("nan"), 0.5)), "sum 1"),
        (changed(returns=lambda self, state: (1.0, 1.0)), "expected sum 0"),
        (changed(returns=lambda self, state: (float("nan"), 0.0)), "expected sum 0"),
        (changed(returns=lambda self, state: (0.0,)), "of two"),
        (changed(returns=lambda self, state: (0.0, 0.0, 0.0)), "of two"),
        (changed(turn=lambda self, state: 2), "expected 0, 1"),
        (changed(calls=()), "expected an action"),
        (changed(information=lambda self, state: ""), "expected an action"),
        (changed(actions=lambda self, state: ("call", f"{state}")), "expected the same"),
        (changed(actions=lambda self, state: ("h", "h")), "action 'h' stands twice"),
        (changed(turn=lambda self, state: CHANCE), "at most"),
    ],
)
def test_what_is_no_small_game_is_refused(game, named, monkeypatch):
    monkeypatch.setattr("baycarp.solvers.small.tree.MOST_NODES", 1000)
    with pytest.raises(VariantError, match=named):
        flatten(game)


@pytest.mark.parametrize(
    ("game", "error"),
    [
        (changed(odds=("a", "b")), TypeError),
        (changed(odds=(10**400, 0.5)), ArgumentError),
        (changed(returns=lambda self, state: (10**400, -(10**400))), ArgumentError),
        (changed(returns=lambda self, state: ("1", -1)), TypeError),
    ],
)
def test_numbers_of_a_game_are_numbers(game, error):
    with pytest.raises(error, match=r"coin: a (payoff|probability).*expected a number"):
        flatten(game)


class Chain:
    """The players alternate; action a goes on, b ends the game."""

    name = "chain"

    def __init__(self, depth):
        self.depth = depth

    def root(self):
        return 0

    def turn(self, state):
        return state % 2 if 0 <= state < self.depth else END

    def actions(self, state):
        return "a", "b"

    def information(self, state):
        return str(state)

    def play(self, state, move):
        return -1 - state if move else state + 1

    def returns(self, state):
        return state % 3, -(state % 3)


def test_a_deep_game_takes_time_by_its_depth():
    begun = process_time()
    tree = flatten(Chain(8000))  # by the square of the depth, 4 s
    assert process_time() - begun < 2
    assert len(tree.nodes.turn) == 16_001
    assert [len(side.levels) for side in tree.sides] == [4000, 4000]
