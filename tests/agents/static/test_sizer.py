"""The no-limit rule player: an exact, legal policy that depends on cards, price, position and stack."""

import math
from collections import Counter, defaultdict
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from reference.games import random_action, random_game, random_stacks

from baycarp.agents.registry import load
from baycarp.agents.static.sizer import SIZES, Sizer, SizerSpot, SizingStage, mixture
from baycarp.agents.static.sizer_style import RANGES, SizerStyle, drawn
from baycarp.agents.trace import stage_of
from baycarp.card import holding_index
from baycarp.errors import ModelError, TableError
from baycarp.game import Action, State, Variant
from baycarp.kernels.strength import equity
from baycarp.rules.betting.sizes import BetRange

SIX, TWO = Variant.load("holdem.nolimit.6p.100bb"), Variant.load("holdem.nolimit.2p.100bb")
NAMES = tuple("abcdefghij")


def spot(game, hole, *actions, board=None, stacks=None):
    """The observation of the player to act with these cards, after these actions."""
    state = State(game, stacks)
    for action in actions:
        state.apply(action if isinstance(action, Action) else state.named(action))
    state.deal({state.to_act: hole}, board)
    return state.observe(state.to_act)


def policy(style, *given, **keywords):
    return Sizer(style).decide(spot(*given, **keywords)).policy_by_kind()


def random_spots(seed, count):
    """Observations of decisions in random no-limit games with random cards and stacks."""
    draw, found = Random(seed), 0
    while found < count:
        game = random_game(draw, betting="no-limit")
        deck = draw.sample(range(52), 2 * game.seats + 5)
        state = State(game, random_stacks(draw, game), deck)
        while not state.is_over and found < count:
            found += 1
            yield state.observe(state.to_act, NAMES[: game.seats], found), state
            _, least, most, _ = state.bounds()
            state.apply(random_action(draw, state.legal_actions(), least, most))


def verify(seed, count):
    """Every action of every policy is legal, the policies sum to 1, and the action is one of them."""
    players = [Sizer(), *(Sizer(drawn(number)) for number in range(20))]
    for number, (observation, state) in enumerate(random_spots(seed, count)):
        decision = players[number % len(players)].decide(observation)
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in decision.policy.values())
        for action in decision.policy:
            state.verify(action)
        assert decision.policy[decision.action] > 0
        assert decision.exact
    return count


def test_policies_are_legal_and_sum_to_1_in_random_spots():
    assert verify(1, 3000) == 3000


@pytest.mark.slow
def test_policies_are_legal_and_sum_to_1_in_many_random_spots():
    assert verify(2, 100_000) == 100_000


def test_the_policy_is_the_distribution_of_the_action():
    observation = spot(SIX, "AhTh", Action("raise", 300), board=None)
    agent = Sizer(SizerStyle(mixing=0.08))
    decision, counts, hands = agent.decide(observation), Counter(), 4000
    agent.sit(0, SIX, 5)
    for hand in range(hands):
        counts[agent.decide(observation._replace(hand=hand)).action] += 1
    assert len(counts) >= 5
    for action, share in decision.policy.items():
        assert abs(counts[action] - hands * share) <= 4.5 * math.sqrt(hands * share * (1 - share)) + 1e-9


def test_the_action_depends_on_seed_and_hand_alone():
    observation = spot(SIX, "AhTh", Action("raise", 300))
    one, other = Sizer(), Sizer()
    for agent in (one, other):
        agent.sit(0, SIX, 8)
    other.decide(observation._replace(hand=3))
    hands = [observation._replace(hand=hand) for hand in range(50)]
    assert [one.decide(each).action for each in hands] == [other.decide(each).action for each in hands]


def played(number, hands=60):
    """(action, strength of the hand against every holding) of heads-up decisions after the flop."""
    agent, draw, found = Sizer(drawn(number)), Random(number), []
    for hand in range(hands):
        deck = draw.sample(range(52), 9)
        state = State(TWO, deck=deck)
        while not state.is_over:
            observation = state.observe(state.to_act, ("a", "b"), hand)
            decision = agent.decide(observation)
            if state.street:
                strong = equity_now(observation)
                found += [(action, share, strong) for action, share in decision.policy.items()]
            state.apply(decision.action)
    return found


def equity_now(observation):
    """The chance to win a showdown against a random holding: another measure than the player's own."""
    own = np.zeros(1326)
    own[holding_index(*observation.hole)] = 1
    return equity(own, np.ones(1326), bytes(observation.board))


def test_bets_depend_on_the_cards():
    """Mean equity against a random holding, by the action, weighted with its probability."""
    sums = defaultdict(lambda: [0.0, 0.0])
    for number in range(8):
        for action, share, strong in played(number):
            for kind in {action.name, "any bet" if action.name in ("bet", "raise") else action.name}:
                sums[kind][0] += share * strong
                sums[kind][1] += share
    mean = {kind: total / weight for kind, (total, weight) in sums.items()}
    assert mean["check"] < mean["bet"] - 0.1
    assert mean["fold"] < mean["call"] - 0.2
    assert mean["call"] < mean["raise"] - 0.1


def test_large_bets_are_stronger_than_small_ones():
    """By Bayes: the mean percentile of the 1,326 given each size, of a style whose sizes grow."""
    style = SizerStyle(growth=0.8)
    board, means = "Ks8d3c2h7s", {}
    for low, high in ((0, 0.6), (0.9, 100)):
        total = weight = 0.0
        for one in range(0, 52, 1):
            for other in range(one + 1, 52, 3):
                try:
                    observation = spot(TWO, [one, other], *["call", "check"] + ["check"] * 4, board=board)
                except ValueError:
                    continue
                legal, decision = BetRange.of(observation.state), Sizer(style).decide(observation)
                strong = stage_of(decision.trace, SizingStage).strength
                for action, share in decision.policy.items():
                    if action.name == "bet" and low <= legal.proportion(action) < high:
                        total, weight = total + share * strong, weight + share
        means[low] = total / weight
    assert means[0.9] > means[0] + 0.05


def test_without_growth_the_size_does_not_depend_on_the_cards():
    flat = SizerStyle(growth=0.0)
    legal = BetRange("bet", 0, 1000, 100, 10_000)
    here = SizerSpot.of(spot(TWO, "AhAd", "call", "check", board="Ks8d3c"))
    assert mixture(legal, here, flat, 0.1) == mixture(legal, here, flat, 0.9)
    grown = mixture(legal, here, SizerStyle(growth=0.8), 0.9)
    assert sum(SIZES.at(legal)[each] * share for each, share in grown.items()) > sum(
        SIZES.at(legal)[each] * share for each, share in mixture(legal, here, flat, 0.9).items()
    )


@pytest.mark.parametrize(
    ("name", "low", "high", "kind", "given"),
    [
        ("looseness", 0.6, 1.6, "fold", (SIX, "Jh9d", "fold", "fold", "fold")),
        ("aggression", 0.1, 0.9, "call", (SIX, "KhQd")),
        ("stickiness", 0.1, 0.9, "fold", (TWO, "6h5h", "call", "check", Action("bet", 200))),
    ],
)
def test_settings_move_the_policy(name, low, high, kind, given):
    board = "Kh9d6c" if given[0] is TWO else None
    less, more = (policy(SizerStyle(**{name: value}), *given, board=board) for value in (low, high))
    assert more[kind] < less[kind] - 0.02


def test_bluffs_are_made_with_weak_hands():
    given = (TWO, "4h2d", "call", "check"), {"board": "KhQdTc"}
    timid, bold = (policy(SizerStyle(bluffing=b), *given[0], **given[1])["bet"] for b in (0.0, 0.9))
    assert timid < 0.01
    assert bold > 0.1


def test_more_is_played_in_late_position():
    style = SizerStyle(position=0.8)
    early = policy(style, SIX, "Ah8d")
    late = policy(style, SIX, "Ah8d", "fold", "fold", "fold")
    assert late["raise"] > early["raise"] + 0.2


def test_a_worse_price_is_called_less():
    river = ["call", "check", "check", "check", "check", "check"]
    calls = [
        1 - policy(SizerStyle(), TWO, "9h8h", *river, Action("bet", bet), board="Kh9d6c2s3d")["fold"]
        for bet in (100, 200, 400, 1500)
    ]
    assert all(one > other for one, other in pairwise(calls))


def test_short_stacks_go_all_in_and_deep_ones_do_not():
    style = SizerStyle()
    shares = []
    for stack in (300, 10_000):
        decision = Sizer(style).decide(spot(TWO, "AhAd", stacks=(stack, stack)))
        raises = {a: share for a, share in decision.policy.items() if a.name == "raise"}
        shares.append(raises.get(Action("raise", stack), 0) / sum(raises.values()))
    assert shares[0] > 0.75
    assert shares[1] < 0.01


def test_styles_are_drawn_by_number_within_their_ranges():
    styles = [drawn(number) for number in range(300)]
    assert len(set(styles)) == 300
    for name, (low, high) in RANGES.items():
        values = [getattr(style, name) for style in styles]
        assert low <= min(values) < low + 0.05 * (high - low)
        assert high - 0.05 * (high - low) < max(values) <= high


def test_the_registry_loads_styles_by_number_and_by_setting():
    assert load("sizer(number=7)").style == drawn(7)
    assert load("sizer(number=7, size=2.0)").style.size == 2.0
    assert load("sizer(number=7, size=2.0)").style.opening == drawn(7).opening
    assert load("sizer").style == SizerStyle()


@pytest.mark.parametrize(
    "spec",
    [
        "sizer(aggression=1.5)",
        "sizer(spread=0.0)",
        "sizer(size=-1)",
        "sizer(number='x')",
        "sizer(number=-1)",
        "sizer(no=1)",
    ],
)
def test_settings_out_of_range_are_refused(spec):
    with pytest.raises(ModelError, match=r"expected|unexpected"):
        load(spec)


def test_fixed_limit_is_refused():
    with pytest.raises(TableError, match="expected no-limit"):
        Sizer().decide(State(Variant.ring(2)).observe(1))
