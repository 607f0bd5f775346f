"""What a judged model receives: nothing of folded cards; predictions precede actions; columns fit."""

from dataclasses import replace

import numpy as np
import pytest
from reference.action_models import nearby

from baycarp.arena.session import Table
from baycarp.bn import Inference
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.hypotheses import hypotheses
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.situations import LEGAL
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.network.earned import PRIOR
from baycarp.opponents.network.model import EarnedNetwork, evidence_of
from baycarp.opponents.network.ranges import TopGroups
from baycarp.opponents.reliance import KINDS, Confidence
from baycarp.rules.hand import GROUP_OF, GROUPS
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.training.watch import hands_of, watch
from experiments.beliefs.acting import OnePlayerModel, SeatedPlayerModels
from experiments.beliefs.base_lines import FOLDS
from experiments.beliefs.columns import ROUND, Judged
from experiments.beliefs.decision_points import decision_points, situation_of, watched_hands
from experiments.beliefs.earned import SeatedNetwork
from experiments.beliefs.measure import judge_session
from experiments.beliefs.summary import OBSERVED, beside_base_lines, parts, summary

TABLE = Table(Variant.ring(4), ("Rule", "Jag", "Call", "Rand"), ("rule", "jag", "call", "random"), 4)
STYLES = Styles((sensible(), nearby(3)), (0.5, 0.5))


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    return list(hands_of(watch(TABLE, [0], 80, tmp_path_factory.mktemp("watching"))[0], TABLE))


@pytest.fixture(scope="module")
def judged(hands):
    return judge_session(hands, {"styles": SeatedPlayerModels(STYLES), "one": OnePlayerModel(sensible())})


def with_other_folded_cards(hand, rng):
    """The same hand; every player that did not show has two other cards."""
    final = replay(hand)
    inside = final.seats_in if len(final.seats_in) > 1 else ()
    kept = {card for position in inside for card in hand.holes[position]} | set(hand.board)
    rest = iter(rng.permutation([card for card in range(52) if card not in kept]).tolist())
    holes = tuple(
        hole if position in inside else (next(rest), next(rest)) for position, hole in enumerate(hand.holes)
    )
    return replace(hand, holes=holes)


BELIEF = ("entropy", "sure")
"""Scores of the belief alone, without the truth."""


def test_folded_cards_change_no_belief_and_no_prediction(hands, judged):
    rng = np.random.default_rng(1)
    altered = [with_other_folded_cards(hand, rng) for hand in hands]
    assert sum(a.holes != b.holes for a, b in zip(hands, altered, strict=True)) > 60
    again = judge_session(altered, {"styles": SeatedPlayerModels(STYLES)})
    assert (again.points.holding != judged.points.holding).sum() > 20
    for name in BELIEF:
        assert (again.scores["styles"][name] == judged.scores["styles"][name]).all()
    assert (again.actions.losses["styles"] == judged.actions.losses["styles"]).all()


def test_shown_cards_do(hands, judged):
    swapped = []
    for hand in hands:
        inside = replay(hand).seats_in
        holes = list(hand.holes)
        if len(inside) > 1:
            first, second = inside[:2]
            holes[first], holes[second] = holes[second], holes[first]
        swapped.append(replace(hand, holes=tuple(holes)))
    again = judge_session(swapped, {"styles": SeatedPlayerModels(STYLES)})
    assert (again.scores["styles"]["entropy"] != judged.scores["styles"]["entropy"]).mean() > 0.5


def test_a_prediction_is_that_of_the_players_own_tables(hands):
    """Of a single style, whose rows are known: the posterior predictive at every action."""
    certain = Styles((nearby(3),), (1.0,)), Confidence((1.0,), ((1.0,),) * len(KINDS), blind=0.0)
    known, compared = PlayerModels(*certain), 0
    model = SeatedPlayerModels(*certain)
    for watched in watched_hands(hands[:15]):
        for action in watched.actions:
            view = action.view
            situation, group = situation_of(view)
            name = view.observation.players[view.position]
            held = known.posterior(view.observation, view.position, name)
            board, street = tuple(view.observation.board), view.observation.street
            codes, free = hypotheses(*certain).codes(board, group), held > 0
            choices = known.of(name).choices(street, situation, group)[:, :, 0]
            found = model.predict(view)
            assert found == pytest.approx(choices[:, codes[free]] @ held[free], rel=1e-4)
            assert found[action.choice] > 0
            assert LEGAL[0][action.choice] or view.observation.state.bets_made
            compared += 1
        known.learn(watched.over)
        model.learn(watched.over)
    assert compared > 60


def test_the_columns_are_those_of_the_decision_points(hands, judged):
    points, columns = list(decision_points(hands)), judged.points
    assert len(columns) == len(points) > 200
    names = [point.view.observation.players[point.view.position] for point in points]
    assert columns.player.tolist() == names
    assert columns.observed.tolist() == [point.hand for point in points]  # the same four in every hand
    assert columns.holding.tolist() == [point.holding for point in points]
    assert [sum(card != 255 for card in board) for board in columns.board.tolist()] == [
        (0, 3, 4, 5)[point.street] for point in points
    ]
    assert len(judged.actions.hand) == sum(len(hand.actions) for hand in hands)


def test_players_are_judged_by_name(hands, judged):
    one = judge_session(hands, {"styles": SeatedPlayerModels(STYLES)}, players={"Jag"})
    at = judged.points.player == "Jag"
    assert set(one.points.player) == {"Jag"}
    for name, column in one.scores["styles"].items():
        assert column == pytest.approx(judged.scores["styles"][name][at])
    at = judged.actions.player == "Jag"
    assert one.actions.losses["styles"] == pytest.approx(judged.actions.losses["styles"][at])
    assert len(judge_session(hands, {"styles": SeatedPlayerModels(STYLES)}, players={"Eve"}).points) == 0


def test_sessions_are_joined_and_divided(judged):
    joined = Judged.joined([judged, judged])
    assert joined.points.hand.max() == ROUND + judged.points.hand.max()
    folds = [half % FOLDS for half in np.split(joined.points.hand, 2)]
    assert np.array_equal(*folds)  # sessions with one deck: no base line learns the judged cards
    full = beside_base_lines(joined)
    every = summary(full, "styles")
    for by in ("street", "seats", "player", "observed"):
        found = [summary(full, "styles", where) for _, where in parts(full, by)]
        assert sum(each.points for each in found) == every.points == 2 * len(judged.points)
        total = sum(each.points * each.loss.value for each in found if each.points)
        assert total / every.points == pytest.approx(every.loss.value)
    assert [label for label, _ in parts(full, "observed")] == list(OBSERVED)
    first = next(iter(parts(full, "observed")))[1][0]
    assert set(full.points.observed[first]) <= {0}
    assert every.over_deal.value == pytest.approx(joined.deal.mean() - every.loss.value)
    assert every.right is None
    assert every.sure < 1000
    assert every.over_deal_players is None  # four players


def test_an_empty_name_is_no_player():
    """A record without names: the belief of a player that nothing is known of."""
    hand = replace(
        parse_state("STATE:0:rc/cc/cc/cc:AhKd|7c7d/Qs7h2c/9h/3d:-20|20:A|B", Variant.ring(2)), players=()
    )
    judged = judge_session([hand, hand], {"styles": SeatedPlayerModels(STYLES)})
    assert set(judged.points.player) == {"position 0", "position 1"}
    half = len(judged.points) // 2
    assert judged.scores["styles"]["loss"][:half] == pytest.approx(judged.scores["styles"]["loss"][half:])


def test_the_seated_network_believes_as_far_as_showdowns_support_it(hands):
    """By group, before the flop: the weights of a player after the hands so far, times the three sources."""
    network = load_model(SHIPPED).network
    model, inference = SeatedNetwork(network), Inference(network)
    expected, moved = EarnedNetwork(inference, TopGroups(4)), 0
    for watched in watched_hands(hands, actions=False):
        for point in watched.points:
            if point.street == 0:
                view = point.view
                name = view.observation.players[view.position]
                weights = expected.earned.weights(name)
                sources = expected.earned.sources(evidence_of(inference, view, 0))
                found = np.bincount(GROUP_OF, model(view, 0), minlength=len(GROUPS))
                assert found == pytest.approx(weights @ sources)
                moved += bool((weights != PRIOR).any())
        model.learn(watched.over)
        expected.learn(watched.over)
    assert moved
    model.sit()
    assert (model._known.earned.weights("Call") == PRIOR).all()
