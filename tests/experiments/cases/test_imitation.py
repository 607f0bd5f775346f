"""``python -m experiments imitation``: the gap to a teacher by the number of hands watched."""

import json

import numpy as np
import pytest

from baycarp.cases import CaseBase
from baycarp.errors import ArgumentError, ModelError, TableError
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.strategies.model import load_model
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.training.casebases import cases_of_session
from experiments.__main__ import main
from experiments.cases.imitation import Imitation, duels, gaps, learn
from experiments.cases.policy_agreement import policy_agreement
from experiments.cases.versus import boards, winnings_on

VARIANT = Variant.load(GAME)


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    made = Imitation(tmp_path_factory.mktemp("imitation"), (150, 600), (600,), teacher="frequency")
    learn(made, "a test")
    return made


@pytest.fixture(scope="module")
def hands(plan):
    return [parse_state(line, VARIANT) for line in plan.log.read_text().splitlines()]


def counted(casebases):
    """Counts and outcome sums by street and situation."""
    found = {}
    for name, base in casebases.items():
        columns = base.columns()
        for place in range(len(base)):
            key = name, *columns["numbers"][:, place].tolist(), *columns["symbols"][:, place].tolist()
            found[key] = columns["counts"][:, place].tolist(), columns["sums"][:, place].tolist()
    return found


@pytest.mark.slow
def test_both_imitators_watch_the_same_hands(plan, hands):
    assert [hand.id for hand in hands] == list(range(600))
    for number in plan.hands:
        expected = {name: CaseBase(schema) for name, schema in SARTRE2011.bases.items()}
        for settled in cases_of_session(hands[:number], 0, SARTRE2011):
            expected[settled.base].append(settled.case)
        found = load_model(plan.folder / f"sartre-{number}").casebases
        assert {name: len(base) for name, base in found.items()} == {n: len(b) for n, b in expected.items()}
        own, logged = counted(found), counted(expected)
        assert own.keys() == logged.keys()
        for key, (counts, sums) in logged.items():
            assert own[key][0] == counts
            assert own[key][1] == pytest.approx(sums)


def test_the_players_of_the_log_take_turns_on_the_button(hands):
    assert {hand.players for hand in hands[0::2]} == {("EqA", "EqB")}
    assert {hand.players for hand in hands[1::2]} == {("EqB", "EqA")}


@pytest.mark.slow
def test_a_gap_is_what_the_exact_comparison_gives(plan):
    found = gaps(plan, 2, seed=4)
    won = winnings_on([plan.sartre(hands) for hands in plan.hands], "frequency", boards(2, 4), GAME)
    assert [each.mean for each in found["majority"]] == pytest.approx(won.mean(axis=0).tolist())


def test_a_rival_plays_the_teacher_and_the_sartre_of_as_many_hands(plan):
    (duel,) = duels(plan, 10, seed=3)
    assert duel.hands == 600
    assert duel.gap.n == duel.won.n == 20
    assert np.isfinite([duel.gap.margin, duel.won.margin]).all()


def test_a_larger_number_begins_alike_and_finished_models_are_kept(plan, tmp_path):
    other = Imitation(tmp_path, (150,), teacher="frequency")
    learn(other, "a test")
    name = "river.npz"
    one, same = ((each / "sartre-150" / name).read_bytes() for each in (plan.folder, tmp_path))
    assert one == same
    manifest = (plan.folder / "sartre-150" / "manifest.json").stat().st_mtime_ns
    learn(plan, "another command")
    assert (plan.folder / "sartre-150" / "manifest.json").stat().st_mtime_ns == manifest


def test_plans_that_make_no_sense_are_refused(plan, tmp_path):
    with pytest.raises(ArgumentError, match="ascending"):
        Imitation(tmp_path, (30, 10))
    with pytest.raises(ArgumentError, match="some of the hands"):
        Imitation(tmp_path, (10,), (20,))
    with pytest.raises(TableError, match="answers as a table"):
        learn(Imitation(tmp_path, (10,), teacher="formula"), "a test")
    with pytest.raises(ModelError, match="another watched's sessions"):
        learn(Imitation(plan.folder, (10,), teacher="frequency", seed=2), "a test")


def test_the_command_prints_and_draws_the_curves(plan, capsys, tmp_path):
    words = [
        "imitation",
        "--teacher",
        "frequency",
        "--hands",
        "150",
        "600",
        "--rivals",
        "600",
        "--boards",
        "2",
    ]
    words += ["--deals", "3", "--teacher-hands", "4", "--workers", "1", "--out", str(plan.folder)]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["watched"] == [150, 600]
    assert [each["hands"] for each in record["sartre"]["majority"]] == [2, 2]
    assert [each["watched"] for each in record["baycarp2"]] == [600]
    specs = [plan.sartre(hands) for hands in plan.hands]
    apart = policy_agreement(specs, "frequency", VARIANT, 4, plan.seed + 1)
    expected = [apart.divergence(player, 0) for player in (0, 1)]
    assert [each["mean"] for each in record["divergence"]] == [each.mean for each in expected]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert f"{record['sartre']['majority'][1]['mean']:+.4f}" in text
    assert f"{expected[1].mean:+.3f}" in text
    assert (plan.folder / "imitation.svg").stat().st_size > 5000
