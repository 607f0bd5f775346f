"""hand -> action, against Bayes written out holding by holding."""

import math

import numpy as np
import pytest

from baycarp.card import HOLDINGS, cards
from baycarp.errors import EvidenceError, SchemaError
from baycarp.opponents.actions.buckets import BUCKETS, STRENGTH, buckets
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel, sensible
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, PRICES, SITUATIONS, CodedAct
from baycarp.rules.income import IncomeGroup
from experiments.beliefs.next_actions import next_choice

BOARD = tuple(cards("Qs7d2c9h").tolist())


def some_model(seed):
    rng, tables = np.random.default_rng(seed), []
    for street, shape in enumerate(SHAPES):
        table = rng.random(shape) * LEGAL[PRICE_OF[street]][:, None, :]
        tables.append(table / table.sum(axis=2, keepdims=True))
    return ActionModel(tuple(tables))


def priced(street, price, choice, offset=0):
    return CodedAct(0, street, SITUATIONS[street] // len(PRICES) * PRICES.index(price) + offset, choice)


PLAYED = (priced(0, "bet", 2, 7), priced(1, "free", 1), priced(1, "bet", 1, 3), priced(2, "raised", 1, 2))


def test_the_posterior_is_bayes_over_every_holding():
    model, known = some_model(1), cards("AhKd").tolist()
    ours = model.posterior(PLAYED, BOARD, IncomeGroup.IR7, known)
    weights = []
    for holding, hole in enumerate(HOLDINGS):
        if set(hole) & {*BOARD, *known}:
            weights.append(0.0)
            continue
        chance = 1.0
        for move in PLAYED:
            bucket = buckets(BOARD[: move.street + 2] if move.street else (), IncomeGroup.IR7)[holding]
            chance *= model.tables[move.street][move.situation, bucket, move.choice]
        weights.append(chance)
    assert ours == pytest.approx([weight / math.fsum(weights) for weight in weights], rel=1e-12)
    assert ours.sum() == pytest.approx(1.0)


def test_the_next_choice_is_the_mean_over_holdings():
    model = some_model(2)
    held, now = model.posterior(PLAYED[:3], BOARD, IncomeGroup.IR7), PLAYED[3].situation
    codes = buckets(BOARD, IncomeGroup.IR7)
    expected = sum(held[h] * model.tables[2][now, codes[h]] for h in np.flatnonzero(held))
    assert next_choice(model, held, now, BOARD, IncomeGroup.IR7) == pytest.approx(expected)


def test_choosing_and_conditioning_agree():
    """P(choice) P(h | choice) = P(h) P(choice | h), summed over the choices: the belief is a martingale."""
    model = some_model(3)
    before, situation = model.posterior(PLAYED[:3], BOARD, IncomeGroup.IR7), PLAYED[3].situation
    chances = next_choice(model, before, situation, BOARD, IncomeGroup.IR7)
    after = [
        model.posterior((*PLAYED[:3], CodedAct(0, 2, situation, c)), BOARD, IncomeGroup.IR7) for c in range(3)
    ]
    assert sum(p * belief for p, belief in zip(chances, after, strict=True)) == pytest.approx(before)


def test_suits_are_exchangeable():
    model = some_model(4)
    changed = [4 * (card // 4) + (card + 1) % 4 for card in BOARD]
    there = model.posterior(PLAYED, changed, IncomeGroup.IR7)
    here = model.posterior(PLAYED, BOARD, IncomeGroup.IR7)
    index = {tuple(sorted(hole)): number for number, hole in enumerate(map(tuple, HOLDINGS))}
    for number, hole in enumerate(HOLDINGS):
        other = tuple(sorted(4 * (card // 4) + (card + 1) % 4 for card in map(int, hole)))
        assert there[index[other]] == pytest.approx(here[number], abs=1e-15)


def test_impossible_moves_raise_an_error():
    with pytest.raises(EvidenceError, match="no holding acts so"):
        some_model(5).posterior([priced(0, "free", 0)], (), IncomeGroup.IR7)


def test_tables_are_checked():
    tables = some_model(6).tables
    with pytest.raises(SchemaError, match="expected probabilities"):
        ActionModel((tables[0] * 1.1, *tables[1:]))
    with pytest.raises(SchemaError, match="expected"):
        ActionModel((tables[1], *tables[1:]))


def test_a_sensible_start_orders_hands_by_strength():
    """Folds fall and raises rise with strength at every price; the best hands hardly ever fold."""
    for street, table in enumerate(sensible().tables):
        count = BUCKETS[street] if street in (0, 3) else BUCKETS[street] // 2
        assert (np.diff(STRENGTH[street][:count]) > 0).all()
        for price in (1, 2, 3):
            row = table[np.flatnonzero(PRICE_OF[street] == price)[0], :count]
            assert row[0, 0] > row[-1, 0]
            assert row[-1, 2] > row[0, 2]
        assert table[PRICE_OF[street] == 1][0, count - 1, 0] < 0.02
