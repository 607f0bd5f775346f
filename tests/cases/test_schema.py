import copy
import json
import pickle

import numpy as np
import pytest
from reference.retrieval import FLOP

from baycarp.cases import Case, CaseBase, Exponential, Feature, Linear, PredictedStates, Schema
from baycarp.errors import BaycarpError, SchemaError

HANDS = ("Busted", "TwoPair", "ThreeOfAKind", "FullHouse")


def test_similarities_equal_table_5_4():
    measure = PredictedStates(HANDS)
    query = {"FullHouse": 0.39, "ThreeOfAKind": 0.27, "TwoPair": 0.24, "Busted": 0.10}
    names = ("FullHouse", "ThreeOfAKind", "TwoPair")
    table = [[round(measure(query, slot, held), 2) for held in names] for slot in range(3)]
    assert table == [[1.00, 0.88, 0.85], [0.88, 1.00, 0.97], [0.85, 0.97, 1.00]]
    assert measure(query, 0, "Busted") == 0
    assert measure(query, 0, None) == 0


def test_aces_and_jack_ten_suited():
    # Section 5.4.3: ranks 1 and 18 of 169.
    assert round(1 - Linear(max=168)(1, 18), 1) == 0.1
    assert round(Exponential(k=4, max=168)(1, 18), 2) == 0.67
    assert Exponential(k=4, max=168)(18, 1) == Exponential(k=4, max=168)(1, 18)


def test_linear_is_never_negative():
    assert Linear(max=2)(0, 5) == 0


def test_the_most_probable_states_are_in_order():
    codes, chances = PredictedStates(HANDS).likeliest({"TwoPair": 0.3, "Busted": 0.3, "FullHouse": 0.4})
    assert (codes.tolist(), chances.tolist()) == ([3, 0, 1], [0.4, 0.3, 0.3])


def test_a_state_without_probability_is_not_predicted():
    measure = PredictedStates(HANDS)
    codes, _ = measure.likeliest({"TwoPair": 1.0, "Busted": 0.0})
    assert codes.tolist() == [1, 255, 255]
    assert measure({"TwoPair": 1.0}, 1, None) == 1
    assert measure({"TwoPair": 1.0}, 1, "TwoPair") == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: Linear(max=0),
        lambda: Linear(max=float("nan")),
        lambda: Exponential(k=-1, max=1),
        lambda: Exponential(k=1, max=float("inf")),
        lambda: PredictedStates(()),
        lambda: PredictedStates(("a", "a")),
        lambda: PredictedStates(tuple(map(str, range(32)))),
        lambda: PredictedStates(("a", "b"), slots=3),
        lambda: Feature("x", 0, Linear(max=1)),
        lambda: Feature("", 1, Linear(max=1)),
        lambda: PredictedStates(HANDS).likeliest({"Straight": 0.2}),
        lambda: PredictedStates(HANDS).likeliest({"Busted": 1.2}),
        lambda: Schema("s", (), ("fold",), 0.9),
        lambda: Schema("s", (Feature("x", 1, Linear(1)),) * 2, ("fold",), 0.9),
        lambda: Schema("s", (Feature("x", 1, Linear(1)),), (), 0.9),
        lambda: Schema("s", (Feature("x", 1, Linear(1)),), ("fold",), 1.1),
        lambda: Schema("s", (Feature("x", 1, Linear(1)),), ("fold",), 0.9, fallback=-1),
        lambda: Schema("s", (Feature("x", 1, Linear(1)),), ("fold",), 0.9, provenance=(("p", "f8", 1),)),
        lambda: Schema("s", tuple(Feature(str(i), 1, Linear(1)) for i in range(65)), ("fold",), 0.9),
        lambda: Schema.from_dict({"name": "s"}),
        lambda: Schema.from_dict({**FLOP.to_dict(), "features": [{"name": "x"}]}),
        lambda: Schema.from_dict({**FLOP.to_dict(), "colour": "red"}),
    ],
)
def test_contradictory_settings_are_refused(make):
    with pytest.raises(SchemaError) as caught:
        make()
    assert isinstance(caught.value, BaycarpError)
    assert str(caught.value)


def test_columns_and_weights_are_those_of_unger():
    # Figure 5.8, flop.
    light = ("number of players", "players in hand", "players yet to act", "relative position", "bets total")
    assert dict(zip(FLOP.columns, FLOP.weights, strict=True)) == {
        **dict.fromkeys((*light, "pot odds", *(f"opponent hand type {slot}" for slot in (1, 2, 3))), 5),
        **dict.fromkeys(("bets committed", "bets to call"), 20),
        **dict.fromkeys(("relative hand strength", "positive potential", "negative potential"), 80),
    }


def test_a_schema_survives_json_pickling_and_copying():
    assert FLOP.measure is not None  # with a cached value
    again = Schema.from_dict(json.loads(json.dumps(FLOP.to_dict())))
    assert again == FLOP == copy.deepcopy(FLOP) == pickle.loads(pickle.dumps(FLOP))
    assert again.digest == FLOP.digest
    assert again.origin == FLOP.origin


def test_weights_change_the_digest_and_not_the_layout():
    feature, *others = FLOP.features
    heavier = Schema(**{**vars_of(FLOP), "features": (Feature(feature.name, 9, feature.similarity), *others)})
    assert heavier.digest != FLOP.digest
    assert heavier.layout == FLOP.layout
    assert Schema(**{**vars_of(FLOP), "features": tuple(others)}).layout != FLOP.layout
    assert Schema(**{**vars_of(FLOP), "solutions": FLOP.solutions[::-1]}).layout != FLOP.layout


def vars_of(schema):
    names = ("name", "features", "solutions", "threshold", "fallback", "provenance")
    return {name: getattr(schema, name) for name in names}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pot odds": None}, "pot odds"),
        ({"pot odds": float("nan")}, "finite"),
        ({"pot odds": 1e300}, "finite"),
        ({"opponent hand type": {"Flush?": 1.0}}, "Flush?"),
        ({"weather": 1}, "unknown ['weather']"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_an_invalid_situation_is_refused(change, message):
    values = {feature.name: 0.5 for feature in FLOP.features} | {"opponent hand type": {}}
    FLOP.situation(values)
    with pytest.raises(SchemaError) as caught:
        FLOP.situation(values | change)
    assert message in str(caught.value)


def test_a_missing_feature_is_named():
    with pytest.raises(SchemaError, match="missing \\['pot odds'\\]"):
        FLOP.situation({f.name: 0.5 for f in FLOP.features if f.name != "pot odds"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"solution": "all-in"}, "all-in"),
        ({"provenance": {"game": 1}}, "provenance"),
        ({"provenance": {"game": 1, "hand": 1, "player": 1, "board": [1, 2], "hole": [1, 2]}}, "board"),
        ({"provenance": {"game": 1, "hand": 1, "player": 1, "board": [999] * 5, "hole": [1, 2]}}, "board"),
        ({"outcome": float("inf")}, "outcomes"),
    ],
)
def test_an_invalid_case_is_refused_and_not_stored(change, message):
    situation = FLOP.situation({f.name: 0.5 for f in FLOP.features} | {"opponent hand type": {}})
    where = {"game": 1, "hand": 2, "player": 3, "board": [0, 1, 2, 255, 255], "hole": [50, 51]}
    good = {"situation": situation, "solution": "fold", "outcome": 0.0, "provenance": where}
    base = CaseBase(FLOP)
    with pytest.raises(SchemaError, match=message):
        base.extend([Case(**good), Case(**(good | change))])
    assert len(base) == 0
    assert base.append(Case(**good)) == 0
    assert base.case(0)["provenance"] == where
    assert base.columns()["provenance"]["board"].dtype == np.uint8


def test_a_value_out_of_the_bounds_of_its_feature_is_named():
    schema = Schema(
        "toy", (Feature("x", 1, Linear(max=1)), Feature("y", 1, Exponential(3, 2), (-1, 0.1))), "ab", 0
    )
    assert schema.situation({"x": 1e6, "y": 0.1}).numbers.tolist() == [1e6, np.float32(0.1)]
    assert schema.situation({"x": 0, "y": -1}).numbers.tolist() == [0, -1]
    for x, y, message in (
        (1e30, 0, r"x = 1e\+30 of toy: expected a finite number of -4 to 1e\+06"),
        (-5, 0, "x = -5 of toy"),
        (10**400, 0, "expected finite numbers"),
        (1e300, 0, "x = 1e"),
        (float("inf"), 0, "x = inf"),
        (0, float("nan"), "y = nan"),
        (0, 0.1001, "y = 0.1001 of toy: expected a finite number of -1 to 0.1"),
    ):
        with pytest.raises(SchemaError, match=message):
            schema.situation({"x": x, "y": y})


def test_explicit_bounds_are_saved_and_change_no_layout():
    stated, other = (Schema("toy", (Feature("x", 1, Linear(5), b),), ("a",), 0) for b in ((1, 6), None))
    assert Schema.from_dict(stated.to_dict()) == stated == pickle.loads(pickle.dumps(stated))
    assert "bounds" not in other.to_dict()["features"][0]
    assert stated.layout == other.layout
    assert (stated.features[0].limits, other.features[0].limits) == ((1, 6), (-20, 5e6))
    assert Feature("x", 1, Linear(max=1e300)).limits == (-1e15, 1e15)


@pytest.mark.parametrize("bounds", [(1, 0), (0, 2e15), (float("nan"), 1), (0, float("inf"))])
def test_bounds_that_contradict_themselves_are_refused(bounds):
    with pytest.raises(SchemaError, match=r"bounds .* of x"):
        Feature("x", 1, Linear(max=1), bounds)


def test_symbols_and_slots_have_no_bounds():
    with pytest.raises(SchemaError, match="bounds"):
        Feature("x", 1, PredictedStates(("a", "b"), slots=1), (0, 1))
