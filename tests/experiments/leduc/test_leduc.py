"""Leduc opponents: their policies, the posterior of their styles, and what a response wins."""

import numpy as np
import pytest

from baycarp.bn.pgmpy import to_pgmpy
from baycarp.solvers import CFR, Leduc, StrategyProfile, best_response, exploitability, flatten, value
from experiments.leduc.archetypes import LEVELS, STYLES, archetype, archetypes, equilibrium, outsiders
from experiments.leduc.frequencies import with_frequencies
from experiments.leduc.hands import Observed, between, ends_of, won
from experiments.leduc.sessions import Learner, measure
from experiments.leduc.style_network import StyleNetwork


@pytest.fixture(scope="module")
def base():
    return equilibrium(CFR(flatten(Leduc()), plus=True))


@pytest.fixture(scope="module")
def ends(base):
    return ends_of(base.tree)


@pytest.fixture(scope="module")
def learner(base, ends):
    return Learner(ends, base, archetypes(base, {"0.3": 0.3, "0.5": 0.5}))


def test_the_twelve_lose_what_was_published(base):
    lost = [exploitability(each) for each in archetypes(base, LEVELS).values()]
    assert len(lost) == 12
    assert min(lost) == pytest.approx(0.15, abs=0.005)
    assert max(lost) == pytest.approx(1.26, abs=0.005)


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_a_distribution_everywhere(base, style):
    """Its parts sum to 1 in each information set, also where every decision is of the style."""
    for share in (0.0, 0.4, 1.0):
        strategy = archetype(base, {style: share})
        for side, given in zip(base.tree.sides, strategy.probabilities, strict=True):
            np.testing.assert_allclose(side.sums(given), 1)
    np.testing.assert_allclose(archetype(base, {style: 0.0}).probabilities[0], base.probabilities[0])


def test_styles_do_what_their_names_say(base):
    assert archetype(base, {"station": 1.0}).at(1, "J:r")["call"] == 1
    assert archetype(base, {"over-folds": 1.0}).at(1, "Q:r")["fold"] == 1
    assert archetype(base, {"over-bluffs": 1.0}).at(0, "J:")["bet"] == 1
    assert archetype(base, {"passive": 1.0}).at(0, "K:")["bet"] == 0


def test_observations_have_the_probabilities_of_the_game(base, ends):
    uniform = StrategyProfile.uniform(base.tree)
    for player in (0, 1):
        chances = ends.chances(uniform, player)
        assert chances.sum() == pytest.approx(1)
        first_card = [ends.observed[player][at].own == "K" for at in range(len(chances))]
        assert chances[first_card].sum() == pytest.approx(1 / 3)
    assert won(base, uniform) == pytest.approx(-won(uniform, base))


def facing_a_bet(tree, folds):
    """Uniform, but the second player folds to the first bet so often, by card."""
    first, second = StrategyProfile.uniform(tree).tables()
    for card, chance in folds.items():
        second[f"{card}:r"] = {"fold": chance, "call": 1 - chance, "raise": 0.0}
    return StrategyProfile.of(tree, (first, second))


def test_the_posterior_is_that_of_bayes_rule_by_hand(base):
    """A king bets, and the opponent folds: it has a jack, a queen or a king with 2/5, 2/5, 1/5."""
    styles = {
        "honest": facing_a_bet(base.tree, {"J": 0.9, "Q": 0.5, "K": 0.1}),
        "blind": facing_a_bet(base.tree, {"J": 0.2, "Q": 0.2, "K": 0.2}),
    }
    network = StyleNetwork(styles)
    folded = 0.4 * 0.9 + 0.4 * 0.5 + 0.2 * 0.1
    assert network.likelihood(Observed("K", "", "", ("rf",)), 0) == pytest.approx(
        np.array([folded, 0.2]) / (folded + 0.2)
    )
    called = Observed("K", "Q", "J", ("rc", "cc"))  # a showdown: the card is known, the rest is uniform
    assert network.likelihood(called, 0) == pytest.approx(np.array([0.5, 0.8]) / 1.3)


@pytest.mark.parametrize("player", [0, 1])
def test_every_likelihood_is_the_sum_over_the_ends(base, ends, player):
    styles = {"base": base} | outsiders(base, 1)
    network = StyleNetwork(styles)
    other = 1 - player
    sums = [
        np.bincount(
            ends.groups[player],
            ends.chance * base.tree.sides[other].plan(each.probabilities[other])[ends.last[other]],
        )
        for each in styles.values()
    ]
    expected = np.transpose(sums) / np.sum(sums, 0)[:, None]
    found = [network.likelihood(hand, player) for hand in ends.observed[player]]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_hand_has_the_posterior_of_pgmpy(base):
    inference = pytest.importorskip("pgmpy.inference")
    network = StyleNetwork(archetypes(base, LEVELS))
    hand = Observed("Q", "", "K", ("crc", "rf"))
    evidence = {"own": "Q", "public": "K", "act 1": "check", "act 2": "call", "act 3": "bet"}
    model = to_pgmpy(network.network(("crc", "rf"), 1))
    theirs = inference.VariableElimination(model).query(["style"], evidence, show_progress=False)
    np.testing.assert_allclose(network.likelihood(hand, 1), theirs.values)


def test_frequencies_correct_a_wrong_style(base, ends):
    """After many hands, the observations have the probabilities of the opponent, not of the style."""
    opponent, uniform = archetype(base, {"maniac": 0.4}), StrategyProfile.uniform(base.tree)

    def chances(strategy, player):
        return ends.chances(between(uniform, strategy, player), player)

    counts = chances(opponent, 0) * 1e6, chances(opponent, 1) * 1e6
    fitted = with_frequencies(archetype(base, {"tight": 0.3}), ends, counts)
    for player in (0, 1):
        right = chances(opponent, player)
        assert np.abs(chances(fitted, player) - right).sum() < 0.02
        assert np.abs(chances(archetype(base, {"tight": 0.3}), player) - right).sum() > 0.2
    none = np.zeros_like(counts[0]), np.zeros_like(counts[1])
    kept = with_frequencies(opponent, ends, none)
    np.testing.assert_allclose(kept.probabilities[0], opponent.probabilities[0])


def test_without_evidence_the_equilibrium_is_played(learner):
    nothing = tuple(np.zeros(len(each)) for each in learner.ends.observed)
    assert learner.response(nothing, 1.0) is learner.base
    np.testing.assert_allclose(learner.posterior(nothing), learner.prior)


def test_a_maniac_is_recognised_and_exploited(learner):
    opponent = archetype(learner.base, {"maniac": 0.375})
    found = measure(learner, opponent, 0.97, 1)
    assert found.most == pytest.approx(
        (best_response(opponent, 0).value + best_response(opponent, 1).value) / 2
        - (value(between(learner.base, opponent, 0)) - value(between(learner.base, opponent, 1))) / 2
    )
    assert 0.85 < found.shares[-1] <= 1
    assert 0 < found.on_the_way < found.most
    assert np.all(measure(learner, opponent, 0.0, 1).losses < 0.01)


def test_nothing_is_lost_to_the_equilibrium(learner):
    found = measure(learner, learner.base, 1.0, 2)
    assert np.all(np.abs(found.gains[:, -1]) < 0.01)
