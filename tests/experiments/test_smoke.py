"""Every experiment and every recipe runs on toy sizes."""

import pkgutil
from importlib import import_module

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.game.variant import Variant
from experiments import commands, recipes
from experiments.__main__ import COMMANDS, main
from experiments.pokerbench.layout import PREFLOP
from experiments.recipes import RECIPES

HEADS_UP = "holdem.limit.2p.reverse_blinds"

RUNS = {
    "reproduce": ["000-5.4"],
    "ablate": f"call random --table raise --game {HEADS_UP} --deals 2 --workers 1 --out OUT",
    "experiment": "--table seen --hands-at-most 8 --train-hands 20 --session-hands 2 --playouts 5 --workers 1"
    " --out OUT",
    "couplings": "--table heads-up --share 0.00001 --train-hands 20 --session-hands 2 --playouts 5"
    " --beside 3 --hours 0.001 --workers 1 --out OUT",
    "learning": f"net=baycarp2(model='empty') --table call --game {HEADS_UP} --hands 4 --sessions 2"
    " --workers 1 --out OUT",
    "agreement": "--learners sartre2009 --teacher equilibrium --teacher-hands 2",
    "beliefs": "RECORD --game holdem.limit.3p --workers 1",
    "beliefs: leave out": "--leave-out OUT --sessions 1 --hands 6 --fit network --beside thesis --only blind "
    "--workers 1",
    "beliefs: no limit": "--no-limit --sessions 2 --hands 10",
    "players": "--styled-hands 300 --clusters 2 --starts 1",
    "players: sizes": "--sizes --styled-hands 300",
    "moves": "--deals 10",
    "styles": "--met-by call --drawn 2 --session 4",
    "predict": "--people RECORD --game holdem.limit.3p --no-rival",
    "reading": "RECORD",
    "strength": "--only folds --share 0.01 --agent call --out OUT --workers 1",
    "field": ["--only", "formula v sartre", "--share", "0.001", "--workers", "1", "--out", "OUT"],
    "explanations": "--played 2",
    "reasons": "",
    "pokerbench": "SPOTS --playouts 5",
    "students": "--only rule --share 0.002 --out OUT --workers 1",
    "robustness": ["--only", "forged: styles", "--scale", "0.005", "--out", "OUT"],
    "recipes": "",
}
"""Words by experiment and form; OUT is a folder, RECORD a log, SPOTS a file of PokerBench."""

LONG = {
    "beliefs: oracle": "--oracle OUT --hands 20 --fit plain --sessions 1 --workers 1",
    "beliefs: next actions": "--next-actions OUT --hands 60 --held-out 1500 --workers 1",
    "gambler": "--spots 2 --compared 2 --calibrated 4",
    "leduc": "--seeds 1 --risks 0.9",
    "resolve": "--spots 1",
    "imitation": "--hands 5 10 --rivals 5 --boards 2 --deals 2 --teacher-hands 2 --workers 1 --out OUT",
    "players: hidden": "--hidden --styled-hands 300",
    "signature": "",
    "tables": "--players sartre2009 --boards 2",
}
"""The same of those that take 10 s or more."""

MADE = {
    "calibrate": "--rounds 2 --hands 1",
    "people_table": "--rounds 1 --hands 1",
    "learned_players": "OUT/learned.npz --hands 600 --folder OUT/sessions",
    "income": "OUT/income.csv --deals 2",
    "bpp": "OUT/bpp.npz --boards 20 --hands 60",
    "continuations": "OUT/continuations.npz --decisions 4",
    "dealt_counts": "OUT/dealt.npz --boards 2",
    "styles": "OUT/styles.npz --hands 20 --sessions 1 --folder OUT/sessions",
}
"""Words of recipes."""


@pytest.fixture
def words(tmp_path):
    """Replace what stands for folders and records."""

    def replaced(line):
        if "RECORD" in line:
            table = Table(
                Variant.load("holdem.limit.3p"), ("Ann", "Bob", "Cid"), ("rule", "call", "random"), 3
            )
            log = play_session(table, 0, 60).log
            (tmp_path / "record.log").write_text("".join(f"{each}\n" for each in log), "utf-8")
        if "SPOTS" in line:
            row = "HJ/2.0bb/CO/call/BTN/10.0bb,HJ,AhKc,call,3,2,\"['call', 'fold']\",15.5"
            (tmp_path / "spots.csv").write_text("\n".join((",".join(PREFLOP), row)), "utf-8")
        given = line.split() if isinstance(line, str) else line
        places = {"OUT": tmp_path / "out", "RECORD": tmp_path / "record.log", "SPOTS": tmp_path / "spots.csv"}
        for name, path in places.items():
            given = [word.replace(name, str(path)) for word in given]
        return given

    return replaced


def modules(package):
    return {module.name for module in pkgutil.iter_modules(package.__path__)}


def test_every_command_is_listed_and_has_a_run():
    assert modules(commands) == set(COMMANDS) == {name.partition(":")[0] for name in (*RUNS, *LONG)}


def test_every_recipe_is_listed_and_has_a_run():
    assert modules(recipes) == set(RECIPES) == set(MADE)


@pytest.mark.parametrize("name", [*RUNS, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)])
def test_an_experiment_runs(name, words, capsys):
    command, given = name.partition(":")[0], words({**RUNS, **LONG}[name])
    assert main([command, *given]) in (0, 3)  # toy sizes miss goals
    assert capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_a_recipe_runs(name, words, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    import_module(f"experiments.recipes.{name}").main(words(MADE[name]))
    made = [path for path in (tmp_path / "out").glob("*.*") if path.stat().st_size > 1000]
    assert made or capsys.readouterr().out
