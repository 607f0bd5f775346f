"""Shown situations as an opponent model, and the networks that they complete and retrieve."""

from shutil import copytree

import numpy as np
import pytest
from reference.spots import spots

from baycarp.arena.session import Table, play_session
from baycarp.bn import Inference, Network, Structure
from baycarp.bn.learn import counts
from baycarp.card import blocked_by
from baycarp.errors import ModelError
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.model import ByNetwork, NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import STRUCTURE
from baycarp.opponents.shown.local_tables import PSEUDO, LocalTables
from baycarp.opponents.shown.model import ShownModel
from baycarp.opponents.shown.retrieved_network import HANDS, RetrievedNetwork, columns_of, networks_of
from baycarp.opponents.shown.situations import PLAYERS, load_shown, situation_of
from baycarp.opponents.weights_reader import ByWeights
from baycarp.rules.hand import GROUPS, TYPES, hand_types
from baycarp.strategies.coupled import READ_BY_CASES
from baycarp.strategies.model import load_model
from baycarp.training.watch import hands_in

RING = Variant.ring(4)
NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture(scope="module")
def shown(coupled_models):
    return load_shown(str(coupled_models / "shown"))


def test_without_situations_nothing_is_read():
    with pytest.raises(ModelError, match="expected shown situations"):
        READ_BY_CASES.opponents.new(None)


@pytest.mark.parametrize("players", ["", "{}", "[[0.5]]", "[[" * 20000, "[[NaN, 0.1, 3]]", '[["a", 0.1, 3]]'])
def test_damaged_players_are_refused_by_the_name_of_their_file(players, coupled_models, tmp_path):
    folder = tmp_path / "shown"
    copytree(coupled_models / "shown", folder)
    (folder / PLAYERS).write_text(players, "utf-8")
    with pytest.raises(ModelError, match=PLAYERS):
        load_shown(str(folder))


@pytest.fixture(scope="module")
def inference(coupled_models):
    return Inference(load_model(coupled_models / "network").network)


@pytest.fixture(scope="module")
def observations():
    states = [state for state in spots(RING, 30, seed=21) if state.to_act is not None]
    return [state.observe(state.to_act, NAMES, hand) for hand, state in enumerate(states[::4])]


def met(model):
    """The same model after a session, which tells habits."""
    table = Table(RING, NAMES, ("rule", "jag", "formula(tightness=0.5)", "random"), 5)
    log = play_session(table, 0, 60).log
    for hand in hands_in("\n".join(log), table):
        model.learn(HandOver(replay(hand).observe(None, hand.players), ()))
    return model


@pytest.mark.parametrize("spec", [None, ByNetwork(), ByNetwork(Weighted())])
def test_strength_and_types_come_from_the_weights(spec, inference, observations):
    model = ByWeights(spec).new(inference)
    for observation in observations:
        for belief in believe_all(model, observation).values():
            held = belief.weights / belief.weights.sum()
            assert not belief.weights[blocked_by((*observation.hole, *observation.board))].any()
            if observation.board:
                types = hand_types(observation.board)
                mass = [held[types == code].sum() for code in range(len(TYPES))]
                assert belief.type_chances == pytest.approx(mass)


def test_without_a_reader_every_weight_is_one(observations):
    for observation in observations:
        for belief in believe_all(ByWeights().new(None), observation).values():
            free = ~blocked_by((*observation.hole, *observation.board))
            assert np.array_equal(belief.weights, free.astype(float))


def test_the_most_similar_situations_vote(shown):
    """Beside a slow count over all of them."""
    model = ShownModel(shown, nearest=15)
    base = shown.bases[3]
    columns = columns_of(shown, STRUCTURE)
    names = [feature.name for feature in base.schema.features]
    evidence = {"Position": "Late", "Action": "Raise", "ActionFlop": "Bet", "Board": "KLow"}
    values = situation_of(evidence, 3)
    alike = np.zeros(len(base))
    for name in names:
        states = STRUCTURE.states[name]
        codes = columns[name].astype(float)
        if isinstance(values[name], float | int):
            codes[codes < 0] = (len(states) - 1) / 2
            alike += 1 - np.abs(codes - values[name]) / (len(states) - 1)
        else:
            alike += codes == (states.index(values[name]) if values[name] in states else -1)
    nearest = np.argsort(-np.round(alike, 9), kind="stable")[:15]
    groups = np.bincount(columns["HandGroup"][nearest], minlength=len(GROUPS))
    assert model.votes(evidence, 3).groups.tolist() == groups.tolist()


def test_similar_situations_move_the_belief_towards_their_cards(shown, observations):
    sure = ShownModel(shown, nearest=1)
    for observation in observations:
        for belief in believe_all(sure, observation).values():
            assert belief.weights[belief.weights > 0].size
            assert not belief.weights[blocked_by((*observation.hole, *observation.board))].any()
    before = next(each for each in observations if not each.street)
    belief = next(iter(believe_all(ShownModel(shown), before).values()))
    votes = ShownModel(shown).votes(belief.evidence, 0).groups
    dealt = np.bincount(
        np.asarray([GROUPS.index(name) for name in belief.groups]), belief.group_chances, len(GROUPS)
    )
    assert np.corrcoef(votes, dealt)[0, 1] > 0.95


@pytest.mark.slow
def test_local_tables_of_all_showdowns_have_no_arcs_into_the_group(shown, inference, observations):
    own = LocalTables(inference, shown, nearest=len(shown.bases[0]))
    parents = {**STRUCTURE.parents, "HandGroup": ()}
    structure = Structure(STRUCTURE.states, parents)
    rows = counts(structure, {"HandGroup": columns_of(shown, STRUCTURE)["HandGroup"]})["HandGroup"]
    row = (rows + PSEUDO / len(GROUPS)) / (rows.sum() + PSEUDO)
    tables = {node: inference.network.cpt(node) for node in STRUCTURE.nodes} | {"HandGroup": row}
    posterior = HoldingPosterior(Inference(Network(structure, tables)))
    for observation in observations:
        for belief in believe_all(own, observation).values():
            held = posterior(belief.evidence, observation.board, observation.street)
            held[blocked_by(observation.hole)] = 0
            assert belief.weights == pytest.approx(held / held.sum())


def test_a_player_has_the_pool_and_its_own_showdowns(shown, inference):
    players = networks_of(inference.network, shown)
    own = shown.bases[0].columns()["provenance"]["player"]
    codes = columns_of(shown, STRUCTURE)
    for number, network in enumerate(players):
        boards = np.bincount(codes["Board"][own == number], minlength=len(STRUCTURE.states["Board"]))
        expected = boards + 20 * inference.network.cpt("Board")
        assert network.cpt("Board") == pytest.approx(expected / expected.sum())


def test_infinitely_reliable_is_the_pool(shown, inference, observations):
    pool = met(NetworkModel(inference, Weighted()))
    never, always = (met(RetrievedNetwork(inference, shown, least)) for least in (np.inf, 0))
    apart = 0
    for observation in observations:
        beliefs = [believe_all(model, observation) for model in (pool, never, always)]
        for position in beliefs[0]:
            weights = [each[position].weights for each in beliefs]
            assert np.array_equal(weights[0], weights[1])
            apart += not np.array_equal(weights[0], weights[2])
    assert apart


def test_habits_of_few_hands_retrieve_nothing(shown, inference):
    model = RetrievedNetwork(inference, shown, 0)
    assert model.retrieved("Ann") is None
    met(model)
    assert model.statistics.of("Ann").hands >= HANDS
    assert any(model.retrieved(name) is not None for name in NAMES)
