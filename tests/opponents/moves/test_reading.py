"""Clusters and holdings of opponents beside Bayes written out, and the file of their models."""

from collections import Counter

import numpy as np
import pytest
from reference.features import features

from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.errors import ArgumentError, ModelError, SchemaError
from baycarp.game import Action, State, Variant
from baycarp.kernels.game import CALL, FOLD, RAISE
from baycarp.kernels.search import CHOICES, INPUTS, TreePolicies, bucket_table, hand_choices
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.players import BLIND, Players, load_players, save_players
from baycarp.opponents.moves.reading import PUBLISHED, TREES, Reader
from baycarp.rules.features import MOVES, SITUATIONS, coded
from baycarp.trees import DecisionTree

TWO, SIX = Variant.load("holdem.nolimit.2p.100bb"), Variant.load("holdem.nolimit.6p.100bb")
LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
SIZES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
NAMES = ("ann", "bob")


def leaf(fold, call):
    rest = (1 - fold - call) / (CHOICES - 2)
    return [fold, call, *[rest] * (CHOICES - 2)]


def by_bucket(edge, below, above):
    """A tree that splits by the bucket."""
    nodes = np.array([(edge - 0.5, INPUTS - 1, 1), (0, -1, 0), (0, -1, 1)], NODE)
    return DecisionTree(nodes, np.array([leaf(*below), leaf(*above)]))


@pytest.fixture
def two_clusters():
    """The first folds and checks what is weak, the second calls with anything."""
    tight = (by_bucket(15, (0.8, 0.15), (0.05, 0.15)),) * len(SITUATIONS)
    loose = (by_bucket(15, (0.1, 0.8), (0.1, 0.8)),) * len(SITUATIONS)
    return Players((tight, loose, tight), (0.75, 0.25))


def played(game, *actions, **cards_known):
    state = State(game)
    for action in actions:
        state.apply(action if isinstance(action, Action) else state.named(action))
    state.deal(cards_known.get("holes", {}), cards_known.get("board"))
    return state


def test_the_joint_of_cluster_and_holding(two_clusters):
    """Ann (position 0) calls a raise; nodes of the tight cluster have 0.15, those of the loose one 0.8."""
    state = played(TWO, "raise", "call", holes={1: "AhAd"}, board="Kc7d2s")
    state.apply(Action("bet", 100))
    joint = Reader(two_clusters, confidence=PUBLISHED).joint(state.observe(1, NAMES))[0]
    weak = OUTS.on((), 2) < 15
    bold = (1 - 0.1 - 0.8) / 8, (1 - 0.05 - 0.15) / 8, (1 - 0.8 - 0.15) / 8
    free = [
        not {48 + 2, 48 + 1} & set(hole) and not set(hole) & set(map(int, cards("Kc7d2s")))
        for hole in HOLDINGS
    ]
    known = np.zeros((2, 1326))
    flop_weak = OUTS.on(tuple(map(int, cards("Kc7d2s"))), 2) < 15
    legal = 1 - np.where(flop_weak, 0.8, 0.05), 1 - 0.1  # a free check leaves no fold
    known[0] = 0.75 * 0.15 * np.where(flop_weak, bold[2], bold[1]) / legal[0]
    known[1] = 0.25 * 0.8 * bold[0] / legal[1]
    known *= np.array(free)
    assert weak.any()
    found = joint[:2] / joint[:2].sum()
    assert found == pytest.approx(known / known.sum(), abs=1e-12)
    assert joint.sum() == pytest.approx(1)
    assert not joint[:, ~np.array(free)].any()


def test_clusters_that_cannot_explain_a_player_keep_their_shares():
    """Bob raises 400 times; clusters have 0.13 of that at most, and 0.13^400 is 0 beside its own model."""
    hardly = (by_bucket(15, (0.98, 0.0199), (0.98, 0.0199)),) * len(SITUATIONS)
    reader = Reader(Players((hardly, hardly, hardly), (0.75, 0.25)), confidence=PUBLISHED)
    for number in range(400):
        reader.learn(played(TWO, "raise", "fold").observe(0, NAMES, hand=number))
    assert not reader.membership("bob")[:-1].any()
    observation = played(TWO, "raise", holes={0: "AhAd"}).observe(0, NAMES, hand=400)
    assert reader.joint(observation)[1].sum() == pytest.approx(1)
    own = reader.moves(observation)[1][0].chances[-1]
    assert own.sum(axis=1) == pytest.approx(1)
    assert (own.max(axis=1) > 0.9).all()


def test_memberships_follow_the_hands(two_clusters):
    reader = Reader(two_clusters, window=30, own=0, confidence=PUBLISHED)
    assert reader.membership("ann")[:2] == pytest.approx(np.array([0.75, 0.25]) * (1 - 0.02 * len(BLIND)))
    folded = played(TWO, "raise", "fold")
    called = played(TWO, "raise", "call", board="Kc7d2s")
    for _ in range(40):
        reader.learn(folded.observe(1, NAMES))
    assert reader.membership("ann")[0] > 0.95
    for _ in range(40):
        reader.learn(called.observe(1, NAMES))
    calls = reader.membership("ann")
    assert calls[2] > 0.9  # without regard to its cards; the folds are out of the window
    assert reader.membership("bob") != pytest.approx(calls)


def test_a_shown_holding_counts_as_it_was(two_clusters):
    """Two hands of the same actions: the tight cluster does not check aces three times."""
    found = []
    for hole in ("7c2d", "AsAc"):
        reader = Reader(two_clusters)
        state = played(
            TWO,
            "raise",
            "raise",
            "call",
            "check",
            "check",
            "check",
            "check",
            "check",
            "check",
            holes={0: hole, 1: "KhKd"},
            board="9s8d3cJh4h",
        )
        assert state.is_over
        reader.learn(state.observe(1, NAMES))
        found.append(reader.membership("ann")[0])
    assert found[1] < found[0]


def checked_down(hole):
    """Ann raises before the flop, and all is checked until both show."""
    checks = ["check"] * 6
    return played(TWO, "raise", "call", *checks, holes={0: "KhKd", 1: hole}, board="9s8d3cJh4h")


def test_what_is_shown_decides_how_far_actions_are_relied_on(two_clusters):
    """Bob raises and shows: what his raises promise, or any cards; hidden, he is as he began."""
    found = {}
    for name, holes in {"any": ("7c2d", "6c2s", "Qd7s"), "promised": ("AsAc", "QsQc", "AhKc")}.items():
        reader = Reader(two_clusters, own=0)  # a model of its own would learn what it shows
        before = reader.reliance("bob").blind
        for number in range(30):
            reader.learn(checked_down(holes[number % 3]).observe(None, NAMES, hand=number))
        found[name] = reader.reliance("bob")
    raises = [each.power[1] for each in found.values()]
    assert raises[0] < raises[1]
    assert found["promised"].blind < before < found["any"].blind
    hidden = Reader(two_clusters)
    for number in range(30):
        hidden.learn(played(TWO, "raise", "fold").observe(0, NAMES, hand=number))
    assert hidden.reliance("bob").blind == pytest.approx(before)


def test_a_player_of_whom_nothing_is_known_is_in_part_the_deal(two_clusters):
    """No holding has less than its share of that: no truth costs more than the logarithm."""
    state = played(TWO, "raise", "call", holes={1: "AhAd"}, board="Kc7d2s")
    state.apply(Action("bet", 100))
    observation = state.observe(1, NAMES)
    least = []
    for confidence in (TREES, PUBLISHED):
        held = Reader(two_clusters, confidence=confidence).joint(observation)[0].sum(axis=0)
        assert held.sum() == pytest.approx(1)
        least.append(held[held > 0].min() * (held > 0).sum())
    assert least[0] > max(TREES.blind, least[1])


def test_policies_of_the_search_are_the_trees():
    """At decisions of random hands the moves' probabilities are those of Python's features and trees."""
    rng = np.random.default_rng(2)
    shipped = load_players()
    for number in range(60):
        game = (TWO, SIX)[number % 2]
        state = State(game, deck=rng.permutation(52)[: 2 * game.seats + 5].astype(np.uint8))
        while not state.is_over:
            acts = coded([act.action for act in state.acts])
            moves, chances = shipped.policies.moves(state, acts, state.observe().board, SIZES, OUTS.count)
            cluster, bucket = int(rng.integers(len(shipped.shares))), int(rng.integers(OUTS.count))
            row = np.append(features(state), bucket)
            values = shipped.trees[cluster][2 * state.street + bool(state.owed)](row[None])[0]
            assert chances[cluster, bucket] == pytest.approx(expected(state, moves, values))
            legal = state.legal_actions()
            weights = np.array([0.2 if action.name == "fold" else 1.0 for action in legal])
            state.apply(legal[int(rng.choice(len(legal), p=weights / weights.sum()))])


def expected(state, moves, values):
    """The probabilities of moves by the definition in ``search_trees.h``."""
    choices = []
    for kind, amount in moves:
        after = [*coded([act.action for act in state.acts]), (kind, amount)]
        stacks = tuple(map(sum, zip(state.stacks, state.committed, strict=True)))
        choices.append(int(hand_choices(state.rules, stacks, after)[0][-1]))
    sharing = Counter(choices)
    found = np.array([values[choice] / sharing[choice] for choice in choices])
    bold = np.array(choices) >= 2
    if bold.any():
        found[bold] *= values[2:].sum() / found[bold].sum()
    return found / found.sum()


def test_choices_are_moves_and_all_in():
    state = played(TWO, Action("raise", 300), "call", Action("bet", 600), board="Kc7d2s")
    actions = coded([act.action for act in state.acts])
    found, _ = hand_choices(state.rules, (10_000, 10_000), [*actions, (2, 9700)])
    assert [MOVES[choice] for choice in found[:2].tolist()] == ["p", "check or call"]
    assert found[-1] == len(MOVES)
    assert hand_choices(state.rules, (10_000, 10_000), [*actions, (FOLD, 0)])[0][-1] == 0


def test_legal_choices_are_those_of_all_legal_actions():
    """Every amount of every decision of random hands with short stacks, one by one."""
    rng = np.random.default_rng(5)
    for game in (TWO, SIX, LIMIT):
        stacks = tuple(
            int(chips) for chips in rng.integers(max(game.blinds) // 2, 9 * max(game.blinds), game.seats)
        )
        state = State(game, stacks=stacks)
        while not state.is_over:
            acts = coded([act.action for act in state.acts])
            raised = [each.amount for each in state.legal_actions() if each.name in ("bet", "raise")]
            every = [(CALL, 0), *[(FOLD, 0)] * bool(state.owed)]
            every += [(RAISE, amount) for amount in range(min(raised), max(raised) + 1)] if raised else []
            found = [hand_choices(state.rules, stacks, [*acts, action]) for action in every]
            legal = found[0][1][-1]
            assert set(np.flatnonzero(legal)) == {int(choices[-1]) for choices, _ in found}
            state.apply(state.legal_actions()[int(rng.integers(len(state.legal_actions())))])


def test_a_call_of_a_capped_street_is_read_beside_a_fold_alone(two_clusters):
    """Ann raises, and calls Bob's last raise of the street: there, her raises are not legal."""
    state = played(LIMIT, "raise", "raise", "raise", holes={1: "AhAd"})
    assert [action.name for action in state.legal_actions()] == ["fold", "call"]
    state.apply(state.named("call"))
    joint = Reader(two_clusters, confidence=PUBLISHED).joint(state.observe(1, NAMES))[0]
    weak = OUTS.on((), 2) < 15
    free = np.array([not {48 + 2, 48 + 1} & set(hole) for hole in HOLDINGS])
    known = np.zeros((2, 1326))
    known[0] = 0.75 * np.where(weak, 0.05 * 0.15 / 0.95, 0.8 * 0.15 / 0.2)
    known[1] = 0.25 * 0.1 * 0.8 / 0.9
    known *= free
    assert joint[:2] / joint[:2].sum() == pytest.approx(known / known.sum(), abs=1e-12)


def test_buckets_rank_holdings():
    board = tuple(map(int, cards("Ts9c2h")))
    found = {
        text: int(OUTS.on(board, 2)[holding_index(*map(int, cards(text)))])
        for text in ("TdTh", "AdTd", "QdJd", "6d5d", "AdKd")
    }
    assert found["TdTh"] > found["AdTd"] > found["AdKd"] > found["6d5d"]
    draw = holding_index(*map(int, cards("QdJd")))  # an open straight draw
    assert found["QdJd"] > bucket_table(board, OUTS.edges[1], 0.0)[draw]
    before = OUTS.on((), 2)
    assert before[holding_index(*map(int, cards("AsAh")))] == OUTS.count - 1
    assert np.bincount(before, minlength=OUTS.count).max() < 250
    for street_board in (board, (*board, 0), (*board, 0, 13)):
        assert not OUTS.on(street_board, 2)[holding_index(board[0], board[1])]
    with pytest.raises(ArgumentError):
        bucket_table(board, OUTS.edges[1], 0.5)


def test_the_file_of_models(two_clusters, tmp_path):
    path = tmp_path / "players.npz"
    save_players(two_clusters, path, "tests")
    again = load_players(path)
    assert again.shares == two_clusters.shares
    assert again.trees[0][3].values == pytest.approx(two_clusters.trees[0][3].values, abs=1e-3)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ModelError):
        load_players(path)


def test_faulty_models_are_refused(two_clusters):
    with pytest.raises(SchemaError):
        Players(two_clusters.trees, (1.0,))
    nodes, values = np.array([(0.5, INPUTS, 1), (0, -1, 0), (0, -1, 1)], NODE), np.full((2, CHOICES), 0.1)
    with pytest.raises(ArgumentError, match="over 42 inputs"):
        TreePolicies([[(nodes, values)] * 8])
    with pytest.raises(ArgumentError, match="above 0"):
        TreePolicies([[(nodes, values * 0)] * 8])


def test_further_policies_are_rows_before_the_last(two_clusters):
    """Against a table of all rows made anew."""
    rng = np.random.default_rng(4)
    rows = [[(tree.nodes, tree.values) for tree in row] for row in two_clusters.trees]
    more = [[rng.dirichlet(np.ones(CHOICES), 2) for _ in SITUATIONS] for _ in range(3)]
    own = [[(nodes, new) for (nodes, _), new in zip(rows[-1], each, strict=True)] for each in more]
    inputs = rng.random((20, INPUTS)) * OUTS.count
    expected = TreePolicies([*rows[:-1], *own, rows[-1]])
    found = TreePolicies(rows).extended(more[:1]).extended(more[1:])
    assert found.clusters == expected.clusters == 6
    for situation in range(len(SITUATIONS)):
        assert (found.chances(inputs, situation) == expected.chances(inputs, situation)).all()
    for faulty in ([more[0][:7]], [[each[:1] for each in more[0]]], [[-each for each in more[0]]]):
        with pytest.raises(ArgumentError):
            TreePolicies(rows).extended(faulty)


def test_a_hand_that_ends_in_public_is_learned_with_the_cards_of_its_decisions(two_clusters):
    """Bob raises with aces, and Ann folds, who had them less often; without his decision they are unknown."""
    weighed = []
    for decided in (True, False):
        reader = Reader(two_clusters, own=0, confidence=PUBLISHED)
        state = played(TWO, holes={1: "AhAd"})
        if decided:
            reader.joint(state.observe(1, NAMES))
        for name in ("raise", "fold"):
            state.apply(state.named(name))
        reader.learn(state.observe(None, NAMES))
        weighed.append(reader.membership("ann")[0])
    folds = np.where(OUTS.on((), 2) < 15, 0.8, 0.05)
    free = np.array([not {48 + 2, 48 + 1} & set(hole) for hole in HOLDINGS])
    for found, possible in zip(weighed, (free, free | True), strict=True):
        blind = sum(0.02 * fold for fold, _, _ in BLIND)
        tight, loose = 0.94 * 0.75 * folds[possible].mean(), 0.94 * 0.25 * 0.1
        assert found == pytest.approx(tight / (tight + loose + blind))


def test_another_table_is_another_hand(two_clusters):
    """One reader, observations of two games and two seats with the same number and no action yet."""
    reader = Reader(two_clusters)
    for game, seat in ((TWO, 0), (SIX, 3), (SIX, 2), (TWO, 1)):
        observation = State(game).observe(seat)
        joint = reader.joint(observation)
        assert joint.shape == (game.seats, reader.policies(observation).clusters - 1, 1326)
        sums = joint.sum(axis=(1, 2))
        assert sums == pytest.approx((np.arange(game.seats) != seat).astype(float))
