import pytest

import experiments.recipes.calibrate as calibration
from baycarp.agents.registry import load, parse
from baycarp.agents.table import EIGHTH, PLAYERS, TABLE
from experiments.recipes.calibrate import FIGURE_7_4, Figures, _moved, calibrate, like, spec, statistics


def test_a_specification_is_read_back():
    for text in PLAYERS.values():
        name, parameters = parse(text)
        assert spec(name, parameters) == text
        assert parse(spec(name, parameters)) == (name, parameters)


def test_like_compares_every_figure():
    seed = FIGURE_7_4["karma"]
    assert like(Figures(21, 9, 44), seed)
    assert not like(Figures(21.1, 7, 49), seed)
    assert not like(Figures(18, 9.1, 49), seed)
    assert not like(Figures(18, 7, 54.1), seed)


def test_parameters_move_against_the_deviation():
    seed = Figures(20, 10, 50)
    parameters = {"shift": 0.0, "tightness": 0.5}
    loose = _moved(parameters, Figures(25, 12, 50), seed, 1.0)
    tight = _moved(parameters, Figures(15, 8, 50), seed, 1.0)
    assert tight["shift"] < 0 < loose["shift"]
    assert tight["tightness"] < 0.5 < loose["tightness"]
    assert _moved(parameters, seed, seed, 1.0) == parameters
    assert _moved({"shift": 0, "margin": 0.0}, Figures(20, 12, 50), seed, 1.0)["margin"] > 0


def test_statistics_count():
    """Two calling players show down every hand; each wins half of them, or splits."""
    ours = statistics({"one": "call", "two": "call"}, 500, seed=3)
    for figures in ours.values():
        assert figures.showdowns == 100
        assert 40 < figures.won < 65
        assert 45 < figures.played <= 50  # heads-up the big blind checks


def test_the_shipped_players_are_checked_without_calibration(monkeypatch, capsys):
    """With the shipped specifications; a player above the tolerance is unlike."""

    def played(specs, hands, seed, workers):
        assert specs == {name: PLAYERS[name] for name in (*TABLE, EIGHTH)}
        assert (hands, seed, workers) == (700, 9, 1)
        return {**FIGURE_7_4, "hari": Figures(20.5, 7, 53)}

    monkeypatch.setattr(calibration, "statistics", played)
    calibration.main(["--check", "700", "--seed", "9"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if " unlike " in line] == ["hari"]
    assert len(lines) == 8


@pytest.mark.slow
def test_calibration_does_not_depend_on_workers():
    one = calibrate(rounds=2, hands=1000, seed=5, workers=1)
    assert one == calibrate(rounds=2, hands=1000, seed=5, workers=2)
    for text in one.values():
        load(text)


@pytest.fixture(scope="module")
def table():
    return statistics({name: PLAYERS[name] for name in (*TABLE, EIGHTH)}, 20_000, seed=4501, workers=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TABLE, EIGHTH])
def test_players_are_like_figure_7_4(table, name):
    """Unger (2011), figure 7.4: 8 players, 4,501 hands; Anders is of figure 7.9."""
    assert like(table[name], FIGURE_7_4[name])
