"""Behaviour is what the files of this folder say, to the last bit: see ``write.py``."""

import json
import os
import platform
import subprocess
import sys
from functools import partial

import pytest
from golden.write import FOLDER, SESSIONS, playthrough

from baycarp.agents import registry
from baycarp.agents.base import Decision
from baycarp.agents.network import StrengthStage
from baycarp.agents.static import rulebot
from baycarp.agents.table import PLAYERS
from baycarp.game.action import Action
from baycarp.game.variant import Variant
from baycarp.kernels import simd
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.weights import load_weights, save_weights
from experiments.__main__ import main
from experiments.signature import agent_signature as signature
from experiments.signature.agent_signature import SPECS, decisions, line, lines, number
from experiments.signature.figures import by_kind, figures

FEW = 3
"""Hands of each game where the digest only has to be the same, or another."""

UNWRITTEN = {"alike", "program", "cases", "coupled"}
"""Alike is its file, a program is its own, and two are BayCaRP2 (below)."""

SUBSET = ("simulation", "baycarp", "responder", "network", "baycarp1(empty=True, revise='hindsight')")


@pytest.mark.parametrize("name", SESSIONS)
def test_hands_are_played_as_written(name):
    assert playthrough(SESSIONS[name]) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_side_pots_are_in_the_golden_hands():
    ends = [
        each for each in (FOLDER / "no-limit-3p.txt").read_text("utf-8").split("\n\n") if "payoffs" in each
    ]
    pots = [next(row for row in each.splitlines() if row.startswith("pots: ")) for each in ends]
    assert any("0 1 2;" in row for row in pots)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="last bits are x86-64's")
def test_the_signature_is_as_written(capsys):
    """With two workers; one wrote it."""
    assert main(["signature", "--workers", "2"]) == 0
    assert capsys.readouterr().out == (FOLDER / "signature.txt").read_text("utf-8")


def test_every_agent_of_the_registry_is_in_the_signature():
    assert {*registry.AGENTS, *PLAYERS} - UNWRITTEN <= set(SPECS)


def test_a_case_player_of_the_shipped_model_is_baycarp2():
    """So it needs no line of its own."""
    assert line("cases", FEW).digest == line("baycarp2", FEW).digest


def test_the_coupling_of_the_shipped_model_is_baycarp2_that_does_not_learn():
    assert line("coupled", FEW).digest == line("baycarp2(published=True, learning=False)", FEW).digest


@pytest.fixture(scope="module")
def subset():
    return lines(SUBSET, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("level", simd.AVAILABLE)
def test_the_same_at_every_simd_level(level, subset):
    code = (
        "import sys; from experiments.signature.agent_signature import lines\n"
        "from baycarp.kernels import simd\n"
        "print(simd.active(), *(each.digest for each in lines(sys.argv[2:], int(sys.argv[1]))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(FEW), *SUBSET],
        env=os.environ | {"BAYCARP_SIMD": level},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [level, *(each.digest for each in subset)]


def test_all_streets_and_seats_and_enough_situations(monkeypatch):
    met = set()
    script = signature._Script.decide

    def noting(self, observation, *arguments, **named):
        if isinstance(self, signature._Asked):
            met.add((observation.variant.betting, observation.variant.seats, observation.street))
        return script(self, observation, *arguments, **named)

    monkeypatch.setattr(signature._Script, "decide", noting)
    asked = len(list(decisions("call")))
    limit = {("limit", seats, street) for seats in range(2, 11) for street in range(4)}
    no_limit = {("no-limit", seats, street) for seats in (2, 3, 6) for street in range(4)}
    assert limit | no_limit <= met
    assert asked > 300


def test_the_number_is_of_digests_not_names():
    one, two = line("rule", 1), line("jag", 1)
    assert number([one, two]) != number([two, one]) != number([one])
    assert number([one]) == number([type(one)("renamed", one.decisions, one.digest)])


# What must change it.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "other"),
    [
        ("network", "network(threshold=0.79)"),
        ("formula", "formula(aggression=0.501)"),
        ("simulation", "simulation(margin=0.001, model=0.999)"),
        ("baycarp2", "baycarp2(weighted=True)"),
        ("baycarp1(model='empty')", "baycarp1(empty=True, revise='net')"),
        ("baycarp2(opponents='styles')", "baycarp2(opponents='styles', learning=False)"),
    ],
)
def test_a_small_change_of_a_setting_is_noticed(spec, other):
    assert line(spec).digest != line(other).digest


def changed(tmp_path, change):
    """The published weights with one number changed, as a file."""
    data = json.loads(json.dumps(load_weights("thesis", SCHEMAS).to_dict()))
    change(data["streets"])
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(data), "utf-8")
    return f"baycarp2(weights={str(path)!r})"


def test_one_weight_or_threshold_is_noticed(tmp_path):
    def weight(streets):
        streets["flop"]["features"]["hand_strength"]["weight"] += 0.5

    def threshold(streets):
        streets["turn"]["threshold"] += 0.001

    save_weights(tmp_path / "same.json", load_weights("thesis", SCHEMAS))
    same = line(f"baycarp2(weights={str(tmp_path / 'same.json')!r})", FEW).digest
    assert same == line("baycarp2", FEW).digest
    assert line(changed(tmp_path, weight), FEW).digest != same
    assert line(changed(tmp_path, threshold), FEW).digest != same


def test_one_rule_of_a_rule_player_is_noticed(monkeypatch):
    before = line("rule").digest
    bolder = rulebot.StaticRules(strong=0.80)
    monkeypatch.setitem(registry.AGENTS, "rule", partial(rulebot.RuleBot, bolder))
    assert line("rule").digest != before


def test_the_last_bit_of_a_figure_is_noticed(monkeypatch):
    before = line("formula", 1).digest
    exactly = signature.figures
    monkeypatch.setattr(
        signature, "figures", lambda decision: tuple(value * (1 + 2**-52) for value in exactly(decision))
    )
    assert line("formula", 1).digest != before


# What must not.


def test_spelling_and_container_are_not_digested():
    raised = Action("raise", 40)
    named = Decision(raised, {"fold": 0.25, "raise": 0.75}, elapsed=1.0, reason="so")
    sized = Decision(raised, {Action("raise", 20): 0.25, raised: 0.5, Action("fold"): 0.25})
    assert by_kind(named.policy) == by_kind(sized.policy) == (0.25, 0, 0, 0, 0.75)
    assert signature._written(named) == signature._written(sized)
    assert signature._written(Decision(Action("raise", 20), named.policy)) != signature._written(named)


def test_figures_in_a_fixed_order_without_times():
    strength = StrengthStage(0.25, None, 0.5, threshold=0.8, legal=(Action("fold"),), seconds=3.0)
    read = figures(Decision(Action("fold"), {}, trace=(strength,)))
    assert read[0] == 0.25
    assert read[1] != read[1]
    assert read[2:] == (0.5,)


@pytest.mark.parametrize(
    "spec", [spec for spec in SPECS if spec not in ("random", "call", "raise", "frequency")]
)
def test_figures_are_found_in_every_trace(spec):
    games = [Variant.ring(2), Variant.load("holdem.nolimit.2p.100bb")]
    found = list(decisions(spec, 2, games))
    assert found
    assert all(figures(decision) for decision in found)
