"""Estimates of many hands: the mean of the payoffs, narrower; and policies from which actions are drawn."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

from baycarp.agents.policy import by_kind
from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

SESSION = 500
EVERYBODY = ("call", "random", "rule", "formula(mixing=100, deception=0.5)")
SHALLOW = Variant.ring(2, betting="no-limit", stacks=(40, 40))
SHORT = Variant.ring(3, betting="no-limit", stacks=(20, 30, 40))


def play(variant, specs, hands, seed=0):
    """Finished hands with their policies and the players' order, button after button."""
    agents = [load(spec) for spec in specs]
    for number in range(hands):
        session, hand = divmod(number, SESSION)
        if hand == 0:
            for seat, agent in enumerate(agents):
                agent.sit(seat, variant, 7919 * seed + 100 * session + seat)
        order = [(hand + 1 + position) % len(agents) for position in range(len(agents))]
        decisions = []
        over = play_hand(
            State(variant, deck=deal(seed, session, hand, 2 * len(agents) + 5)),
            [agents[seat] for seat in order],
            tuple(specs[seat] for seat in order),
            number,
            watch=partial(_heard, decisions),
        )
        yield over, [decision.policy for decision in decisions], order, stream(seed, session, hand)


def _heard(decisions, state, decision):
    decisions.append(decision)


def estimated(name, variant, specs, hands):
    """Payoffs and estimates by player, each of shape (hands, players)."""
    plain, found = np.zeros((2, hands, len(specs)))
    for row, (over, policies, order, seed) in enumerate(play(variant, specs, hands)):
        plain[row, order] = over.payoffs()
        found[row, order] = ESTIMATORS[name].chips(over, policies, seed)
    return plain, found


def standard_errors(plain, found):
    """By how many the means differ, hand by hand; where nothing differs, 0."""
    shift = found - plain
    return np.abs(shift.mean(axis=0)) / np.maximum(shift.std(axis=0) / len(shift) ** 0.5, 1e-12)


def narrower(plain, found):
    return np.sqrt(plain.var(axis=0).sum() / found.var(axis=0).sum())


@pytest.mark.parametrize(("name", "least"), [("control", 1.7), ("divat", 1.6)])
def test_two_rule_players(name, least):
    plain, found = estimated(name, Variant.ring(2), ("rule", "jag"), 400)
    assert narrower(plain, found) > least
    assert standard_errors(plain, found).max() < 3
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-9)


def test_draws_of_random_players_are_taken_off():
    """Of a table of random players the known policies take more than the cards alone."""
    hands = list(play(Variant.ring(3), ("random",) * 3, 400))
    cards = [ESTIMATORS["control"].chips(over, [None] * len(acts), seed) for over, acts, _, seed in hands]
    both = [ESTIMATORS["control"].chips(over, acts, seed) for over, acts, _, seed in hands]
    plain = np.array([over.payoffs() for over, *_ in hands])
    assert narrower(plain, np.array(both)) > 1.15 * narrower(plain, np.array(cards))


@pytest.mark.parametrize("specs", [("random",) * 3, ("formula(mixing=100, deception=0.5)", "call", "random")])
def test_actions_are_drawn_from_the_policies(specs):
    """The deviations of the draws from their chances, by action, in standard errors."""
    surplus, variance = Counter(), Counter()
    for over, policies, _, _ in play(Variant.ring(3), specs, 150, seed=1):
        for act, policy in zip(over.acts, policies, strict=True):
            assert sum(policy.values()) == pytest.approx(1, abs=1e-9)
            assert policy[act.action] > 0
            for name, chance in by_kind(policy).items():
                surplus[name] += (act.action.name == name) - chance
                variance[name] += chance * (1 - chance)
    for name, total in surplus.items():
        assert abs(total) < 3.5 * variance[name] ** 0.5 + 1e-9, name


def test_streams_are_apart():
    seeds = {stream(seed, session, hand) for seed in range(4) for session in range(4) for hand in range(4)}
    assert len(seeds) == 64


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "variant", "specs", "hands"),
    [
        ("control", Variant.ring(4), EVERYBODY, 20_000),
        ("control", Variant.ring(2), ("random", "formula(mixing=100, deception=0.5)"), 20_000),
        ("divat", Variant.ring(2), ("random", "formula(mixing=100, deception=0.5)"), 20_000),
        ("divat", Variant.ring(2), ("rule", "call"), 20_000),
        ("all-in", SHORT, ("raise", "raise", "random"), 4_000),
        ("control", SHALLOW, ("call", "random"), 20_000),
    ],
)
def test_in_the_long_run_the_mean_is_that_of_the_payoffs(name, variant, specs, hands):
    """Within 3 standard errors of the paired differences, for every player."""
    plain, found = estimated(name, variant, specs, hands)
    assert standard_errors(plain, found).max() < 3
    assert narrower(plain, found) > 1.1
