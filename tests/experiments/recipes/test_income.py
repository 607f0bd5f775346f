"""The file of income rates against its program; against the papers it is tested in ../papers/test_poki.py."""

from importlib.resources import files

import numpy as np
import pytest

from baycarp.card import CLASS_OF, CLASSES, HAND_GROUPS, HOLDINGS
from baycarp.kernels.sweeps import share
from baycarp.rules.income import TABLES, income_rates
from experiments.recipes.income import DEALS, line, lines

FILE = (files("baycarp") / "data" / "income_rates.csv").read_text("utf-8").splitlines()


def test_the_file_has_the_right_shape():
    made = lines(deals=2)
    assert [next(made), next(made)] == [FILE[0].replace(str(DEALS), "2"), FILE[1]]
    assert [each.split(",")[0] for each in made] == [each.split(",")[0] for each in FILE[2:]] == list(CLASSES)


def test_a_small_sample_agrees():
    """With other seeds, and the last holding of each class instead of the first."""
    distance = []
    for number in range(0, 169, 4):
        for row, players in enumerate(TABLES):
            hole = HOLDINGS[number == CLASS_OF][-1]
            mean, error = share(hole, players, 20_000, seed=1000 + number)
            distance.append(
                (1000 * (players * mean - 1) - income_rates()[row, number]) / (1000 * players * error)
            )
    assert np.abs(distance).max() < 4
    assert np.mean(np.square(distance)) == pytest.approx(1, abs=0.4)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 20, 100, 168])
def test_the_file_is_the_output_of_its_program(number):
    assert line(number) == FILE[2 + number]


def test_the_rates_of_a_table_sum_to_zero():
    """The mean rate over all 1,326 holdings is 0; the error of a rate is below 1.7."""
    rates = income_rates()[:, CLASS_OF].mean(axis=1)
    assert rates == pytest.approx(0, abs=4 * 1.7 * np.sqrt(np.sum(np.bincount(CLASS_OF) ** 2.0)) / 1326)


def test_suited_beats_offsuit():
    grid = income_rates().reshape(3, 13, 13)
    assert (grid > grid.swapaxes(1, 2))[:, *np.triu_indices(13, 1)].all()


def test_the_ranking_of_the_classes():
    """Unger (2011), 5.4.3: JTs is 18th. Papp, appendix A: the first 16 are groups 1 to 3, KTs for JTs."""
    ranking = [CLASSES[cell] for cell in np.argsort(-income_rates()[2])]
    assert (ranking[0], ranking[17], ranking[-1]) == ("AA", "JTs", "72o")
    first = {name for name, group in zip(CLASSES, HAND_GROUPS, strict=True) if group <= 3}
    assert set(ranking[:16]) == first - {"JTs"} | {"KTs"}
