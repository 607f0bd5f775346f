"""Weights as a file: an agent plays with what was written, and a file is read as data."""

import copy
import json
import os
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.models import edit

import baycarp
from baycarp.agents.cases.stages import RetrievalStage
from baycarp.agents.registry import identity, load
from baycarp.agents.trace import stage_of
from baycarp.errors import ModelError
from baycarp.strategies.baycarp import SCHEMAS, WITHOUT_NETWORK
from baycarp.strategies.model import SHIPPED, load_model, play_with, save_model
from baycarp.strategies.weights import PUBLISHED, Weights, load_weights, save_weights

DEFINED = Weights.of(SCHEMAS, {"source": PUBLISHED})
"""The weights of Unger (2011)."""


def otherwise(**flop):
    """The defined weights but for a few of the flop's."""
    data = copy.deepcopy(DEFINED.to_dict())
    data["origin"] = {"command": "made by hand"}
    for name, weight in flop.items():
        data["streets"]["flop"]["features"][name]["weight"] = weight
    return Weights.from_dict(data, "here", SCHEMAS)


@pytest.fixture
def folder(small_model, tmp_path):
    return shutil.copytree(small_model, tmp_path / "model", ignore=shutil.ignore_patterns("sessions"))


def test_the_defined_weights_are_the_schemas():
    assert load_weights("thesis", SCHEMAS) == DEFINED
    assert DEFINED.schemas(SCHEMAS) == SCHEMAS
    assert DEFINED.schemas(WITHOUT_NETWORK.schemas) == WITHOUT_NETWORK.schemas
    assert DEFINED.streets["flop"]["features"]["opponent_hand_type"] == {"weight": 5.0}
    assert [DEFINED.streets[schema.name]["threshold"] for schema in SCHEMAS] == [0.95, 0.93, 0.91, 0.90]


def test_written_weights_are_read_back(tmp_path):
    weights = otherwise(hand_strength=1.5)
    save_weights(tmp_path / "weights.json", weights)
    again = load_weights(tmp_path / "weights.json", SCHEMAS)
    assert again == weights
    assert again.digest == weights.digest != DEFINED.digest
    assert "made by hand" in str(again)
    flop = again.schemas(SCHEMAS)[1]
    assert next(f.weight for f in flop.features if f.name == "hand_strength") == 1.5
    assert again.schemas(SCHEMAS)[0] == SCHEMAS[0]


def test_tuned_weights_were_found_on_the_cases_of_the_shipped_model():
    tuned, shipped = load_weights("tuned", SCHEMAS), load("baycarp2(weights='tuned')").model
    files = json.loads((SHIPPED / "manifest.json").read_text("utf-8"))["files"]
    assert tuned.origin["cases"] == {name: files[f"{name}.npz"]["sha256"] for name in shipped.casebases}
    assert str(tuned).startswith("baycarp train ")
    assert shipped.weights == tuned != DEFINED
    for change in tuned.origin["losses"].values():
        assert change["difference"]["mean"] + change["difference"]["margin"] < 0


def test_an_agent_plays_with_the_weights_of_its_settings(folder, tmp_path):
    file = tmp_path / "weights.json"
    save_weights(file, otherwise(hand_strength=1000))
    spec = f"baycarp2(model={str(folder)!r}, weights={str(file)!r})"
    flop = load(spec).casebases["flop"]
    assert max(flop.schema.features, key=lambda f: f.weight).weight == 1000
    plain = f"baycarp2(model={str(folder)!r})"
    assert identity(spec).endswith(f", weights {load_weights(file, SCHEMAS).digest}")
    assert "weights" not in identity(plain).split("with model")[1]
    observation = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    nearest = [
        stage_of(agent.decide(observation).trace, RetrievalStage).nearest[0].similarity
        for agent in (load(plain), load(spec), load(f"baycarp2(model={str(folder)!r}, weights='thesis')"))
    ]
    assert nearest[0] == nearest[2] != nearest[1]


def test_experts_are_queried_with_the_same_weights(folder, tmp_path):
    file = tmp_path / "weights.json"
    save_weights(file, otherwise(hand_strength=1000))
    spec = f"baycarp2(model={str(folder)!r}, experts=[{str(folder)!r}], weights={str(file)!r})"
    assert load(spec).model.weights.digest == load_weights(file, SCHEMAS).digest


def test_a_manifest_names_the_weights_that_a_model_is_played_with(folder, tmp_path):
    weights, before = otherwise(hand_strength=1000), load_model(folder)
    assert PUBLISHED in before.about()["weights"]
    play_with(folder, weights)
    model = load_model(folder)
    assert model.weights == weights
    assert model.casebases["flop"].schema == weights.schemas(SCHEMAS)[1]
    assert "made by hand" in model.about()["weights"]
    assert model.about()["digest"] == before.about()["digest"]  # of the files
    assert load(f"baycarp2(model={str(folder)!r}, weights='thesis')").casebases["flop"].schema == SCHEMAS[1]
    save_model(tmp_path / "copy", model, "again", 1)
    assert load_model(tmp_path / "copy").weights == weights


def test_a_manifest_with_bad_weights_is_refused(folder):
    edit(folder, weights={"format": "baycarp.weights"})
    with pytest.raises(ModelError, match=r"manifest\.json, weights: .*expected weights of format"):
        load_model(folder)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("format",), "other"),
        (("version",), 2),
        (("streets",), []),
        (("origin",), None),
        (("streets", "flop"), None),
        (("streets", "flop", "threshold"), 1.5),
        (("streets", "flop", "threshold"), True),
        (("streets", "flop", "threshold"), float("nan")),
        (("streets", "flop", "features", "hand_strength", "weight"), 0),
        (("streets", "flop", "features", "hand_strength", "weight"), "80"),
        (("streets", "flop", "features", "hand_strength", "weight"), 10**400),
        (("streets", "flop", "features", "hand_strength", "k"), -1.0),
        (("streets", "flop", "features", "hand_strength", "max"), float("inf")),
        (("streets", "flop", "features", "hand_strength"), {"weight": 80}),
        (("streets", "flop", "features", "number_of_players", "k"), 2.0),
        (("streets", "flop", "features", "luck"), {"wait": 1.0}),
        (("streets", "flop", "features"), {"hand_strength": {"weight": 80, "k": 3, "max": 1}}),
    ],
)
def test_other_data_than_weights_is_refused(tmp_path, where, value):
    data = copy.deepcopy(DEFINED.to_dict())
    at = data
    for key in where[:-1]:
        at = at[key]
    at[where[-1]] = value
    (tmp_path / "bad.json").write_text(json.dumps(data))
    with pytest.raises(ModelError, match="bad"):
        load_weights(tmp_path / "bad.json", SCHEMAS)


def test_weights_of_features_that_a_strategy_lacks_are_left_out(tmp_path):
    """The full file does for the control without hand types; the other way round a weight is missing."""
    save_weights(tmp_path / "full.json", otherwise(hand_strength=1.5))
    flop = load_weights(tmp_path / "full.json", WITHOUT_NETWORK.schemas).schema(WITHOUT_NETWORK.bases["flop"])
    assert {f.name: f.weight for f in flop.features} == {
        f.name: 1.5 if f.name == "hand_strength" else f.weight
        for f in SCHEMAS[1].features
        if f.name != "opponent_hand_type"
    }
    save_weights(tmp_path / "bad.json", Weights.of(WITHOUT_NETWORK.schemas, {"source": "a test"}))
    with pytest.raises(ModelError, match=r"bad\.json: flop: expected .*opponent_hand_type"):
        load_weights(tmp_path / "bad.json", SCHEMAS)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "null", "1e999", " " * (1 << 20) + "{}"])
def test_bytes_that_are_no_weights_are_refused(tmp_path, text):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ModelError, match="bad"):
        load_weights(tmp_path / "bad.json", SCHEMAS)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["flop", "weight", "features", "threshold"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(JSON, st.sampled_from(["streets", "flop", "features", "hand_strength", "weight", "threshold"]))
def test_any_json_value_is_read_as_weights_or_refused(value, where):
    data = copy.deepcopy(DEFINED.to_dict())
    at = data
    for key in ("streets", "flop", "features", "hand_strength"):
        if where in at:
            break
        at = at[key]
    at[where] = value
    try:
        weights = Weights.from_dict(data, "here", SCHEMAS)
    except ModelError:
        return
    assert all(np.isfinite(schema.weights).all() for schema in weights.schemas(SCHEMAS))


@pytest.mark.skipif(os.name != "posix", reason="has pipes and devices")
def test_deep_json_a_pipe_and_a_device_are_no_weights(tmp_path):
    (tmp_path / "deep").write_text("[" * 100_000 + "]" * 100_000)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("deep", "pipe", "zero"):
        with pytest.raises(ModelError, match=f"weights .*{name}: not readable"):
            load_weights(tmp_path / name, SCHEMAS)
