"""The posterior over all holdings: sums, known cards, suits; and the chain of the network by hand."""

import numpy as np
import pytest

from baycarp.bn import Inference
from baycarp.bn.network import Network
from baycarp.card import CLASS_OF, HOLDINGS, HOLDS, cards, holding_index
from baycarp.opponents.network.dealt import card_parents, dealt
from baycarp.opponents.network.holdings import HoldingPosterior
from baycarp.opponents.network.ranges import Pruned, TopGroups
from baycarp.opponents.network.topology import STRUCTURE, hidden, observed, topology
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types, partial_hands
from baycarp.training.priors import fit_to_dealt
from experiments.recipes.dealt_counts import count

BOARD = tuple(cards("Kh8d7d6c2d").tolist())
SMALL = (topology("odds", classes=True), topology("priced", partial=True))


def random_network(structure, seed):
    rng = np.random.default_rng(seed)
    cpts = {}
    for node in structure.nodes:
        table = rng.random(structure.shape(node)) + 0.05
        cpts[node] = table / table.sum(axis=-1, keepdims=True)
    return Network(structure, cpts)


def random_evidence(structure, street, rng):
    given = {"Board": "KLow", "BoardChangeTurn": "Low", "BoardChangeRiver": "Low",
            "FlushBoardFlop": "Draw", "StraightBoardFlop": "Draw", "FlushChangeTurn": "Draw_Draw",
            "StraightChangeTurn": "Draw_Possible", "FlushChangeRiver": "Draw_Possible",
            "StraightChangeRiver": "Possible_Possible"}  # fmt: skip
    return {
        node: given.get(node) or str(rng.choice(structure.states[node]))
        for node in observed(structure, street)
    }


@pytest.fixture(scope="module", params=SMALL, ids=["odds", "priced"])
def holdings(request):
    return HoldingPosterior(Inference(random_network(request.param, 1)))


def test_each_holding_has_the_networks_chain_over_the_deals(holdings):
    network, rng = holdings.inference.network, np.random.default_rng(2)
    structure = network.structure
    for street in range(4):
        board = BOARD[: (0, 3, 4, 5)[street]]
        evidence = random_evidence(structure, street, rng)
        found = holdings(evidence, board, street)
        assert found.sum() == pytest.approx(1)
        assert not found[HOLDS[list(board)].any(axis=0)].any()
        free = rng.choice(np.flatnonzero(~HOLDS[list(board)].any(axis=0)), 5)
        likely = [by_hand(network, evidence, BOARD, street, holding) for holding in free]
        np.testing.assert_allclose(found[free] / found[free[0]], np.array(likely) / likely[0])


def by_hand(network, evidence, board, street, holding):
    structure, product = network.structure, 1.0
    states = dict(evidence)
    states["HandGroup"] = GROUPS[GROUP_OF[holding]]
    for node, shown in (("HandType", 3), ("HandTypeTurn", 4), ("HandTypeFinal", 5)):
        if shown <= street + 2:
            states[node] = TYPES[hand_types(board[:shown])[holding]]
    for node, shown in (("PartialHandFlop", 3), ("PartialHandTurn", 4)):
        if node in structure.nodes and shown <= street + 2:
            states[node] = structure.states[node][partial_hands(board[:shown])[holding]]
    if "HandClass" in structure.nodes:
        states["HandClass"] = structure.states["HandClass"][CLASS_OF[holding]]
    for node in hidden(structure, street):
        row = network.cpt(node)
        parents = card_parents(structure, node)
        odds = dealt(parents, node)
        for parent in structure.parents[node]:
            row = row[structure.states[parent].index(states[parent])]
        for parent in parents:
            odds = odds[structure.states[parent].index(states[parent])]
        code = structure.states[node].index(states[node])
        product *= row[code] / odds[code]
    return product


def test_unobserved_nodes_are_summed_over():
    network, rng = random_network(STRUCTURE, 3), np.random.default_rng(4)
    evidence = random_evidence(STRUCTURE, 0, rng)
    del evidence["VPIP"], evidence["PFR"]
    groups = Inference(network).posterior(evidence, ("HandGroup",))["HandGroup"]
    expected = (groups / dealt((), "HandGroup"))[GROUP_OF]
    found = HoldingPosterior(Inference(network))(evidence, (), 0)
    np.testing.assert_allclose(found, expected / expected.sum())


def test_suits_are_exchangeable(holdings):
    evidence = random_evidence(holdings.inference.network.structure, 2, np.random.default_rng(5))
    changed = [2, 0, 3, 1]

    def turn(card):
        return 4 * (int(card) // 4) + changed[int(card) % 4]

    board = BOARD[:4]
    found = holdings(evidence, board, 2)
    other = holdings(evidence, tuple(turn(card) for card in board), 2)
    places = [holding_index(turn(hi), turn(lo)) for hi, lo in HOLDINGS]
    np.testing.assert_allclose(other[places], found)


def test_the_shares_of_the_deal_by_counting():
    groups = np.bincount(GROUP_OF, minlength=10) / 1326
    np.testing.assert_allclose(dealt((), "HandGroup"), groups, rtol=2e-3)
    types = dealt((), "HandType")  # two cards and a flop are five cards of a pack: known frequencies
    made = [types[0], types[1:10].sum(), *types[10:15]]
    known = [0.501177, 0.422569, 0.047539, 0.021128, 0.003925, 0.001965, 0.001441]
    np.testing.assert_allclose(made, known, rtol=0.02)
    assert sum(count(2, seed=9)["HandTypeFinal"].ravel()) == 2 * 1081
    pairs = {"AA": "HandGroup1", "22": "HandGroup7"}
    classes = dealt(("HandGroup",), "HandClass")
    for name, group in pairs.items():
        row, column = GROUPS.index(group), topology(classes=True).states["HandClass"].index(name)
        size = (row == GROUP_OF).sum()
        assert classes[row, column] == pytest.approx(6 / size, rel=0.02)


def test_much_evidence_outweighs_the_deal_and_none_leaves_it():
    rng = np.random.default_rng(6)
    evidence = {node: np.zeros(STRUCTURE.shape(node), np.int64) for node in STRUCTURE.nodes}
    nothing = fit_to_dealt(STRUCTURE, evidence, 10.0)
    truth = {}
    for node in STRUCTURE.nodes:
        leaning = nothing.cpt(node) * rng.uniform(0.5, 2.0, STRUCTURE.shape(node))
        truth[node] = leaning / leaning.sum(axis=-1, keepdims=True)
        evidence[node] = (1e7 * truth[node]).astype(np.int64)
    fitted = fit_to_dealt(STRUCTURE, evidence, 10.0)
    for node in STRUCTURE.nodes:
        np.testing.assert_allclose(fitted.cpt(node), truth[node], atol=1e-4)
    belief = HoldingPosterior(Inference(nothing))(random_evidence(STRUCTURE, 3, rng), BOARD, 3)
    np.testing.assert_allclose(belief[belief > 0], 1 / 1081)


def test_pruning_keeps_the_likely_types_of_the_groups():
    wide = TopGroups(2)({"HandGroup1": 0.6, "HandGroup2": 0.4}, BOARD)
    types = {"KingPairWeak": 0.7, "AcePairStrong": 0.25, "Busted": 0.05}
    narrow = Pruned(TopGroups(2))({"HandGroup1": 0.6, "HandGroup2": 0.4}, BOARD, types)
    left = {TYPES[code] for code in hand_types(BOARD)[narrow > 0]}
    assert left <= {"KingPairWeak", "AcePairStrong"}
    assert 0 < narrow.sum() < wide.sum()
    assert not narrow[wide == 0].any()
    impossible = Pruned(TopGroups(2))({"HandGroup1": 0.6, "HandGroup2": 0.4}, BOARD, {"StraightFlush": 1.0})
    assert np.array_equal(impossible, wide)
