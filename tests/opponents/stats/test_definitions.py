"""Each statistic against hands that are worked by hand, and against a slow count of the actions' text."""

import random
from collections import Counter

import pytest
from reference.games import random_stacks
from reference.slow_stats import slow_counts

from baycarp.game import Action, State, Variant
from baycarp.game.notation.hand import Hand
from baycarp.opponents.stats import STATISTICS, HandStatistics
from baycarp.opponents.stats.turns import lines_of

SIX = Variant.load("holdem.nolimit.6p.100bb")
NAMES = ("sb", "bb", "utg", "hj", "co", "btn")


def played(words, variant=SIX, deck=None):
    """The hand of actions such as ``f c k r300``."""
    state = State(variant, deck=deck)
    for word in words.split():
        name = {"f": "fold", "c": "call", "k": "check", "r": "raise"}[word[0]]
        if name == "raise":
            kind = "raise" if state.bets_made else "bet"
            state.apply(Action(kind, int(word[1:])) if word[1:] else state.named(kind))
        else:
            state.apply(state.named(name))
    return state


def counts(state, seat):
    """The non-zero counts of a player of one hand."""
    found = HandStatistics()
    found.add(Hand.of(state, NAMES[: state.variant.seats]))
    player = found.players[NAMES[seat]]
    sums = {each.name: player.counted(each.name) for each in STATISTICS}
    return {name: made for name, made in sums.items() if made != (0, 0)}


@pytest.mark.parametrize(
    ("words", "player", "expected"),
    [
        ("f f f f f", "bb", {}),  # a walk is no chance
        ("f f f f f", "sb", {"vpip": (0, 1), "pfr": (0, 1)}),
        ("f f f f c k k k k k k k", "bb", {"vpip": (0, 1), "pfr": (0, 1), "went_to_showdown": (1, 1)}),
        # utg opens, co re-raises, utg folds
        ("r300 f r900 f f f f", "utg", {"vpip": (1, 1), "pfr": (1, 1), "fold_to_three_bet": (1, 1)}),
        ("r300 f r900 f f f f", "co", {"vpip": (1, 1), "pfr": (1, 1), "three_bet": (1, 1)}),
        # hj folds to one raise: a chance to re-raise; btn faces two raises: none
        ("r300 f r900 f f f f", "hj", {"vpip": (0, 1), "pfr": (0, 1), "three_bet": (0, 1)}),
        ("r300 f r900 f f f f", "btn", {"vpip": (0, 1), "pfr": (0, 1)}),
        # a limp and re-raise is a 3-bet
        ("c r400 f f f f r1200 f", "utg", {"vpip": (1, 1), "pfr": (1, 1), "three_bet": (1, 1)}),
        # btn opens, bb calls; bb checks, btn bets, bb raises, btn folds
        (
            "f f f r250 f c k r300 r900 f",
            "btn",
            {
                "vpip": (1, 1), "pfr": (1, 1), "continuation_bet": (1, 1),
                "aggression_factor": (1, 0), "aggression_frequency": (1, 2), "went_to_showdown": (0, 1),
            },
        ),
        (
            "f f f r250 f c k r300 r900 f",
            "bb",
            {
                "vpip": (1, 1), "pfr": (0, 1), "three_bet": (0, 1), "fold_to_continuation_bet": (0, 1),
                "check_raise": (1, 1), "aggression_factor": (1, 0), "aggression_frequency": (1, 1),
                "went_to_showdown": (0, 1),
            },
        ),
        # bb bets into the raiser: no chance of a continuation bet, and none to fold to one
        (
            "f f f r250 f c r300 f",
            "btn",
            {"vpip": (1, 1), "pfr": (1, 1), "aggression_frequency": (0, 1), "went_to_showdown": (0, 1)},
        ),
        # btn bets flop and turn: two chances, two bets; the bb calls and folds
        (
            "f f f r250 f c k r300 c k r900 f",
            "bb",
            {
                "vpip": (1, 1), "pfr": (0, 1), "three_bet": (0, 1), "fold_to_continuation_bet": (1, 2),
                "check_raise": (0, 2), "aggression_factor": (0, 1), "aggression_frequency": (0, 2),
                "went_to_showdown": (0, 1),
            },
        ),
    ],
)  # fmt: skip
def test_hands_worked_by_hand(words, player, expected):
    assert counts(played(words), NAMES.index(player)) == expected


def test_a_bet_that_nobody_called_wins_no_showdown():
    """The deep stack loses what the short one had: what it gets back is no win."""
    game = Variant.ring(2, 2, betting="no-limit", stacks=(100, 40))
    state = played("c r100 c", game, "2c7dAhAdAsKs8h9h3c")
    lines = lines_of(state)
    assert [line.won for line in lines] == [False, True]
    assert all(line.showdown and line.saw_flop for line in lines)


def test_streets_and_positions_add_up_to_the_whole():
    rng, found = random.Random(7), HandStatistics()
    for number in range(300):
        found.add(Hand.of(random_hand(rng), NAMES[:3], number))
    for player in found.players.values():
        for each in STATISTICS:
            whole = player.counted(each.name)
            for parts in (
                [player.counted(each.name, street=street) for street in each.streets],
                [player.counted(each.name, position=seat) for seat in {seat for seat, _ in player.cells}],
                [player.counted(each.name, depth=depth) for depth in {depth for _, depth in player.cells}],
            ):
                assert tuple(map(sum, zip(*parts, strict=True))) == whole


def random_hand(rng, game=None):
    """A hand with random actions, raises less often than calls."""
    game = game or Variant.load("holdem.nolimit.3p.100bb")
    deck = rng.sample(range(52), 2 * game.seats + 5)
    state = State(game, game.stacks or random_stacks(rng, game), deck)
    while not state.is_over:
        legal = state.legal_actions()
        state.apply(rng.choices(legal, [3 if each.name in ("check", "call") else 1 for each in legal])[0])
    return state


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_those_of_a_slow_reading_of_the_text(seed):
    rng, found, slow = random.Random(seed), HandStatistics(), Counter()
    games = [Variant.load(f"holdem.nolimit.{seats}p.100bb") for seats in (2, 3, 6, 9)]
    names = tuple("abcdefghi")
    for number in range(200):
        state = random_hand(rng, rng.choice(games))
        hand = Hand.of(state, names[: state.variant.seats], number)
        found.add(hand)
        slow.update(slow_counts(hand))
    for name, player in found.players.items():
        for each in STATISTICS:
            made, of = player.counted(each.name)
            assert (made, of) == (slow[name, each.name, "made"], slow[name, each.name, "of"]), each.name
