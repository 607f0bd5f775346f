"""EM over hidden holdings: the posterior against its formula, likelihood, starts, folds."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from baycarp.card import CLASS_OF, HOLDINGS, blocked_by
from baycarp.errors import ArgumentError
from baycarp.game.variant import Variant
from baycarp.training.hidden_trees import left_over
from baycarp.trees import Growth
from experiments.players.fold_correction import correct_folds
from experiments.players.hidden_cards import population_hands
from experiments.players.holding_policy import HoldingGrowth
from experiments.players.holding_rows import HoldingRows, Memberships, made_probabilities, posterior
from experiments.players.holdings_em import HoldingsEM, learn_given, learn_holdings, unconditioned
from experiments.players.street_buckets import StreetBuckets

GROWTH = HoldingGrowth(Growth(3, 15.0, 0.2), 0.3)
MEMBERS = Memberships(StreetBuckets())


@cache
def rows():
    return HoldingRows.of(population_hands(Variant.load("holdem.nolimit.2p.100bb"), 200, 1))


def settings(**changes):
    return HoldingsEM(growth=GROWTH, **{"rounds": 3, **changes})


@cache
def policy():
    return learn_given(rows(), rows().holding >= 0, settings(), MEMBERS).policy


def test_rows_are_the_players_that_acted_with_their_cards_and_boards():
    found = rows()
    assert (found.holding >= 0).all()
    assert not (found.shown & found.folded).any()
    assert (np.diff(found.choices.players) >= 0).all()
    assert found.choices.players.max() == len(found) - 1
    lengths = np.array([len(board) for board in found.boards])
    assert (lengths == np.array([0, 3, 4, 5])[found.choices.situations // 2]).all()
    folds = np.bincount(found.choices.players, found.choices.moves == 0)
    assert ((folds > 0) == found.folded).all()
    some = found.of_hands(100, 200)
    assert set(some.hands.tolist()) <= set(range(100, 200))
    assert (some.holding == found.holding[(found.hands >= 100) & (found.hands < 200)]).all()


def test_the_posterior_is_the_product_over_decisions_of_the_sum_over_buckets():
    found, nobody = rows(), np.zeros(len(rows()), bool)
    got = posterior(found, nobody, made_probabilities(policy(), found.choices), MEMBERS)
    for row in range(0, len(found), 41):
        chosen = np.flatnonzero(found.choices.players == row)
        free = ~blocked_by(found.boards[chosen[-1]])
        weight = free / free.sum()
        for at in chosen.tolist():
            move, situation = int(found.choices.moves[at]), int(found.choices.situations[at])
            weight = weight * policy().likelihoods(
                situation, found.choices.features[at], move, found.boards[at]
            )
        assert got.likelihoods[row] == pytest.approx(np.log(weight.sum()), abs=1e-5)
        wanted = -np.log(weight[found.holding[row]] / weight.sum())
        assert got.losses[row] == pytest.approx(wanted, abs=1e-5)
        last = chosen[-1]
        member = StreetBuckets().membership(found.boards[last])
        mean = (weight / weight.sum()) @ member
        assert got.shares[last, : len(mean)] == pytest.approx(mean, abs=0.03)  # ties across two buckets
    assert got.shares.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_a_given_holding_has_all_the_weight():
    found = rows()
    got = posterior(found, found.shown, unconditioned(found.choices, StreetBuckets()), MEMBERS)
    known = MEMBERS.of_known(found)
    given = found.shown[found.choices.players]
    assert got.shares[given] == pytest.approx(known[given], abs=1e-6)
    boards = np.array(
        [len(found.boards[at]) for at in np.flatnonzero(np.diff(found.choices.players, append=-1))]
    )
    free = (52 - boards) * (51 - boards) / 2
    assert got.losses == pytest.approx(np.log(free), abs=1e-6)  # the deal


@pytest.mark.parametrize("start", ["leftover", "ordered", "random"])
def test_the_likelihood_never_falls(start):
    found = learn_holdings(rows(), rows().shown, settings(start=start), MEMBERS)
    assert len(found.likelihoods) > 1
    assert all(before <= after + 1e-6 for before, after in pairwise(found.likelihoods))
    none = posterior(rows(), rows().shown, unconditioned(rows().choices, StreetBuckets()), MEMBERS)
    assert found.likelihoods[-1] != none.likelihoods.sum()


def test_of_random_starts_the_likeliest_is_kept_and_a_seed_repeats_it():
    one, two = (
        learn_holdings(rows(), rows().shown, settings(start="random", seed=seed, rounds=1), MEMBERS)
        for seed in (5, 6)
    )
    best = learn_holdings(rows(), rows().shown, settings(start="random", seed=5, starts=2, rounds=1), MEMBERS)
    assert one.likelihoods != two.likelihoods
    assert best.likelihoods == max(one, two, key=lambda each: each.likelihoods[-1]).likelihoods


def test_the_leftover_is_the_deal_less_what_was_shown():
    found = rows()
    rest = left_over(found.holding[found.shown], len(found))
    assert rest.sum() == pytest.approx(1)
    seen = np.bincount(CLASS_OF[found.holding[found.shown]], minlength=169)
    size = np.bincount(CLASS_OF)
    by_class = np.bincount(CLASS_OF, rest) / size
    shown_most, never = (seen / size).argmax(), seen == 0
    assert by_class[shown_most] < by_class[never].min()
    assert left_over(found.holding[:0], len(found)) == pytest.approx(1 / len(HOLDINGS))


def test_all_cards_teach_more_of_hidden_holdings_than_the_deal_and_showdowns_alone():
    train, test = rows().of_hands(0, 160), rows().of_hands(160, 200)
    nobody = np.zeros(len(test), bool)

    def loss(given):
        made = made_probabilities(learn_given(train, given, settings(), MEMBERS).policy, test.choices)
        return posterior(test, nobody, made, MEMBERS).losses[test.folded].mean()

    deal = posterior(test, nobody, unconditioned(test.choices, StreetBuckets()), MEMBERS).losses
    assert loss(train.holding >= 0) < min(deal[test.folded].mean(), loss(train.shown))


def test_folds_are_corrected_by_the_formula():
    corrected = correct_folds(policy(), base=1.5)
    row = rows().choices.features[:1]
    for situation in range(8):
        before = policy().probabilities(situation, row)[0]
        after = corrected.probabilities(situation, row)[0]
        if situation % 2 == 0:
            assert (before == after).all()
            continue
        count = len(before)
        sizes = 1.3 ** -np.arange(count)
        ends = np.cumsum(sizes / sizes.sum())
        for bucket in (0, 3, count - 1):
            weight = 1.5 ** (1 + 19 * bucket / (count - 1))
            middle = ends[bucket] - sizes[bucket] / sizes.sum() / 2
            wanted = (before[bucket, 0] + weight * (1 - middle)) / (1 + weight)
            assert after[bucket, 0] == pytest.approx(wanted)
        shares = before[:, 1:] / before[:, 1:].sum(axis=1, keepdims=True)
        assert after[:, 1:] / after[:, 1:].sum(axis=1, keepdims=True) == pytest.approx(shares)
        assert after.sum(axis=1) == pytest.approx(1)
    with pytest.raises(ArgumentError, match="base"):
        correct_folds(policy(), base=0.5)


@pytest.mark.parametrize("change", [{"rounds": 0}, {"starts": 0}, {"seed": -1}, {"start": "lucky"}])
def test_settings_out_of_range_are_refused(change):
    with pytest.raises(ArgumentError):
        settings(**change)


def test_a_holding_that_is_not_recorded_cannot_be_given():
    found = replace(rows(), holding=np.full(len(rows()), -1))
    with pytest.raises(ArgumentError, match="given"):
        learn_holdings(found, rows().shown, settings(), MEMBERS)
