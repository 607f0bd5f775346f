"""The rules of comparison with published numbers, on made-up numbers."""

import math

import pytest

from experiments.papers.entry import Column, Entry, Source
from experiments.papers.verdict import UNDECIDED, Estimate, Made, compare

WIN = Column("won", "sb/h", telling=0.1)


def about(value, margin=0.05):
    return Estimate(value, value - margin, value + margin)


def entry(*printed, column=WIN, **given):
    rows = tuple((f"row {number}", (text,)) for number, text in enumerate(printed, start=1))
    return Entry("9-1", "made up", Source("9", "Anonymous", 2000, (1, 2)), (column,), rows, **given)


def judged(known, *ours, hands=1000):
    """The whole verdict, and those of the cells."""
    cells = {f"row {number}": [value] for number, value in enumerate(ours, start=1)}
    found = compare(known, Made(cells, hands))
    return found.verdict, [cell.verdict for cell in found.cells]


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.32", about(0.30), "same"),  # inside the interval
        ("0.354", about(0.30), "not"),  # outside
        ("0.35", about(0.296), "same"),  # outside by less than its rounding, 0.005
        ("0.35", about(0.294), "not"),
        ("0.42", about(0.40, 0.11), "unclear"),  # inside one wider than `telling`
        ("0.62", about(0.40, 0.11), "not"),  # outside even that
        ("0.16", about(0.15), "same"),  # half the interval is a third of the printed at most
        ("0.14", about(0.15), "unclear"),
        ("-0.14", about(-0.15), "unclear"),
        ("0.00", about(0.0), "unclear"),
        ("0.12", Estimate(math.nan, math.nan, math.nan), "unclear"),
    ],
)
def test_a_measured_number(printed, ours, verdict):
    assert judged(entry(printed), ours) == (verdict, [verdict])


@pytest.mark.parametrize(("margin", "verdict"), [(0.03, "same"), (0.05, "unclear")])
def test_a_source_may_argue_from_a_difference(margin, verdict):
    """Printed zero, and a claim of 0.12: a third of the claim counts."""
    column = Column("won", "sb/h", telling=1.0, argues=0.12)
    assert judged(entry("0.00", column=column), about(0.0, margin))[0] == verdict


def test_a_cell_has_the_least_difference_that_would_have_been_found():
    (cell,) = compare(entry("0.30"), Made({"row 1": [about(0.31)]}, 1000)).cells
    assert cell.tells == pytest.approx(0.05 + 0.005)
    (exact,) = compare(entry("0.30"), Made({"row 1": [0.3]})).cells
    assert exact.tells is None


def test_an_undecided_place_is_no_agreement():
    places = entry("1", "2", "3", gap="its interval holds a neighbour", ordered=False)
    assert judged(places, 1.0, UNDECIDED, UNDECIDED) == ("unclear", ["same", "unclear", "unclear"])
    assert judged(places, 1.0, 2.0, 3.0)[0] == "same"
    assert judged(places, 2.0, UNDECIDED, UNDECIDED)[0] == "not"
    found = compare(places, Made({row: [UNDECIDED] for row, _ in places.rows}))
    assert {cell.reason for cell in found.cells} == {"its interval holds a neighbour"}


def test_a_clear_order_stands_beside_an_unclear_cell():
    found = judged(entry("0.9", "0.1"), about(0.9), about(0.12))
    assert found == ("same order", ["same", "unclear"])


def test_an_interval_may_be_asymmetric():
    lopsided = Estimate(0.20, 0.19, 0.25)
    assert judged(entry("0.240"), lopsided)[0] == "same"
    assert judged(entry("0.180"), lopsided)[0] == "not"


def test_the_printed_number_has_an_error_of_its_own():
    """Printed of as many hands as ours, the difference's interval is wider by the root of two."""
    at = 0.30 + 0.05 * math.sqrt(2) - 0.001
    assert judged(entry(f"{at:.5f}", of=1000), about(0.30))[0] == "same"
    assert judged(entry(f"{at + 0.002:.5f}", of=1000), about(0.30))[0] == "not"
    assert judged(entry(f"{at:.5f}", of=10**9), about(0.30))[0] == "not"


def test_a_row_may_have_its_own_number_of_hands():
    printed = f"{0.30 + 0.05 * math.sqrt(2) - 0.001:.5f}"
    known = entry(printed, printed, of=10**9, of_row={"row 2": 1000})
    assert judged(known, about(0.30), about(0.30))[1] == ["not", "same"]


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.118", 2 / 17, "same"),
        ("0.118", 0.1186, "not"),
        ("34350", 34350, "same"),
        ("34350", 34351, "not"),
        ("JACKPAIR", "JackPair", "same"),
        ("JackPair", "TenPair", "not"),
        ("-", 5, "not"),
        ("5", "-", "not"),
    ],
)
def test_exact_numbers_and_words(printed, ours, verdict):
    assert judged(entry(printed), ours) == (verdict, [verdict])


def test_a_stated_tolerance_replaces_the_rounding():
    assert judged(entry("0.6535", tolerance=1e-4), 0.65359)[0] == "same"
    assert judged(entry("0.6535", tolerance=1e-4), 0.65361)[0] == "not"


def test_a_tolerance_may_be_of_a_single_row():
    known = entry("2941.30", "177114.33", tolerance={"row 2": 400.0})
    assert judged(known, 2939.04, 177043.35)[1] == ["not", "same"]
    assert judged(known, 2941.304, 176043.35)[1] == ["same", "not"]


def test_the_order_of_rows():
    known = entry("0.9", "0.5", "0.1")
    assert judged(known, about(0.7), about(0.4), about(0.2))[0] == "same order"
    assert judged(known, about(0.7), about(0.2), about(0.4))[0] == "not"  # two the other way round
    assert judged(known, about(0.7), about(0.68), about(0.66))[0] == "not"  # ours sets none apart
    assert judged(known, 9.0, 5.0, 1.0)[0] == "same order"
    assert judged(entry("0.9", "0.5", "0.1", ordered=False), 9.0, 5.0, 1.0)[0] == "not"


def test_equal_printed_rows_have_no_order():
    assert judged(entry("0.9", "0.5", "0.5"), 9.0, 4.0, 5.0)[0] == "same order"


def test_nothing_to_compare_gives_the_reason():
    found = compare(entry("0.1", why="it is not in the package yet"), None)
    assert (found.verdict, found.reason, found.cells) == (
        "cannot be compared",
        "it is not in the package yet",
        (),
    )


def test_cells_without_a_printed_or_own_value():
    verdicts = ["same", None, "cannot be compared"]
    known = entry("0.20", "", "0.30", gap="the cards are in a picture")
    assert judged(known, about(0.2), about(0.2), None) == ("same", verdicts)
    made = Made({"row 1": [None], "row 2": [about(0.2)], "row 3": [None]})
    assert compare(known, made).reason == "the cards are in a picture"


def test_stand_ins_are_shown_and_not_judged():
    known = entry("0.20", "0.90", stand_ins=("row 2",))
    assert judged(known, about(0.2), about(0.1)) == ("same", ["same", "cannot be compared"])


def test_one_clear_cell_among_many_unclear_is_no_verdict():
    unclear = about(0.1, 0.5)
    assert judged(entry("0.2", "0.2", "0.2"), about(0.2), unclear, unclear)[0] == "unclear"
