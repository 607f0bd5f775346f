"""The solver of fixed limit: against CFR by its definition, and by what it reaches."""

from functools import partial

import numpy as np
import pytest
from reference.limit_cfr import SlowCFR, Toy, best_response_value, capped, places

from baycarp.card import cards, holding_index
from baycarp.errors import ArgumentError
from baycarp.game import Variant
from baycarp.kernels.cfr import Betting, Deal
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.limit.response import Walks, exploitability
from baycarp.solvers.limit.solver import LimitSettings, LimitSolver, linear_step, sampled

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
HELD = ("AhAd", "AsKs", "KhKd", "QhJh", "7c6c", "7d2h", "AdQh")
BOARDS = ("Kc8d3s2c5h", "9h6h4d7sTc")


def toy(seed, buckets):
    """Seven holdings, some of which share a card, on two boards; buckets at random."""
    draw = np.random.default_rng(seed)
    dealt = np.zeros(1326, bool)
    for text in HELD:
        dealt[holding_index(*cards(text).tolist())] = True
    tables = [draw.integers(0, buckets, (4, 1326)) for _ in BOARDS]
    for table in tables[1:]:
        table[0] = tables[0][0]  # before the flop no board is known
    return Toy(capped(1), [cards(board).tolist() for board in BOARDS], dealt, tables)


def all_known(seed):
    """The same, each holding and board a bucket of its own: nothing is forgotten."""
    made = toy(seed, 2)
    numbers = np.cumsum(made.dealt) * made.dealt
    for number, table in enumerate(made.buckets):
        table[:] = numbers + 8 * number
        table[0] = numbers
    return made


def deals_of(made):
    return [
        Deal(np.array(board, np.uint8), table, made.dealt)
        for board, table in zip(made.boards, made.buckets, strict=True)
    ]


def solver_of(made, buckets):
    deals = deals_of(made)
    settings = LimitSettings(boards=len(deals))
    return LimitSolver(limit_betting(made.game), (buckets,) * 4, lambda number: deals, settings, share=1.0)


def policy_by_key(solver, tree):
    tables, first = {}, 0
    policy, spots = solver.policy(), places(tree)
    for number, street in enumerate(tree.streets):
        shape = (len(street.entries), len(street.actors), 3, solver.betting.buckets[number][0], 8)
        tables[number] = policy[first : first + int(np.prod(shape))].reshape(shape)
        first += int(np.prod(shape))
    return lambda betting, bucket: tables[spots[betting].street][
        spots[betting].block, spots[betting].node, :, bucket, spots[betting].lane
    ]


def test_iterations_are_those_of_the_definition():
    made = toy(3, 3)
    solver, slow = solver_of(made, 3), SlowCFR(made)
    for number in range(1, 5):
        solver.iterate()
        slow.iterate(linear_step(number))
    of = policy_by_key(solver, limit_betting(made.game))
    assert len(slow.average) > 300
    for key in slow.average:
        np.testing.assert_allclose(of(*key), slow.strategy(key, slow.average), atol=2e-4)


def test_best_responses_where_nothing_is_forgotten_are_exact():
    made = all_known(4)
    solver = solver_of(made, 16)
    for _ in range(3):
        solver.iterate()
    of = policy_by_key(solver, limit_betting(made.game))
    deals = deals_of(made)
    found = exploitability(Walks(solver.betting, 1.0), solver.policy(), deals, deals, 20)
    held = np.mean([deal.holdings for deal in deals])
    expected = sum(best_response_value(made, of, hero) for hero in (0, 1)) / 2
    assert {deal.holdings for deal in deals} == {held}
    assert found.upper == pytest.approx(expected / len(deals) / held, abs=1e-4)
    assert found.lower == pytest.approx(found.upper)
    assert found.upper > 0.1


def test_the_exploitability_falls_towards_zero():
    made = all_known(5)
    solver, deals, found = solver_of(made, 16), deals_of(made), []
    for iterations in (1, 9, 290):
        for _ in range(iterations):
            solver.iterate()
        found.append(exploitability(Walks(solver.betting, 1.0), solver.policy(), deals, deals, 20).upper)
    assert found[0] > 2 * found[1] > 8 * found[2] > 0


def random_policy(betting, seed):
    return betting.policy(np.random.default_rng(seed).random(betting.cells, np.float32))


def on_random_buckets(count, board):
    """A deal with buckets that depend on the board alone."""
    draw = np.random.default_rng(board.tolist())
    return Deal(board, draw.integers(0, count, (4, 1326)))


def test_what_one_wins_the_other_loses():
    betting = Betting(limit_betting(LIMIT).streets, (5,) * 4)
    policy = random_policy(betting, 1)
    deals = sampled(1, 0, 1, 2, partial(on_random_buckets, 5))
    won = np.array([Walks(betting).values(policy, hero, deals) for hero in (0, 1)])
    assert abs(won[0]).min() > 0.1
    np.testing.assert_allclose(won[0], -won[1], atol=1e-4)


def test_who_always_folds_loses_the_blinds():
    """The responder wins the small blind or the big blind: 7.5 chips of 10 a hand, 750 mbb."""
    tree, sums = limit_betting(LIMIT), []
    for street in tree.streets:
        table = np.zeros((len(street.entries), len(street.actors), 3, 1, 8), np.float32)
        table[:, :, :2] = np.array([1, 1e-9])[:, None, None]
        sums.append(table.ravel())
    betting = Betting(tree.streets, (1,) * 4)
    always = betting.policy(np.concatenate(sums))
    deals = sampled(2, 0, 1, 2, partial(on_random_buckets, 1))
    found = exploitability(Walks(betting), always, deals, deals, 20)
    assert found.lower == pytest.approx(7.5, abs=1e-4)


def by_node(betting, tree, cells):
    """Views of a table: an array (blocks, 3, buckets, lanes) for each street and node."""
    first = 0
    for number, street in enumerate(tree.streets):
        counts = [betting.buckets[number][actor] for actor in street.actors]
        blocks = len(street.entries)
        size = sum(24 * count for count in counts)
        table, at = cells[first : first + blocks * size].reshape(blocks, size), 0
        first += blocks * size
        for node, count in enumerate(counts):
            yield (number, node), table[:, at : at + 24 * count].reshape(blocks, 3, count, 8)
            at += 24 * count
    assert first == len(cells)


def test_each_player_may_have_buckets_of_its_own():
    made, tree = all_known(6), limit_betting(capped(1))
    fine, mixed = Betting(tree.streets, (16,) * 4), Betting(tree.streets, ((16, 3),) * 4)
    draw = np.random.default_rng(1)
    coarse = draw.integers(0, 3, 16)
    policy = random_policy(mixed, 2)
    same = np.zeros(fine.cells, np.float32)
    to, of = dict(by_node(fine, tree, same)), dict(by_node(mixed, tree, policy))
    for (number, node), cells in of.items():
        actor = tree.streets[number].actors[node]
        to[number, node][:] = cells[:, :, coarse if actor else np.arange(16)]
    for board, table in zip(made.boards, made.buckets, strict=True):
        deals = [
            Deal(np.array(board, np.uint8), table, made.dealt, other=other)
            for other in (table, coarse[table])
        ]
        for hero in (0, 1):
            expected = fine.visit(deals[0], hero, 1.0, same, fine.scratch())
            found = mixed.visit(deals[1], hero, 1.0, policy, mixed.scratch())
            assert abs(expected).max() > 0.1
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("hero", [0, 1])
def test_recorded_choices_are_best_responses_on_the_river(hero):
    made, tree = all_known(6), limit_betting(capped(1))
    betting = Betting(tree.streets, (16,) * 4)
    policy, scratch = random_policy(betting, 3), betting.scratch()
    river = sum(cells.size for (street, _), cells in by_node(betting, tree, policy) if street == 3)
    for deal in deals_of(made):
        answer = policy.copy()
        for _ in range(8):  # from the last decisions upwards
            sums, best = np.zeros(betting.cells, np.float32), answer.copy()
            betting.visit(deal, hero, 1.0, answer, scratch, sums)
            betting.greedy(hero, sums, best)
            answer[-river:] = best[-river:]
        choices, average = betting.choices(deal), np.zeros(betting.cells, np.float32)
        value = betting.visit(deal, hero, 1.0, policy, scratch, None, average, record=choices)
        np.testing.assert_allclose(value, betting.visit(deal, hero, 1.0, answer, scratch), atol=1e-4)
        assert (value > betting.visit(deal, hero, 1.0, policy, scratch) + 0.1).any()
        assert average[-river:].any()  # the other player's reach is that of a mixed walk
        regret = np.zeros((2, betting.cells), np.float32)
        other = betting.visit(deal, 1 - hero, 1.0, policy, scratch, regret[0], replay=choices)
        expected = betting.visit(deal, 1 - hero, 1.0, answer, scratch, regret[1])
        np.testing.assert_allclose(other, expected, atol=1e-4)
        np.testing.assert_allclose(regret[0], regret[1], atol=1e-4)


def test_choices_are_recorded_or_replayed_and_fit_the_deal():
    betting = Betting(limit_betting(LIMIT).streets, (1,) * 4)
    (deal,) = sampled(2, 0, 1, 1, partial(on_random_buckets, 1))
    policy, scratch, choices = random_policy(betting, 1), betting.scratch(), betting.choices(deal)
    with pytest.raises(ArgumentError, match="to record or those to replay"):
        betting.visit(deal, 0, 1.0, policy, scratch, record=choices, replay=choices)
    with pytest.raises(ArgumentError, match="choices: expected the memory"):
        betting.visit(deal, 0, 1.0, policy, scratch, record=choices[1:])


def test_one_and_two_workers_give_the_same_bytes():
    made, settings = [], LimitSettings(seed=7, boards=3)

    def boards(number):
        return sampled(7, 0, number, 3, partial(on_random_buckets, 4))

    for workers in (1, 2):
        solver = LimitSolver(limit_betting(LIMIT), (169, 4, 4, 4), boards, settings)
        solver.iterate(2, workers)
        made.append((solver.tables.regret.tobytes(), solver.tables.average.tobytes()))
    assert made[0] == made[1]


def test_bad_input_is_refused():
    tree = limit_betting(LIMIT)
    with pytest.raises(ArgumentError, match="boards: expected"):
        LimitSettings(boards=0)
    betting = Betting(tree.streets, (2,) * 4)
    deal = on_random_buckets(3, np.array([0, 5, 10, 20, 30], np.uint8))
    policy = random_policy(betting, 1)
    with pytest.raises(ArgumentError, match="buckets up to"):
        betting.visit(deal, 0, 1.0, policy, betting.scratch())
    fitting = on_random_buckets(2, np.array([0, 5, 10, 20, 30], np.uint8))
    with pytest.raises(ArgumentError, match="strategy: expected"):
        betting.visit(fitting, 0, 1.0, policy[1:], betting.scratch())
    with pytest.raises(ArgumentError, match="scratch"):
        betting.visit(fitting, 0, 1.0, policy, betting.scratch()[1:])
    with pytest.raises(ArgumentError, match="shape"):
        Deal(np.array([0, 5, 10, 20, 30], np.uint8), np.zeros((4, 1325)))
    solver = LimitSolver(tree, (2,) * 4, lambda number: [fitting])
    with pytest.raises(ArgumentError, match="expected"):
        solver.restore(1, policy[1:], policy[1:])


@pytest.mark.parametrize("buckets", [(3,), (3, 3, 3), ()])
def test_buckets_of_one_or_three_players_are_refused(buckets):
    with pytest.raises(ArgumentError, match="one for each player"):
        Betting(limit_betting(LIMIT).streets, [buckets] * 4)


def test_buckets_may_be_numbers_of_numpy():
    streets = limit_betting(LIMIT).streets
    assert Betting(streets, np.array([2] * 4)).cells == Betting(streets, [2] * 4).cells
