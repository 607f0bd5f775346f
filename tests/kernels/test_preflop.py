"""The pre-flop tables against enumerations, published figures, and sums over pairs."""

import itertools

import numpy as np
import pytest

import baycarp
from baycarp.card import CLASS_OF, CLASSES, DECK, HOLDINGS, HOLDS
from baycarp.errors import CardError, RangeError
from baycarp.kernels import preflop
from baycarp.kernels.strength import equity as enumerated

BOARDS = 1_712_304


def counted(a, b):
    """(won, tied) over all boards, by ranking both hands on each."""
    known = [*baycarp.cards(a), *baycarp.cards(b)]
    rest = np.setdiff1d(np.arange(52, dtype=np.uint8), known)
    won = tied = 0
    for first in range(44):
        boards = rest[list(itertools.combinations(range(first + 1, 48), 4))]
        ranks = []
        for hole in (known[:2], known[2:]):
            fixed = np.tile(np.array([*hole, rest[first]], np.uint8), (len(boards), 1))
            ranks.append(baycarp.rank(np.hstack([fixed, boards])).astype(int))
        won += int((ranks[0] > ranks[1]).sum())
        tied += int((ranks[0] == ranks[1]).sum())
    return won, tied


def test_a_matchup_equals_the_enumeration():
    won, tied = counted("AhKd", "8c8h")
    assert baycarp.equity("AhKd", "8c8h") == (won + tied / 2) / BOARDS


def suit_patterns():
    """The fifteen ways in which four suits can be equal: 0000, 0001, 0010, 0011, 0012, ..., 0123."""
    grown = [(0,)]
    for _ in range(3):
        grown = [(*suits, suit) for suits in grown for suit in range(max(suits) + 2)]
    return grown


@pytest.mark.slow
@pytest.mark.parametrize("suits", suit_patterns(), ids=str)
def test_matchups_equal_the_enumeration(suits):
    rng = np.random.default_rng(suits)
    for spread in (13, 4):  # ranks of the whole deck, and close ranks
        cards = []
        while len(set(cards)) < 4:
            ranks = rng.integers(0, spread, 4)
            cards = (4 * ranks + suits).tolist()
        a, b = baycarp.text(cards[:2]), baycarp.text(cards[2:])
        won, tied = counted(a, b)
        assert preflop.lead(a, b) == won - (BOARDS - won - tied), (a, b)


@pytest.mark.slow
def test_matchups_equal_phevaluator():
    rank = pytest.importorskip("phevaluator").evaluate_cards  # lower is better
    for a, b in (("9s8s", "AdAc"), ("7h2c", "7d2h")):
        rest = [card for card in DECK if card not in (a[:2], a[2:], b[:2], b[2:])]
        halves = 0
        for table in itertools.combinations(rest, 5):
            ours, theirs = rank(a[:2], a[2:], *table), rank(b[:2], b[2:], *table)
            halves += (ours < theirs) + (ours <= theirs)
        assert baycarp.equity(a, b) == halves / 2 / BOARDS


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_ranges_equal_the_enumeration(seed):
    """Few holdings, so that the enumeration of all boards takes seconds."""
    rng = np.random.default_rng(seed)
    a, b = np.zeros(1326), np.zeros(1326)
    a[rng.permutation(1326)[:5]] = rng.integers(1, 9, 5)
    b[rng.permutation(1326)[:6]] = rng.integers(1, 9, 6)
    assert baycarp.equity(a, b) == pytest.approx(enumerated(a, b), rel=1e-14)


def matrix():
    """Boards won minus boards lost of every holding against every other, and the compatible pairs."""
    lead = np.zeros((1326, 1326))
    meets = ~np.array([(HOLDS[hi] | HOLDS[lo]) for hi, lo in HOLDINGS])
    ids = [tuple(map(int, pair)) for pair in HOLDINGS]
    for i, j in zip(*np.nonzero(np.tril(meets)), strict=True):
        lead[i, j] = preflop.lead(ids[i], ids[j])
    return lead - lead.T, meets


@pytest.fixture(scope="module")
def table():
    return matrix()


KINDS = ("classes", "wide", "narrow")


def drawn(rng, kind):
    if kind == "classes":
        return (rng.random(169) < 0.5).astype(float)[CLASS_OF] * rng.integers(1, 9)
    weights = rng.integers(0, 64, 1326) * (rng.random(1326) < {"wide": 1.0, "narrow": 0.02}[kind])
    return weights.astype(float)


@pytest.mark.parametrize("kinds", [*itertools.product(KINDS, repeat=2)], ids=str)
def test_ranges_equal_the_sum_over_pairs(table, kinds):
    lead, meets = table
    rng = np.random.default_rng(5)
    for _ in range(10):
        a, b = drawn(rng, kinds[0]), drawn(rng, kinds[1])
        total = a @ meets @ b * BOARDS
        expected = 0.5 + (a @ lead @ b) / (2 * total)
        assert baycarp.equity(a, b) == pytest.approx(expected, rel=1e-14)
        assert baycarp.equity(3 * a, b / 7) == pytest.approx(expected, rel=1e-11)  # independent of scale
        assert baycarp.equity(b, a) == pytest.approx(1 - expected, rel=1e-13)


def test_a_permutation_of_suits_changes_nothing():
    rng = np.random.default_rng(6)
    a, b = drawn(rng, "wide"), drawn(rng, "narrow")
    for order in itertools.permutations(range(4)):
        moved = 4 * (HOLDINGS // 4) + np.array(order)[HOLDINGS % 4]
        index = [int(max(p) * (max(p) - 1) // 2 + min(p)) for p in moved.astype(int)]
        assert baycarp.equity(a[index], b[index]) == pytest.approx(baycarp.equity(a, b), rel=1e-12)


def test_a_blocker_removes_exactly_its_pairs():
    aces = baycarp.Range("AA")
    assert baycarp.equity("AhKh", aces) == pytest.approx(
        baycarp.equity("AhKh", aces.without("Ah")), rel=1e-15
    )


def test_classes_equal_ranges():
    shares = preflop.class_equities()
    for a, b in (("AA", "AA"), ("AKs", "22"), ("72o", "AKo"), ("JTs", "JTo")):
        found = shares[CLASSES.index(a), CLASSES.index(b)]
        assert found == pytest.approx(baycarp.equity(baycarp.Range(a), baycarp.Range(b)), rel=1e-14)
    assert shares.shape == (169, 169)
    assert abs(shares + shares.T - 1).max() < 1e-15


def test_strength_is_the_share_against_any_holding():
    mean, square = baycarp.expected_strength(None)
    for name in ("AA", "AKs", "32o", "72o"):
        index = int(np.argmax(CLASSES.index(name) == CLASS_OF))
        hole = baycarp.text(HOLDINGS[index])
        assert baycarp.expected_strength(hole) == (mean[index], square[index])
        assert mean[index] == pytest.approx(baycarp.equity(hole, np.ones(1326)), rel=1e-13)
    assert (mean**2 < square).all()
    assert (square < mean).all()


def test_the_mean_square_is_the_mean_over_flops():
    """E[HS^2] pre-flop of a holding against its E[HS^2] on sampled flops, within the standard error."""
    rng = np.random.default_rng(8)
    hole = baycarp.cards("9s8s")
    rest = np.setdiff1d(np.arange(52), hole)
    found = np.array([baycarp.expected_strength(hole, rng.permutation(rest)[:4])[1] for _ in range(2000)])
    error = found.std() / np.sqrt(len(found))
    assert abs(found.mean() - baycarp.expected_strength(hole)[1]) < 4 * error


def test_shares_against_any_holding_are_those_published():
    """Published figures: aces 85.2 %, kings 82.4 %, AKs 67.0 %, 72o 34.6 %, 32o, the last, 32.3 %."""
    mean = dict(zip(CLASSES, preflop.class_strengths()[0], strict=True))
    known = {"AA": 0.852, "KK": 0.824, "AKs": 0.670, "72o": 0.346, "32o": 0.323}
    assert {name: round(float(mean[name]), 3) for name in known} == known
    assert min(mean, key=mean.get) == "32o"
    assert len(set(mean.values())) == 169


def test_all_notations_of_two_holdings_give_one_result():
    expected = (1_388_072 + 6_538 / 2) / BOARDS  # won and tied, counted by eval7
    for aces in ("AhAd", "AdAh", "ahad", "Ah Ad", (50, 49), [49, 50], np.array([50, 49])):
        assert baycarp.equity(aces, "KsKc") == expected
        assert baycarp.equity(aces, "KsKc", []) == expected


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        ("AhAd", "AhKs", RangeError, "no two holdings"),
        ("AhAh", "KsKc", RangeError, "duplicate card 'Ah'"),
        ((50, 52), "KsKc", CardError, "card id 52"),
        ((50, -1), "KsKc", CardError, "card id -1"),
        ("AhAy", "KsKc", RangeError, "expected hands"),
        ("AhA\u0663", "KsKc", RangeError, "expected hands"),
        (np.zeros(1326), np.ones(1326), RangeError, "no two holdings"),
    ],
)
def test_invalid_holdings_are_refused(a, b, error, message):
    with pytest.raises(error, match=message):
        baycarp.equity(a, b)
