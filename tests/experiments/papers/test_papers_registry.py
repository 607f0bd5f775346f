"""The registry of published tables: complete, true to the papers' text, and playable."""

import re
from pathlib import Path

import numpy as np
import pytest

import experiments
from baycarp.bn.sampling import gibbs
from experiments.papers.gambler import QUERIES, sampling_errors
from experiments.papers.registry import MAKERS, PaperError, entries, find, reproduce
from experiments.papers.run import Run
from experiments.papers.verdict import Estimate

KNOWN = entries()
INSTANT = {id: entry for id, entry in KNOWN.items() if not entry.hands and not entry.why}
PLAYED = {id: entry for id, entry in KNOWN.items() if entry.hands}
OF_THE_MODEL = {"000-5.3", "000-fig6.6", "000-fig6.7", "000-fig6.11", "000-fig6.12", "000-sec7.2.2"}
"""Entries that depend on the shipped model: any verdict is accepted."""


@pytest.fixture(scope="module")
def seeds(real_data):
    folder = real_data.parent / "seeds"
    if not folder.is_dir():
        pytest.skip(f"no papers at {folder}")
    return folder


def test_ids_are_unique():
    folder = Path(experiments.__file__).parent / "papers" / "data"
    ids = re.findall(r'^id = "(.*)"', "".join(path.read_text() for path in folder.iterdir()), re.MULTILINE)
    assert sorted(ids) == sorted(KNOWN)


@pytest.mark.parametrize("id", KNOWN)
def test_an_entry_has_a_result_or_a_reason(id):
    entry = KNOWN[id]
    assert (id in MAKERS) != bool(entry.why)
    assert entry.title
    assert id.startswith(entry.source.seed + "-")
    assert all(len(cells) == len(entry.columns) for _, cells in entry.rows)
    assert len(dict(entry.rows)) == len(entry.rows)
    if entry.hands:
        assert entry.full >= entry.hands
        assert entry.minutes <= 3
        assert all(column.telling > 0 for column in entry.columns)
    assert set(entry.stand_ins) <= set(dict(entry.rows))
    if isinstance(entry.tolerance, dict):
        assert set(entry.tolerance) <= set(dict(entry.rows))


def bare(text):
    """Without the marks between digits: 34.350, -$709,00, +0,004 and - 0.09 are found as we write them."""
    return re.sub(r"[.,\\$*{}_]|(?<=-) ", "", text.replace("\\pm", " ")).casefold()


SAMPLED = "003-sec6-sampled"

IN_WORDS = {
    "001-fig2": {"3"},
    "001-fig9": {"0"},
    "004-C.1": {"133", "6580"},
    SAMPLED: {bare(cell) for _, cells in KNOWN[SAMPLED].rows for cell in cells},
}
"""Cells that the text has in words, or that are computed from it: the last place of an order, that two
sequences are not similar, what printed sums leave of their rows, a mean of printed pairs."""


@pytest.mark.parametrize("id", KNOWN)
def test_the_text_contains_the_numbers_of_the_entry(id, seeds):
    entry = KNOWN[id]
    (path,) = seeds.glob(f"{entry.source.seed}_*.txt")
    first, last = entry.source.lines
    text = bare("\n".join(path.read_text("utf-8").split("\n")[first - 1 : last]))
    printed = {bare(cell) for _, cells in entry.rows for cell in cells if cell not in ("", "-")}
    printed -= IN_WORDS.get(id, set())
    missing = {cell for cell in printed if not re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", text)}
    assert not missing


def test_the_mean_errors_of_sampling_are_those_of_the_printed_pairs(seeds):
    """41 posteriors at each of five numbers of iterations, each as printed beside the exact one."""
    (path,) = seeds.glob("003_*.txt")
    first, last = KNOWN[SAMPLED].source.lines
    errors = {number: [] for number in range(5)}
    for line in path.read_text("utf-8").split("\n")[first - 1 : last]:
        if line.startswith("STEP"):
            number = 0
        elif pair := re.search(r"\( *([\d.]+)% vs ([\d.]+)%\)", line):
            errors[number].append(abs(float(pair[1]) - float(pair[2])))
        elif line.startswith("total"):
            number += 1
    assert {len(found) for found in errors.values()} == {41}
    ((_, cells),) = KNOWN[SAMPLED].rows
    assert [f"{np.mean(found):.3f}" for found in errors.values()] == list(cells)


def test_a_number_alone_finds_the_figure_where_no_table_has_it():
    assert find("000-7.1") is KNOWN["000-7.1"]
    assert find("000-7.4") is KNOWN["000-fig7.4"]
    with pytest.raises(PaperError, match="000-99"):
        find("000-99")


def test_a_misprinted_example_is_reported_and_its_repair_is_the_same():
    cells = reproduce(KNOWN["001-sec5.3.2"], Run()).cells
    assert [cell.verdict for cell in cells] == ["not", "same", "not", "same"]
    assert ["(repaired)" in cell.row for cell in cells] == [False, True, False, True]


def test_the_statistic_of_bets_is_not_explained_by_the_digits_of_their_expected_counts():
    """The tolerance of a row is what half of the last digit of each expected count changes."""
    cells = reproduce(KNOWN["004-sec6.3.1"], Run()).cells
    assert [(cell.row, cell.verdict) for cell in cells] == [("bets", "not"), ("raises", "same")]
    sizes = KNOWN["004-6.1"]
    for cell in cells:
        places = [n for n, each in enumerate(sizes.columns) if each.name.endswith(cell.row)]
        expected, observed = (np.array([float(row[place]) for _, row in sizes.rows]) for place in places)
        expected, observed = expected[expected > 0], observed[expected > 0]
        moved = expected + 0.005 * np.array([[-1], [1]])
        changes = (observed - moved) ** 2 / moved - (observed - expected) ** 2 / expected
        explained = np.abs(changes).max(axis=0).sum()
        assert KNOWN["004-sec6.3.1"].tolerance_of(cell.row) == pytest.approx(explained, rel=0.02)


MISPRINTED = {"001-sec5.3.2", "004-sec6.3.1"}


@pytest.mark.parametrize("id", sorted(set(INSTANT) - OF_THE_MODEL - MISPRINTED))
def test_worked_examples_are_the_same(id):
    found = reproduce(KNOWN[id], Run())
    assert [cell for cell in found.cells if cell.printed and cell.verdict != "same"] == []
    assert found.verdict == "same"


@pytest.mark.parametrize("id", sorted(OF_THE_MODEL))
def test_results_of_the_model_are_compared(id):
    found = reproduce(KNOWN[id], Run())
    assert all(cell.ours is not None or cell.reason for cell in found.cells if cell.printed)
    numbers = [cell.ours for cell in found.cells if isinstance(cell.ours, float)]
    assert np.isfinite(numbers).all()


def test_the_features_of_the_worked_cases_are_the_printed_ones():
    for id in ("000-fig6.7", "000-fig6.12"):
        found = reproduce(KNOWN[id], Run()).cells
        assert {cell.verdict for cell in found[:8]} == {"same"}, id


def column(id, number, **size):
    """Our values in a column, by row."""
    return {row: cells[number].value for row, cells in reproduce(KNOWN[id], Run(**size)).made.cells.items()}


OF_CLUSTERS = ("004-4", "004-C", "004-fig4", "004-sec4")
"""Beginnings of the ids of measurements that need at least as many players as clusters."""


@pytest.mark.slow
@pytest.mark.parametrize("id", PLAYED)
def test_played_entries_have_intervals(id):
    """Few hands: every cell that can be made has an interval around its value, or is no measured number."""
    hands = 600 if id.startswith(OF_CLUSTERS) else 24
    found = reproduce(KNOWN[id], Run(hands=hands, seed=2))
    assert found.made.hands == hands
    made = [cell.ours for cell in found.cells if isinstance(cell.ours, Estimate)]
    if not made:
        assert KNOWN[id].gap or all(cell.ours is not None for cell in found.cells)
        return
    assert all(np.isnan(ours.value) or ours.low <= ours.value <= ours.high for ours in made)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["000-fig7.4", "000-fig7.9"])
def test_winnings_sum_to_zero(id):
    """Each of the 24 hands has a winner, in a showdown or not."""
    net, won, uncontested, observation = (column(id, at, hands=24, seed=2) for at in (0, 2, 3, 4))
    assert sum(net.values()) == pytest.approx(0, abs=1e-9)
    assert sum(won.values()) >= 100 - 1e-9 > sum(uncontested.values())
    assert all(won[player] <= uncontested[player] + observation[player] + 1e-9 for player in won)


@pytest.mark.slow
def test_shares_of_faults_sum_to_one():
    """Every fault has one position and one action, and is a row with the truth below the top four."""
    size = {"hands": 60, "seed": 2}
    positions = column("000-fig7.1", 0, **size)
    assert sum(positions.values()) == pytest.approx(100)
    assert sum(column("000-fig7.2", 0, **size).values()) == pytest.approx(100)
    for at, position in enumerate(positions):
        assert sum(column("000-7.2", at, **size).values()) <= positions[position] + 1e-9
    (top,) = reproduce(KNOWN["000-7.1"], Run(**size)).made.cells.values()
    assert top[3].value + top[4].value == pytest.approx(100)
    assert top[0].value <= top[1].value <= top[2].value <= top[3].value


def raises(rounds):
    """By round, how often the dealer and the other raise; the dealer acts first before the flop only."""
    counts = []
    for number, actions in enumerate(rounds):
        first = 0 if number == 0 else 1
        by_player = [0, 0]
        for place, action in enumerate(actions):
            by_player[(first + place) % 2] += action == "r"
        counts.append(by_player)
    return counts


def similarity(one, other):
    """Rubin and Watson (2012), section 5.3.2, level by level."""
    if one == other:
        return 1.0
    *before, active = one.split("-")
    *before_other, active_other = other.split("-")
    if active != active_other:
        return 0.0
    mine, others = raises(before), raises(before_other)
    if mine == others:
        return 0.9
    return 0.8 if np.array_equal(np.sum(mine, axis=0), np.sum(others, axis=0)) else 0.0


def test_the_repaired_examples_of_similar_betting_fit_the_definition_and_the_printed_do_not():
    rows = KNOWN["001-sec5.3.2"].rows
    found = {row: similarity(*row.removesuffix(" (repaired)").split(", ")) for row, _ in rows}
    repaired = {row: float(cell) for row, (cell,) in rows if row.endswith("(repaired)")}
    assert repaired == {row: value for row, value in found.items() if row in repaired}
    assert list(repaired.values()) == [0.9, 0.8]
    assert [value for row, value in found.items() if row not in repaired] == [0.0, 0.0]


def test_sessions_depend_on_the_seed_alone():
    """The curve of figure 7.3 and the table of 7.4 are of the same hands; another seed deals others."""
    rates, table, again, other = (
        reproduce(KNOWN[id], Run(hands=6, seed=seed)).made
        for id, seed in (("000-fig7.3", 5), ("000-fig7.4", 5), ("000-fig7.3", 5), ("000-fig7.3", 6))
    )
    assert table.cells["BayCaRP"][0].value == pytest.approx(4501 * rates.cells["BayCaRP"][0].value)
    assert rates.curve[-1] == pytest.approx(rates.cells["BayCaRP"][0].value)
    assert again.cells == rates.cells != other.cells


def test_the_random_player_loses_to_rule_players():
    """Rubin and Watson (2007), figure 2: 1.49 small bets a hand, so that 10,000 lasted about 7,000 hands."""
    found = reproduce(KNOWN["002-fig2"], Run(hands=120, seed=1))
    won, hands = found.made.cells["Random"]
    assert won.high < 0
    assert [won.value * hands.value, won.low * hands.low, won.high * hands.high] == [-10_000] * 3
    assert (found.made.player, len(found.made.curve)) == ("Casper02", 120)


def test_sampling_errors_fall_with_the_iterations_and_are_of_every_printed_posterior():
    few, many = (sampling_errors(gibbs, iterations, seed=1) for iterations in (200, 20_000))
    assert len(few) == len(many) == sum(len(nodes) for _, nodes in QUERIES) == 41
    assert many.mean() < few.mean() / 3
