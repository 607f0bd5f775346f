"""What is removed before the draw."""

import numpy as np
import pytest

from baycarp.agents.value.removal import holds_best, kept, settled, worse
from baycarp.agents.value.stages import ActionValue
from baycarp.game import Action, State, Variant
from baycarp.kernels.hands import rank

FOLD, CALL, SMALL, LARGE = Action("fold"), Action("call", 20), Action("raise", 60), Action("raise", 200)
VALUES = (ActionValue(FOLD, 0.0), ActionValue(CALL, -12.0, 3.0), ActionValue(SMALL, -2.0, 4.0))


def test_an_action_is_worse_by_more_than_the_error_of_the_difference():
    assert worse(VALUES) == (CALL,)
    two = (ActionValue(CALL, 5.0, 3.0), ActionValue(SMALL, 0.0, 4.0))
    assert worse(two) == ()  # the error of the difference is 5
    assert worse((two[0], ActionValue(SMALL, -0.01, 4.0))) == (SMALL,)


def test_the_rest_keeps_its_proportions():
    assert kept({FOLD: 0.1, CALL: 0.5, SMALL: 0.4}, VALUES) == pytest.approx(
        {FOLD: 0.2, CALL: 0.0, SMALL: 0.8}
    )
    assert kept({FOLD: 0.25, SMALL: 0.75}, VALUES) == {FOLD: 0.25, SMALL: 0.75}


def test_a_size_without_a_value_counts_as_the_nearest():
    values = (*VALUES[:2], ActionValue(SMALL, 9.0), ActionValue(Action("raise", 190), -50.0))
    assert kept({FOLD: 0.0, SMALL: 0.5, LARGE: 0.5}, values) == {FOLD: 0.0, SMALL: 1.0, LARGE: 0.0}


def test_a_policy_of_removed_actions_alone_becomes_the_surest_of_the_best():
    assert kept({FOLD: 0.0, CALL: 1.0, SMALL: 0.0}, VALUES) == {FOLD: 1.0, CALL: 0.0, SMALL: 0.0}


def test_the_search_is_settled_by_three_errors():
    assert not settled((ActionValue(CALL, 8.9, 3.0), ActionValue(FOLD, 0.0)))
    assert settled((ActionValue(CALL, 9.1, 3.0), ActionValue(FOLD, 0.0)))


@pytest.mark.parametrize("seed", range(12))
def test_the_best_possible_hand_is_found(seed):
    """Against every other holding, one by one."""
    deck = np.random.default_rng(seed).permutation(52).astype(np.uint8)
    state = State(Variant.ring(2))
    while state.street < 1 + seed % 3:
        state.apply(state.named("call" if state.owed else "check"))
    board = deck[: 3 + seed % 3]
    assert state.to_act is not None
    free = [card for card in range(52) if card not in board]
    ranks = {(a, b): rank(np.array([a, b, *board], np.uint8)) for i, a in enumerate(free) for b in free[:i]}
    ordered = sorted(ranks, key=ranks.__getitem__)
    for hole in (ordered[-1], ordered[len(ordered) // 2], ordered[0]):
        hand = state.copy()
        hand.deal({hand.to_act: np.array(hole, np.uint8)}, board)
        others = [each for each in ranks if not set(each) & set(hole)]
        best = all(ranks[each] <= ranks[hole] for each in others)
        assert holds_best(hand.observe(hand.to_act)) == best
