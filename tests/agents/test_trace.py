"""The trace as JSON: every stage of every agent goes there and back, and the schema describes just that."""

import json
import shlex
import sys
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path

import pytest
from reference.players import system
from reference.spots import spots

from baycarp.agents.base import Decision
from baycarp.agents.cases.stages import ReuseStage
from baycarp.agents.computed import Computed
from baycarp.agents.external.program import Program, ProgramSettings
from baycarp.agents.registry import AGENTS, load
from baycarp.agents.table import PLAYERS
from baycarp.agents.trace import STAGES, VERSION, Stage, TierStage, stage_of, trace_record
from baycarp.agents.trace_json import json_schema, read_trace
from baycarp.budget import Budget
from baycarp.errors import ModelError
from baycarp.game.action import Action
from baycarp.game.variant import Variant

BOT = Path(__file__).parents[1] / "bots" / "bot.py"
GAMES = (Variant.ring(2), Variant.load("holdem.nolimit.2p.100bb"))
"""A player decides in the first that it plays."""
BUDGETS = (Budget(playouts=20), Budget(time=0.0), Budget(time=1e6, playouts=20))
SETTINGS = ("explore=0.5", "policy='proportional'", "experts=[{model!r}]")

COUPLED = ("filter", "parallel", "exemplars", "network-network")
"""Architectures with stages of their own."""


def players(model, styled, coupled):
    """Every agent by its name, and case players with the settings that leave marks in a trace."""
    cases = [f"baycarp2(model={{model!r}}, {setting})" for setting in SETTINGS]
    cases.append(f"baycarp2(model={styled!r}, opponents='styles')")
    cases += [f"coupled(architecture={name!r}, model={coupled!r})" for name in COUPLED]
    cases.append("equilibrium(resolve=True, root='river')")
    yield "plans", load(system("baycarp2", strategy={"plans": "sum"}, model={"folder": model}))
    yield "empty", load(system("baycarp2", model={"folder": model, "empty": True}))
    specs = [*sorted(AGENTS.keys() - {"program"}), *PLAYERS, *cases]
    yield from ((spec, load(spec.format(model=model))) for spec in specs)
    for how in ("plays", "babbles"):
        command = shlex.join([sys.executable, "-S", str(BOT), how])
        yield f"program that {how}", Program(ProgramSettings(command, time=30, start=30))


@pytest.fixture(scope="module")
def decisions(small_model, styled_model, coupled_models):
    """Of every player on every street, (name, decision)."""
    met = {game: {state.street: state for state in spots(game, 60, seed=5)} for game in GAMES}
    found = []
    for name, agent in players(str(small_model), str(styled_model), str(coupled_models)):
        game = next(game for game in GAMES if agent.plays.fits(game))
        agent.sit(0, game, 3)
        streets = met[game]
        for budget in BUDGETS if not name.startswith("program") else BUDGETS[:1]:
            for _, state in sorted(streets.items()):
                observation = state.observe(state.to_act, ("p0", "p1"))
                found.append((name, agent.decide(observation, budget=budget)))
    assert all(set(streets) == {0, 1, 2, 3} for streets in met.values())
    return found


@pytest.fixture(scope="module")
def records(decisions):
    """One record of every kind of stage, with as much in it as there is."""
    kinds = {}
    for _, decision in decisions:
        for record in decision.to_dict()["trace"]:
            held = kinds.setdefault(record["stage"], record)
            if len(json.dumps(record)) > len(json.dumps(held)):
                kinds[record["stage"]] = record
    return kinds


@pytest.mark.slow
def test_every_kind_of_stage_occurs(records):
    """The tests below need every kind."""
    assert set(records) == set(STAGES)


def test_a_trace_is_read_back_from_json(decisions):
    for name, decision in decisions:
        record = json.loads(json.dumps(decision.to_dict(), allow_nan=False))
        assert record["version"] == VERSION == 2
        again = read_trace(record["trace"])
        assert again == decision.trace, name
        assert [type(stage) for stage in again] == [type(stage) for stage in decision.trace]
        assert trace_record(again) == record["trace"]


def test_a_record_has_the_fields_of_its_stage_and_no_other(decisions):
    for _, decision in decisions:
        for stage, record in zip(decision.trace, decision.to_dict()["trace"], strict=True):
            assert set(record) == {"stage", "seconds", "done"} | {each.name for each in fields(stage)}
            assert record["stage"] == stage.name
            assert STAGES[stage.name] is type(stage)


def test_the_schema_describes_every_trace(decisions):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(json.loads(json.dumps(schema)))
    for name, decision in decisions:
        errors = list(validator.iter_errors(json.loads(json.dumps(decision.to_dict()["trace"]))))
        assert not errors, (name, errors[0])


@pytest.mark.slow
def test_the_schema_and_the_reader_refuse_the_same_records(records):
    """Every field of every kind of stage, missing and with values of every kind that JSON has."""
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    values = (None, True, 3, 1.5, "", "call 2", "shove", [], [None], {}, {"a": 0.5}, {"a": "b"}, {"a": {}})
    met = {True: 0, False: 0}
    for whole in records.values():
        record = {key: value[:3] if isinstance(value, list) else value for key, value in whole.items()}
        assert validator.is_valid([record])  # a long list takes long, and its items are alike
        without = [{k: v for k, v in record.items() if k != key} for key in record]
        changed = [record | {key: value} for key in record for value in values]
        for broken in (*without, *changed, record | {"extra": 1}):
            valid = validator.is_valid([broken])
            with nullcontext() if valid else pytest.raises(ModelError, match="expected one of version 2"):
                read_trace([broken])
            met[valid] += 1
    assert min(met.values()) > 100


@pytest.mark.parametrize("field", ["extra", "said"])
def test_unknown_fields_are_refused(records, field):
    for name, record in records.items():
        with pytest.raises(ModelError, match=f"unknown .*{field}"):
            read_trace([record | {field: 1}])
        assert read_trace([record])[0].name == name
    beliefs = records["beliefs"]
    with pytest.raises(ModelError, match=f"unknown .*{field}"):
        read_trace([beliefs | {"opponents": [beliefs["opponents"][0] | {field: 1}]}])


@pytest.mark.parametrize(
    "records", [None, 3, "x", [None], ["x"], [[]], [{}], [{"stage": "luck"}], [{"stage": []}]]
)
def test_other_data_than_a_trace_is_refused(records):
    with pytest.raises(ModelError, match="trace: expected one of version 2"):
        read_trace(records)


def test_a_trace_of_version_1_is_refused():
    with pytest.raises(ModelError, match="trace: expected one of version 2"):
        read_trace([{"stage": "rules", "seconds": 0.0, "done": True, "said": {"answer": "fold"}}])


# Stages


def test_a_stage_is_found_if_it_was_completed():
    stages = (
        TierStage("rules", Action("fold"), done=False),
        TierStage("fast", Action("call", 2)),
        TierStage("full", Action("call", 2)),
    )
    assert stage_of(stages, TierStage) == stages[1]
    assert stage_of(stages, ReuseStage) is None


def test_names_of_stages_are_their_own():
    named = [kind.__qualname__ for kind in STAGES.values()]
    assert {kind.__qualname__ for kind in Stage.__subclasses__()} == {*named}
    assert len({*named}) == len(named) > 20


def test_a_computed_sequence_is_computed_once_when_read():
    calls = []

    def compute():
        calls.append(len(calls))
        return ["a", "b", "c"]

    items = Computed(compute)
    assert not calls
    assert (len(items), items[1], list(items[1:]), list(items)) == (3, "b", ["b", "c"], ["a", "b", "c"])
    assert items == ("a", "b", "c") == items
    assert items == Computed(lambda: ("a", "b", "c"))
    assert items != ("a", "b")
    assert hash(items) == hash(("a", "b", "c"))
    assert calls == [0]


def test_amounts_survive():
    decision = Decision(
        Action("raise", 40), {Action("raise", 40): 1.0}, trace=(TierStage("a", Action("raise", 40)),)
    )
    (stage,) = read_trace(json.loads(json.dumps(decision.to_dict()))["trace"])
    assert stage.answer == Action("raise", 40)
