import json
from itertools import combinations

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.arena.journal import Journal
from baycarp.arena.ranking import rank_agents
from baycarp.card import HOLDINGS, HOLDS, blocked_by, text
from baycarp.errors import JournalError, TableError
from baycarp.game import State
from baycarp.kernels.hands import rank
from baycarp.strategies.sartre import GAME
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.table_play import BatchPlay
from experiments.__main__ import main
from experiments.cases.class_tables import ClassTable, betting_tree
from experiments.cases.versus import BoardRun, Pairing, boards, rates, round_robin, winnings, winnings_on

TREE = betting_tree(GAME)
TABLES = {}


def table(spec):
    if spec not in TABLES:
        TABLES[spec] = ClassTable(load(spec), TREE)
    return TABLES[spec]


def won_by(one, other, board):
    return winnings([Pairing(table(one), table(other))], board)[0]


def test_the_betting_has_every_decision_and_every_end():
    assert len(TREE.nodes) == 8 + 70 + 630 + 5670
    assert sum(end.folded is None for end in TREE.ends) == 7 * 9 * 9 * 9


def test_what_one_wins_the_other_loses_and_no_player_wins_from_itself():
    board = boards(1, seed=3)[0]
    one = winnings([Pairing(table(spec), table("random")) for spec in ("random", "rule")], board)
    other = winnings([Pairing(table("random"), table("rule"))], board)
    assert one[0].sum() == pytest.approx(0, abs=1e-4)
    assert one[1, 0] == pytest.approx(-other[0, 1], abs=1e-4)
    assert one[1, 1] == pytest.approx(-other[0, 0], abs=1e-4)


def test_two_players_without_a_choice_are_compared_by_their_hands_alone():
    board = boards(1, seed=5)[0]
    holdings = np.flatnonzero(~blocked_by(board)).tolist()
    hands = np.array([[*board, *HOLDINGS[holding]] for holding in holdings], np.uint8)
    ranks = np.asarray(rank(hands)).astype(int).tolist()
    cards = [set(HOLDINGS[holding].tolist()) for holding in holdings]
    pairs = [(a, b) for a, b in combinations(range(1081), 2) if not cards[a] & cards[b]]
    assert 2 * len(pairs) == 1081 * 990
    assert any(ranks[a] != ranks[b] for a, b in pairs)
    found = won_by("call", "raise", board)
    assert found == pytest.approx(np.zeros(2), abs=1e-3)  # the same pot, whoever holds what


def slowly(one, other, board, position):
    """The mean over pairs of holdings in float64, end by end of the betting; showdowns as a matrix."""
    free = np.flatnonzero(~blocked_by(board))
    held = HOLDS[:, free].astype(float)
    apart = held.T @ held == 0
    hands = np.array([[*board, *HOLDINGS[holding]] for holding in free], np.uint8)
    ranks = np.asarray(rank(hands)).astype(int)
    shown = np.sign(ranks[:, None] - ranks) * apart
    classes = [[each[free] for each in player.classes(board)] for player in (one, other)]
    folded, met = [], []

    def walk(number, own, reach):
        if number < 0:
            end = TREE.ends[-1 - number]
            sign = -1 if end.folded == position else 1
            (met if end.folded is None else folded).append((sign * end.chips * own, reach))
            return
        node = TREE.nodes[number]
        mine = node.state.to_act == position
        policies = (one if mine else other).policies[number][classes[not mine][node.state.street]]
        for child, chances in zip(node.children, policies.T, strict=True):
            if child is not None:
                walk(child, own * chances if mine else own, reach if mine else reach * chances)

    walk(0, np.ones(len(free)), np.ones(len(free)))
    sums = 0.0
    for ends, matrix in ((folded, apart.astype(float)), (met, shown)):
        own, reach = (np.array(rows) for rows in zip(*ends, strict=True))
        sums += (own * (reach @ matrix.T)).sum()
    return sums / (1081 * 990)


@pytest.mark.slow
def test_the_walk_agrees_with_a_slow_one():
    """Players of several classes, of other numbers on each street."""
    board = boards(1, seed=6)[0]
    found = won_by("rule", "equilibrium", board)
    for position in (0, 1):
        slow = slowly(table("rule"), table("equilibrium"), board, position)
        assert found[position] == pytest.approx(slow, abs=2e-5)
    assert slow != pytest.approx(0, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [("random", "rule"), ("jag", "call")])
def test_played_hands_agree(one, other):
    board, hands = boards(1, seed=8)[0], 40_000
    draw = np.random.default_rng(4)
    deck = np.array([card for card in range(52) if card not in board])
    holes = deck[np.argsort(draw.random((hands, 47)), axis=1)[:, :4]]
    decks = np.concatenate([holes, np.tile(board, (hands, 1))], axis=1).astype(np.uint8)
    won = won_by(one, other, board)
    for position in (0, 1):
        specs = (one, other) if position == 0 else (other, one)
        play = BatchPlay(tuple(HoldingClasses(load(spec), TREE.variant) for spec in specs), TREE.variant)
        played = play.play(decks, draw)
        chips = np.array([chips_of(state) for state in play.endings])[played.endings]
        shown = np.array([len(state.seats_in) == 2 for state in play.endings])[played.endings]
        own = np.where(shown, np.abs(chips) * played.outcomes, chips) * (1 - 2 * position)
        error = own.std() / np.sqrt(hands)
        assert error < 0.6
        assert abs(own.mean() - won[position]) < 4 * error


def chips_of(state):
    """What position 0 wins where a player folded; the size of the loss at a showdown."""
    return min(state.committed) * (1 if state.seats_in[0] == 0 else -1)


def test_results_do_not_depend_on_the_number_of_boards_behind_them():
    specs, drawn = ["raise"], boards(2, seed=1)
    found = winnings_on(specs, "call", drawn, GAME)
    assert found.shape == (2, 1)
    assert winnings_on(specs, "call", drawn[:1], GAME).tolist() == found[:1].tolist()
    assert drawn[:1] == boards(1, seed=1)
    (rate,) = rates(found)
    assert rate.mean == pytest.approx(found.mean())
    assert rate.n == 2


@pytest.mark.slow
def test_a_journal_is_continued_to_the_same_bytes(tmp_path):
    """Cut short, longer, on two workers; of other agents it is refused, and so are values that are none."""
    specs, drawn = ["raise", "random"], [*boards(3, seed=1), boards(1, seed=1)[0]]
    found = []
    for name, parts in (("whole", ((4, 1),)), ("cut", ((1, 1), (4, 2)))):
        path = tmp_path / name / "boards.journal"
        for number, workers in parts:
            won = winnings_on(specs, "call", drawn[:number], GAME, BoardRun(workers, path=path))
        found.append((path.read_bytes(), won.tobytes()))
    assert found[0] == found[1]
    assert won.tobytes() == winnings_on(specs, "call", drawn, GAME).tobytes()
    with pytest.raises(JournalError, match="agents"):
        winnings_on(["rule", "random"], "call", drawn, GAME, BoardRun(path=path))
    damaged = tmp_path / "damaged.journal"
    header = {"kind": "tables", "agents": specs, "against": "call", "game": GAME}
    with Journal(damaged, header) as journal:
        journal.append((text(drawn[0]),), {"won": [1.0, None]})
    with pytest.raises(JournalError, match="expected 2 finite numbers"):
        winnings_on(specs, "call", drawn, GAME, BoardRun(path=damaged))


def test_a_board_in_the_journal_is_not_valued_again(tmp_path, monkeypatch):
    drawn, path = boards(2, seed=3), tmp_path / "boards.journal"
    won = winnings_on(["raise"], "call", drawn, GAME, BoardRun(path=path))
    monkeypatch.setattr("experiments.cases.versus._on_board", pytest.fail)
    assert winnings_on(["raise"], "call", drawn, GAME, BoardRun(path=path)).tolist() == won.tolist()


def test_other_games_and_other_agents_are_refused():
    with pytest.raises(TableError, match="heads-up fixed limit"):
        betting_tree("holdem.limit.3p")
    with pytest.raises(TableError, match="answers as a table"):
        winnings_on(["baycarp2"], "call", boards(1, 1), GAME)
    assert State(TREE.variant).to_act == 1


def test_a_round_robin_ranks_by_the_same_values():
    specs, drawn = ["call", "raise", "random"], boards(3, seed=2)
    found = round_robin((["a", "b", "c"], specs), drawn, GAME)
    assert found.games == ((0, 1), (0, 2), (1, 2))
    won = winnings_on(["random"], "raise", drawn, GAME)[:, 0]
    assert found.blocks[2].tolist() == np.stack([-won, won], axis=1).tolist()
    ranking = rank_agents(found, "total bankroll", 100, 1)
    rates = [found.rate(agent, (0, 1, 2)).mean for agent in range(3)]
    assert [ranking.places[agent] for agent in np.argsort(rates)[::-1]] == [1, 2, 3]


def test_bench_tables_prints_both_rankings(tmp_path, capsys):
    words = ["tables", "--players", "call", "X=raise", "--boards", "3", "--round-robin"]
    words += ["--journal", str(tmp_path)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "total bankroll" in printed
    assert "instant run-off" in printed
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["call", "X"]
    assert (tmp_path / "boards-0.journal").exists()
