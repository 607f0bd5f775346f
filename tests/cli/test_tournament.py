"""``baycarp tournament`` and ``python -m experiments ablate``."""

import json
import re

import numpy as np
import pytest

from baycarp.arena.match import play_unit
from baycarp.arena.scores import scores
from baycarp.arena.series import arms, play_in_series
from baycarp.arena.session import Table
from baycarp.arena.tournament import groups, round_robin
from baycarp.cli import COMMANDS, main
from baycarp.game.variant import Variant
from experiments.__main__ import main as experiment
from experiments.decisions.times import decision_times


@pytest.fixture
def typed(capsys):
    def run(*arguments):
        program = main if arguments[0] in COMMANDS else experiment
        status = program([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "\x1b" not in out
        return status, out, err

    return run


# tournament


def test_a_tournament_prints_cross_table_and_both_orders(typed, tmp_path):
    out = tmp_path / "t"
    play = ("tournament", "call", "raise", "Bob=random", "--deals", 30, "--resamples", 50, "--workers", 1)
    play = (*play, "--out", out)
    status, text, _ = typed(*play)
    assert status == 0
    assert "sb/h (net) won by the row against the column, 60 hands of each game" in text
    for name in ("call", "raise", "Bob"):
        assert len(re.findall(rf"^ *[123] +{name} ", text, re.MULTILINE)) == 3
    for rule in ("total bankroll", "instant run-off"):
        assert re.search(rf"^{rule}: (no winner; 60 hands|\w+ won)", text, re.MULTILINE)
    assert (out / "cross-table.png").read_bytes().startswith(b"\x89PNG")
    assert max(map(len, text.splitlines()[:-1])) <= 90
    again = typed(*play)[1]
    assert again == text  # from the journal


def test_a_tournament_as_json_does_not_depend_on_workers(typed, tmp_path):
    play = ("tournament", "rule", "raise", "random", "--deals", 8, "--seed", 4, "--resamples", 40)
    status, text, _ = typed(*play, "--json", "--workers", 2, "--out", tmp_path / "two")
    record = json.loads(text)
    assert status == 0
    assert (record["unit"], record["deals"], record["seatings"]) == ("sb/h", 8, 2)
    assert record["groups"] == [[0, 1], [0, 2], [1, 2]]
    table = record["cross table"]
    for agent in range(3):
        assert table[agent][agent] is None
        for other in range(agent):
            assert table[agent][other]["mean"] == pytest.approx(-table[other][agent]["mean"])
    bankrolls = [np.mean([cell["mean"] for cell in row if cell]) for row in table]
    order = record["total bankroll"]["order"]
    assert [row["agent"] for row in order] == [record["agents"][n] for n in np.argsort(bankrolls)[::-1]]
    assert [row["mean"] for row in order] == pytest.approx(sorted(bankrolls, reverse=True))
    assert all(sum(row["share by place"]) == pytest.approx(1) for row in order)
    rounds = record["instant run-off"]["rounds"]
    assert [len(round) for round in rounds] == [3, 2]
    assert min(rounds[0], key=rounds[0].get) not in rounds[1]
    assert typed(*play, "--json", "--workers", 1, "--out", tmp_path / "one")[1] == text


def test_the_first_estimator_judges(typed, tmp_path):
    play = ("tournament", "rule", "raise", "--deals", 20, "--seed", 4, "--resamples", 10, "--workers", 1)
    records = [
        json.loads(typed(*play, *more, "--json", "--out", tmp_path / str(number))[1])
        for number, more in enumerate([(), ("--estimators", "control,all-in")])
    ]
    assert [each["judge"] for each in records] == ["net", "control"]
    games = groups(2, 2)
    agents, conditions = ("rule", "raise"), {"seed": 4, "estimators": ("control",)}
    series = round_robin(Variant.ring(2), agents, agents, games, hands=20, **conditions)
    (scored,) = series.scores({unit: play_in_series(series, unit) for unit in series.rounds(20)[0]})
    for each, judge in zip(records, ("net", "control"), strict=True):
        assert each["cross table"][0][1]["mean"] == pytest.approx(scored.rate("rule", judge).mean)
    assert records[0]["cross table"] != records[1]["cross table"]
    arms = typed("ablate", "call", "raise", "--table", "rule", "--deals", 20, "--seed", 4, "--workers", 1,
                 "--estimators", "control", "--json", "--out", tmp_path / "arms")[1]  # fmt: skip
    assert json.loads(arms)["judge"] == "control"
    assert json.loads(arms)["arms"][1]["won"]["mean"] == pytest.approx(scored.rate("raise", "control").mean)


def test_drawn_triples(typed, tmp_path):
    play = ("tournament", "call", "raise", "random", "rule", "--seats", 3, "--deals", 2, "--workers", 1)
    play = (*play, "--resamples", 20)
    status, text, _ = typed(*play, "--groups", 2, "--out", tmp_path)
    assert status == 0
    assert "12 hands of each game" in text
    assert "total bankroll: no winner" in text
    assert re.search("no instant run-off: .* no game among the 3 still in", " ".join(text.split()))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["call"], "call alone: expected two agents or more"),
        (["call", "nobody"], "'nobody'"),
        (["call", "raise", "--game", "nothing"], "'nothing'"),
        (["call", "baycarp2", "--game", "holdem.nolimit.2p.reverse_blinds"], "expected limit"),
    ],
)
def test_impossible_tournaments_are_refused(typed, tmp_path, arguments, named):
    status, _, err = typed("tournament", *arguments, "--deals", 1, "--workers", 1, "--out", tmp_path)
    assert status == 1
    assert named in err.splitlines()[-1]


def test_a_picture_needs_matplotlib(typed, tmp_path, monkeypatch):
    def absent(*_):
        raise ImportError("pictures need matplotlib: pip install 'baycarp[viz]'")

    monkeypatch.setattr("baycarp.api.tournament.save_cross_table", absent)
    _, out, _ = typed("tournament", "call", "raise", "--deals", 1, "--workers", 1, "--out", tmp_path)
    assert "pip install 'baycarp[viz]'" in out


# ablate


def test_arms_sit_in_the_same_place_on_the_same_decks():
    table = Table(Variant.ring(3), ("x", "Ann", "Bob"), ("call", "rule", "raise"), seed=3)
    series = arms(table, ("call", "raise", "call"), hands=4)
    assert [match.table.specs for match in series.matches] == [
        ("call", "rule", "raise"), ("raise", "rule", "raise"), ("call", "rule", "raise")
    ]  # fmt: skip
    assert all(match.table.players == table.players for match in series.matches)
    played = [[play_unit(match, unit) for unit in match.round(0)] for match in series.matches]
    holes = [[[line.split(":")[3].split("/")[0] for line in unit.log] for unit in arm] for arm in played]
    assert holes[0] == holes[1]
    assert all(np.array_equal(a.net, b.net) for a, b in zip(played[0], played[2], strict=True))


def test_ablate_prints_one_table(typed, tmp_path):
    play = ("ablate", "call", "Bold=raise", "call", "--table", "rule", "random", "--deals", 20, "--seed", 5)
    status, text, _ = typed(*play, "--workers", 1, "--out", tmp_path / "a")
    assert status == 0
    assert "sb/h (net) over 120 hands an arm, 20 deals in 6 seatings each" in text
    rows = {row.split()[0]: row for row in text.splitlines() if "±" in row}
    assert list(rows) == ["call", "Bold", "call-2"]
    assert all(re.search(r"\d+\.\d / \d+\.\d", row) for row in rows.values())
    assert re.search(r"\+0\.000 ± - +no ", rows["call-2"])
    assert max(map(len, text.splitlines())) <= 90
    record = json.loads(typed(*play, "--workers", 1, "--out", tmp_path / "a", "--json")[1])
    game = Variant.ring(3)
    won = []
    for spec in ("call", "raise"):
        table = Table(game, ("the arm", "rule", "random"), (spec, "rule", "random"), seed=5)
        match = arms(table, (spec,), hands=20).matches[0]
        units = {unit: play_unit(match, unit) for unit in match.rounds(20)[0]}
        won.append(scores(game, table.players, units).won("the arm"))
    more = won[1] - won[0]
    bold = record["arms"][1]
    assert bold["won"]["mean"] == pytest.approx(won[1].mean())
    assert bold["more than the first"]["mean"] == pytest.approx(more.mean())
    assert bold["more than the first"]["margin"] == pytest.approx(
        2.093 * more.std(ddof=1) / 20**0.5, rel=1e-3
    )
    assert bold["ms a decision"]["decisions"] > 30


def test_decisions_are_timed_one_by_one(monkeypatch):
    table = Table(Variant.ring(2), ("x", "y"), ("call", "call"), seed=1)
    assert len(decision_times(table, 5)) == 5 * 4  # a caller decides once a street
    clock = iter(range(1000))
    monkeypatch.setattr("experiments.decisions.times.time.perf_counter", lambda: next(clock))
    assert set(decision_times(table, 2).tolist()) == {1.0}
