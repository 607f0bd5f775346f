"""Written logs: of hands that the rules allow, played by the policies, the same however they are made."""

import os
from collections import Counter
from hashlib import sha256

import numpy as np
import pytest
from scipy.stats import chi2

from baycarp.agents.registry import load
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.card import HOLDINGS
from baycarp.cli import main
from baycarp.errors import ModelError, TableError
from baycarp.game import State, Variant
from baycarp.game.notation.acpc import format_state, read_log
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.notation.phh import read_phhs
from baycarp.kernels.game import deal
from baycarp.solvers.buckets.boards import canonical, canonical_boards, canonical_codes
from baycarp.training import log_writer
from baycarp.training.holding_classes import HoldingClasses
from baycarp.training.log_writer import LogPlan
from baycarp.training.table_play import BatchPlay
from baycarp.training.watch import alone
from benchmarks.records import sessions_of

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
MIXED = ("frequency(fold=0.1, raises=0.3)", "frequency(fold=0.2, raises=0.2, bet=0.3)")


def plan(specs=MIXED, hands=300, format="acpc", seed=3, names=("a{0}", "b%'c")):
    return LogPlan(Table(GAME, names, tuple(specs), seed), hands, format)


def written(paths):
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.parametrize("format", ["acpc", "phh"])
def test_every_hand_replays_with_its_chips_and_all_cards(tmp_path, format):
    (path,) = plan(format=format).run(tmp_path)
    hands = list(read_log(path, GAME) if format == "acpc" else read_phhs(path))
    assert [int(hand.id) for hand in hands] == list(range(300))
    endings = Counter()
    for hand in hands:
        state = replay(hand)
        assert state.is_over
        assert all(len(hole) == 2 for hole in hand.holes)
        assert hand.payoffs == state.payoffs()
        endings[len(state.seats_in), len(state.board)] += 1
        deck = deal(3, 0, int(hand.id), 9)
        assert bytes(sum(hand.holes, ()) + hand.board) == deck[: 4 + len(hand.board)]
        assert hand.players == (("b%'c", "a{0}") if int(hand.id) % 2 == 0 else ("a{0}", "b%'c"))
    assert len(endings) == 5  # a showdown, and folds on each street


def test_a_log_may_have_one_hand(tmp_path):
    (path,) = plan(hands=1).run(tmp_path)
    assert len(list(read_log(path, GAME))) == 1


def test_both_formats_have_the_same_hands(tmp_path):
    (log,), (phh,) = (plan(format=f).run(tmp_path / f) for f in ("acpc", "phh"))
    lines = [format_state(hand) for hand in read_log(log, GAME)]
    assert lines == log.read_text().splitlines()
    names = [
        Hand(h.variant, h.actions, h.holes, h.board, None, h.players, h.payoffs, int(h.id))
        for h in read_phhs(phh)
    ]
    assert lines == [format_state(hand) for hand in names]


def test_players_without_chance_play_as_in_a_match(tmp_path):
    """Rules have one action a spot: played as tables and hand by hand, the same decks give the same bytes."""
    made = plan(("rule", "station"), 60)
    assert log_writer._by_tables(made, str(tmp_path), (0, 60)) == log_writer._by_decisions(made, (0, 60))


class Coin:
    """A table by the betting: the class is the parity of the higher rank, and of the board's first rank."""

    def hand_classes(self, state):
        own = HOLDINGS.max(axis=1) // 4 % 2
        return (own + 2 * (max(state.board) // 4 % 2) if state.board else own).astype(np.uint16)

    def class_policies(self, state):
        draw = np.random.default_rng(int.from_bytes(sha256(state.betting.encode()).digest()[:4]))
        policies = draw.dirichlet([1, 2, 2], 4)
        legal = {action.name for action in state.legal_actions()}
        policies[:, 0] *= "fold" in legal
        policies[:, 2] *= bool(legal & {"bet", "raise"})
        return policies / policies.sum(axis=1, keepdims=True)


def test_actions_have_the_frequencies_of_the_policies():
    """Chi-square over all spots and classes with enough hands; both positions have their own cards."""
    player, hands = Coin(), 20_000
    decks = np.frombuffer(b"".join(deal(1, 0, n, 9) for n in range(hands)), np.uint8).reshape(-1, 9)
    classes = HoldingClasses(player, GAME)
    play = BatchPlay((classes, classes), GAME)
    played = play.play(decks, np.random.default_rng(1))
    counts = Counter()
    for deck, ending in zip(decks.tolist(), played.endings.tolist(), strict=True):
        state = State(GAME)
        for act in play.endings[ending].acts:
            own = max(deck[2 * act.seat : 2 * act.seat + 2]) // 4 % 2
            board = max(deck[4 : 4 + (0, 3, 4, 5)[act.street]], default=0) // 4 % 2
            column = {"fold": 0, "check": 1, "call": 1}.get(act.action.name, 2)
            counts[state.betting, own + 2 * board if act.street else own, column] += 1
            state.apply(act.action)
    statistic, freedom, spots = 0.0, 0, {spot[:2] for spot in counts}
    for betting, cell in spots:
        observed = np.array([counts[betting, cell, column] for column in range(3)])
        if observed.sum() < 200:
            continue
        state = State(GAME)
        for letter in betting.replace("/", ""):
            names = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}[letter]
            state.apply(next(action for action in state.legal_actions() if action.name in names))
        expected = player.class_policies(state)[cell] * observed.sum()
        legal = expected > 0
        assert not observed[~legal].any()
        statistic += ((observed - expected)[legal] ** 2 / expected[legal]).sum()
        freedom += legal.sum() - 1
    assert freedom > 100
    assert 1e-4 < chi2.sf(statistic, freedom) < 1 - 1e-4


def test_classes_on_many_boards_are_those_of_the_player():
    player = load("station")
    draw = np.random.default_rng(2)
    for street, size in ((1, 3), (2, 4), (3, 5)):
        boards = np.array([draw.permutation(52)[:size] for _ in range(6)], np.uint8)
        holdings = np.array(
            [draw.choice(np.flatnonzero(~np.isin(HOLDINGS, board).any(axis=1)), 2) for board in boards]
        )
        found = HoldingClasses(player, GAME).of(street, boards, holdings)
        for board, pair, classes in zip(boards, holdings, found, strict=True):
            state = State(GAME)
            while state.street < street:
                state.apply(state.named("call" if state.owed else "check"))
            state.deal(board=board)
            assert (player.hand_classes(state)[pair] == classes).all()


def test_codes_of_boards_are_those_of_their_canonical_forms():
    draw = np.random.default_rng(1)
    for size in (3, 4, 5):
        boards = np.array([draw.permutation(52)[:size] for _ in range(50)], np.uint8)
        forms = [canonical(board) for board in boards]
        codes, renamings = canonical_codes(boards)
        assert renamings.tolist() == [renaming for _, renaming in forms]
        own = canonical_codes(np.array([form for form, _ in forms], np.uint8))[0]
        assert (own == codes).all()
    assert (np.diff(canonical_codes(canonical_boards(3))[0]) > 0).all()


@pytest.mark.slow
def test_any_number_of_workers_and_an_interruption_give_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(log_writer, "TOGETHER", 1)
    monkeypatch.setattr(log_writer, "MANY", 1000)  # the classes on all flops and turns come first
    whole = written(plan(hands=1700).run(tmp_path / "one"))
    assert list(whole) == [f"hands-{first:09}.log" for first in (0, 500, 1000, 1500)]
    ticks = []
    paths = plan(hands=1700).run(tmp_path / "two", Workers(2), lambda *given: ticks.append(given))
    assert written(paths) == whole
    assert ticks[-1] == ("hands", 1700, 1700)
    assert {name for name, _, _ in ticks} == {"boards of 3 cards", "boards of 4 cards", "hands"}
    paths[1].unlink()
    kept = paths[2].stat().st_mtime_ns
    assert written(plan(hands=1700).run(tmp_path / "two")) == whole
    assert paths[2].stat().st_mtime_ns == kept
    with pytest.raises(ModelError, match="another table"):
        plan(hands=1700, seed=4).run(tmp_path / "two")


def test_other_agents_decide_hand_by_hand(tmp_path):
    game = Variant.ring(3)
    made = LogPlan(Table(game, ("a", "b", "c"), ("formula", "call", "random"), 1), 520)
    assert not made.answers_as_tables
    paths = made.run(tmp_path)
    hands = [hand for path in paths for hand in read_log(path, game)]
    assert [hand.id for hand in hands] == list(range(520))
    assert all(hand.payoffs == replay(hand).payoffs() for hand in hands)
    with pytest.raises(TableError, match="equilibrium"):
        LogPlan(Table(game, ("a", "b", "c"), ("equilibrium",) * 3, 1), 10).run(tmp_path / "no")


def test_the_command_writes_what_training_reads(tmp_path, capsys):
    call = ["watch", "equilibrium", "call", "--hands", "40", "--workers", "1", "--out", str(tmp_path)]
    assert main(call) == 0
    assert "40 hands of holdem.limit.2p.reverse_blinds: 1 file in" in capsys.readouterr().out
    (hands,) = sessions_of(tmp_path, GAME)
    assert len(hands) == 40
    assert all(len(hole) == 2 for hand in hands for hole in hand.holes)
    assert main([*call[:1], "rule", *call[3:]]) == 1
    assert main(["watch", "a", "b", "c", "--game", GAME.name, "--out", str(tmp_path / "x")]) == 1


@pytest.mark.skipif(os.name != "posix", reason="folders are locked by flock")
def test_a_folder_that_another_process_writes_to_is_refused_until_it_is_whole(tmp_path):
    with alone(tmp_path), pytest.raises(ModelError, match="in use by another process"):
        plan(hands=2).run(tmp_path)
    paths = plan(hands=2).run(tmp_path)
    with alone(tmp_path):
        assert plan(hands=2).run(tmp_path) == paths
