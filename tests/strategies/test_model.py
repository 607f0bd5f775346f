"""A model on disk: read back whole, or refused by name."""

import json
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from reference.models import edit
from reference.players import system

from baycarp.agents.registry import load
from baycarp.cases import CaseBase, Feature, Linear, Schema
from baycarp.errors import ModelError, StoreError
from baycarp.rules.outcome import g_bucks
from baycarp.strategies import model as models
from baycarp.strategies import registry
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS, WITHOUT_NETWORK
from baycarp.strategies.memory import home, recall, remember
from baycarp.strategies.model import DEFAULT_AGENT, SHIPPED, load_model, save_model

FILES = ("network.npz", "preflop.npz", "flop.npz", "turn.npz", "river.npz")


@pytest.fixture
def folder(small_model, tmp_path):
    """A copy that may be broken."""
    return shutil.copytree(small_model, tmp_path / "model", ignore=shutil.ignore_patterns("sessions"))


def test_a_saved_model_is_loaded(small_model, tmp_path):
    model = load_model(small_model)
    save_model(tmp_path / "deep" / "copy", model, "again", 5)
    again = load_model(tmp_path / "deep" / "copy")
    assert again.network == model.network
    assert list(again.casebases) == [schema.name for schema in SCHEMAS]
    for name, casebase in model.casebases.items():
        for column, array in casebase.columns().items():
            assert again.casebases[name].columns()[column].tobytes() == array.tobytes()
    assert (again.manifest["command"], again.manifest["seed"]) == ("again", 5)
    assert again.manifest["files"] == model.manifest["files"]  # the same bytes
    assert again.strategy == model.strategy == BAYCARP2
    assert not list(tmp_path.rglob("*.part"))


def test_the_description_of_a_model(small_model):
    about = load_model(small_model).about()
    assert (about["command"], about["seed"]) == ("the tests' fixture", 3)
    assert about["bytes"] == sum((small_model / name).stat().st_size for name in FILES)
    assert about["cases"].startswith("preflop 6")
    assert (about["strategy"], about["game"]) == ("baycarp", "holdem.limit.4p")


def test_different_models_have_different_digests(small_model, folder):
    same = load_model(folder).about()["digest"]
    assert same == load_model(small_model).about()["digest"]
    model = load_model(folder)
    river = model.casebases["river"]
    shorter = CaseBase(river.schema)
    shorter.extend_columns({name: array[..., :-1] for name, array in river.columns().items()})
    save_model(folder, replace(model, casebases={**model.casebases, "river": shorter}), "other", 3)
    assert load_model(folder).about()["digest"] != same


@pytest.mark.parametrize("name", FILES)
def test_each_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(ModelError, match=name):
        load_model(folder)


@pytest.mark.parametrize("name", FILES)
def test_each_changed_file_is_named(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(ModelError, match=f"{name}: changed"):
        load_model(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04 no archive", b"\x80\x04K\x01."])
def test_a_foreign_file_is_refused_even_where_the_digest_fits(folder, name, junk):
    (folder / name).write_bytes(junk)
    files = {each: models._entry(folder / each) for each in FILES}
    edit(folder, files=files)
    with pytest.raises(ModelError, match=name):
        load_model(folder)


def test_a_folder_without_manifest_is_no_model(tmp_path):
    with pytest.raises(ModelError, match=r"nowhere: no model: expected a manifest\.json"):
        load_model(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 10**5, '"baycarp.model"', "\udcff"])
def test_a_manifest_that_is_none(folder, text):
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError, match=r"manifest\.json"):
        load_model(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("name", ["manifest.json", *FILES])
def test_a_pipe_or_a_device_in_a_model_is_refused(folder, name):
    for replace_by in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        (folder / name).unlink()
        replace_by(folder / name)
        with pytest.raises(ModelError, match=rf"{name}: .*expected a regular file"):
            load_model(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "other"},
        {"version": 4},
        {"version": "2"},
        {"files": {}},
        {"files": None},
        {"casebases": None},
        {"casebases": ["../preflop"]},
        {"casebases": [""]},
        {"casebases": [3]},
        {"casebases": ["preflop", "flop", "turn"]},
    ],
)
def test_a_manifest_of_another_form_is_refused(folder, changes):
    edit(folder, **changes)
    with pytest.raises(ModelError, match=r"manifest\.json: .*expected"):
        load_model(folder)


def test_a_file_that_the_manifest_does_not_vouch_for_is_refused(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]["river.npz"]
    edit(folder, files=manifest["files"])
    with pytest.raises(ModelError, match=r"river\.npz"):
        load_model(folder)


def registered(monkeypatch, **changes):
    """Register BayCaRP2 with changes under a name of its own; the name."""
    strategy = replace(BAYCARP2, name="other", **changes)
    monkeypatch.setattr(registry, "STRATEGIES", {**registry.STRATEGIES, "other": strategy})
    return "other"


def test_another_schema_is_refused(folder, monkeypatch):
    other = Schema("river", (Feature("luck", 1, Linear(max=1)),), ("fold", "call"), 0.9)
    edit(folder, strategy=registered(monkeypatch, bases={**BAYCARP2.bases, "river": other}))
    with pytest.raises(ModelError, match=r"river\.npz: .*another schema"):
        load_model(folder)


def test_case_bases_of_another_strategy_are_refused(folder, monkeypatch):
    edit(folder, strategy=registered(monkeypatch, bases={schema.name: schema for schema in SCHEMAS[:3]}))
    with pytest.raises(ModelError, match=r"case-bases .*river.*: expected \['preflop', 'flop', 'turn'\]"):
        load_model(folder)


@pytest.mark.parametrize("strategy", ["poker genius", "", None, 3, ["baycarp"]])
def test_a_model_of_a_strategy_that_is_not_registered_is_refused(folder, strategy):
    edit(folder, strategy=strategy)
    with pytest.raises(ModelError, match=rf"{folder.name}.*: strategy.*: expected (one of baycarp|a text)"):
        load_model(folder)


def test_a_manifest_must_name_its_strategy(folder):
    edit(folder, remove="strategy")
    with pytest.raises(ModelError, match=r"strategy '': expected one of baycarp"):
        load_model(folder)


def test_a_model_of_a_strategy_with_another_network_is_refused(folder):
    """A model that holds a network is not one of the strategy without, whose cases have no hand types."""
    edit(folder, strategy="baycarp-without-network")
    with pytest.raises(ModelError, match=r"flop\.npz: .*another schema"):
        load_model(folder)


# Versions of the manifest


def as_version_1(folder):
    """The manifest as it was before it named strategy and game."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["strategy"], manifest["game"]
    path.write_text(json.dumps(manifest | {"version": 1}))


def test_a_manifest_names_strategy_and_game(small_model):
    manifest = json.loads((small_model / "manifest.json").read_text())
    assert (manifest["version"], manifest["strategy"]) == (3, "baycarp")
    assert manifest["game"] == "holdem.limit.4p"


def test_a_changed_entry_is_found_by_the_digest(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"game": "holdem.limit.5p"}))
    with pytest.raises(ModelError, match=r"manifest\.json: damaged, or edited: expected digest"):
        load_model(folder)
    path.write_text(json.dumps(dict(reversed(manifest.items()))))  # another order and layout
    assert load_model(folder).manifest["game"] == "holdem.limit.4p"


def test_version_2_had_no_digest(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["digest"]
    path.write_text(json.dumps(manifest | {"version": 2}))
    assert load_model(folder).manifest["version"] == 3


def test_version_1_was_baycarps(small_model, folder):
    as_version_1(folder)
    old, new = load_model(folder), load_model(small_model)
    assert old.strategy == BAYCARP2
    assert old.manifest["game"] == "holdem.limit"
    assert old.network == new.network
    for name, casebase in new.casebases.items():
        for column, array in casebase.columns().items():
            assert old.casebases[name].columns()[column].tobytes() == array.tobytes()
    assert old.about()["digest"] == new.about()["digest"]


def test_version_1_without_a_network_was_the_control(folder):
    model = load_model(folder)
    casebases = {name: CaseBase(schema) for name, schema in WITHOUT_NETWORK.bases.items()}
    without = replace(model, strategy=WITHOUT_NETWORK, network=None, casebases=casebases)
    save_model(folder.parent / "without", without, "a test", 1)
    as_version_1(folder.parent / "without")
    assert load_model(folder.parent / "without").strategy == WITHOUT_NETWORK


@pytest.mark.parametrize("key", ["outcome", "revise"])
def test_the_outcome_rule_is_read_by_its_old_name_too(folder, key):
    assert load_model(folder).outcome == ""
    if key == "revise":
        as_version_1(folder)
    edit(folder, **{key: "g-bucks"})
    assert load_model(folder).outcome == "g-bucks"
    assert load(folder).strategy.outcome == g_bucks
    save_model(folder, load_model(folder), "again", 1)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["version"], manifest["outcome"]) == (3, "g-bucks")


def test_agents_name_the_model_that_they_cannot_load(tmp_path):
    with pytest.raises(ModelError, match="nowhere"):
        load(f"baycarp1(model={str(tmp_path / 'nowhere')!r})")


# Memories


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_home_follows_the_environment(at_home, monkeypatch):
    assert home() == at_home
    monkeypatch.delenv("BAYCARP_HOME")
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, "")  # empty is as unset
    assert home().name == "baycarp"
    assert home().is_absolute()


def test_a_memory_begins_with_the_model(small_model, at_home):
    model = load_model(small_model)
    own, store = remember(model, "mine")
    store.close()
    assert store.path == at_home / "mine.sqlite"
    assert own.network is model.network
    for name, casebase in model.casebases.items():
        for column, array in casebase.columns().items():
            assert own.casebases[name].columns()[column].tobytes() == array.tobytes()


def test_a_memory_is_described_as_its_first_cases_were(small_model, at_home):
    spec = f"model={str(small_model)!r}, memory='mine'"
    load(f"baycarp2({spec})").store.close()
    assert recall(load_model(DEFAULT_AGENT), "mine").described.kind == "network"
    own, store = remember(load_model(DEFAULT_AGENT), "mine")
    store.close()
    assert own.described == load_model(small_model).described
    with pytest.raises(
        ModelError, match="'memory mine': its cases are described by beliefs of kind 'network'"
    ):
        load("baycarp(memory='mine')")
    begun = {"model": {"folder": small_model, "empty": True}, "memory": {"name": "other"}}
    load(system("baycarp2", opponents={"kind": "styles"}, **begun)).store.close()
    assert recall(load_model(small_model), "other").described.kind == "styles"


def test_an_empty_memory_stays_what_it_was_begun_as(small_model, at_home):
    spec = f"model={str(small_model)!r}, memory='mine'"
    empty = {"folder": small_model, "empty": True}
    load(system("baycarp2", model=empty, memory={"name": "mine"})).store.close()
    again = load(f"baycarp2({spec})")
    again.store.close()
    assert not any(map(len, again.casebases.values()))
    own, store = remember(load_model(DEFAULT_AGENT), "mine")
    store.close()
    assert own.described.kind == "network"


def test_a_memory_that_is_too_large_is_thinned_out_for_good(small_model, at_home):
    model = load_model(small_model)
    sizes = {name: len(casebase) for name, casebase in model.casebases.items()}
    most = max(sizes.values()) // 2
    own, store = remember(model, "mine", most)
    store.close()
    again, store = remember(model, "mine")
    store.close()
    for name, size in sizes.items():
        kept = own.casebases[name].columns()["ids"]
        assert len(kept) == (most - most // 10 if size > most else size)
        assert kept[-1] == size - 1
        assert again.casebases[name].columns()["ids"].tolist() == kept.tolist()
    own, store = remember(model, "mine", most)
    store.close()
    assert {name: len(casebase) for name, casebase in own.casebases.items()} == {
        name: len(casebase) for name, casebase in again.casebases.items()
    }


@pytest.mark.parametrize("name", ["../mine", "a/b", "", ".hidden", "..", "mine\n", "mi\0ne"])
def test_a_memory_is_a_plain_name(small_model, at_home, name):
    with pytest.raises(ModelError, match="expected a plain name"):
        remember(load_model(small_model), name)
    assert not at_home.exists() or not list(at_home.iterdir())


def test_a_memory_that_is_something_else_is_refused_and_left_alone(small_model, at_home):
    at_home.mkdir()
    (at_home / "mine.sqlite").write_bytes(b"my diary" * 1000)
    with pytest.raises(StoreError, match=r"mine\.sqlite"):
        remember(load_model(small_model), "mine")
    assert (at_home / "mine.sqlite").read_bytes() == b"my diary" * 1000


def test_a_memory_that_was_cut_to_nothing_is_not_begun_anew(small_model, at_home):
    at_home.mkdir()
    model = load_model(small_model)
    (at_home / "empty.sqlite").touch()
    with pytest.raises(StoreError, match="a file that is cut is not begun anew"):
        remember(model, "empty")


def test_a_memory_may_begin_with_none_of_the_models_cases(small_model, at_home):
    model = load_model(small_model)
    begun = system("baycarp2", model={"folder": small_model, "empty": True}, memory={"name": "mine"})
    agent = load(begun)
    assert agent.model.network is model.network
    assert [len(casebase) for casebase in agent.casebases.values()] == [0] * 4
    first = CaseBase(SCHEMAS[1])
    columns = model.casebases["flop"].columns()
    first.extend_columns({name: column[..., :1] for name, column in columns.items()})
    agent.store.retain_all(first)[0].result()
    agent.store.close()
    for empty in (True, False):  # it goes on with what it has learned, asked for or not
        again = load(replace(begun, model=replace(begun.model, empty=empty)))
        again.store.close()
        assert [len(casebase) for casebase in again.casebases.values()] == [0, 1, 0, 0]


def test_two_processes_may_make_a_memory_at_once(small_model, at_home):
    model = load_model(small_model)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: remember(model, "shared"), range(4)))
    for own, store in made:
        store.close()
        assert len(own.casebases["flop"]) == len(model.casebases["flop"])
    with closing(sqlite3.connect(at_home / "shared.sqlite")) as connection:
        rows = connection.execute("SELECT count(*) FROM cases WHERE base = 'flop'").fetchone()[0]
    assert rows == len(model.casebases["flop"])


# The model that ships with the package


@pytest.fixture
def shipped():
    if not (SHIPPED / "manifest.json").exists():
        pytest.skip(f"no model at {SHIPPED} yet: baycarp train makes it")
    return load_model(SHIPPED)


def test_the_shipped_model_is_whole_and_small(shipped):
    about = shipped.about()
    assert about["command"].startswith("baycarp train")
    assert about["bytes"] < 10_000_000
    assert all(len(casebase) > 1000 for casebase in shipped.casebases.values())


def test_agents_load_the_shipped_model_by_default(shipped):
    agent = load("baycarp2")
    assert {name: len(casebase) for name, casebase in agent.casebases.items()} == {
        name: len(casebase) for name, casebase in shipped.casebases.items()
    }
