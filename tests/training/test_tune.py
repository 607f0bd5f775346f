"""The tuner: its objective, and that its result depends on the plan only."""

import json
import math
import shutil
import sys

import numpy as np
import pytest

from baycarp.arena.decks import STUDIED
from baycarp.arena.workers import Workers
from baycarp.cases import CaseBase, PredictedStates
from baycarp.cli import main
from baycarp.errors import JournalError, ModelError
from baycarp.strategies.baycarp import SCHEMAS
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.strategies.weights import load_weights
from baycarp.training.held_out import held_out_cases
from baycarp.training.tune import TunePlan, parameters, tune, with_parameters

pytest.importorskip("cma")


@pytest.fixture
def plan(small_model, tmp_path):
    return TunePlan(small_model, tmp_path / "tuned", generations=3, ask=12, finalists=2, deals=0)


def weighted_mean(schema, query, numbers, codes):
    """The global similarity, straight from its definition; the query's states are equally likely."""
    total = 0.0
    for x, y, feature in zip(query.numbers, numbers, schema.numbers, strict=True):
        total += feature.weight * feature.similarity(float(x), float(y))
    at = 0
    for feature in schema.predictions:
        for _ in range(feature.similarity.slots):
            held, likely = codes[at], [code for code in query.codes.tolist() if code != 255]
            alike = held == 255 if query.codes[at] == 255 else held in likely
            total += feature.weight * alike
            at += 1
    return total / sum(schema.weights)


def test_the_loss_follows_its_definition(small_model):
    river = load_model(small_model).casebases["river"]
    held_out, _ = held_out_cases(river, 15, seed=1)
    point = np.linspace(-0.5, 0.5, len(parameters(river.schema)))
    schema = with_parameters(river.schema, point)
    held = held_out.memory.columns()
    actions = [schema.solutions[code] for code in held["solutions"]]
    to_call = [feature.name for feature in schema.numbers].index("bets_to_call")
    for query, did, loss in zip(held_out.queries, held_out.actions, held_out.losses(schema), strict=True):
        alike = np.array(
            [
                weighted_mean(schema, query, held["numbers"][:, row], held["codes"][:, row])
                for row in range(len(held_out.memory))
            ]
        )
        near = np.flatnonzero(alike >= schema.threshold)
        if not len(near):
            near = np.argsort(-alike, kind="stable")[: schema.fallback]
        if query.numbers[to_call]:
            read = {"fold": "fold", "check": "call", "call": "call", "bet": "raise", "raise": "raise"}
        else:
            read = {"fold": "check", "check": "check", "call": "check", "bet": "bet", "raise": "bet"}
        same = sum(read[actions[row]] == did for row in near)
        assert loss == pytest.approx(-math.log((same + 1 / len(set(read.values()))) / (len(near) + 1)))


def test_no_hand_is_in_two_parts(small_model):
    flop = load_model(small_model).casebases["flop"]
    choose, tell = held_out_cases(flop, 10_000, seed=1)
    assert len(choose.memory) + len(choose.queries) + len(tell.queries) == len(flop)
    assert not set(choose.hands) & set(tell.hands)
    origin = flop.columns()["provenance"]
    kept = choose.memory.columns()["provenance"]
    hands = np.unique(origin["hand"])
    held_out = set(choose.hands.tolist()) | set(tell.hands.tolist())
    assert {int(hands[at]) for at in held_out}.isdisjoint(kept["hand"].tolist())


def test_too_few_hands_are_refused():
    with pytest.raises(ModelError, match="at least 5 hands"):
        held_out_cases(CaseBase(SCHEMAS[1]), 10, seed=1)


def test_parameters_change_what_they_name():
    flop = SCHEMAS[1]
    names = parameters(flop)
    assert len(set(names)) == len(names) == 12 + 11 + 1  # features, numbers, the threshold
    assert with_parameters(flop, [0.0] * len(names)) == flop
    point = [0.0] * len(names)
    point[names.index(("hand_strength", "k"))] = math.log(2)
    point[names.index(("pot_odds", "max"))] = math.log(3)
    point[names.index(("", "threshold"))] = math.log(2)
    moved = {feature.name: feature.similarity for feature in with_parameters(flop, point).features}
    assert (moved["hand_strength"].k, moved["hand_strength"].max) == (6, 1)
    assert moved["pot_odds"].max == 1.5
    assert with_parameters(flop, point).threshold == 0.86
    point = np.random.default_rng(1).normal(size=len(names))
    wide = with_parameters(flop, point)
    assert sum(f.weight for f in wide.features) == pytest.approx(
        sum(f.weight for f in flop.features), rel=1e-3
    )
    assert wide.layout == flop.layout


def test_a_case_base_under_other_weights_is_one_of_other_weights():
    from baycarp.cases import retrieve
    from baycarp.cases.maintain import queries
    from baycarp.strategies.model import SHIPPED

    turn = load_model(SHIPPED).casebases["turn"]
    schema = with_parameters(
        turn.schema, np.random.default_rng(2).normal(0, 0.7, len(parameters(turn.schema)))
    )
    other = CaseBase(schema)
    other.extend_columns(turn.columns())
    other.fold_in()  # its index cells depend on its own weights
    for query in queries(turn, np.arange(0, len(turn), 997)):
        one, two = retrieve(turn.under(schema), query), retrieve(other, query)
        assert one.ids.tolist() == two.ids.tolist()
        assert one.similarities.tolist() == two.similarities.tolist()
    assert any(isinstance(f.similarity, PredictedStates) for f in schema.features)


def test_the_choice_is_never_worse_than_the_thesis_on_the_cases_of_the_choice(plan):
    tuned = tune(plan, "the test")
    lines = (plan.out / "search.journal").read_text().splitlines()
    records = [json.loads(line.partition(" ")[2]) for line in lines[1:]]
    for schema in SCHEMAS:
        losses = {tuple(unit[1:]): record["loss"] for unit, record in records if unit[0] == schema.name}
        casebase = load_model(plan.model).casebases[schema.name]
        held_out, _ = held_out_cases(casebase, plan.ask, plan.seed)
        assert losses[-1, 0] == held_out.losses(schema).mean()  # the thesis' point is evaluated first
        chosen = tuned.weights.schema(schema)
        assert held_out.losses(chosen).mean() == min(losses.values()) <= losses[-1, 0]
    record = tuned.weights.origin
    assert record["command"] == "the test"
    assert set(record["cases"]) == set(record["losses"]) == {schema.name for schema in SCHEMAS}
    assert load_weights(plan.out / "weights.json", SCHEMAS).digest == tuned.weights.digest


def test_an_interrupted_search_has_the_same_result(plan, tmp_path):
    tune(plan, "the test")
    again = TunePlan(plan.model, tmp_path / "cut", plan.generations, plan.ask, plan.finalists, deals=0)

    def cut(what, done, of):
        if (what, done) == ("turn, generations", 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(again, "the test", progress=cut)
    journal = again.out / "search.journal"
    assert len(journal.read_bytes()) < len((plan.out / "search.journal").read_bytes())
    journal.write_bytes(journal.read_bytes()[:-30])  # the last line is torn
    tune(again, "the test")
    for name in ("search.journal", "finalist-1.json", "finalist-2.json", "weights.json"):
        assert (again.out / name).read_bytes() == (plan.out / name).read_bytes()


def test_another_search_is_refused(plan, tmp_path):
    tune(plan, "the test")
    with pytest.raises(JournalError, match="seed is 1, not 2"):
        tune(TunePlan(plan.model, plan.out, 3, 12, 2, 0, seed=2), "the test")
    other = tmp_path / "other"
    shutil.copytree(plan.out, other)
    lines = (other / "search.journal").read_bytes().splitlines(keepends=True)
    from baycarp.arena.journal import _sum

    swapped = lines[2].partition(b" ")[2].strip().replace(b'"point":[', b'"point":[1.5,', 1)
    lines[2] = _sum(swapped) + b" " + swapped + b"\n"
    (other / "search.journal").write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match="another point"):
        tune(TunePlan(plan.model, other, 3, 12, 2, 0), "the test")


@pytest.mark.slow
def test_the_result_does_not_depend_on_workers_and_the_best_play(plan, tmp_path):
    one = TunePlan(plan.model, tmp_path / "one", 2, 12, 2, deals=2)
    two = TunePlan(plan.model, tmp_path / "two", 2, 12, 2, deals=2)
    tuned = tune(one, "the test"), tune(two, "the test", Workers(2))
    assert tuned[0].changes == tuned[1].changes
    assert tuned[0].match == tuned[1].match
    assert len(tuned[0].match) == 2
    assert all(rate.n == 16 for rate in tuned[0].match)
    lines = (one.out / "match.journal").read_text().splitlines()[1:]
    assert {json.loads(line.partition(" ")[2])[0][1] for line in lines} == {STUDIED}


def test_the_command_prints_its_result(small_model, tmp_path, capsys):
    model = shutil.copytree(small_model, tmp_path / "model", ignore=shutil.ignore_patterns("sessions"))
    out = tmp_path / "tuned"
    words = [
        "train",
        str(model),
        "--tune",
        "--out",
        str(out),
        "--generations",
        "2",
        "--ask",
        "10",
        "--deals",
        "0",
    ]
    words += ["--workers", "1"]
    assert main([*words, "--keep", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record["changes"]) == {schema.name for schema in SCHEMAS}
    assert record["changes"]["flop"]["asked"] == 10
    assert load_model(model).weights.digest == load_weights(out / "weights.json", SCHEMAS).digest
    assert main(words) == 0  # from the journal, and from the thesis' weights, whatever the manifest contains
    assert "weights='" in capsys.readouterr().out
    assert load_weights(out / "weights.json", SCHEMAS).streets == record["weights"]["streets"]


def test_without_the_library_the_error_names_the_package(small_model, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cma", None)
    assert (
        main(["train", str(small_model), "--tune", "--out", str(tmp_path / "tuned"), "--workers", "1"]) == 1
    )
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .endswith("pip install 'baycarp[tune]' (in a clone '.[tune]')")
    )


def test_the_shipped_model_is_not_changed(capsys):
    assert main(["train", str(SHIPPED), "--tune", "--keep"]) == 1
    assert "expected a model of your own" in capsys.readouterr().err
