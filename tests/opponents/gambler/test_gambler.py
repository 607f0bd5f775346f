"""Gambler's networks and their reversal, beside sums written out and beside the exact deal."""

from itertools import islice

import numpy as np
import pytest

from baycarp.bn import Network, Structure, compile
from baycarp.bn.rows import RowPlan
from baycarp.card import CLASS_OF, CLASSES, blocked_by, cards, holding_index
from baycarp.errors import EvidenceError
from baycarp.game import Acted, HandOver, State, Variant
from baycarp.game.notation.observe import observe
from baycarp.kernels.sweeps import sweep
from baycarp.opponents.gambler.draws import draws_on, scare
from baycarp.opponents.gambler.learning import Experience, learned
from baycarp.opponents.gambler.model import ByGambler, GamblerModel
from baycarp.opponents.gambler.postflop import joint_network, postflop_network, reraise_network
from baycarp.opponents.gambler.preflop import POSITIONS, power_ratings, preflop_network
from baycarp.opponents.gambler.reading import HandReading, NetworkPlayer, place_of
from baycarp.opponents.gambler.reverse import FORMS, Networks, win_evidence, wins
from baycarp.opponents.gambler.tables import FLOOR, PLACES, STAKES, recommend_table, stakes_state
from experiments.gambler.bayes import largest_difference
from experiments.gambler.spots import spots

SIX = Variant.ring(6)
NETWORKS = Networks.ours()


@pytest.mark.parametrize("make", [preflop_network, postflop_network, joint_network, reraise_network])
def test_no_choice_of_a_player_is_impossible(make):
    network = make()
    for node in ("recommend", "action"):
        assert network.cpt(node).min() >= FLOOR - 1e-12
    assert all((network.cpt(node).sum(axis=-1) == pytest.approx(1)) for node in network.structure.nodes)


def test_the_deal_and_the_power_ratings_are_those_of_the_paper():
    hole = preflop_network().cpt("hole")
    combinations = [12 if name.endswith("o") else 4 if name.endswith("s") else 6 for name in CLASSES]
    assert hole * 1326 == pytest.approx(combinations)
    ratings = dict(zip(CLASSES, power_ratings().tolist(), strict=True))
    assert (ratings["AA"], ratings["72o"]) == (40, 0)


def test_a_fold_is_likeliest_exactly_below_the_pot_odds():
    table = recommend_table()[:, :, PLACES.index("late")]
    for stakes, odds in enumerate(STAKES):
        for win in (odds - 0.01, odds + 0.01):
            if 0 < win < 1 and stakes:
                choices = (1 - win) * table[0, stakes] + win * table[1, stakes]
                assert (choices.argmax() == 0) == (win < odds)
    assert STAKES[stakes_state(5, 40)] == 0.1  # 40:5 breaks even at one win in nine
    assert stakes_state(0, 40) == 0


@pytest.mark.parametrize("form", FORMS)
def test_all_rows_at_once_equal_the_compiled_plan(form):
    rng, draws = np.random.default_rng(1), draws_on(tuple(cards("Qs7s2d9h")))
    pool = scare([draws.entry(rng.random(1326) ** 4) for _ in range(3)])
    rows, shared = win_evidence(form, draws.shares, pool)
    plan = compile(
        postflop_network() if form == "independent" else joint_network(), (), ("win",), (*rows, *shared)
    )
    found = wins(form, draws.shares, pool)
    for row in rng.choice(len(found), 12, replace=False):
        soft = {node: values[row] for node, values in rows.items()} | shared
        assert found[row] == pytest.approx(plan.posterior({}, soft)["win"][1], abs=1e-12)


def test_buckets_that_split_a_factor_of_rows_are_refused():
    structure = Structure({"A": ["n", "y"], "B": ["n", "y"], "C": ["n", "y"]}, {"C": ["A", "B"]})
    network = Network(structure, {"A": [0.5, 0.5], "B": [0.5, 0.5], "C": np.full((2, 2, 2), 0.5)})
    with pytest.raises(EvidenceError, match="buckets leave"):
        RowPlan(network, ["A", "B"], [], "C", [["A"]])
    plan = RowPlan(network, ["A", "B"], [], "C", [["A", "B"]])
    with pytest.raises(EvidenceError, match="expected exactly"):
        plan.posteriors({"A": [[1, 0]]}, {})


@pytest.mark.parametrize("networks", [*map(Networks.ours, FORMS), Networks.ours("joint", acts=True)])
def test_reversal_equals_bayes_rule_by_hand(networks):
    turn_spots = (spot for spot in spots(networks, SIX, seed=3) if spot.turn.spot.street in (0, 2, 3))
    assert largest_difference(networks, islice(turn_spots, 12)) < 1e-12


def test_before_the_flop_reversal_is_the_query_of_hole():
    state = State(SIX, deck=np.arange(17, dtype=np.uint8))
    act = state.apply(state.named("raise"))
    reading = HandReading(SIX, lambda seat: NetworkPlayer(NETWORKS))
    reading.follow((act,), ())
    nodes = ("position", "early-action", "mid-action", "bias")
    plan = compile(NETWORKS.preflop, (*nodes, "action"), ("hole",))
    evidence = dict(zip(nodes, (POSITIONS[0], "fold", "fold", "normal"), strict=True)) | {"action": "raise"}
    found = np.bincount(CLASS_OF, reading.weights(act.seat))
    assert found == pytest.approx(plan.posterior(evidence)["hole"], abs=1e-14)


def test_one_opponent_on_the_river_has_its_exact_chance_in_the_joint_form():
    board, own = tuple(cards("Qs7s2d9h3c")), holding_index(*cards("AhKh"))
    weights = np.random.default_rng(2).random(1326)
    weights[blocked_by(cards("AhKh"))] = 0
    draws = draws_on(board)
    found = wins("joint", draws.shares, scare([draws.entry(weights)]))
    assert found[draws.cell[own]] == pytest.approx(sweep(board, weights)[own], abs=1e-9)


def test_the_scare_pool_has_all_others_and_not_the_player():
    turn = next(
        s for s in spots(NETWORKS, SIX, seed=5) if s.turn.spot.street == 1 and len(s.reading.inside) > 2
    )
    reading = turn.reading
    for seat in sorted(reading.inside):
        entries = reading.entries(seat)
        assert len(entries) == len(reading.inside) - 1
        others = [reading.draws.entry(reading.weights(other)) for other in sorted(reading.inside - {seat})]
        for one, other in zip(entries, others, strict=True):
            assert one.draws == pytest.approx(other.draws)
    assert place_of(turn.turn.spot) in range(3)


def _raiser(hands, seed=6):
    """Events of hands in which Ann raises before the flop with any cards, and both then check or call."""
    for number in range(hands):
        deck = np.random.default_rng((seed, number)).permutation(52)[:9].astype(np.uint8)
        state = State(Variant.ring(2), deck=deck)
        while state.to_act is not None:
            before = state.observe(None, ("Bob", "Ann"), number)
            bold = before.street == 0 and state.to_act == 1 and state.bets_made == 1
            names = ("raise",) if bold else ("check", "call")
            action = next(each for each in state.legal_actions() if each.name in names)
            yield Acted(before, state.apply(action))
        yield HandOver(state.observe(None, ("Bob", "Ann"), number)._replace(state=state), ())


def test_a_player_that_raises_with_anything_gets_tables_of_its_own():
    ours = Networks.ours(acts=True)
    model = GamblerModel(ours)
    for event in _raiser(40):
        model.learn(event)
    ann = model.profiles["Ann"]
    assert ann.shown >= 16
    assert ann.networks is not None
    worst, place = CLASSES.index("72o"), POSITIONS.index("small-blind")
    before, after = (each.preflop_choices(place, 0, 0, 1)[worst, 2] for each in (ours, ann.networks))
    assert after > 1.5 * before
    assert ann.log_bias[0] > ann.log_bias[2]  # loose, not tight


def test_tables_without_observations_are_the_prior():
    assert learned(NETWORKS, Experience()) == NETWORKS


def test_beliefs_leave_out_known_cards_and_follow_other_evidence():
    model = ByGambler().new(None)
    observation = observe("MATCHSTATE:0:0:rc/r:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    belief = model.believe(observation, 1, "Bob")
    assert belief.weights[holding_index(*cards("AhKd"))] == 0
    assert belief.weights[holding_index(*cards("QhQd"))] > 2 * belief.weights[holding_index(*cards("4s3h"))]
    same = model.suppose(observation, 1, "Bob", belief.evidence)
    assert same.weights == pytest.approx(belief.weights)
    assert dict(model.possible(observation, 1, "Bob", belief.evidence))
    none = model.suppose(observation, 1, "Bob", {})
    assert none.weights[none.weights > 0] == pytest.approx(1)
