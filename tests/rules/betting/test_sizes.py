"""Bet sizes: translation of bets into letters and back, against the equations and in random spots."""

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.games import random_action, random_game, random_stacks

from baycarp.errors import ArgumentError, VariantError
from baycarp.game import Action, State, Variant
from baycarp.rules.betting.sizes import (
    FCPA,
    KLEIJ,
    SARTRE_NL,
    SARTRE_NL_2010,
    TRANSLATIONS,
    BetRange,
    Sizes,
    absolute,
    bets,
    hard,
    soft,
)

SETS = {"2011": SARTRE_NL, "2010": SARTRE_NL_2010, "fcpa": FCPA, "kleij": KLEIJ}
RIVER = BetRange("bet", 0, 20, 10, 400)
"""Rubin and Watson (2012), figure 6: a pot of 20 chips, all-in is 400."""

sets = st.sampled_from(list(SETS.values()))
translations = st.sampled_from(list(TRANSLATIONS.values()))


@st.composite
def ranges(draw):
    pot, least = draw(st.integers(1, 5000)), draw(st.integers(1, 5000))
    most = least if draw(st.booleans()) and draw(st.booleans()) else least + draw(st.integers(0, 100_000))
    return BetRange(draw(st.sampled_from(("bet", "raise"))), draw(st.integers(0, 500)), pot, least, most)


@pytest.mark.parametrize(
    ("chips", "by_distance", "by_ratio", "pot"),
    [(60, "p", "p", 17 / 23), (120, "p", "a", 7 / 22), (180, "p", "a", 11 / 83), (200, "p", "a", 0.1),
     (220, "a", "a", 9 / 119)],
)  # fmt: skip
def test_the_example_of_figure_6(chips, by_distance, by_ratio, pot):
    """By hand: of 200 chips, b = 10: eq. 4 is 1/10 - 1/20 = 0.05, eq. 5 is 10/20 - 1/20 = 0.45; so 0.1, 0.9.

    Of 60 chips, b = 3: 1/3 - 1/20 = 17/60 and 3/20 - 1/20 = 6/60.
    """
    b = chips / 20
    assert FCPA.shares(b, RIVER, absolute) == {by_distance: 1.0}
    assert FCPA.shares(b, RIVER, hard) == {by_ratio: 1.0}
    assert FCPA.shares(b, RIVER, soft) == pytest.approx({"p": pot, "a": 1 - pot})


def test_the_switch_by_ratio_is_at_the_geometric_mean():
    switch = 20 * math.sqrt(20)  # 89.4 chips
    assert FCPA.shares((switch - 0.01) / 20, RIVER, hard) == {"p": 1.0}
    assert FCPA.shares((switch + 0.01) / 20, RIVER, hard) == {"a": 1.0}
    assert FCPA.shares(switch / 20, RIVER, soft)["p"] == pytest.approx(0.5)


def test_the_example_of_schnizlein():
    """Sizes of 12 and 80 chips (88 in van der Kleij's text, which computes with 80): a bet of 20 is 12."""
    sizes = Sizes((("x", 12.0), ("y", 80.0)))
    legal = BetRange("bet", 0, 1, 1, 1000)
    assert sizes.shares(20, legal, hard) == {"x": 1.0}
    assert sizes.shares(20, legal, absolute) == {"x": 1.0}
    assert sizes.shares(32, legal, hard) == {"y": 1.0}
    assert sizes.shares(32, legal, absolute) == {"x": 1.0}


@given(sets, ranges(), translations, st.floats(1e-3, 1e4))
def test_shares_sum_to_1_and_are_of_neighbours(sizes, legal, translation, proportion):
    shares, known = sizes.shares(proportion, legal, translation), sizes.at(legal)
    assert sum(shares.values()) == pytest.approx(1)
    assert all(share > 0 for share in shares.values())
    order = list(known)
    places = [order.index(letter) for letter in shares]
    assert len(places) == 1 or places[1] == places[0] + 1
    if len(places) == 2:
        assert known[order[places[0]]] <= proportion <= known[order[places[1]]]


@given(sets, ranges(), translations)
def test_a_size_of_the_set_is_itself(sizes, legal, translation):
    for letter, proportion in sizes.at(legal).items():
        assert sizes.shares(proportion, legal, translation) == {letter: 1.0}


@given(sets, ranges(), translations, st.lists(st.floats(1e-2, 1e3), min_size=2, max_size=30))
def test_translation_is_monotone(sizes, legal, translation, proportions):
    order = list(sizes.at(legal))
    places = [
        sum(share * order.index(letter) for letter, share in sizes.shares(b, legal, translation).items())
        for b in sorted(proportions)
    ]
    assert all(one <= other + 1e-12 for one, other in pairwise(places))


@given(sets, ranges())
def test_letters_ascend_and_end_at_the_stack(sizes, legal):
    values = list(sizes.at(legal).values())
    assert values
    assert all(one < other for one, other in pairwise(values))
    if sizes.all_in:
        assert values[-1] == legal.most / legal.pot
        assert sizes.shares(legal.most / legal.pot, legal) == {sizes.all_in: 1.0}
    if sizes.minimum:
        assert values[0] == legal.least / legal.pot


@given(sets, ranges(), st.floats(0, 0.99), st.floats(0, 1), st.floats(0, 1))
def test_the_reverse_is_legal_within_the_jitter_and_monotone(sizes, legal, jitter, one, other):
    proportions = dict(sizes.proportions)
    for letter in sizes.letters:
        low, high = (sizes.chips(letter, legal, jitter, uniform) for uniform in sorted((one, other)))
        assert legal.least <= low <= high <= legal.most
        if letter == sizes.all_in:
            assert low == high == legal.most
        elif letter == sizes.minimum:
            assert low == high == legal.least
        else:
            wanted = proportions[letter] * legal.pot
            bounds = wanted * (1 - jitter) - 0.5, wanted * (1 + jitter) + 0.5
            assert low >= min(max(bounds[0], legal.least), legal.most) - 1e-6
            assert high <= max(min(bounds[1], legal.most), legal.least) + 1e-6


def test_jitter_is_uniform_on_both_sides_of_the_size():
    """The example of equation 6: 100 chips with 0.3 are 70 to 130."""
    legal, draw = BetRange("bet", 0, 100, 1, 1000), Random(1)
    drawn = [SARTRE_NL.chips("p", legal, 0.3, draw.random()) for _ in range(20_000)]
    assert (min(drawn), max(drawn)) == (70, 130)
    assert abs(sum(drawn) / len(drawn) - 100) < 4 * 60 / math.sqrt(12 * len(drawn))
    assert SARTRE_NL.chips("p", legal, 0.3, 0.0) == 70
    assert SARTRE_NL.chips("a", legal, 0.3, 0.0) == 1000


@given(sets, ranges())
def test_a_letter_bet_without_jitter_is_read_as_that_letter(sizes, legal):
    """Where the pot is large enough for whole chips to hold the proportion."""
    for letter, action in sizes.actions(legal).items():
        exact = sizes.at(legal)[letter] * legal.pot
        if exact == round(exact) and legal.least <= exact <= legal.most:
            assert legal.action(round(exact)) == action
            assert sizes.shares(legal.proportion(action), legal) == pytest.approx({letter: 1.0})


def test_the_actions_of_a_short_stack():
    short = BetRange("raise", 100, 200, 60, 60)
    assert SARTRE_NL.actions(short) == {"a": Action("raise", 160)}
    assert KLEIJ.actions(short) == {"m": Action("raise", 160)}
    medium = BetRange("raise", 100, 200, 120, 500)
    assert SARTRE_NL.actions(medium) == {
        "h": Action("raise", 220),  # a quarter and a half are both below the least raise
        "i": Action("raise", 250),
        "p": Action("raise", 300),
        "d": Action("raise", 500),
        "a": Action("raise", 600),
    }
    assert list(KLEIJ.actions(medium)) == ["m", "i", "p", "o", "d"]


def spots(draw, count):
    """Decisions of random no-limit games with a legal bet: state and range."""
    found = 0
    while found < count:
        game = random_game(draw, betting="no-limit", caps=(None,) * 4)
        state = State(game, random_stacks(draw, game))
        while not state.is_over and found < count:
            legal = BetRange.of(state)
            if legal is not None:
                found += 1
                yield state, legal
            _, least, most, _ = state.bounds()
            state.apply(random_action(draw, state.legal_actions(), least, most))


def play_translated(seed, count):
    """The number of spots in which every letter, with random jitter, was legal by the rules themselves."""
    draw, names = Random(seed), list(SETS.values())
    for number, (state, legal) in enumerate(spots(draw, count)):
        sizes = names[number % len(names)]
        letter = draw.choice(sizes.letters)
        action = legal.action(sizes.chips(letter, legal, draw.random() * 0.9, draw.random()))
        state.verify(action)
        proportion = legal.proportion(action)
        assert sum(sizes.shares(proportion, legal).values()) == pytest.approx(1)
        if letter == sizes.all_in:
            assert action == state.legal_actions()[-1]
        if number % 50 == 0:
            paid = state.copy()
            act = paid.apply(action)
            assert proportion == (act.paid - act.owed) / (act.pot + act.owed)
    return count


def test_the_reverse_translation_is_legal_in_random_spots():
    assert play_translated(seed=1, count=10_000) == 10_000


@pytest.mark.slow
def test_the_reverse_translation_is_legal_in_a_million_random_spots():
    assert play_translated(seed=2, count=1_000_000) == 1_000_000


def test_bets_of_a_hand_are_replayed_with_their_ranges():
    draw = Random(3)
    for _ in range(200):
        game = random_game(draw, betting="no-limit")
        state, expected = State(game, random_stacks(draw, game)), []
        while not state.is_over:
            legal = BetRange.of(state)
            _, least, most, _ = state.bounds()
            act = state.apply(random_action(draw, state.legal_actions(), least, most))
            if act.action.name in ("bet", "raise"):
                expected.append((act, legal))
        assert list(bets(state)) == expected


def test_a_raise_is_measured_from_the_call():
    """By hand: heads-up, blinds of 50 and 100."""
    state = State(Variant.load("holdem.nolimit.2p.100bb"))
    state.apply(Action("raise", 300))  # the call makes a pot of 200, and 200 go on top
    state.apply(Action("raise", 900))  # the call makes 600, and 600 go on top
    assert [legal.proportion(act.action) for act, legal in bets(state)] == [1.0, 1.0]
    assert [SARTRE_NL.shares(legal.proportion(act.action), legal) for act, legal in bets(state)] == [
        {"p": 1.0},
        {"p": 1.0},
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Sizes(()),
        lambda: Sizes((("f", 1.0),)),
        lambda: Sizes((("p", 1.0), ("p", 2.0))),
        lambda: Sizes((("p", 1.0), ("h", 0.5))),
        lambda: Sizes((("p", 0.0),)),
        lambda: Sizes((("p", math.nan),)),
        lambda: Sizes((("p", 1.0),), all_in="p"),
        lambda: Sizes((("pot", 1.0),)),
        lambda: BetRange("bet", 0, 0, 1, 2),
        lambda: BetRange("bet", 0, 10, 3, 2),
        lambda: RIVER.action(401),
        lambda: FCPA.shares(0.0, RIVER),
        lambda: FCPA.shares(math.inf, RIVER),
        lambda: FCPA.chips("q", RIVER),
        lambda: FCPA.chips("p", RIVER, jitter=1.0),
        lambda: FCPA.chips("p", RIVER, uniform=1.1),
    ],
)
def test_bad_input_is_refused(wrong):
    with pytest.raises(ArgumentError, match="expected"):
        wrong()


def test_fixed_limit_has_no_bet_range():
    with pytest.raises(VariantError, match="expected a no-limit game"):
        BetRange.of(State(Variant.ring(3)))
