"""Readings of unknown players: what is predicted without their cards, beside Bayes written out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.errors import ArgumentError
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.phh import write_phhs
from baycarp.kernels.search import CHOICES, INPUTS
from baycarp.kernels.trees import NODE
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.players import BLIND, Players, load_players
from baycarp.opponents.moves.reading import PUBLISHED
from baycarp.rules.features import SITUATIONS
from baycarp.trees import DecisionTree
from experiments.__main__ import main
from experiments.beliefs.no_limit import one_model, scored, sessions_of_styles

TWO = Variant.load("holdem.nolimit.2p.100bb")
CALLED = "STATE:0:cc/cc/cc/cc:8dKc|Td2d/8h4dAc/7s/5s:100|-100:ann|bob"
FOLDED = "STATE:1:cr300f:8dKc|Td2d:-100|100:bob|ann"


@pytest.fixture(scope="module")
def sessions():
    return list(sessions_of_styles(TWO, 100, 3, 60))


def by_bucket(weak, strong):
    """Trees of one cluster: fold and call below and from bucket 15, the same in every situation."""
    rows = [
        [fold, call, *[(1 - fold - call) / (CHOICES - 2)] * (CHOICES - 2)] for fold, call in (weak, strong)
    ]
    nodes = np.array([(14.5, INPUTS - 1, 1), (0, -1, 0), (0, -1, 1)], NODE)
    return (DecisionTree(nodes, np.array(rows)),) * len(SITUATIONS)


def test_bayes_written_out():
    """Ann calls the small blind and folds to a raise; her holding was hidden, and is scored."""
    trees = by_bucket((0.6, 0.3), (0.1, 0.5))
    found = scored([[parse_state(FOLDED, TWO)]], Players((trees, trees), (1.0,)), own=0, confidence=PUBLISHED)
    weak, informed = OUTS.on((), 2) < 15, 1 - 0.02 * len(BLIND)
    called, folded = np.where(weak, 0.3, 0.5), np.where(weak, 0.6, 0.1)
    by_cluster = [(informed, called, folded), *((0.02, call, fold) for fold, call, _ in BLIND)]
    once = sum(share * np.ones(1326) * call for share, call, _ in by_cluster) / 1326
    both = sum(share * np.ones(1326) * call * fold for share, call, fold in by_cluster) / 1326
    assert found.choices.loss[0] == pytest.approx(-np.log(once.sum()))
    assert found.choices.loss[1] == pytest.approx(-np.log(both.sum() / once.sum()))
    ann = holding_index(*parse_state(FOLDED, TWO).holes[1])
    assert found.folded.loss == pytest.approx([-np.log(both[ann] / both.sum())])
    assert found.folded.deal == pytest.approx([np.log(1326)])
    assert not len(found.shown.loss)


def test_without_a_dependence_on_cards_a_holding_is_the_deal():
    trees = by_bucket((0.3, 0.4), (0.3, 0.4))
    found = scored([[parse_state(CALLED, TWO)]], Players((trees, trees), (1.0,)))
    assert found.shown.loss == pytest.approx(found.shown.deal)
    assert found.shown.deal == pytest.approx(np.log((~blocked_by(parse_state(CALLED, TWO).board)).sum()))
    assert len(found.choices.loss) == 8


def test_hidden_cards_change_no_prediction(sessions):
    """Where a hand ends without a showdown, other hole cards leave the losses of all choices as they are."""
    other = []
    for hand in sessions[0]:
        hidden = len(hand.board) < 5
        free = np.flatnonzero(~blocked_by([*hand.board, *hand.holes[0], *hand.holes[1]]))
        hole = tuple(int(card) for card in HOLDINGS[free[len(free) // 2]])
        other.append(replace(hand, holes=(hole, hand.holes[1])) if hidden else hand)
    found = [scored([each], load_players()) for each in (sessions[0], other)]
    assert (found[0].choices.loss == found[1].choices.loss).all()
    assert (found[0].folded.loss != found[1].folded.loss).any()


@pytest.mark.slow
def test_the_shipped_models_know_players_they_have_not_met(sessions):
    shipped = load_players()
    read, one = scored(sessions, shipped), scored(sessions, one_model(shipped), own=0)
    mean, margin = read.choices.less_than(one.choices)
    assert mean > margin
    for kind in (read.folded, read.shown):
        mean, margin = kind.less_than_deal()
        assert mean > margin
    assert read.choices.mean(0, 30)[0] != read.choices.mean(30)[0]


def test_sessions_without_a_decision_are_refused():
    with pytest.raises(ArgumentError, match="decision"):
        scored([], load_players())
    hidden = parse_state(FOLDED.replace("8dKc|Td2d", "|Td2d"), TWO)
    with pytest.raises(ArgumentError, match="known hole cards"):
        scored([[hidden]], load_players())


def test_the_command(capsys):
    words = ["beliefs", "--no-limit", "--sessions", "2", "--hands", "20"]
    assert main([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    names = ("one model", "clusters", "as published", "clusters and individual")
    assert list(rows) == [f"mcts, {name}" for name in names]
    assert main(words) == 0
    assert f"{rows['mcts, clusters']['choice'][0]:.4f}" in capsys.readouterr().out
    assert main([*words, "--game", "holdem.limit.2p.reverse_blinds"]) == 1


def test_people_of_an_archive_are_read(capsys, tmp_path):
    path = tmp_path / "few.phhs"
    hand = parse_state(FOLDED, TWO)
    write_phhs(path, [hand] * 3)
    assert main(["beliefs", "--no-limit", "--people", str(path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows["mcts, as published"]["folded"][0] != rows["mcts, clusters and individual"]["folded"][0]
