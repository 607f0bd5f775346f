"""Policies: sums by kind, text and back, and the draw from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baycarp.agents.policy import by_action, by_kind, policy_from_text, policy_text, smallest
from baycarp.agents.sampling import draw, legal_policy
from baycarp.errors import NotationError
from baycarp.game.action import ACTIONS, Action, action_from_text, action_text
from baycarp.game.state import State
from baycarp.game.variant import Variant

SIZES = {
    Action("fold"): 0.5,
    Action("raise", 40): 0.25,
    Action("call", 20): 0.125,
    Action("raise", 90): 0.125,
}
ANY = st.builds(Action, st.sampled_from(ACTIONS), st.integers(0, 10**12))


def test_sums_by_kind():
    assert by_kind(SIZES) == {"fold": 0.5, "raise": 0.375, "call": 0.125}
    assert list(by_kind(SIZES)) == [
        "fold",
        "raise",
        "call",
    ]  # the order is that of the policy: draws rest on it


@given(ANY)
def test_the_text_of_an_action_is_its_own(action):
    assert action_from_text(action_text(action)) == action


@given(st.dictionaries(ANY, st.floats(0, 1)))
def test_text_and_back(policy):
    assert list(policy_from_text(policy_text(policy)).items()) == list(policy.items())


@pytest.mark.parametrize(
    "text", ["", "shove", "raise to 20", "raise ", "raise -2", "raise 2.5", "raise ²", " fold"]
)
def test_texts_that_are_no_actions_are_refused(text):
    with pytest.raises(NotationError, match="expected one like 'fold'"):
        action_from_text(text)


def test_solutions_become_actions():
    small, large = Action("bet", 2), Action("bet", 8)
    assert by_action({"bet": 0.75, "check": 0.25}, {"check": Action("check"), "bet": small}) == {
        small: 0.75,
        Action("check"): 0.25,
    }
    assert by_action(
        {"half pot": 0.5, "pot": 0.25, "all-in": 0.25}, {"half pot": small, "pot": large, "all-in": large}
    ) == {
        small: 0.5,
        large: 0.5,
    }


def test_of_no_limit_the_smallest_sizes():
    observation = State(Variant.ring(3, betting="no-limit", stacks=(100,) * 3)).observe(2)
    assert [str(action) for action in observation.legal_actions()] == [
        "fold",
        "call 2",
        "raise to 4",
        "raise to 100",
    ]
    assert list(smallest(observation).items()) == [
        ("fold", Action("fold")),
        ("call", Action("call", 2)),
        ("raise", Action("raise", 4)),
    ]
    assert legal_policy(observation, (0.5, 0.375, 0.125)) == {
        Action("fold"): 0.5,
        Action("call", 2): 0.375,
        Action("raise", 4): 0.125,
    }


def test_a_free_fold_checks_and_a_raise_beyond_the_cap_calls():
    state = State(Variant.ring(2))
    state.apply(state.named("call"))
    assert legal_policy(state.observe(0), (0.5, 0.25, 0.25)) == {
        Action("check"): 0.75,
        Action("raise", 4): 0.25,
    }
    for _ in range(3):
        state.apply(state.named("raise"))
    capped = legal_policy(state.observe(state.to_act), (0.5, 0.125, 0.375))
    assert capped == {Action("fold"): 0.5, Action("call", 2): 0.5}


@pytest.mark.parametrize(
    ("uniform", "expected"), [(0.0, 0), (0.49, 0), (0.5, 1), (0.74, 1), (0.75, 2), (0.875, 3), (0.999, 3)]
)
def test_the_draw_takes_sizes_apart(uniform, expected):
    assert draw(SIZES, uniform) == list(SIZES)[expected]
