"""Tables of several sizes: their schedule, their players, and models that depend on nothing else."""

import json
from collections import Counter

import pytest
from reference import cheap_training

from baycarp.api.train import watched
from baycarp.cli import main
from baycarp.errors import TableError
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import load_model
from baycarp.training.curriculum import SHARES, Curriculum, named, parse_seats, shares_text, single
from baycarp.training.watch import hands_of

PLAYERS = ("rule", "jag", "random", "call", "raise", "formula")
MIXED = Curriculum({2: 3, 4: 2, 10: 1}, 5, PLAYERS)
FILES = ("manifest.json", "network.npz", *(f"{schema.name}.npz" for schema in SCHEMAS))
OPTIONS = ("--hands", 60, "--seats", "2:2,3,9", "--seed", 4)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """A model of tables of 2, 3 and 9 seats, made in one go by one worker."""
    folder = tmp_path_factory.mktemp("mixed") / "model"
    assert cheap_training.run(folder, *OPTIONS, "--workers", 1) == 0
    return folder


def test_every_period_has_the_shares_and_every_beginning_about_them():
    sizes = [MIXED.table(number).variant.seats for number in range(60)]
    assert Counter(sizes) == {2: 30, 4: 20, 10: 10}
    assert sizes[:6] * 10 == sizes
    for end in range(1, 61):
        for size, share in MIXED.seats.items():
            assert abs(sizes[:end].count(size) - end * share / 6) < 1


def test_heads_up_the_button_pays_the_small_blind():
    variant = MIXED.table(0).variant
    assert (variant, variant.blinds, variant.button) == (Variant.ring(2), (2, 1), 1)


def test_the_players_change_from_session_to_session():
    pairs = [frozenset(MIXED.table(6 * number).specs) for number in range(200)]
    assert {spec for pair in pairs for spec in pair} == set(PLAYERS)
    assert len(set(pairs)) == 15  # every two of six
    assert MIXED.table(3) == MIXED.table(3)
    ten = next(table for table in map(MIXED.table, range(6)) if table.variant.seats == 10)
    assert Counter(Counter(ten.specs).values()) == {2: 4, 1: 2}
    assert len(set(ten.players)) == 10


def test_another_seed_seats_other_players():
    other = Curriculum(MIXED.seats, 6, PLAYERS)
    assert [MIXED.table(n).specs for n in range(20)] != [other.table(n).specs for n in range(20)]


def test_an_expert_plays_itself_at_tables_of_two_alone():
    expert = Curriculum(MIXED.seats, 5, PLAYERS, heads_up="equilibrium")
    for number in range(12):
        table, before = expert.table(number), MIXED.table(number)
        if before.variant.seats == 2:
            assert table.specs == ("equilibrium", "equilibrium")
            assert table.players == ("Equilibrium", "Equilibrium 2")
        else:
            assert table == before
    assert expert.about() == MIXED.about() | {"heads-up": "equilibrium"}


def test_an_expert_without_tables_of_two_is_refused(tmp_path, capsys):
    for seats in (["--seats", "3-5"], []):
        assert main(["train", str(tmp_path), "--heads-up", "equilibrium", *seats]) == 1
        assert "expected seats that have tables of two" in capsys.readouterr().err
    words = ["--seats", "2-3", "--heads-up", "sartrenl", "--hands", "10", "--workers", "1"]
    assert main(["train", str(tmp_path), *words]) == 1
    assert "sartrenl" in capsys.readouterr().err


@pytest.mark.parametrize(("hands", "expected"), [(1, (6, 1)), (3000, (6, 500)), (3001, (12, 251))])
def test_the_hands_are_split_into_whole_periods(hands, expected):
    assert MIXED.split(hands) == expected


def test_a_single_table_is_watched_as_before():
    table = watched("baycarp", 3)
    alone = single(table)
    assert {alone.table(number) for number in range(5)} == {table}
    assert (alone.split(1001), alone.game) == ((3, 334), table.variant.name)


@pytest.mark.parametrize("text", ["", "1-4", "2-11", "6-2", "2,2", "2:0", "2:1000", "two", "2-10:", "٢"])
def test_other_seats_are_refused(text):
    with pytest.raises(TableError, match="seats"):
        Curriculum(parse_seats(text), 1, PLAYERS)


@pytest.mark.parametrize("text", ["2-10", "2", "2:4,3-6:2,8"])
def test_shares_are_read_as_they_are_written(text):
    shares = parse_seats(text)
    assert parse_seats(shares_text(shares)) == shares
    assert parse_seats("2-10") == SHARES


def test_names_are_different():
    assert named(("jake", "jake", "karma", "jake")) == ("Jake", "Jake 2", "Karma", "Jake 3")


def test_every_size_is_watched_and_described(straight):
    model = load_model(straight)
    assert model.manifest["command"] == "baycarp train --hands 60 --seed 4 --seats 2:2,3:1,9:1"
    assert (model.manifest["game"], model.manifest["seed"]) == ("holdem.limit", 4)
    logs = sorted((straight / "sessions").glob("session-0*.log"))
    sizes = [2, 3, 9, 2]
    curriculum = Curriculum({2: 2, 3: 1, 9: 1}, 4, cheap_training.SPECS)
    assert [curriculum.table(number).variant.seats for number in range(4)] == sizes
    acts = Counter()
    for number, log in enumerate(logs):
        for hand in hands_of(log, curriculum.table(number)):
            assert len(hand.players) == sizes[number]
            acts[sizes[number]] += sum(street == 0 for street in streets(hand))
    preflop = model.casebases["preflop"]
    seats = preflop.columns()["numbers"][preflop.schema.columns.index("number_of_players")]
    assert Counter(seats.astype(int).tolist()) == acts


def streets(hand):
    return [act.street for act in replay(hand).acts]


@pytest.mark.slow
def test_two_workers_make_the_same_bytes(straight, tmp_path):
    assert cheap_training.run(tmp_path, *OPTIONS, "--workers", 2) == 0
    assert contents(tmp_path) == contents(straight)


def test_a_resumed_training_makes_the_same_bytes(straight, tmp_path):
    assert cheap_training.run(tmp_path, *OPTIONS, "--workers", 1) == 0
    kept = tmp_path / "sessions" / "session-00002.log"
    stamp = kept.stat().st_mtime_ns
    for path in [*tmp_path.glob("*.*"), *(tmp_path / "sessions").glob("session-0000[013].log")]:
        path.unlink()
    assert cheap_training.run(tmp_path, *OPTIONS, "--workers", 1) == 0
    assert kept.stat().st_mtime_ns == stamp
    assert contents(tmp_path) == contents(straight)


@pytest.mark.parametrize("other", [["--seats", "2:2,3,8"], ["--seats", "2:1,3,9"], []])
def test_a_folder_belongs_to_one_curriculum(straight, capsys, other):
    card = straight / "sessions" / "table.json"
    before = card.read_text()
    assert cheap_training.run(straight, "--hands", 60, "--seed", 4, "--workers", 1, *other) == 1
    assert "another table's sessions" in capsys.readouterr().err
    assert card.read_text() == before
    assert json.loads(before)["seats"] == "2:2,3:1,9:1"


def test_a_strategy_with_a_game_of_its_own_refuses_other_sizes(tmp_path, capsys):
    assert main(["train", str(tmp_path), "--hands", "4", "--strategy", "casper", "--seats", "2-4"]) == 1
    assert "seats: expected none with strategy casper" in capsys.readouterr().err
