"""Themes: a mistake has one; what is found of planted faults, and of a player without any."""

from itertools import combinations, product

import numpy as np
import pytest

from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.coach.findings import FEWEST, bb_per_100, find_themes, holm
from baycarp.coach.themes import THEMES, Occasion, theme_of
from baycarp.coach.valuation import JudgedDecision
from baycarp.game import Action

FOLD, CALL, RAISE = Action("fold"), Action("call", 20), Action("raise", 40)
RIVER = Occasion(street=3, owes=True, raised=True, seat="BB", led=False, strong=False)
KINDS = {True: ("fold", "call", "raise"), False: ("check", "bet")}


def decision(hand, taken, chips=(0, 30, 10), error=5.0, policy=None):
    values = tuple(
        ActionValue(action, value, error if action != FOLD else 0.0)
        for action, value in zip((FOLD, CALL, RAISE), chips, strict=True)
    )
    stage = ValueStage("look-ahead", 0.4, 0.2, values=values, big_blind=10)
    return JudgedDecision(hand, 0, taken, policy or {CALL: 1.0}, stage)


def named(rows, hands):
    return [each.name for each in find_themes(rows, hands) if each.named]


def test_a_mistake_has_one_theme():
    """Over every occasion, the wrong and right answers of no two themes have a pair in common."""
    seats = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
    for occasion in (
        Occasion(*each)
        for each in product(range(4), (True, False), (True, False), seats, (True, False), (True, False))
    ):
        for taken, best in product(KINDS[occasion.owes], repeat=2):
            fitting = [
                theme.name
                for theme in THEMES
                if theme.occasion(occasion) and taken in theme.wrong and best in theme.right
            ]
            assert len(fitting) <= (taken != best), (occasion, taken, best, fitting)
            found = theme_of(occasion, taken, best)
            assert ([found.name] if found else []) == fitting
    assert len({theme.name for theme in THEMES}) == len(THEMES) >= 12


def test_a_planted_fault_is_named_and_no_other():
    """A player that folds a third of its winning river calls, 40 of 200 hands."""
    rows = [(decision(hand, FOLD if hand % 3 == 0 else CALL), RIVER) for hand in range(40)]
    (found,) = [each for each in find_themes(rows, 200) if each.named]
    assert (found.name, found.occasions, found.faults) == ("folds too much to bets on the river", 40, 14)
    assert found.rate.mean == pytest.approx(100 * 14 * 3 / 200)
    assert named(rows[: FEWEST - 1], 200) == []
    few = next(each for each in find_themes(rows[:29], 200) if each.theme is found.theme)
    assert few.in_words() == f"not enough hands yet (29 of {FEWEST} occasions)"


def test_what_the_agent_itself_does_is_no_fault():
    """Folds at the agent's own probability cost nothing in the mean, and within the error nothing at all."""
    random = np.random.default_rng(1)
    policy = {CALL: 0.96, FOLD: 0.04}
    false = 0
    for _ in range(200):
        taken = [FOLD if random.random() < 0.04 else CALL for _ in range(60)]
        rows = [(decision(hand, each, policy=policy), RIVER) for hand, each in enumerate(taken)]
        false += bool(named(rows, 60))
    assert false <= 10
    close = [(decision(hand, FOLD, chips=(0, 4, 1)), RIVER) for hand in range(60)]
    assert named(close, 60) == []
    shares = {FOLD: 0.06, CALL: 0.94}
    mixed = [(decision(hand, FOLD, chips=(0, 12, 1), policy=shares), RIVER) for hand in range(60)]
    assert named(mixed, 60) == []


def test_the_interval_is_that_of_a_bootstrap_over_hands():
    random = np.random.default_rng(2)
    costs = np.where(random.random(400) < 0.1, random.exponential(2.0, 400), 0.0)
    drawn = random.choice(costs, (4000, 400)).mean(axis=1) * 100
    low, high = np.quantile(drawn, (0.025, 0.975))
    rate = bb_per_100(costs)
    assert rate.mean == pytest.approx(100 * costs.mean())
    assert rate.margin == pytest.approx((high - low) / 2, rel=0.08)


def test_holm_is_the_closed_procedure_of_bonferroni():
    """A hypothesis is rejected if and only if Bonferroni rejects every intersection that it is in."""
    random = np.random.default_rng(1)
    for _ in range(200):
        chances = random.random(4) ** 4
        sets = [each for size in range(1, 5) for each in combinations(range(4), size)]
        rejected = {each for each in sets if min(chances[list(each)]) <= 0.05 / len(each)}
        closed = [all(each in rejected for each in sets if at in each) for at in range(4)]
        assert holm(list(chances), 0.05) == closed


def test_every_size_is_judged_by_the_nearest_one():
    found = decision(0, Action("raise", 90))
    assert found.cost(Action("raise", 90)) == found.cost(RAISE) == 2.0
    assert found.right() == (CALL,)
    assert decision(0, CALL, chips=(0, 30, 26)).right() == (CALL, RAISE)
