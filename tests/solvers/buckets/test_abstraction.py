"""Abstractions: every holding has one bucket, and the names of suits do not count."""

import json
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from baycarp.card import HOLDINGS, HOLDS, cards
from baycarp.errors import ArgumentError, ModelError
from baycarp.evaluation import expected_strength
from baycarp.solvers.buckets import histograms
from baycarp.solvers.buckets.abstraction import (
    Abstraction,
    HistogramClusters,
    Percentiles,
    Values,
    parse_buckets,
)
from baycarp.solvers.buckets.boards import RENAMED, canonical, canonical_boards, renamed_holdings
from baycarp.solvers.buckets.tables import BucketTables, bucket_tables
from baycarp.solvers.buckets.textures import features, sample_textures

CENTRES = tuple(
    tuple(np.clip(np.linspace(low, low + 1, histograms.BINS - 1), 0, 1).round(3))
    for low in (-0.9, -0.5, 0.0, 0.5)
)


def textures(size):
    """The features of three boards, as centres."""
    return tuple(map(tuple, sample_textures(size, 3, seed=1).tolist()))


ABSTRACTIONS = {
    "percentiles": Abstraction((Percentiles(10), Percentiles(5), Percentiles(7))),
    "values, recall": Abstraction((Values(6), Values(4), Values(3)), (False, True, True)),
    "clusters": Abstraction(
        (HistogramClusters(CENTRES), HistogramClusters(CENTRES), Percentiles(9)), (False, False, True)
    ),
}
BOARD = cards("KsKh2h9h7d")


@pytest.fixture(scope="module")
def of_textures():
    """Its centres take seconds."""
    return parse_buckets("t3d4,t4d2,t3p5", 1)


@pytest.fixture(params=[*ABSTRACTIONS, "textures"])
def abstraction(request):
    if request.param == "textures":
        return request.getfixturevalue("of_textures")
    return ABSTRACTIONS[request.param]


def test_every_unblocked_holding_has_one_bucket_of_its_street(abstraction):
    for size in (0, 3, 4, 5):
        buckets = BucketTables(abstraction).buckets(BOARD[:size])
        assert buckets.shape == (max(size - 2, 0) + 1, 1326)
        for row, count in zip(buckets, abstraction.counts, strict=False):
            assert row.max() < count
        live = ~HOLDS[BOARD[:size]].any(axis=0) if size else np.ones(1326, bool)
        assert len(np.unique(buckets[-1][live])) > 2


@pytest.mark.parametrize("order", [3, 10, 23])
def test_a_renaming_of_the_suits_renames_the_holdings(abstraction, order):
    buckets = BucketTables(abstraction).buckets(BOARD)
    renamed = BucketTables(abstraction).buckets(RENAMED[order][BOARD])
    live = np.flatnonzero(~HOLDS[BOARD].any(axis=0))
    assert (renamed[:, renamed_holdings()[order][live]] == buckets[:, live]).all()


def test_holdings_that_differ_by_suits_alone_share_a_bucket(abstraction):
    """On Ks Kh 2h the suits c and d are the same."""
    swap = next(n for n, order in enumerate(permutations(range(4))) if order == (1, 0, 2, 3))
    buckets = BucketTables(abstraction).buckets(BOARD[:3])[-1]
    live = np.flatnonzero(~HOLDS[BOARD[:3]].any(axis=0))
    assert (buckets[renamed_holdings()[swap][live]] == buckets[live]).all()


def test_recall_refines_the_bucket_before():
    made = BucketTables(ABSTRACTIONS["values, recall"]).buckets(BOARD)
    assert (made[2] // 4 == made[1]).all()
    assert (made[3] // 3 == made[2]).all()


def test_a_strength_of_the_board_orders_percentiles():
    own = Percentiles(10).assign(tuple(BOARD[:4].tolist()))
    squares = expected_strength(None, BOARD[:4])[1]
    live = ~np.isnan(squares)
    assert (own[~live] == -1).all()
    order = own[live][np.argsort(squares[live])]
    assert (np.diff(order) >= 0).all()
    assert set(Counter(order.tolist())) == set(range(10))


def test_a_texture_has_parts_in_order_of_strength_and_their_draws_apart(of_textures):
    form = canonical(BOARD[:4])[0]
    own = of_textures.rules[1].assign(form)
    mean, square = expected_strength(None, np.array(form, np.uint8))
    live = ~np.isnan(square)
    assert (own[~live] == -1).all()
    texture = own[live] // 4
    assert len(set(texture.tolist())) == 1
    parts = own[live] // 2 % 2
    assert square[live][parts == 0].max() < square[live][parts == 1].min()
    assert 0.6 < (parts == 0).mean() < 0.75  # of 1.7 + 1.0 and 1.0 + 0.3, the halves of the line
    variance = (square - mean**2)[live]
    for part in (0, 1):
        upper = own[live][parts == part] % 2 == 1
        assert variance[parts == part][~upper].max() < variance[parts == part][upper].min() + 1e-9
        assert 0.3 < upper.mean() <= 0.5


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_features_of_a_board_do_not_know_the_names_of_suits(size):
    own = features(expected_strength(None, BOARD[:size])[0])
    renamed = features(expected_strength(None, RENAMED[10][BOARD[:size]])[0])
    np.testing.assert_allclose(own, renamed, atol=1e-6)
    other = features(expected_strength(None, cards("KsKh2h9h7h")[:size])[0])
    assert (size == 5) == bool(np.abs(own - other).max() > 0.1)  # the third heart differs


@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_the_bucket_of_one_holding_is_that_among_all(abstraction, size):
    board = BOARD[:size]
    flops = np.zeros((1755, 1326), np.uint16)
    row = canonical_boards(3).tolist().index(list(canonical(BOARD[:3])[0]))
    flops[row] = np.maximum(abstraction.rules[0].assign(canonical(BOARD[:3])[0]), 0)
    for tables in (BucketTables(abstraction), BucketTables(abstraction, flops))[: 2 if size == 3 else 1]:
        last = tables.last(board)
        live = np.flatnonzero(~HOLDS[board].any(axis=0)) if size else np.arange(1326)
        if size == 3 and tables.flops is None:
            live = live[::11]
        assert (last == tables.buckets(board)[-1]).all()
        assert last[live].tolist() == [tables.bucket(board, holding) for holding in live.tolist()]


def moved(one, other):
    """The least mass times bins that makes one histogram of the other, from the left."""
    work = over = 0.0
    for here, there in zip(one, other, strict=True):
        over += here - there
        work += abs(over)
    return work


def test_the_nearest_centre_is_that_of_the_least_earth_movers_distance():
    strengths = histograms.next_strengths(tuple(BOARD[:4].tolist()))
    found = histograms.nearest(strengths, np.array(CENTRES, np.float32))
    shares = [np.diff([0, *centre, 1]) for centre in CENTRES]
    for holding in range(0, 1326, 53):
        known = strengths[holding][~np.isnan(strengths[holding])]
        if len(known):
            own = np.histogram(known, histograms.BINS, (0, 1))[0] / len(known)
            work = [moved(own, share) for share in shares]
            assert work[found[holding]] == pytest.approx(min(work), abs=1e-5)


def test_clusters_part_what_differs():
    draw = np.random.default_rng(1)
    strengths = np.concatenate([draw.normal(mean, 0.02, (40, 46)) for mean in (0.15, 0.5, 0.85)])
    points = histograms.cumulative(histograms.histograms(strengths.clip(0, 1).astype(np.float32)))
    centres = histograms.cluster(points, 3, seed=2)
    groups = histograms.nearest(strengths.clip(0, 1).astype(np.float32), np.array(centres, np.float32))
    assert (groups == np.repeat([0, 1, 2], 40)).all()
    assert histograms.cluster(points, 3, seed=2) == centres


def test_strengths_after_the_next_card():
    board = tuple(BOARD[:3].tolist())
    strengths = histograms.next_strengths(board)
    one = next(n for n, pair in enumerate(HOLDINGS.tolist()) if set(pair) == set(cards("AsAd").tolist()))
    turns = [card for card in range(52) if card not in board]
    column = turns.index(int(cards("5c")[0]))
    expected = expected_strength("AsAd", np.array([*board, turns[column]], np.uint8))[1]
    assert strengths[one][column] == pytest.approx(expected, abs=1e-6)
    assert np.isnan(strengths[one]).sum() == 2


@pytest.mark.parametrize(("size", "count"), [(3, 1755), (4, 16432)])
def test_canonical_boards(size, count):
    boards = canonical_boards(size)
    assert len(boards) == count
    for board in boards[:: count // 50]:
        assert canonical(board)[0] == tuple(board.tolist())


def test_a_board_leads_to_its_canonical_form():
    draw = np.random.default_rng(3)
    for _ in range(50):
        board = draw.permutation(52)[:4].astype(np.uint8)
        form, order = canonical(board)
        assert tuple(sorted(RENAMED[order][board].tolist())) == form
        assert canonical(RENAMED[draw.integers(24)][board])[0] == form


def test_tables_hold_what_the_rules_give(tmp_path, monkeypatch):
    few = {size: canonical_boards(size)[:: 400 * 9 ** (size - 3)] for size in (3, 4)}
    monkeypatch.setattr("baycarp.solvers.buckets.tables.canonical_boards", few.get)
    abstraction, path = ABSTRACTIONS["percentiles"], tmp_path / "buckets.npz"
    made = bucket_tables(abstraction, path)
    for size, table in ((3, made.flops), (4, made.turns)):
        for board, row in zip(few[size], table, strict=True):
            own = abstraction.rules[size - 3].assign(tuple(board.tolist()))
            assert (row == np.maximum(own, 0)).all()
    again = bucket_tables(abstraction, path)
    assert again.digest == made.digest
    with pytest.raises(ModelError, match=r"another abstraction|expected 0 to 3"):
        bucket_tables(ABSTRACTIONS["clusters"], path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match="not readable"):
        bucket_tables(abstraction, path)


def test_tables_give_the_buckets_of_the_abstraction():
    abstraction, board = ABSTRACTIONS["values, recall"], BOARD
    flops = np.zeros((1755, 1326), np.uint16)
    turns = np.zeros((16432, 1326), np.uint16)
    for size, table in ((3, flops), (4, turns)):
        form = canonical(board[:size])[0]
        row = next(n for n, each in enumerate(canonical_boards(size).tolist()) if tuple(each) == form)
        table[row] = np.maximum(abstraction.rules[size - 3].assign(form), 0)
    made = BucketTables(abstraction, flops, turns).buckets(board)
    live = ~HOLDS[board].any(axis=0)
    assert (made[:, live] == BucketTables(abstraction).buckets(board)[:, live]).all()


def test_abstractions_as_json(abstraction):
    again = Abstraction.from_dict(abstraction.to_dict())
    assert json.loads(json.dumps(abstraction.to_dict())) == abstraction.to_dict()
    assert again == abstraction
    assert again.digest == abstraction.digest


@pytest.mark.parametrize(
    "given", [None, {}, {"rules": [], "recall": []}, {"rules": [{"kind": "x"}] * 3, "recall": [0] * 3}]
)
def test_no_abstraction_is_refused(given):
    with pytest.raises(ArgumentError, match="expected rules and recall"):
        Abstraction.from_dict(given)


TEXTURE = {"kind": "texture", "centres": [[0.5] * 30], "parts": 10, "halves": 2}


@pytest.mark.parametrize(
    "rule",
    [
        TEXTURE | {"parts": 10**12},
        TEXTURE | {"parts": 2.5},
        TEXTURE | {"halves": 3},
        TEXTURE | {"centres": [[0.5] * 3]},
        TEXTURE | {"centres": [[float("nan")] * 30]},
        {"kind": "clusters", "centres": [[0.5] * 28]},
        {"kind": "clusters", "centres": [[float("inf")] * 29]},
        {"kind": "percentile", "count": 10**12},
    ],
)
def test_rules_of_a_file_are_verified(rule):
    fine = {"kind": "percentile", "count": 10}
    assert Abstraction.from_dict({"rules": [TEXTURE, fine, fine], "recall": [0, 0, 0]})
    with pytest.raises(ArgumentError, match="expected"):
        Abstraction.from_dict({"rules": [rule, fine, fine], "recall": [0, 0, 0]})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "p10",
        "p10,p10",
        "p10+,p10,p10",
        "p10,p10,e10",
        "p0,p10,p10",
        "x1,p1,p1",
        "t0p1,p1,p1",
        "t1p0,p1,p1",
        "p1,p1,t1d1",
    ],
)
def test_bad_specifications_are_refused(text):
    with pytest.raises(ArgumentError, match="buckets"):
        parse_buckets(text, 1)


def test_too_many_buckets_are_refused():
    with pytest.raises(ArgumentError, match="expected at most 65535"):
        parse_buckets("p100,p100+,p100+", 1)


def test_blocked_holdings_have_a_bucket_that_means_nothing():
    board = cards("KsKh2h")
    assert (BucketTables(ABSTRACTIONS["percentiles"]).buckets(board)[-1][HOLDS[board].any(axis=0)] == 0).all()
