"""Clusters apart in habits: known styles are, random players of one style are not."""

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from experiments.players.cluster_spread import HABITS, between, spreads
from experiments.players.players import styled_hands

THREE = Variant.load("holdem.nolimit.3p.100bb")


def test_the_share_of_the_variance_is_that_of_its_parts():
    """The variance is that within groups and that between them."""
    rng = np.random.default_rng(1)
    values, groups = rng.normal(size=60), rng.integers(0, 5, 60)
    within = sum(((values[groups == each] - values[groups == each].mean()) ** 2).sum() for each in range(5))
    assert between(values, groups) == pytest.approx(1 - within / ((values - values.mean()) ** 2).sum())


@pytest.mark.slow
def test_styles_that_are_well_apart_spread_out():
    found = spreads(styled_hands(THREE, 3000, 1), 1)
    assert list(found) == list(HABITS)
    assert found["VPIP"].apart
    assert found["PFR"].apart
    assert all(0 < each.random[0] < each.random[1] < 1 for each in found.values())


def test_players_of_one_style_do_not():
    hands = []
    for number in range(4):
        names = tuple(f"{number}-{seat}" for seat in range(3))
        table = Table(THREE, names, ("sizer",) * 3, 1)
        hands += [parse_state(line, THREE) for line in play_session(table, number, 120).log]
    assert not any(each.apart for each in spreads(hands, 1).values())
