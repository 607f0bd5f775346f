"""Both topologies on the same hands: decision points and predictions."""

import math

import numpy as np
import pytest
from reference.action_models import nearby

from baycarp.arena.measure import mean_by_hand
from baycarp.bn.inference import Inference
from baycarp.card import HOLDS, holding_index
from baycarp.game.notation.hand import replay
from baycarp.opponents.actions.adapt import PlayerModel
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.situations import hand_moves
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import KINDS, Confidence
from baycarp.rules.hand import GROUP_OF, GROUPS
from baycarp.rules.income import percentiles
from baycarp.rules.strength import holding_values
from baycarp.training.networks import fit_network
from baycarp.training.rows import rows_of_session
from experiments.beliefs.decision_points import decision_points
from experiments.beliefs.learning_curve import holding_and_choice, learning_curve
from experiments.beliefs.next_actions import (
    ActionHand,
    HandAction,
    choice_losses,
    holding_losses,
    price_shares,
    strong_folds,
)
from experiments.populations.action_cells import hand_rows, stack
from experiments.populations.action_em import likelihood


@pytest.fixture(scope="module")
def network(watched):
    return fit_network(list(rows_of_session(watched)))


@pytest.fixture(scope="module")
def cells(watched):
    return stack(hand_rows(watched))


def test_the_thesis_belief_has_the_networks_posterior_of_groups(watched, network):
    inference = Inference(network)
    for point in list(decision_points(watched))[::11]:
        alone, typed = (ActionHand(inference, types)(point.view, point.street) for types in (False, True))
        free = ~HOLDS[list(point.view.observation.board)].any(axis=0)
        for belief in (alone, typed):
            assert belief.sum() == pytest.approx(1.0)
            assert (belief[~free] == 0).all()
        for group in range(len(GROUPS)):  # within a group all holdings are equally likely
            mine = alone[free & (group == GROUP_OF)]
            assert np.ptp(mine) == pytest.approx(0.0, abs=1e-15)


def test_every_query_is_scored_and_bare_cards_are_uniform(watched, network):
    asked = holding_losses([watched], {"ours": HandAction(sensible())})
    points = list(decision_points(watched))
    assert len(asked.street) == len(points)
    bare = {0: 1326, 1: 1176, 2: 1128, 3: 1081}
    assert asked.losses["bare cards"] == pytest.approx([math.log(bare[m.street]) for m in points])
    expected = [-math.log(HandAction(sensible())(m.view, m.street)[m.holding]) for m in points]
    assert asked.losses["ours"] == pytest.approx(expected)
    assert asked.mean("ours", 3, shown=True)[2] == sum(m.showdown and m.street == 3 for m in points)


def test_every_action_is_predicted_with_probabilities(watched, network, cells):
    shares = price_shares(cells)
    found = choice_losses([watched], network, {"ours": sensible()}, shares)
    assert len(found.street) == sum(len(hand.actions) for hand in watched)
    assert all((losses >= -1e-12).all() for losses in found.losses.values())
    alone = found.losses["situation alone"].mean()
    assert alone < found.losses["ours"].mean()  # it was fitted to these actions
    total = likelihood(cells, sensible().tables)
    per_row = np.bincount(cells.row, total) / np.bincount(cells.row, cells.count)
    ours = -np.log(per_row).sum()
    assert found.losses["ours"].sum() == pytest.approx(
        ours, rel=0.01
    )  # cards dealt later make the difference


def test_intervals_are_over_hands():
    losses = np.repeat([1.0, 2.0, 3.0, 4.0], 5)
    mean, margin = mean_by_hand(losses, np.repeat([0, 1, 2, 3], 5))
    assert mean == 2.5
    assert margin == pytest.approx(mean_by_hand(losses[::5], np.arange(4))[1])
    assert margin > 1.9 * mean_by_hand(losses, np.arange(20))[1]


def test_strong_folds_are_counted_hand_by_hand(watched, cells):
    """Against a count of the actions, by the order of income rates and by strength on the board."""
    sizes = 0.85 ** np.arange(16)
    folds, faced, best = [0] * 4, [0] * 4, sizes[:12].sum() / sizes.sum()
    for hand in watched:
        acts = replay(hand).acts
        by_position = hand_moves(acts, hand.variant).income_groups
        for act in acts:
            if not act.owed:
                continue
            held = holding_index(*hand.holes[act.seat])
            if not act.street:
                strong = percentiles()[by_position[act.seat]][held] >= best
            else:
                hs, ppot, _ = (each[held] for each in holding_values(hand.board[: act.street + 2]))
                strong = hs + (1 - hs) * ppot >= 0.9
            faced[act.street] += strong
            folds[act.street] += strong and act.action.name == "fold"
    found = strong_folds(cells, {"ours": sensible()})
    assert sum(faced) > 30
    assert [(share.count, share.of) for share in found.true] == list(zip(folds, faced, strict=True))
    assert all(0 <= share < 0.05 for share in found.models["ours"])


def test_a_model_is_averaged_over_the_situations_that_occurred(cells):
    """A model whose strong hands always fold, or never, has that share in any situation."""
    always, never = (sensible(), sensible())
    for street in range(4):
        always.tables[street][:, :, 0], never.tables[street][:, :, 0] = 1.0, 0.0
    found = strong_folds(cells, {"always": always, "never": never}).models
    came = ~np.isnan(found["always"])
    assert came[0]
    assert np.array(found["always"])[came] == pytest.approx(1)
    assert np.array(found["never"])[came] == pytest.approx(0)


def test_a_curve_starts_at_the_population_and_learns_from_earlier_hands_only(watched):
    styles = Styles((sensible(), nearby(1), nearby(2)), (0.5, 0.25, 0.25))
    curve = learning_curve(
        [watched],
        ["Bob"],
        sensible(),
        styles,
        Confidence((1.0,), ((1.0,),) * len(KINDS), blind=0.0, actions=1.0),
        at=(0, 10, 40),
    )
    for measure, lines in curve.losses.items():
        assert curve.rows[measure] > 10
        assert lines["population"][0] == lines["population"][2]
        assert all(math.isfinite(mean) and margin > 0 for points in lines.values() for mean, margin in points)
    choices = curve.losses["next choice"]
    assert choices["player model"][2][0] < choices["population"][2][0]
    rows = [row for row in hand_rows(watched, every_street=True) if row.player == "Bob" and row.hand >= 40]
    test = stack(rows)
    (held, _), (choice, _) = holding_and_choice(test, PlayerModel(styles)).values()
    assert (len(held), len(choice)) == tuple(curve.rows.values())
    assert len(choice) == sum(
        len(row.moves) for row in hand_rows(watched) if row.player == "Bob" and row.hand >= 40
    )
