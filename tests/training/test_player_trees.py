"""Training of models of players: what is known of a hand, and the same bytes whatever the workers."""

from shutil import copytree

import numpy as np
import pytest

from baycarp.arena.workers import Workers
from baycarp.card import cards, holding_index
from baycarp.cli import main
from baycarp.errors import ArgumentError, ModelError
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.players import load_players
from baycarp.training.player_models import FILES, PlayerTraining, train_players
from baycarp.training.player_trees import fit_players, known_of
from baycarp.training.sizers import PROBE, Sizers

TWO = Variant.load("holdem.nolimit.2p.100bb")
LINE = "STATE:0:cr250c/cc/cr450c/r10000f:8dKc|Td2d/8h4dAc/7s/5s:450|-450:ann|bob"


def test_decisions_with_the_bucket_of_each_holding():
    known = known_of([parse_state(LINE, TWO)])
    assert known.names == ("ann", "bob")
    assert known.choices.tolist()[-2:] == [9, 0]
    assert known.public.players.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 0, 1]
    flop = tuple(map(int, cards("8h4dAc")))
    assert known.inputs[3, -1] == OUTS.on(flop, 2)[holding_index(*map(int, cards("8dKc")))]
    assert known.inputs[0, -1] == OUTS.on((), 2)[holding_index(*map(int, cards("Td2d")))]
    assert len(known_of([parse_state(LINE, TWO)], without="ann").choices) == 5
    with pytest.raises(ArgumentError):
        known_of([parse_state(LINE.replace("8dKc|", "|"), TWO)])


def test_the_probe_sits_in_every_second_session():
    tables = [Sizers({2: 1, 6: 1}, 1, ()).table(number) for number in range(6)]
    assert [PROBE in table.players for table in tables] == [False, True] * 3
    assert all("spread=3.0" in table.specs[-1] for table in tables[1::2])


def test_the_same_bytes_for_any_number_of_workers_and_after_an_interruption(tmp_path):
    tables, found = Sizers({2: 1}, 3, ()), []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        if workers == 2:
            copytree(tmp_path / "1" / "sessions", folder / "sessions")
            next((folder / "sessions").glob("*1.log")).unlink()
        fitted = train_players(PlayerTraining(tables, 502, 2), folder, Workers(workers))
        found.append((folder / FILES["known"]).read_bytes())
    assert found[0] == found[1]
    assert set(fitted.assigned.values()) == {0, 1}
    assert PROBE not in fitted.assigned
    assert len(load_players(folder / FILES["known"]).shares) == 2
    with pytest.raises(ModelError):
        train_players(PlayerTraining(Sizers({2: 1}, 4, ()), 502, 2), folder)


def test_strong_holdings_fold_less_and_bet_more():
    """In the shipped models, of all players, facing a bet on the river."""
    own = load_players().trees[-1]
    assert own[0].values.sum(axis=1) == pytest.approx(1)
    hands = [parse_state(LINE, TWO)]
    row = known_of(hands).inputs[-1]
    folds = [own[7](np.append(row[:-1], bucket)[None])[0, 0] for bucket in (2, 15, 28)]
    assert folds[0] > folds[1] > folds[2]


def test_too_few_hands_are_refused():
    with pytest.raises(ArgumentError):
        fit_players(known_of([parse_state(LINE, TWO)]), 1)


def test_the_command_trains_and_refuses_other_settings(tmp_path, capsys):
    words = ["train", str(tmp_path), "--agent", "mcts", "--hands", "400", "--seats", "2", "--clusters", "2"]
    assert main([*words, "--workers", "1"]) == 0
    assert "nats on held-out hands" in capsys.readouterr().out
    assert (tmp_path / FILES["known"]).exists()
    assert main([*words, "--revise", "net"]) == 1
    assert "--revise: not an option of --agent" in capsys.readouterr().err
