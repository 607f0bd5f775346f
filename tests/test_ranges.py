"""Ranges: dialects against manual counts and two other libraries; canonical text; errors."""

import copy
import pickle
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baycarp.card import CLASSES, DECK, HOLDINGS, RANKS, cards, holding_index
from baycarp.errors import CardError, RangeError
from baycarp.evaluation import equity, hand_strength
from baycarp.kernels.preflop import class_strengths
from baycarp.ranges import Range

CLASS = st.sampled_from(CLASSES)
WEIGHT = st.one_of(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), st.floats(0, 1))


def index(holding):
    return holding_index(*cards(holding))


def held(given):
    """The holdings that a range contains, as sets of two cards."""
    return {frozenset(DECK[card] for card in HOLDINGS[i]) for i in np.flatnonzero(Range(given).weights)}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("AA", 6),
        ("TT+", 30),
        ("22+", 78),
        ("99-66", 24),
        ("66-99", 24),
        ("A2s+", 48),
        ("A2+", 192),
        ("KTs+", 12),
        ("T9s+", 4),
        ("72o+", 60),
        ("A5s-A2s", 16),
        ("A2s-A5s", 16),
        ("AKo-ATo", 48),
        ("JTs-87s", 16),
        ("KQ-T9", 64),
        ("AhKd", 1),
        ("AhKd, AhKc;AcKh QsQh", 4),
        ("10h9h", 1),
        ("random", 1326),
        ("??", 1326),
        ("aks AKO tt+ ahkd RANDOM", 1326),
        ("random,72o:0", 1314),
        ("", 0),
        (" ,; ", 0),
    ],
)
def test_the_number_of_holdings_of_a_text(text, count):
    assert Range(text).total == count
    assert set(Range(text).weights) <= {0.0, 1.0}


def test_members_of_a_class_are_the_right_cards():
    assert held("AKs") == {frozenset({"A" + suit, "K" + suit}) for suit in "cdhs"}
    assert held("AKo") == {frozenset({"A" + a, "K" + b}) for a, b in permutations("cdhs", 2)}
    assert held("77") == {frozenset({"7" + a, "7" + b}) for a, b in combinations("cdhs", 2)}
    assert held("A3s-A2s") == held("A3s,A2s")
    assert held("QJs-T9s") == held("QJs,JTs,T9s")
    assert held("KTo+") == held("KTo,KJo,KQo")


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("QQ:0.5", {"QsQh": 0.5, "AsKs": 0}),
        ("QQ:50%", {"QsQh": 0.5}),
        ("QQ : .5,KK", {"QsQh": 0.5, "KsKh": 1}),
        ("0.5(QQ,AKs)", {"QsQh": 0.5, "AsKs": 0.5, "AsKh": 0}),
        ("30%(TT+),AKs", {"TsTh": 0.3, "AsAh": 0.3, "AsKs": 1}),
        ("33.3% ( TT; JJ )", {"TsTh": 0.333, "JsJh": 0.333}),
        ("QQ:1e-3", {"QsQh": 0.001}),
        ("QQ:0.5,QsQh", {"QsQh": 1, "QdQc": 0.5}),
        ("QsQh,QQ:0.5", {"QsQh": 0.5, "QdQc": 0.5}),
    ],
)
def test_items_have_weights_and_the_later_item_applies(text, weights):
    given = Range(text)
    for holding, weight in weights.items():
        assert given.weights[index(holding)] == weight, holding


SPANS = [
    f"{a}{kind}-{b}{kind}"
    for a in ("A5", "T7", "98", "43")
    for b in ("A2", "74", "98")
    for kind in ("s", "o")
]
PAIRS = [a + b for a in RANKS for b in RANKS]
ITEMS = [
    *PAIRS,
    *(pair + "+" for pair in PAIRS),
    *(pair + kind + plus for pair in PAIRS if pair[0] != pair[1] for kind in "so" for plus in ("", "+")),
    *(f"{a}{a}-{b}{b}" for a in RANKS for b in RANKS),
    *SPANS,
    "AhKd",
    "2c2d",
]


def test_ranges_agree_with_pokerkit_on_texts_of_its_dialect():
    parse_range = pytest.importorskip("pokerkit").parse_range
    agreed = 0
    for text in [*ITEMS, "TT+,AKs;AhKd 54s-32s", "QJs-54s", "AKo-KQo"]:
        try:
            expected = parse_range(text)
        except ValueError:
            continue
        assert held(text) == {frozenset(map(repr, pair)) for pair in expected}, text
        agreed += 1
    assert agreed > 1000


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_ranges_agree_with_eval7_on_texts_of_its_dialect():
    eval7 = pytest.importorskip("eval7")
    agreed = 0
    for text in [*ITEMS, "0.5(QQ,AKs)", "30%(TT+), AKo, 0.25(A5s-A2s, 7h6h)"]:
        try:
            expected = eval7.HandRange(text).hands
        except eval7.rangestring.RangeStringError:
            continue
        weights = np.zeros(1326)
        for pair, weight in expected:
            weights[index("".join(map(str, pair)))] = weight
        assert np.array_equal(Range(text).weights, weights), text
        agreed += 1
    assert agreed > 1000


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("AKs,QQ,AA,KK", "QQ+,AKs"),
        ("AA", "AA"),
        ("AK", "AKs,AKo"),
        ("A2s A3s A4s A5s", "A5s-A2s"),
        ("AKo-ATo", "ATo+"),
        ("99-66:0.5 JJ:.5 TT", "JJ:0.5,TT,99-66:0.5"),
        ("30%(TT+),AKs,72o", "TT+:0.3,AKs,72o"),
        ("KhAh 2c2d", "AhKh,2d2c"),
        ("AKs,AhKh:0.5", "AsKs,AhKh:0.5,AdKd,AcKc"),
        ("22+ random:0.25", "random:0.25"),
        ("32s 32o", "32s,32o"),
        ("QQ:0", ""),
    ],
)
def test_a_range_is_printed_as_canonical_text(text, printed):
    assert str(Range(text)) == printed
    assert repr(Range(text)) == f"Range({printed!r})"


def ranges():
    """Common ranges, then with single holdings changed."""
    items = st.lists(st.tuples(CLASS, WEIGHT), max_size=40)
    singles = st.lists(st.tuples(st.integers(0, 1325), WEIGHT), max_size=6)

    def build(parts):
        weights = Range(",".join(f"{name}:{weight!r}" for name, weight in parts[0])).weights.copy()
        for holding, weight in parts[1]:
            weights[holding] = weight
        return Range(weights)

    return st.tuples(items, singles).map(build)


@given(ranges())
def test_text_reads_back_to_the_same_range(given):
    assert Range(str(given)) == given
    assert str(Range(str(given))) == str(given)
    assert eval(repr(given)) == given
    assert hash(Range(str(given))) == hash(given)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_random_weights_read_back_bit_for_bit(seed):
    generator = np.random.default_rng(seed)
    weights = generator.random(1326) * (generator.random(1326) < 0.5)
    assert np.array_equal(Range(str(Range(weights))).weights, weights)


@given(ranges(), st.integers(-30, 1000))
def test_repr_of_heavy_weights_reads_back(given, exponent):
    heavy = given * 2.0**exponent
    if given.weights[given.weights > 0].min(initial=1) > 1e-9:
        assert eval(repr(heavy)) == heavy


@settings(max_examples=25)
@given(ranges(), st.permutations("cdhs"))
def test_renaming_the_suits_leaves_the_classes(given, suits):
    renamed = np.empty(1326)
    for number, (hi, lo) in enumerate(HOLDINGS):
        a, b = (DECK[card][0] + suits["cdhs".index(DECK[card][1])] for card in (hi, lo))
        renamed[index(a + b)] = given.weights[number]
    np.testing.assert_allclose(Range(renamed).classes(), given.classes(), rtol=1e-12)
    whole = Range.from_classes(given.classes())
    assert np.array_equal(whole.classes(), given.classes())


@pytest.mark.parametrize(
    ("text", "column", "token", "expected"),
    [
        ("QQ, A2s-K2s", 5, "A2s-K2s", "same high card"),
        ("AKs-QJo", 1, "AKs-QJo", "one kind"),
        ("A5s-A2", 1, "A5s-A2", "one kind"),
        ("AA-AK", 1, "AA-AK", "two ends"),
        ("AK-AA", 1, "AK-AA", "two ends"),
        ("KK TTs", 4, "TTs", "expected TT"),
        ("Ah Kd", 1, "Ah", "expected 2 cards, got 1"),
        ("AhKdQs", 1, "AhKdQs", "expected 2 cards, got 3"),
        ("QQ;AhAh", 4, "AhAh", "duplicate card 'Ah'"),
        ("QQ:50", 1, "QQ:50", "0..1"),
        ("QQ:101%", 1, "QQ:101%", "0%..100%"),
        ("QQ:-1", 1, "QQ:-1", "'-1'"),
        ("QQ:nan", 1, "QQ:nan", "'nan'"),
        ("AK,QQ:", 4, "QQ:", "a weight such as"),
        ("0.5(QQ", 1, "0.5(", "expected ')'"),
        ("QQ)", 3, ")", "'(' before"),
        ("0.5(QQ:0.5)", 5, "QQ:0.5", "no weight of its own"),
        ("0.5(QQ,0.2(KK))", 8, "0.2(", "do not nest"),
        ("(QQ)", 1, "(", "a weight before"),
        ("1.5(QQ)", 1, "1.5(", "0..1"),
        (": 0.5", 1, ":", "hands before"),
        ("150%", 1, "150%", "0%..100%"),
        ("[50]AA", 1, "[50]", "expected '[/50]'"),
        ("[50]AA[/40]", 7, "[/40]", "expected '[/50]'"),
        ("AA[/50]", 3, "[/50]", "expected [weight]"),
        ("2x", 1, "2x", "such as AKs"),
        ("!AA:0.5", 1, "!AA:0.5", "no weight of its own"),
        ("AA@150", 1, "AA@150", "0%..100%"),
        ("QQ\tfoo", 4, "foo", "such as AKs"),
        ("AKs.", 1, "AKs.", "such as AKs"),
        ("TT++", 1, "TT++", "such as AKs"),
        ("random+", 1, "random+", "such as AKs"),
        ("1K", 1, "1K", "such as AKs"),
    ],
)
def test_errors_have_the_column_of_the_token(text, column, token, expected):
    with pytest.raises(RangeError) as caught:
        Range(text)
    message, line, carets = str(caught.value).split("\n")
    assert message.startswith(f"column {column}: {token!r}: ")
    assert expected in message
    pointed = [c for c, mark in zip(line, carets.ljust(len(line)), strict=True) if mark == "^"]
    assert "".join(pointed) == token


def test_an_error_in_a_long_text_shows_its_surroundings_only():
    with pytest.raises(RangeError, match="column 4001: 'oops'") as caught:
        Range("AKs," * 1000 + "oops" + ",QQ" * 1000)
    assert all(len(line) < 120 for line in str(caught.value).split("\n"))


@given(st.text("AKT92so+-:;,.%() hcd015randm?\n", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        total = Range(text).total
    except RangeError as error:
        total = 0 if str(error).startswith("column ") else -1
    assert 0 <= total <= 1326


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros(1325),
        np.zeros((1326, 1)),
        np.zeros(169),
        [1.0],
        None,
        0.5,
        np.full(1326, -1e-9),
        np.full(1326, np.nan),
        np.full(1326, np.inf),
        np.full(1326, 1j),
        np.full(1326, "1"),
    ],
)
def test_invalid_weights_are_refused(weights):
    with pytest.raises(RangeError, match=r"weight.*expected"):
        Range(weights)


def test_weights_are_a_read_only_copy():
    source = np.zeros(1326)
    taken = Range(source)
    source[0] = 1
    assert taken.total == 0
    with pytest.raises(ValueError, match="read-only"):
        taken.weights[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        taken.weights.setflags(write=True)
    with pytest.raises(AttributeError):
        taken.weights = source
    for other in (pickle.loads(pickle.dumps(taken)), copy.deepcopy(taken), Range(taken)):
        assert other == taken
        assert not other.weights.flags.writeable


def test_equality_is_of_weights_alone():
    assert Range("AK") == Range("AKo,AKs")
    assert len({Range("AK"), Range("AKo,AKs"), Range("AKs")}) == 2
    assert Range("AK") != Range("AKs")
    assert Range("AK") != "AK"
    assert hash(Range(np.full(1326, -0.0))) == hash(Range(""))


def test_groups_have_the_classes_of_figure_b1():
    """Unger (2011), figure B.1."""
    assert Range.from_groups([1]) == Range("JJ+,AKs")
    assert Range.from_groups([9]) == Range("A8o-A2o")
    assert Range.from_groups(range(1, 11)) == Range("random")
    assert Range.from_groups({2: 0.5}) == Range("0.5(TT,AQs,AJs,KQs,AKo)")
    assert Range.from_groups([]).total == 0


@pytest.mark.parametrize("groups", [[0], [11], ["1"], {1.5: 1}])
def test_groups_outside_1_to_10_are_refused(groups):
    with pytest.raises(RangeError, match=r"hand group .*expected 1\.\.10"):
        Range.from_groups(groups)


def test_classes_are_in_the_order_of_the_grid():
    grid = Range("AA:0.5,AKs,KQo,AhKd").classes()
    assert grid.shape == (13, 13)
    assert grid[0, 0] == 0.5
    assert grid[0, 1] == 1
    assert grid[1, 0] == pytest.approx(1 / 12)
    assert grid[2, 1] == 1
    assert np.count_nonzero(grid) == 4
    assert Range.from_classes(grid.ravel()) == Range.from_classes(grid)
    with pytest.raises(RangeError, match="expected 169"):
        Range.from_classes(np.zeros((169, 1)))


def test_known_cards_are_removed():
    assert held(Range("AA,AKs").without("As Kd").weights) == held("AhAd,AhAc,AdAc,AhKh,AcKc")
    assert Range("random").without("AhKdQs7c2d").total == 47 * 46 / 2
    assert Range("QQ:0.5").without([]) == Range("QQ:0.5")
    assert str(Range("AA").without("AsAh")) == "AdAc"
    with pytest.raises(RangeError, match="'AsAhAd' are known"):
        Range("AA").without("AsAhAd")
    with pytest.raises(CardError):
        Range("AA").without("AsAs")


def test_normalised_sums_to_one_in_proportion():
    shares = Range("AA,AKs:0.5").normalised()
    assert shares.total == pytest.approx(1)
    assert shares.weights[index("AsAh")] == pytest.approx(1 / 8)
    assert shares.weights[index("AsKs")] == pytest.approx(1 / 16)
    for size in (1e308, 5e-324):
        assert Range(np.full(1326, size)).normalised().weights[0] == pytest.approx(1 / 1326)
    with pytest.raises(RangeError, match="empty"):
        Range("").normalised()


def test_the_measures_take_a_range():
    board = "Qs7d2c"
    assert hand_strength("AhKd", board, Range("random")) == hand_strength("AhKd", board)
    assert equity(Range("AA"), Range("QQ,77,22"), board) < 0.2 < 0.8 < equity(Range("AA"), Range("KK"), board)


@pytest.mark.parametrize(
    ("dialect", "plain"),
    [  # findings: pokerstove #39, users of SirRender00's package and of Equilab
        ("Axs", "A2s+"),
        ("Kxo", "K2o+"),
        ("Qx", "Q2s+,Q2o+"),
        ("KTs+,!KQs", "KTs-KJs"),
        ("[50]AA,KK[/50]", "KK+:0.5"),
        ("[12.5]AA[/12.5] QQ", "AA:0.125,QQ"),
        ("AKs@50", "AKs:0.5"),
        ("AKs@50%", "AKs:0.5"),
        ("top 100%", "random"),
        ("0%", ""),
        ("top5%", "77+,AJs+,AKo"),
        ("5%:0.5,AA", "AA,77-KK:0.5,AJs+:0.5,AKo:0.5"),
        ("AxKx", "AK"),
        ("random,!72o", "random,72o:0"),
    ],
)
def test_the_dialects_of_people(dialect, plain):
    assert Range(dialect) == Range(plain)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("AhXx", lambda one, other: "Ah" in (one, other)),
        ("XhXh", lambda one, other: one[1] == other[1] == "h"),
        (
            "AxXh",
            lambda *two: any(a[0] == "A" and b[1] == "h" for a, b in (two, two[::-1])),
        ),
    ],
)
def test_any_card_and_any_suit(text, holds):
    found = Range(text).weights
    for holding, (one, other) in enumerate(HOLDINGS):
        assert found[holding] == holds(DECK[one], DECK[other])


def test_the_order_of_strength_is_that_of_equity_against_any_two_cards():
    mean, _ = class_strengths()
    for share in (0.01, 0.15, 0.5, 0.99):
        inside = Range.top(share).classes().ravel() > 0
        assert mean[inside].min() > mean[~inside].max()
        assert abs(Range.top(share).total - 1326 * share) <= 6
    values = np.arange(1326.0)
    assert Range.top(0.01, by=values) != Range.top(0.01, by=-values)
    groups = Range.from_groups(range(1, 5))
    assert Range.top(groups.total / 1326, by="groups") == groups
    for wrong in ({"share": 1.5}, {"share": 0.1, "by": "size"}, {"share": 0.1, "by": np.ones(169)}):
        with pytest.raises(RangeError):
            Range.top(**wrong)


def test_ranges_are_sets_with_weights():
    big, part = Range("TT+, AKs:0.5"), "JJ, AKs:0.25, 22"
    assert big | part == part | big == Range("TT+, AKs:0.5, 22")
    assert big & part == part & big == Range("JJ, AKs:0.25")
    assert big - part == Range("QQ+, TT, AKs:0.25")
    assert part - big == Range("22")
    assert (len(big), len(Range("")), bool(Range(""))) == (34, 0, False)
    assert (big["AsAh"], big["AK"], big["TT+"], big["72o"]) == (1.0, 0.125, 1.0, 0.0)
    assert dict(Range("AhKd, AsKs:0.5")) == {"AsKs": 0.5, "AhKd": 1.0}
    assert np.array_equal(np.asarray(big), big.weights)
    with pytest.raises(RangeError):
        big["0%"]


def test_a_range_draws_itself_in_characters():
    lines = Range("AA, AKs:0.55, 72o:0.01").draw().splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert (lines[1][2], lines[1][4], lines[13][16]) == ("#", "5", ".")
