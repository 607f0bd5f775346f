"""A strategy against an opponent that plays best responses on the river: what it loses to any opponent."""

import numpy as np
import pytest
from reference.limit_cfr import best_response_value, places
from solvers.limit.test_solver import all_known, policy_by_key, solver_of, toy

from baycarp.errors import ArgumentError
from baycarp.kernels.cfr import Deal
from baycarp.solvers.limit.against_best import AgainstBest
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.limit.solver import LimitSettings, LimitSolver


def against_best(made, own, opponent):
    """Strategies of one abstraction against an opponent of another; ``made`` has the boards and holdings."""

    def boards(learner):
        deals = []
        for board, one, other in zip(made.boards, own.buckets, opponent.buckets, strict=True):
            tables = (other, one) if learner else (one, other)
            deals.append(Deal(np.array(board, np.uint8), tables[0], made.dealt, other=tables[1]))
        return lambda number: deals

    counts = [
        tuple(1 + max(int(table[k].max()) for table in each.buckets) for k in range(4))
        for each in (own, opponent)
    ]
    return AgainstBest(
        limit_betting(made.game),
        *counts,
        (boards(0), boards(1)),
        LimitSettings(boards=len(made.boards)),
    )


def exploited(made, policy_of):
    """What best responses that see every card win from a strategy, both positions, all weights 1."""
    return sum(best_response_value(made, policy_of, hero) for hero in (0, 1))


@pytest.mark.slow
def test_it_loses_less_in_the_real_game_than_a_strategy_against_equal_buckets():
    """The abstraction has two buckets, and the best response sees every card."""
    real, coarse = all_known(6), toy(6, 2)
    tree, bucket = limit_betting(real.game), {}
    spots = places(tree)
    for fine, few in zip(real.buckets, coarse.buckets, strict=True):
        for street in range(4):
            for one, other in zip(fine[street][real.dealt], few[street][real.dealt], strict=True):
                bucket[street, int(one)] = int(other)
    lost = []
    for solver in (solver_of(coarse, 2), against_best(real, coarse, real)):
        for _ in range(400):
            solver.iterate()
        of = policy_by_key(solver, tree)
        lost.append(
            exploited(real, lambda betting, cell, of=of: of(betting, bucket[spots[betting].street, cell]))
        )
    assert lost[1] < 0.7 * lost[0]


@pytest.mark.slow
def test_with_nothing_forgotten_it_approaches_the_equilibrium():
    real, lost = all_known(5), []
    solver = against_best(real, real, real)
    of_equal = solver_of(real, 16)
    for iterations in (3, 27, 270):
        for each in (solver, of_equal):
            for _ in range(iterations):
                each.iterate()
        lost.append(
            [exploited(real, policy_by_key(each, limit_betting(real.game))) for each in (solver, of_equal)]
        )
    (first, _), (second, _), (third, equal) = lost
    assert first > 3 * second > 9 * third > 0
    assert third < 3 * equal


def test_one_and_two_workers_give_the_same_bytes():
    sums = []
    for workers in (1, 2):
        solver = against_best(all_known(7), toy(7, 3), all_known(7))
        for _ in range(3):
            solver.iterate(workers=workers)
        sums.append(b"".join(each.tobytes() for each in solver.sums))
    assert sums[0] == sums[1]


def test_tables_of_another_size_are_refused():
    solver = against_best(all_known(7), toy(7, 3), all_known(7))
    regret, average = solver.sums
    with pytest.raises(ArgumentError, match="expected"):
        solver.restore(1, regret[1:], average[1:])
    solver.restore(4, regret, average)
    assert solver.iterations == 4
    assert all(isinstance(each, LimitSolver) for each in solver.solvers)
