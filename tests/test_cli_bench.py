"""``baycarp bench`` of one part and of several: output, options, exit status."""

import json

import pytest

from baycarp.cli import bench, main
from baycarp.cli.bench.goal import MISSED, Goal, at_most
from baycarp.cli.output import print_each

WARM, COLD = Goal("heat", 30.0, "degrees"), at_most("frost", 0, 5.0, "degrees")


def two_parts(monkeypatch, second=lambda args: print_each([COLD]) or MISSED):
    """``game`` has a table of goals, and ``decide``, with a table of its own, a goal that is missed."""
    monkeypatch.setitem(bench.PARTS, "game", lambda args: iter([WARM]))
    monkeypatch.setitem(bench.LONGER, "decide", second)


def test_parts_are_measured_one_after_another_under_headings(monkeypatch, capsys):
    two_parts(monkeypatch)
    assert main(["bench", "decide", "game"]) == MISSED
    out = capsys.readouterr().out
    places = [out.index(word) for word in (" decide ", "frost", " game ", "heat")]
    assert places == sorted(places)
    assert main(["bench", "game"]) == 0
    assert " game " not in capsys.readouterr().out


def test_several_parts_print_a_json_object_each(monkeypatch, capsys):
    two_parts(monkeypatch)
    alone = {}
    for part, status in (("game", 0), ("decide", MISSED)):
        assert main(["bench", part, "--json"]) == status
        alone[part] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [goal["goal"] for goal in alone["game"]] == ["heat"]
    assert main(["bench", "decide", "game", "game", "--json"]) == MISSED
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert objects == [{"part": part, "results": alone[part]} for part in ("decide", "game", "game")]
    assert main(["bench", "game", "game", "--json"]) == 0


def test_an_interrupted_part_prints_its_results_so_far(monkeypatch, capsys):
    def interrupted(args):
        print_each([COLD])
        raise KeyboardInterrupt

    two_parts(monkeypatch, interrupted)
    assert main(["bench", "decide", "game", "--json"]) == 130
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["results"][0]["goal"] == "frost"


def test_each_part_gets_its_options_and_those_of_no_part_are_refused(monkeypatch, capsys):
    two_parts(monkeypatch, lambda args: print(args.hands) or 0)
    assert main(["bench", "game", "decide", "--hands", "7"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("\n7")
    monkeypatch.setitem(bench.PARTS, "game", lambda args: pytest.fail("measured"))
    for words in (["game"], ["game", "kernels"]):
        assert main(["bench", *words, "--hands", "7"]) == 1
        assert f"--hands: of bench decide, not of bench {' '.join(words)}\n" in capsys.readouterr().err
