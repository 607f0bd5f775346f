"""What the usual commands print in a terminal of 80 columns, and the words of a progress bar."""

import re
from io import StringIO

import pytest
from rich.console import Console

from baycarp.api.printing import folded, show
from baycarp.cli import main
from baycarp.cli.progress import forecast, stages

WIDTH = 80
LINE = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"

PRINTED = {
    "agents": ["agents"],
    "games": ["agents", "--games"],
    "agent": ["agents", "baycarp2"],
    "doctor": ["doctor"],
    "network": ["inspect", "bn"],
    "cards": ["decide", "AhKd", "Qs7d2c"],
    "decide": ["decide", LINE, "--flip", "--agent", "baycarp2"],
    "equity": ["equity", "AhKd, QQ", "77+, AQ+", "--board", "Qs7d2c"],
    "table": ["table", "karma", "rule", "call", "--hands", "4", "--full", "--out", "table"],
    "match": [
        "match",
        "Ann with a long name=rule",
        "Bob with a longer one=random",
        "--deals",
        "4",
        "--out",
        "m",
    ],
    "estimators": ["match", "rule", "call", "--deals", "4", "--out", "e", "--estimators", "control,all-in"],
    "tournament": ["tournament", "rule", "call", "raise", "--deals", "4", "--out", "t"],
    "exploit": ["exploit", "call", "--hands", "20", "--out", "x"],
    "solve": ["solve", "kuhn", "--iterations", "20"],
    "train": ["train", "model", "--hands", "20"],
}


@pytest.fixture(autouse=True)
def terminal(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.mark.parametrize("words", PRINTED.values(), ids=PRINTED)
def test_the_usual_outputs_fit_80_columns(capsys, words):
    one = ["--workers", "1"] if words[0] in ("table", "match", "tournament", "exploit", "train") else []
    assert main([*words, *one]) == 0
    out, err = capsys.readouterr()
    assert out
    divided = [line for line in out.splitlines() if max(map(len, line.split()), default=0) < WIDTH // 2]
    assert max(map(len, divided)) <= WIDTH  # a path is not divided
    assert max((len(line) for line in err.split("\n")), default=0) <= WIDTH


def test_longer_lines_go_on_in_the_next_one():
    text = "  " + " ".join(f"word{number}" for number in range(40))
    lines = folded(text, WIDTH).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(" ".join(lines).split()) == text.strip()
    assert [len(line) - len(line.lstrip()) for line in lines] == [2, *[4] * (len(lines) - 1)]
    assert folded("x" * 100, WIDTH) == "x" * 100  # a path is not divided
    console = Console(width=40, file=StringIO())
    show(console, ["a " * 30])
    assert max(map(len, console.file.getvalue().splitlines())) <= 40


def test_a_bar_has_a_forecast_by_the_work_of_this_run(capsys):
    assert forecast(30, 100, 110, 140) == "0:01:30 left"
    assert forecast(30, 0, 0, 40) == forecast(30, 0, 7, None) == "0:00:30 so far"
    assert forecast(30, 0, 40, 40) == "0:00:30"
    with stages() as tick:
        tick("flops", 10, 40)
        tick("flops", 40, 40)
    assert "40/40 0:00:00" in capsys.readouterr().err


def test_exploit_has_a_forecast_before_its_first_flop_is_done(capsys, monkeypatch, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("baycarp.responses.flops_run.flop_values", interrupted)
    words = f"exploit call --flops 4 --seed 1 --workers 1 --out {tmp_path}"
    assert main(words.split())
    assert re.search(r"0/4 \d:\d\d:\d\d to \d:\d\d:\d\d left", capsys.readouterr().err)


@pytest.mark.parametrize("agent", ["baycarp", "formula", "mcts"])
def test_exploit_refuses_before_its_bar(capsys, agent):
    assert main(["exploit", agent, "--workers", "1"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"baycarp exploit: agent '{agent}'")
