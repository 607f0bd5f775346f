"""EM for hand -> action, against enumeration, and on players with known tables."""

import math
from dataclasses import replace

import numpy as np
import pytest
from reference.action_models import nearby

from baycarp.card import HOLDINGS
from baycarp.opponents.actions.buckets import buckets
from baycarp.opponents.actions.hand_actions import SHAPES, sensible
from baycarp.opponents.actions.situations import PRICES, SITUATIONS, CodedAct
from baycarp.rules.income import IncomeGroup
from experiments.populations.action_cells import HandRow, hand_rows, stack
from experiments.populations.action_em import (
    expected_choice,
    expected_counts,
    fit,
    leftover,
    likelihood,
    posterior,
)

BET = SITUATIONS[0] // len(PRICES)
"""A situation of the price "bet"."""

BEST = 15


def truth(bucket):
    """Fold, call, raise of a player that never folds the best half of its buckets."""
    if bucket < 8:
        return (0.9, 0.1, 0.0)
    return (0.0, 0.9, 0.1) if bucket < 14 else (0.0, 0.2, 0.8)


def simulated(number, seed=1):
    """Rows of one move before the flop; of those that stay, half are shown."""
    rng, codes = np.random.default_rng(seed), buckets((), IncomeGroup.IR7)
    for hand in range(number):
        holding = int(rng.integers(len(HOLDINGS)))
        choice = int(rng.choice(3, p=truth(codes[holding])))
        shown = bool(choice and rng.random() < 0.5)
        yield HandRow(
            "p", hand, 0, (), IncomeGroup.IR7, (CodedAct(2, 0, BET, choice),), holding, shown, choice > 0
        )


@pytest.fixture(scope="module")
def rows(watched):
    return list(hand_rows(watched))


def test_every_action_is_in_one_row(watched, rows):
    assert sum(len(row.moves) for row in rows) == sum(len(hand.actions) for hand in watched)
    by_street = list(hand_rows(watched, every_street=True))
    last = {(row.player, row.hand): row for row in by_street}
    assert [last[row.player, row.hand] for row in rows] == rows
    assert any(row.shown for row in rows)
    assert all(row.stayed for row in rows if row.shown)
    assert all(row.moves[-1].choice == 0 for row in rows if not row.stayed)


def test_a_cell_has_the_likelihood_of_each_of_its_holdings(rows):
    cells, model = stack(rows), nearby(3)
    weight = likelihood(cells, model.tables)
    probability, total = posterior(cells, np.zeros(len(cells), bool), model.tables)
    for number in range(0, len(cells), 17):
        row = rows[number]
        expected = model.posterior(row.moves, row.board, row.income_group)
        mine = slice(cells.start[number], cells.start[number + 1])
        at = cells.true[number]
        assert probability[at] / cells.count[at] == pytest.approx(expected[row.holding], rel=1e-9)
        assert weight[mine].sum() == pytest.approx(total[number])


def test_a_choice_is_predicted_from_earlier_choices(rows):
    cells, model = stack(rows), nearby(4)
    found = expected_choice(cells, model.tables)
    for number in range(0, len(cells), 23):
        row = rows[number]
        mine = np.flatnonzero(cells.move_row == number)
        total = cells.count[cells.row == number].sum()
        assert math.prod(found[mine]) == pytest.approx(
            likelihood(cells, model.tables)[cells.row == number].sum() / total
        )
        assert len(mine) == len(row.moves)


def test_counts_are_enumerated(rows):
    cells, model = stack(rows[:40]), nearby(5)
    known = cells.shown
    counts = expected_counts(cells, posterior(cells, known, model.tables)[0])
    slow = [np.zeros(shape) for shape in SHAPES]
    for row in rows[:40]:
        held = (
            np.eye(len(HOLDINGS))[row.holding]
            if row.shown
            else model.posterior(row.moves, row.board, row.income_group)
        )
        for move in row.moves:
            codes = buckets(row.board[: move.street + 2] if move.street else (), row.income_group)
            for holding in np.flatnonzero(held):
                slow[move.street][move.situation, codes[holding], move.choice] += held[holding]
    for ours, theirs in zip(counts, slow, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("everything", [False, True])
def test_the_objective_never_decreases(rows, everything):
    cells = stack(rows)
    fitted = fit(cells, cells.true >= 0 if everything else cells.shown, rounds=12)
    gains = np.diff(fitted.objective)
    assert (gains > -1e-6).all()
    assert fitted.objective[-1] > fitted.objective[0]


def test_folds_are_found_to_be_weak_hands():
    """No folded card is shown; the fitted tables still have the right folds."""
    cells = stack(simulated(4000))
    fitted = fit(cells, cells.shown)
    table = fitted.model.tables[0][BET]
    expected = np.array([truth(bucket) for bucket in range(16)])
    assert table[4:8, 0].mean() == pytest.approx(0.9, abs=0.1)
    assert (table[11:, 0] < 0.1).all()
    assert np.abs(table - expected).mean() < 0.05


def test_showdowns_alone_contain_no_fold_and_the_uniform_start_folds_the_best():
    """The two failures of Unger (2011) and van der Kleij (2010), beside the fit."""
    cells = stack(simulated(4000))
    shown = stack(row for row in simulated(4000) if row.shown)
    assert (
        expected_counts(shown, posterior(shown, shown.shown, sensible().tables)[0])[0][BET, :, 0].sum() == 0
    )
    start = leftover(cells, cells.shown).tables[0][BET, BEST, 0]
    assert start > 5 * max(fit(cells, cells.shown).model.tables[0][BET, BEST, 0], 0.01)


def test_the_prior_keeps_the_best_hands_from_folding():
    """Without a showdown the likelihood cannot separate the holdings; the prior of the strongest does."""
    cells = stack(replace(row, shown=False) for row in simulated(500))
    start = leftover(cells, cells.shown)
    alone, known = (fit(cells, cells.shown, start, 20, stay).model.tables[0][BET] for stay in (0.0, 300.0))
    assert alone[BEST, 0] > 0.5  # the failure of the thesis
    assert known[BEST, 0] < 0.05 < known[0, 0]


def test_hidden_cards_are_not_read():
    rows = list(simulated(400))
    other = [row if row.shown else replace(row, holding=0) for row in rows]
    one, two = (fit(stack(each), stack(each).shown, rounds=5).model for each in (rows, other))
    assert all(np.array_equal(a, b) for a, b in zip(one.tables, two.tables, strict=True))
