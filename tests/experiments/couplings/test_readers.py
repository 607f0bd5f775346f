"""Readers in the thesis' network's place: each holds another one at the end of its range, and bites."""

from itertools import islice

import numpy as np
import pytest
from reference.spots import spots

from baycarp.agents.couplings.player import Coupled, Features
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import THIS_PROCESS
from baycarp.bn import Inference, Network, Structure
from baycarp.bn.learn import fit
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.dealt import BOARD_NODES, card_parents, codes, dealt
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import HIDDEN, STRUCTURE, observed, street_of
from baycarp.opponents.shown.retrieved_network import columns_of
from baycarp.opponents.shown.situations import load_shown
from baycarp.strategies.model import load_model
from baycarp.training.networks import fit_network
from baycarp.training.rows import rows_of_session
from baycarp.training.watch import hands_in
from experiments.beliefs.player_networks import HabitGroups, PlayerNetworks
from experiments.couplings.readers.arms import READERS, THESIS, _strategy, make
from experiments.couplings.readers.by_style import FIRST, ByStyle, save_styles
from experiments.couplings.readers.by_style import load_styles as load_networks
from experiments.couplings.readers.learned import LearnedNetwork, climbed, forbidden, learned
from experiments.couplings.readers.terry_mihok import ABOVE, TERRY_MIHOK, TerryMihok, fitted, states_of
from experiments.couplings.study import CouplingStudy

RING = Variant.ring(4)
NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture(scope="module")
def shown(coupled_models):
    return load_shown(str(coupled_models / "shown"))


@pytest.fixture(scope="module")
def thesis(coupled_models):
    return load_model(coupled_models / "network").network


@pytest.fixture(scope="module")
def observations():
    """Every fourth decision of random hands."""
    found = []
    for hand, state in enumerate(islice(spots(RING, 30, seed=21), 0, None, 4)):
        if state.to_act is not None:
            found.append(state.observe(state.to_act, NAMES, hand))
    return found


@pytest.fixture(scope="module")
def played():
    table = Table(RING, NAMES, ("call", "rule", "formula(tightness=0.5)", "station"), 5)
    return list(hands_in("\n".join(play_session(table, 0, 60).log), table))


def weights(model, observations):
    found = [believe_all(model, each) for each in observations]
    return [belief.weights for each in found for belief in each.values()]


def alike(one, other, observations):
    pairs = zip(weights(one, observations), weights(other, observations), strict=True)
    return all(np.array_equal(*pair) for pair in pairs)


def meet(model, hands):
    for hand in hands:
        model.learn(HandOver(replay(hand).observe(None, hand.players), ()))
    return model


def test_with_the_thesis_arcs_the_learned_network_is_the_thesis_one(thesis, observations):
    assert alike(LearnedNetwork(thesis), NetworkModel(Inference(thesis), Weighted()), observations)


@pytest.fixture(scope="module")
def acting(shown):
    """A network in which actions depend on cards."""
    parents = {node: STRUCTURE.parents[node] for node in STRUCTURE.nodes}
    parents |= {"HandGroup": (), "Action": ("HandGroup", "Position"), "ActionFlop": ("HandType", "Action")}
    parents |= {"HandType": ("HandGroup", "Board")}
    return learned(shown, Structure(STRUCTURE.states, parents))


def place(structure, state, nodes):
    return tuple(structure.states[node].index(state[node]) for node in nodes)


def test_weights_are_the_networks_joint_over_the_deal(acting, observations):
    """Holding by holding, as a product of single probabilities."""
    structure, model = acting.structure, LearnedNetwork(acting)
    observation = next(each for each in observations if each.street == 2)
    for belief in believe_all(model, observation).values():
        nodes = [
            node for node in structure.nodes if street_of(node) <= 2 and node in (*HIDDEN, *belief.evidence)
        ]
        mine, expected = codes(structure, observation.board, 2), np.zeros(1326)
        for holding in np.flatnonzero(belief.weights):
            state = {node: structure.states[node][mine[node][holding]] for node in mine} | belief.evidence
            chance = 1.0
            for node in nodes:
                if set(structure.parents[node]) <= set(state):
                    chance *= acting.cpt(node)[place(structure, state, structure.family(node))]
                if node in HIDDEN:
                    above = card_parents(structure, node)
                    chance /= dealt(above, node)[place(structure, state, (*above, node))]
            expected[holding] = chance
        unknown = {node for node in observed(structure, 2) if node not in belief.evidence}
        if not unknown & {parent for node in mine for parent in structure.parents[node]}:
            ours = belief.weights / belief.weights.sum()
            assert ours == pytest.approx(expected / expected.sum(), rel=1e-6)


def test_arcs_from_cards_to_actions_bite(acting, thesis, observations):
    assert not alike(LearnedNetwork(acting), LearnedNetwork(thesis), observations)


def test_the_climb_finds_an_arc_and_keeps_to_the_rules(shown):
    structure = climbed(shown)
    arcs = {(parent, node) for node in structure.nodes for parent in structure.parents[node]}
    assert arcs
    assert not arcs & set(forbidden())
    assert not any(node in BOARD_NODES and parent not in BOARD_NODES for parent, node in arcs)
    assert learned(shown, structure) == fit(structure, columns_of(shown, STRUCTURE), 10.0)


@pytest.fixture(scope="module")
def terry_mihok(played):
    return fitted(played)


def test_without_an_action_all_holdings_are_alike(terry_mihok):
    first = next(state for state in spots(RING, 5, seed=1) if not state.acts)
    observation = first.observe(0, NAMES, 0)
    for each in weights(TerryMihok(terry_mihok), [observation]):
        assert set(np.unique(each)) == {0.0, 1.0}


def test_strength_and_potential_have_the_probabilities_of_the_network(terry_mihok, observations):
    """Of pairs that some holding has; within a pair all holdings are alike."""
    met = 0
    for observation in observations:
        for belief in believe_all(TerryMihok(terry_mihok), observation).values():
            if (
                belief.evidence
                and belief.evidence["Street"] == ("preflop", "flop", "turn", "river")[observation.street]
            ):
                at = tuple(TERRY_MIHOK.states[node].index(belief.evidence[node]) for node in ABOVE)
                strength, potential = states_of(tuple(observation.board))
                held = belief.weights / belief.weights.sum()
                both = np.outer(terry_mihok.cpt("Strength")[at], terry_mihok.cpt("Potential")[at])
                found, free = np.zeros_like(both), held > 0
                np.add.at(found, (strength[free], potential[free]), held[free])
                assert found == pytest.approx(np.where(found > 0, both, 0) / both[found > 0].sum())
                met += 1
    assert met > 5


def test_a_raise_is_read_as_stronger_than_a_check(terry_mihok):
    states = TERRY_MIHOK.states
    middle = np.arange(len(states["Strength"]))
    mean = {
        action: float((terry_mihok.cpt("Strength")[1, states["Action"].index(action)] @ middle).mean())
        for action in ("bet", "check")
    }
    assert mean["bet"] > mean["check"]


@pytest.fixture(scope="module")
def one_style(thesis):
    """Two styles of the same network, and no own levels."""
    groups = HabitGroups(np.full(5, 0.3), np.ones(5), np.array([[0.1] * 5, [0.6] * 5]))
    return PlayerNetworks(groups, (thesis, thesis), {})


def test_equal_networks_of_all_styles_are_the_networks_alone(one_style, thesis, observations, played):
    several = meet(ByStyle(one_style), played)
    alone = meet(NetworkModel(Inference(thesis), Weighted()), played)
    assert any(len(rows) >= FIRST for rows in several.shown.values())
    assert alike(several, alone, observations)


def test_habits_choose_the_network(one_style, thesis, observations, played):
    nodes = thesis.structure.nodes
    flat = {node: np.full_like(thesis.cpt(node), 1 / thesis.cpt(node).shape[-1]) for node in nodes}
    alone = meet(NetworkModel(Inference(thesis), Weighted()), played)
    groups = HabitGroups.of({name: alone.statistics.of(name) for name in NAMES}, styles=2)
    styles = [groups(alone.statistics.of(name)) for name in NAMES]
    assert set(styles) == {0, 1}
    networks = (thesis, Network(thesis.structure, flat))
    model = ByStyle(PlayerNetworks(groups, networks, {}))
    for event in played:
        model.statistics.observe(HandOver(replay(event).observe(None, event.players), ()))
    for observation in observations:
        others = ByStyle(one_style).known.networks[0], networks[1]
        for position, belief in believe_all(model, observation).items():
            own = NetworkModel(Inference(others[styles[position]]), Weighted())
            own.statistics = model.statistics
            assert np.array_equal(belief.weights, own.believe(observation, position, NAMES[position]).weights)


def test_networks_of_styles_are_read_as_they_were_written(one_style, tmp_path):
    save_styles(one_style, tmp_path)
    found = load_networks(tmp_path)
    assert found.networks == one_style.networks
    assert found.own == one_style.own
    assert np.array_equal(found.groups.centres, one_style.groups.centres)


@pytest.mark.parametrize(("name", "spec"), [("gambler", ByGambler()), ("styles", ByActions(load_styles()))])
def test_the_contract_hands_over_a_models_own_weights(name, spec, observations, tmp_path):
    behind, few = _strategy(name, tmp_path).opponents.new(None), observations[:4]
    for one, other in zip(weights(behind, few), weights(spec.new(None), few), strict=True):
        assert one == pytest.approx(other / other.max(), rel=1e-9)


def test_each_reader_decides_in_its_own_way(
    coupled_models, thesis, acting, one_style, terry_mihok, observations
):
    """The same cases behind all: what differs is the reader's weights."""
    base = load_model(coupled_models / "network")
    made = {
        "learned": LearnedNetwork(acting),
        "terry-mihok": TerryMihok(terry_mihok),
        "by-style": ByStyle(one_style, own=False),
    }
    made |= {"by-opponent": ByStyle(one_style, own=True)}
    made |= {"gambler": ByGambler().new(None), "styles": ByActions(load_styles()).new(None)}
    assert {*made, *THESIS} == {*READERS}
    player = Coupled(base.strategy, base, Features())
    boards = [each for each in observations if each.board][:8]
    found = {}
    for name, model in made.items():
        player.sit(0, RING, seed=1)
        player.full.opponents.reader = model
        found[name] = [str(player.decide(each).policy) for each in boards]
    found["network"] = [str(player.decide(each).policy) for each in boards]
    assert len({tuple(each) for each in found.values()}) >= 5


@pytest.mark.parametrize("name", THESIS)
def test_nodes_of_habits_and_prices_are_evidence(name, played, observations):
    """What such a network reads has the node; the thesis' own has none."""
    network = fit_network(list(rows_of_session(played, (THESIS[name],))), structure=THESIS[name])
    model = meet(NetworkModel(Inference(network), Weighted()), played)
    seen = next(each for each in observations if each.street == 3)
    evidence = {node for belief in believe_all(model, seen).values() for node in belief.evidence}
    node = {"aggression": "AggressionRiver", "price": "PricedActionTurn", "pot-odds": "PotOddsTurn"}.get(name)
    assert node in evidence if node else evidence <= {*STRUCTURE.nodes}


@pytest.mark.slow
def test_what_a_table_is_made_of_plays(tmp_path):
    study = CouplingStudy("heads-up", tmp_path / "heads-up", watched=200)
    study.train(THIS_PROCESS)
    make(study, 100)
    make(study, 100)  # nothing is lacking
    for name in READERS:
        spec = f"experiments.couplings.readers.arms:reader(name={name!r}, model={str(study.folder)!r})"
        table = Table(Variant.ring(2), NAMES[:2], (spec, "rule"), seed=4)
        assert play_session(table, 0, 4).net.shape == (4, 2)
