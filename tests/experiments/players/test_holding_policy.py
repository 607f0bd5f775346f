"""Policies by bucket: memberships, trees fitted to known holdings, the likelihood of holdings, files."""

import numpy as np
import pytest

from baycarp.card import CLASS_OF, as_cards, blocked_by, holding_index
from baycarp.errors import ArgumentError, ModelError
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import MOVES, NAMES
from baycarp.trees import Growth
from experiments.players import holding_policy
from experiments.players.holding_policy import (
    Binned,
    HoldingGrowth,
    HoldingPolicy,
    fit_holding_policy,
    load_holding_policy,
    save_holding_policy,
)
from experiments.players.street_buckets import StreetBuckets

BOARD = tuple(as_cards("Ah7d2c", "board", 3).tolist())
POT = NAMES.index("PotSize")
SETTINGS = HoldingGrowth(Growth(2, 2.0, 0.01), blur=0.0)


def known(count=20000, seed=1):
    """Decisions facing a flop bet: the best third of the holdings raise large pots, the rest fold to them."""
    rng = np.random.default_rng(seed)
    buckets = StreetBuckets()
    shares = np.zeros((count, 20))
    free = np.flatnonzero(~blocked_by(BOARD))
    shares[:, :20] = buckets.membership(BOARD)[rng.choice(free, count)]
    features = np.zeros((count, len(NAMES)))
    features[:, POT] = rng.integers(0, 2, count)
    strong = shares @ buckets.ranks(1) > 2 / 3
    moves = np.where(features[:, POT] == 1, np.where(strong, 4, 0), 1).astype(np.int8)
    numbers = np.arange(count)
    return MoveRows(features, np.full(count, 3, np.int8), moves, numbers * 0, numbers), shares


def policy():
    choices, shares = known()
    return fit_holding_policy(Binned.of(choices), shares, SETTINGS)


def at(pot):
    row = np.zeros(len(NAMES))
    row[POT] = pot
    return row


def test_every_board_has_the_same_share_of_each_bucket():
    buckets = StreetBuckets()
    for cards in ("", "Ah7d2c", "Ah7d2c9s", "AhKhQhJhTh"):
        board = tuple(as_cards(cards, "board", (0, 3, 4, 5)).tolist())
        shares = buckets.membership(board)
        free = ~blocked_by(board) if board else np.ones(1326, bool)
        weights = 1.3 ** -np.arange(shares.shape[1])
        assert shares[free].sum(axis=1) == pytest.approx(1)
        assert shares[free].mean(axis=0) == pytest.approx(weights / weights.sum())
        assert not shares[~free].any()
    royal = shares[free]
    assert royal == pytest.approx(np.broadcast_to(weights / weights.sum(), royal.shape))


def test_the_lossless_option_has_a_bucket_for_each_class():
    buckets = StreetBuckets((169, 20, 20, 10))
    assert (buckets.membership(()).argmax(axis=1) == CLASS_OF).all()
    ranks = buckets.ranks(0)
    best = CLASS_OF[holding_index(*as_cards("AhAd", "hole", 2).tolist())]
    assert ranks.argmax() == best
    assert (ranks @ np.bincount(CLASS_OF)) / 1326 == pytest.approx(0.5)


def test_the_tree_of_a_bucket_has_the_moves_that_its_holdings_make():
    found = policy()
    table = found.probabilities(3, np.stack([at(0), at(1)]))
    assert table.shape == (2, 20, len(MOVES))
    assert table.sum(axis=2) == pytest.approx(1)
    assert (table[0, :, 1] > 0.9).all()  # small pots are called with anything
    strong = found.buckets.ranks(1) > 0.75
    assert (table[1, strong, 4] > 0.9).all()
    assert (table[1, ~strong, 0][:3] > 0.9).all()


def test_the_likelihood_of_holdings_is_the_sum_over_their_buckets():
    found = policy()
    table = found.probabilities(3, at(1)[None])[0]
    got = found.likelihoods(3, at(1), 4, BOARD)
    shares = found.buckets.membership(BOARD)
    for holding in range(0, 1326, 97):
        assert got[holding] == pytest.approx(sum(shares[holding, k] * table[k, 4] for k in range(20)))
    assert not got[blocked_by(BOARD)].any()
    aces = holding_index(*as_cards("AdAc", "hole", 2).tolist())
    weak = holding_index(*as_cards("3s4c", "hole", 2).tolist())
    assert got[aces] > 0.9
    assert got[weak] < 0.05


def test_no_bucket_folds_where_a_check_is_free_and_situations_without_a_decision_are_uniform():
    found = policy()
    table = found.probabilities(2, at(0)[None])[0]
    assert not table[:, 0].any()
    assert table[:, 1:] == pytest.approx(1 / 8)


def test_the_flat_arrays_describe_the_same_trees():
    found, flat = policy(), policy().flat()
    row = at(1)
    for bucket in (0, 7, 19):
        tree = int(flat.first[3]) + bucket
        node = flat.node[tree]
        while flat.nodes["feature"][node] >= 0:
            right = row[flat.nodes["feature"][node]] > flat.nodes["threshold"][node]
            node = flat.node[tree] + flat.nodes["next"][node] + right
        values = flat.values[flat.leaf[tree] + flat.nodes["next"][node]]
        assert values == pytest.approx(found.probabilities(3, row[None])[0, bucket])
    assert flat.first[-1] == len(flat.node) - 1 == 140
    assert flat.nodes.dtype == NODE


def test_a_blur_teaches_a_bucket_by_its_neighbours():
    shares = np.eye(4)[[1]]
    assert HoldingGrowth(blur=0.5).spread(shares).tolist() == [[0.5, 1.0, 0.5, 0.25]]
    with pytest.raises(ArgumentError, match="blur"):
        HoldingGrowth(blur=1.0)


def test_a_policy_is_read_as_it_was_saved(tmp_path):
    found = policy()
    save_holding_policy(found, tmp_path / "policy.npz")
    again = load_holding_policy(tmp_path / "policy.npz")
    rows = np.stack([at(0), at(1)])
    assert again.buckets == found.buckets
    for situation in range(8):
        assert again.probabilities(situation, rows) == pytest.approx(
            found.probabilities(situation, rows), abs=1e-6
        )


@pytest.mark.parametrize(
    "change",
    [
        {"values": np.full((1, 9), 0.5)},
        {"next": np.array([10**6])},
        {"feature": np.array([77], np.int8)},
        {"node": np.array([0, 5])},
        {"counts": np.array([20, 20, 20, 9])},
        {"counts": np.array([20, 20, 20])},
        {"base": np.array(np.nan)},
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change):
    arrays = dict(policy().to_arrays())
    for name, value in change.items():
        whole = np.array(arrays[name])
        same = name in ("next", "feature")
        arrays[name] = np.where(whole == whole, value[0], 0).astype(whole.dtype) if same else value
    with pytest.raises(ModelError, match="digest"):
        HoldingPolicy.of_arrays(arrays)
    with pytest.raises(ModelError):
        HoldingPolicy.of_arrays(arrays | {"digest": holding_policy._digest(arrays)})
    (tmp_path / "no.npz").write_bytes(b"no")
    with pytest.raises(ModelError):
        load_holding_policy(tmp_path / "no.npz")


def test_weights_of_another_shape_are_refused():
    choices, shares = known(10)
    with pytest.raises(ArgumentError, match="shares"):
        fit_holding_policy(Binned.of(choices), shares[:5], SETTINGS)
