"""Themes: a mistake has one; what is found and drilled of planted faults, and of a player without any."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.coach.findings import FEWEST, LEAST, bb_per_100, find_themes, holm
from baycarp.coach.review import ALONE, DRILL, SURE, review_of
from baycarp.coach.themes import THEMES, Occasion, theme_of
from baycarp.coach.valuation import JudgedDecision
from baycarp.game import Action
from baycarp.game.notation import door

FOLD, CALL, RAISE = Action("fold"), Action("call", 20), Action("raise", 40)
RIVER = Occasion(street=3, owes=True, raised=True, seat="BB", led=False, strong=False)
LIMIT = "holdem.limit.2p.reverse_blinds"
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


def test_mistakes_against_these_opponents_alone_are_no_theme():
    rows = [(decision(hand, FOLD if hand % 3 == 0 else CALL), RIVER) for hand in range(40)]
    name = "folds too much to bets on the river"
    for unknown, faults in (({CALL: 1.0}, 14), ({CALL: 0.9, FOLD: 0.1}, 0), ({FOLD: 1.0}, 0)):
        special = [(replace(each, unknown=unknown), occasion) for each, occasion in rows]
        found = next(each for each in find_themes(special, 200) if each.name == name)
        assert (found.named, found.occasions, found.faults) == (faults > 0, 40, faults)


def test_a_call_for_which_unknown_opponents_ask_a_fold_is_no_missed_raise():
    """These opponents fold to raises: the raise is worth most, though the hand is one to fold."""
    rows = [(decision(hand, CALL, (0, -5, 30), policy={RAISE: 1.0}), RIVER) for hand in range(40)]
    assert named(rows, 200) == ["misses bluffs"]
    assert named([(replace(each, unknown={FOLD: 1.0}), at) for each, at in rows], 200) == []


def test_a_theme_that_costs_certainly_but_little_is_not_named():
    """Each of 60 hands costs the same but for a hundredth: all costs are certainly above 0."""
    for cost, count in ((0.9 * LEAST, 0), (1.1 * LEAST, 1)):
        chips = [cost / 10 * (1 + hand % 2 / 100) for hand in range(60)]
        rows = [(decision(hand, FOLD, (0, each, -50), 0.01), RIVER) for hand, each in enumerate(chips)]
        assert len(named(rows, 60)) == count


def drilled(*made):
    """The review of hands that end by river folds and calls of Bob, valued as given."""
    hands = []
    for taken, *_ in made:
        act = "f" if taken == FOLD else "c"
        hands += door.read(f"STATE:0:rc/cc/cc/r{act}:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|Bob", game=LIMIT)
    decisions = [
        decision(hand, taken, chips, error, {taken: 1.0} if own else None)
        for hand, (taken, chips, error, own) in enumerate(made)
    ]
    return review_of(hands, "Bob", [replace(each, act=7) for each in decisions])


WRONG, RIGHT = (FOLD, (0, 30, 10), 5.0, False), (FOLD, (0, -30, -50), 5.0, True)
AS_GOOD, OTHER = (FOLD, (0, 3, -20), 5.0, True), (CALL, (0, 30, 10), 5.0, True)


def test_a_drill_pairs_the_mistakes_of_a_theme_with_the_same_action_where_it_was_right():
    """Of 30 folds that are wrong, 20 that alone are right and 5 that are as good, between calls."""
    found = drilled(*[OTHER, WRONG] * 20, *[AS_GOOD] * 5, *[RIGHT, WRONG] * 10, *[RIGHT] * 10)
    assert [each.name for each in found.named] == ["folds too much to bets on the river"]
    wrong = [each for each in found.spots if not each.right]
    right = [each for each in found.spots if each.right]
    assert (len(wrong), len(right)) == (30, 25)
    assert [each.right for each in found.spots[:50]] == [False, True] * 25
    assert {each.taken.name for each in right} == {"fold"}
    assert [len(each.best) for each in right] == [1] * 20 + [2] * 5
    assert {each.theme for each in right} == {each.theme for each in wrong}
    places = [each.observation.hand for each in found.spots]
    assert len({*places}) == len(places)


def test_a_drill_has_an_end():
    found = drilled(*[WRONG] * (DRILL + 5), *[RIGHT] * (DRILL + 5))
    assert (len(found.spots), sum(each.right for each in found.spots)) == (2 * DRILL, DRILL)


def test_without_a_theme_a_mistake_must_be_large_and_certain_to_be_remarked_on_and_drilled():
    """One doubtful fold among sound decisions: in chips, of big blinds of 10."""
    for chips, error, own, count in (
        (10 * ALONE, 1.0, False, 1),
        (9 * ALONE, 1.0, False, 0),
        (30, 1.05 * 30 / SURE, False, 0),
        (30, 0.95 * 30 / SURE, False, 1),
        (30, 1.0, True, 0),
    ):
        found = drilled((FOLD, (0, chips, -50), error, own), *[OTHER] * 20)
        assert found.named == ()
        assert (len(found.remarks), sum(not each.right for each in found.spots)) == (count, count)


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
