"""The experiment: arms on the same decks, resumption, and no winner by chance."""

import json
import re
from itertools import combinations

import numpy as np
import pytest

from baycarp.agents.poki.formula import Formula
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.registry import load
from baycarp.arena.decks import HELD_OUT, PLAYED
from baycarp.arena.match import play_unit
from baycarp.arena.scores import Scores
from baycarp.arena.session import Played
from baycarp.arena.tally import Tally
from baycarp.game.notation.acpc import parse_state
from experiments.__main__ import main
from experiments.commands.experiment import as_markdown
from experiments.papers.experiment import (
    EXPERIMENT_TABLES,
    Experiment,
    ExperimentTable,
    compared,
    narrowest,
    play_arm,
)

CHEAP = {
    "seen": ExperimentTable(
        ("rule", "jag", "random", "call") * 2, ("rule", "jag", "call") * 2 + ("rule",), "cheap"
    ),
    "unseen": ExperimentTable(("jag", "call") * 4, ("rule", "jag", "call") * 2 + ("rule",), "cheaper"),
}
SIZE = ("--train-hands", 20, "--session-hands", 1, "--seed", 3)


def run(folder, *more, workers=1):
    words = ("experiment", "--out", folder, "--workers", workers, *SIZE, "--hands-at-most", 16, *more)
    return main([str(word) for word in words])


@pytest.fixture(scope="module", autouse=True)
def cheap():
    """Companies that play fast."""
    with pytest.MonkeyPatch.context() as patch:
        real = dict(EXPERIMENT_TABLES)
        for name, players in CHEAP.items():
            patch.setitem(EXPERIMENT_TABLES, name, players)
        yield real


@pytest.fixture(scope="module")
def straight(tmp_path_factory, cheap):
    """Both tables, played in one go."""
    folder = tmp_path_factory.mktemp("experiment")
    assert run(folder) == 0
    return folder


def record_of(folder, table="seen"):
    return json.loads((folder / table / "experiment.json").read_text())


# Who plays whom


def test_five_formula_and_two_simulation_players_are_met(cheap):
    for players in cheap.values():
        met = [type(load(spec)) for spec in players.met]
        assert (met.count(Formula), met.count(Simulation)) == (5, 2)
        assert len(players.watched) == 8


def test_no_family_or_setting_of_the_unseen_table_was_watched(cheap):
    watched = [load(spec) for spec in cheap["unseen"].watched]
    met = [load(spec) for spec in cheap["unseen"].met]
    assert {type(agent) for agent in watched} == {Formula}
    for knob in ("shift", "tightness", "aggression", "model"):
        values = [{getattr(agent.style, knob) for agent in agents} for agents in (watched, met)]
        assert not values[0] & values[1], knob
    assert len({agent.style for agent in watched}) == 8


@pytest.mark.slow
def test_no_deck_was_trained_on(straight):
    sessions = {int(path.stem.split("-")[1]) for path in (straight / "seen" / "sessions").glob("*.log")}
    assert all(number < HELD_OUT + 1000 < PLAYED for number in sessions)
    units = Experiment("seen", straight / "seen", 3, 20, 1).rounds(16)
    assert [{session for _, session, _ in units} for units in units] == [{PLAYED}, {PLAYED + 1}]


def test_every_arm_gets_the_same_cards_in_the_same_seats(straight):
    experiment = Experiment("seen", straight / "seen", 3, 20, 1)
    decks = []
    for match in experiment.matches().values():
        cards = []
        for seating in (0, 3, 5):
            for line in play_unit(match, (PLAYED, seating)).log:
                hand = parse_state(line, match.table.variant)
                cards.append((hand.players.index("Hero"), hand.holes))
        decks.append(cards)
    assert len(decks) == 6
    assert all(cards == decks[0] for cards in decks)
    assert len({position for position, _ in decks[0]}) > 1


# What it comes to


def test_arms_take_the_place_of_players_in_scores(straight):
    experiment = Experiment("seen", straight / "seen", 3, 20, 1)
    matches, rng = experiment.matches(), np.random.default_rng(1)
    chips = {unit: rng.integers(-20, 20, 1) for units in experiment.rounds(16) for unit in units}
    results = {unit: Played(won[:, None], (Tally(hands=1),)) for unit, won in chips.items()}
    found = experiment.scores(results)
    assert (found.players, found.seatings, found.unit) == (tuple(experiment.arms()), 8, "sb/h")
    for name, arm in zip(found.players, matches, strict=True):
        deals = [
            np.mean([chips[arm, session, seating] for seating in range(8)]) / 2
            for session in (PLAYED, PLAYED + 1)
        ]
        assert found.won(name) == pytest.approx(deals)
        assert found.rate(name).n == 16
        assert experiment.tallies(results)[name].hands == 16


def test_the_result_of_an_arm_is_its_own_column(straight):
    experiment = Experiment("seen", straight / "seen", 3, 20, 1)
    match = experiment.matches()["call"]
    whole, own = play_unit(match, (PLAYED, 2)), play_arm({"call": match}, ("call", PLAYED, 2))
    assert own.net.tolist() == whole.net[:, :1].tolist()
    assert own.tallies == whole.tallies[:1]
    assert own.tallies[0].acts.keys() <= {(street, name) for street in range(4) for name in ("call", "check")}


def made_up(offsets, spread, deals=400):
    rng = np.random.default_rng(2)
    names = tuple("ABCDEF"[: len(offsets)])
    noise = {"net": spread, "control": spread / 4}
    blocks = {
        name: rng.normal(0, sd, (deals, len(offsets))) + np.array(offsets) for name, sd in noise.items()
    }
    return Scores(names, blocks, 8, "sb/h")


def test_it_stops_when_every_difference_is_known():
    found = made_up((0, 0, 0), spread=1.0)
    assert narrowest(found) == "control"
    widest = max(found.difference(*pair, "control").margin for pair in combinations("ABC", 2))
    assert widest == pytest.approx(1.96 * 2**0.5 * 0.25 / 20, rel=0.15)
    assert compared(found, widest * 1.001)
    assert not compared(found, widest * 0.999)


def test_no_winner_is_named_where_the_interval_spans_zero(cheap):
    found = made_up((0, 0.001, 0.5), spread=1.0)
    text = as_markdown("seen", found, dict.fromkeys("ABC", Tally(hands=3200, showdowns=1)))
    matrix = [
        [cell.strip()[:1] for cell in line.split("|")[2:-1]]
        for line in text.splitlines()
        if re.match(r"\| [ABC] .*[<>~]", line)
    ]
    assert matrix == [["", "~", "<"], ["~", "", "<"], [">", ">", ""]]
    assert re.search(r"\| A +\| 3,200 +\| [+-]\d\.\d{3} ± \d\.\d{3} +\|", text)


def test_both_tables_are_written_and_drawn(straight):
    for table in CHEAP:
        record = record_of(straight, table)
        assert (record["table"], record["unit"], record["playouts"]) == (table, "sb/h", 100)
        assert [rates["chips won"]["hands"] for rates in record["arms"].values()] == [16] * 6
        assert len(record["differences"]) == 15
        assert (straight / table / "experiment.png").read_bytes().startswith(b"\x89PNG")
        assert record["arms"]["baycarp2"]["counts"]["hands"] == 16
    observation, unseen = (record_of(straight, table)["arms"] for table in CHEAP)
    assert observation["call"] == unseen["call"]
    assert observation["baycarp2"]["agent"] != unseen["baycarp2"]["agent"]


# Going on


def test_an_arm_without_a_model_is_played_once_for_both_tables(straight):
    lines = (straight / "whole.journal").read_text().splitlines()
    assert len(lines) == 1 + 2 * 8 * (6 + 4)


@pytest.mark.slow
def test_it_is_resumed_with_any_number_of_workers(straight, tmp_path):
    whole = (straight / "whole.journal").read_bytes().splitlines(keepends=True)
    for name in ("seen", "unseen"):
        (tmp_path / name).symlink_to(straight / name)
    before = {name: record_of(straight, name) for name in CHEAP}
    (tmp_path / "whole.journal").write_bytes(b"".join(whole[:40]) + whole[40][:50])
    assert run(tmp_path, workers=2) == 0
    assert {name: record_of(tmp_path, name) for name in CHEAP} == before


def test_models_of_another_experiment_are_refused(straight, capsys):
    assert run(straight, "--train-hands", 60) == 1
    assert "--train-hands 60" in capsys.readouterr().err
