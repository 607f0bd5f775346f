"""From a posterior over hand groups to weights."""

import numpy as np
import pytest

from baycarp.card import CLASS_OF, HAND_GROUPS, HOLDINGS, cards
from baycarp.errors import CardError, RangeError
from baycarp.opponents.network.ranges import GroupsTo, Pruned, TopGroups

POSTERIOR = dict(
    zip((f"HandGroup{n}" for n in (2, 1, 3, 10, 4, 5, 6, 7, 8, 9)),
        (0.31, 0.2, 0.15, 0.1, 0.08, 0.05, 0.04, 0.03, 0.02, 0.02), strict=True)
)  # fmt: skip


def groups_in(weights):
    return set(HAND_GROUPS[CLASS_OF[weights > 0]].tolist())


def slow_weights(groups, known):
    """One holding after the other."""
    return [
        float(HAND_GROUPS[CLASS_OF[i]] in groups and not {int(hi), int(lo)} & set(known))
        for i, (hi, lo) in enumerate(HOLDINGS)
    ]


def test_top_four_with_known_cards_removed():
    known = cards("JsTd4c9c9h").tolist()
    weights = TopGroups(4)(POSTERIOR, known)
    assert weights.dtype == np.float64
    assert weights.tolist() == slow_weights({1, 2, 3, 10}, known)


@pytest.mark.parametrize(
    ("share", "groups"),
    [
        (0.3, {2}),
        (0.31, {2}),
        (0.5, {2, 1}),
        (0.66, {2, 1, 3}),
        (0.76, {2, 1, 3, 10}),
        (1.0, set(range(1, 11))),
    ],
)
def test_as_many_groups_as_reach_a_share(share, groups):
    assert groups_in(GroupsTo(share)(POSTERIOR)) == groups


def test_sums_reach_their_share_in_spite_of_binary_fractions():
    assert groups_in(GroupsTo(0.3)({"HandGroup1": 0.1, "HandGroup2": 0.1, "HandGroup3": 0.1})) == {1, 2, 3}


def test_the_next_group_is_added_where_nothing_is_left():
    # Every card of group 9, an ace and a card from the two to the eight, is taken by four aces.
    assert groups_in(TopGroups(1)({"HandGroup9": 1.0}, "AsAhAdAc")) == {1}
    assert groups_in(GroupsTo(0.5)({"HandGroup9": 0.9, "HandGroup7": 0.1}, "AsAhAdAc")) == {7}


def test_of_equal_groups_the_stronger_is_first():
    assert groups_in(TopGroups(2)({"HandGroup7": 0.5, "HandGroup3": 0.5})) == {3, 7}
    assert groups_in(TopGroups(1)({"HandGroup7": 0.5, "HandGroup3": 0.5})) == {3}


@pytest.mark.parametrize("rule", [TopGroups(2), GroupsTo(0.7)])
def test_several_players_have_their_own_ranges_and_share_one_array_where_groups_are_equal(rule):
    named = ({"HandGroup7": 0.6, "HandGroup3": 0.4}, {"HandGroup7": 0.4, "HandGroup3": 0.6}, POSTERIOR)
    chances = np.array([[each.get(f"HandGroup{n}", 0.0) for n in range(1, 11)] for each in named])
    first, second, other = rule.weigh_all(chances, "AsKd")
    assert first is second
    assert not first.flags.writeable
    for each, weights in zip(named, (first, second, other), strict=True):
        assert weights.tolist() == rule(each, "AsKd").tolist()


def test_bad_input_is_named():
    with pytest.raises(RangeError, match="unknown hand group 'HandGroup11'"):
        TopGroups()({"HandGroup11": 1.0})
    with pytest.raises(CardError, match="duplicate card 'As' in known cards"):
        TopGroups()(POSTERIOR, "AsAs")
    with pytest.raises(RangeError, match="no holding is left"):
        TopGroups()(POSTERIOR, range(51))


@pytest.mark.parametrize("count", [0, -3, 11, 99, 2.5])
def test_there_are_ten_groups_to_choose_from(count):
    with pytest.raises(RangeError, match=f"groups {count}: expected a number of hand groups, 1..10"):
        TopGroups(count)


@pytest.mark.parametrize("rule", [GroupsTo, lambda share: Pruned(share=share)])
@pytest.mark.parametrize("share", [0.0, -1, 7.0, float("nan")])
def test_a_share_of_nothing_or_of_more_than_all_is_refused(rule, share):
    with pytest.raises(RangeError, match=f"{share}: expected above 0, at most 1"):
        rule(share)
