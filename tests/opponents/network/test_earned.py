"""The network's belief about a player, as far as its showdowns support it."""

import numpy as np
import pytest
from reference.hand_types import hand_group

import baycarp
from baycarp.agents.registry import load
from baycarp.bn import Inference
from baycarp.card import HOLDINGS, HOLDS
from baycarp.game import HandOver
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.earned import CHANGE, PRIOR, SOURCES, Earned
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.model import ByNetwork, EarnedNetwork
from baycarp.opponents.network.ranges import TopGroups, Weighted
from baycarp.rules.hand import GROUPS, TYPES
from baycarp.strategies.model import SHIPPED, load_model

GAME = "holdem.limit.2p.reverse_blinds"
FLOP = "MATCHSTATE:0:0:rc/cr:AhKd|/Qs7d2c"


@pytest.fixture(scope="module")
def inference():
    return Inference(load_model(SHIPPED).network)


def states(inference, node):
    return inference.network.structure.states[node]


def evidence(inference, **given):
    """The first state of every node before the flop, some replaced."""
    return {node: states(inference, node)[0] for node in ("Position", "VPIP", "PFR", "Action")} | given


def holding_of_group(number):
    return next(k for k, hole in enumerate(HOLDINGS.tolist()) if hand_group(hole) == f"HandGroup{number}")


def test_the_sources_are_the_network_without_and_with_statistics_and_the_deal(inference):
    seen = evidence(inference, VPIP=states(inference, "VPIP")[2])
    acted = {node: seen[node] for node in ("Position", "Action")}
    later = {"ActionFlop": states(inference, "ActionFlop")[1], "Board": states(inference, "Board")[0]}
    groups = [hand_group(hole) for hole in HOLDINGS.tolist()]
    expected = [
        inference.posterior({**acted, **later}, ("HandGroup",))["HandGroup"],
        inference.posterior({**seen, **later}, ("HandGroup",))["HandGroup"],
        [groups.count(name) / 1326 for name in GROUPS],
    ]
    assert len(SOURCES) == len(expected)
    assert Earned(inference).sources({**seen, **later}) == pytest.approx(np.array(expected))
    blind = {**{node: seen[node] for node in ("VPIP", "PFR")}, **later}  # its action is not known
    assert Earned(inference).sources(blind)[1] == pytest.approx(
        inference.posterior(blind, ("HandGroup",))["HandGroup"]
    )


def test_shown_cards_move_the_weights_by_bayes(inference):
    earned, expected = Earned(inference), PRIOR
    seen = evidence(inference, Action=states(inference, "Action")[2])
    for number in (1, 10, 7):
        earned.learn("Ann", seen, holding_of_group(number))
        joint = [w * row[number - 1] for w, row in zip(expected, earned.sources(seen), strict=True)]
        expected = (1 - CHANGE) * np.array(joint) / sum(joint) + CHANGE * PRIOR
        assert earned.weights("Ann") == pytest.approx(expected)
    assert earned.weights("Bob") == pytest.approx(PRIOR)


@pytest.mark.parametrize("source", ["network", "deal"])
def test_weight_goes_to_the_source_that_the_shown_cards_follow(inference, source):
    earned, rng = Earned(inference), np.random.default_rng(5)
    seen = evidence(inference, Action=states(inference, "Action")[-1])
    shares = earned.sources(seen)[SOURCES.index(source)]
    for _ in range(40):
        earned.learn("Ann", seen, holding_of_group(1 + rng.choice(10, p=shares / shares.sum())))
    unearned = SOURCES.index("deal" if source == "network" else "network")
    assert earned.weights("Ann")[unearned] < 0.05


def test_hand_types_are_the_mean_over_the_groups(inference):
    observation = baycarp.observe(FLOP, game=GAME)
    belief = believe_all(EarnedNetwork(inference, TopGroups(4)), observation)[1]
    sources = Earned(inference).sources(belief.evidence)
    assert belief.group_chances == pytest.approx(PRIOR @ sources)
    acted = {node: state for node, state in belief.evidence.items() if node not in ("VPIP", "PFR")}
    rows = [inference.posterior({**acted, "HandGroup": name}, ("HandType",))["HandType"] for name in GROUPS]
    assert belief.type_chances == pytest.approx(belief.group_chances @ np.array(rows))
    assert len(belief.type_chances) == len(TYPES)
    known = HOLDS[[*observation.hole, *observation.board]].any(axis=0)
    assert belief.weights.any()
    assert not belief.weights[known].any()


def test_weighted_holdings_are_the_mean_of_the_sources(inference):
    observation = baycarp.observe(FLOP, game=GAME)
    belief = believe_all(EarnedNetwork(inference, Weighted()), observation)[1]
    free = ~HOLDS[[*observation.hole, *observation.board]].any(axis=0)
    network = HoldingPosterior(inference)(belief.evidence, observation.board, 1) * free  # no statistics yet
    expected = PRIOR[:2].sum() * network / network.sum() + PRIOR[2] * free / free.sum()
    assert belief.weights == pytest.approx(expected)


def test_only_cards_of_others_that_were_shown_teach(inference):
    """Bob folds, Cid shows, and Ann, the observer, shows too."""
    game = Variant.load("holdem.limit.3p")
    cards = "AhKd|7c7d|9s9h/Qs7h2c/8h/3d"
    hand = parse_state(f"STATE:0:rfc/cc/cc/cc:{cards}:0|0|0:Ann|Bob|Cid", game)
    over = HandOver(replay(hand).observe(0, hand.players), (0, 0, 0))
    model = EarnedNetwork(inference, TopGroups(4))
    model.learn(over)
    shown = {
        player
        for position, player in enumerate(hand.players)
        if position and over.observation.state.hole_of(position)
    }
    assert shown
    moved = {player for player in hand.players if (model.earned.weights(player) != PRIOR).any()}
    assert moved == shown
    assert model.statistics.of("Bob").hands == 1


def test_the_thesis_takes_the_network_as_it_is():
    assert load("baycarp2").strategy.opponents == ByNetwork(earned=True)
    assert load("baycarp2(published=True)").strategy.opponents == ByNetwork()
    assert load("network(published=True)").player.strategy.opponents == ByNetwork()
