"""Sizes found from bets: an exhaustive search as reference, shares, labels, and their scores."""

from itertools import combinations

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.game.variant import Variant
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.betting.sizes import KLEIJ, BetRange, Sizes
from baycarp.rules.features import NAMES
from experiments.players.bet_sizes import judge_sizes
from experiments.players.hidden_cards import population_hands
from experiments.recipes.bet_sizes import SizedChoices, find_sizes, sized_choices


def spread(parts):
    return sum(((part - part.mean()) ** 2).sum() for part in parts)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("least", "most"), [(0.1, 3), (0.25, 4), (0.4, 7)])
def test_the_partition_is_the_best_of_all_with_the_least_share(seed, least, most):
    values = np.sort(np.exp(np.random.default_rng(seed).normal(0, 1, 20)))
    logarithms = np.log(values)
    count = min(most, int(1 / least))
    every = (
        [logarithms[a:b] for a, b in zip((0, *cuts), (*cuts, 20), strict=True)]
        for cuts in combinations(range(1, 20), count - 1)
    )
    best = min((parts for parts in every if min(map(len, parts)) >= least * 20 - 1e-9), key=spread)
    found = find_sizes(values, least, most).proportions
    wanted = [float(np.exp(part.mean())) for part in best]
    assert [size for _, size in found] == pytest.approx(wanted, abs=1e-4)


def test_equal_bets_are_one_size():
    assert find_sizes(np.full(30, 0.75)).proportions == (("a", 0.75),)


@pytest.mark.parametrize(
    ("values", "least", "most"),
    [([], 0.1, 3), ([0.0], 0.1, 3), ([np.nan], 0.1, 3), ([1.0], 0.0, 3), ([1.0], 0.1, 8)],
)
def test_settings_out_of_range_are_refused(values, least, most):
    with pytest.raises(ArgumentError):
        find_sizes(np.array(values), least, most)


def test_bets_have_their_proportions_and_the_moves_of_any_sizes():
    sized = sized_choices(population_hands(Variant.load("holdem.nolimit.6p.100bb"), 150, 1))
    assert len(sized.choices) == len(sized) == len(sized.legal)
    assert (sized.by(KLEIJ).moves == sized.choices.moves).all()  # C and Python agree
    sizes = Sizes((("a", 0.5), ("b", 5.0)))
    nearest = 2 + (sized.proportions >= np.sqrt(2.5))
    reachable = np.array([legal.most / legal.pot > 0.5 for legal in sized.legal])
    assert (sized.by(sizes).moves == nearest)[reachable].all()


def test_found_sizes_tell_twice_the_pot_from_sixty_times_as_the_fixed_ones_do_not():
    rng = np.random.default_rng(1)
    count = 2000
    features = np.zeros((count, len(NAMES)))
    features[:, NAMES.index("PotSize")] = large = rng.integers(0, 2, count)
    proportions = np.where(large == 1, 60.0, 2.2) * np.exp(rng.normal(0, 0.1, count))
    numbers = np.arange(count)
    choices = MoveRows(features, np.full(count, 2, np.int8), np.full(count, 8, np.int8), numbers * 0, numbers)
    sized = SizedChoices(choices, proportions, (BetRange("bet", 0, 100, 1, 10**6),) * count)
    judged = {each.name: each for each in judge_sizes(sized)}
    assert judged["found"].gain[0] == pytest.approx(np.log(2), abs=0.15)
    assert judged["found"].rarest > 0.04
    assert judged["fixed"].gain[0] == 0
    assert judged["one size"].gain[0] == pytest.approx(0, abs=0.02)
