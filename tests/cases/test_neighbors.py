"""The estimators against scikit-learn's own checks, and against similarities written from the formula."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from baycarp.cases import Exponential, Linear, Matrix
from baycarp.cases.neighbors import SAME, CaseClassifier, CaseNeighbors, CaseRegressor
from baycarp.errors import ArgumentError, SchemaError


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "estimator",
    [
        CaseClassifier(),
        CaseRegressor(),
        CaseClassifier(threshold=0.9),
        CaseRegressor(2, threshold=0.95),
        CaseNeighbors(),
    ],
    ids=repr,
)
def test_scikit_learns_estimator_checks_pass(estimator):
    results = check_estimator(estimator, on_fail=None)
    assert len(results) > 40
    assert [each["check_name"] for each in results if each["status"] == "failed"] == []


def mixed(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "kind": rng.choice(["a|b", "c", "d\n"], n),
            "level": rng.choice(["low", "mid", "high"], n),
            "dose": np.float32(rng.normal(size=n)),
        }
    )


LEVEL = Matrix(("low", "mid", "high"), ((1, 0.5, 0), (0.5, 1, 0.5), (0, 0.5, 1)))
FEATURES = {"level": LEVEL, "dose": Exponential(k=2, max=3)}
WEIGHTS = {"age": 2.0, "dose": 0.5}


def reference(stored, queries):
    """Similarities of every query to every stored case, from the formula, feature by feature."""
    table = np.array(LEVEL.table)
    place = LEVEL.symbols.index
    out = np.empty((len(queries), len(stored)))
    span = stored["age"].max() - stored["age"].min()
    for i, (_, q) in enumerate(queries.iterrows()):
        for j, (_, c) in enumerate(stored.iterrows()):
            age = max(0.0, 1 - abs(q["age"] - c["age"]) / span)
            level = table[place(q["level"]), place(c["level"])]
            dose = np.exp(-2 * abs(float(q["dose"]) - float(c["dose"])) / 3)
            out[i, j] = (2 * age + (q["kind"] == c["kind"]) + level + 0.5 * dose) / 4.5
    return out


def test_neighbours_are_those_of_a_full_scan():
    stored, queries = mixed(300, 1), mixed(15, 2)
    alike = reference(stored, queries)
    y = np.arange(300) % 7
    model = CaseClassifier(8, features=FEATURES, weights=WEIGHTS, threshold=0.85).fit(stored, y)
    distances, indices = model.kneighbors(queries)
    radii, within = model.radius_neighbors(queries)
    for row, scores in enumerate(alike):
        np.testing.assert_allclose(distances[row], 1 - np.sort(scores)[::-1][:8], atol=1e-12)
        np.testing.assert_allclose(1 - distances[row], scores[indices[row]], atol=1e-12)
        assert set(within[row]) == set(np.flatnonzero(scores >= 0.85))
        votes = within[row] if len(within[row]) else indices[row]
        expected = np.bincount(y[votes], scores[votes], 7) / scores[votes].sum()
        np.testing.assert_allclose(model.predict_proba(queries.iloc[[row]])[0], expected, atol=1e-12)
        assert np.all(np.diff(radii[row]) >= 0)
    regressor = CaseRegressor(8, features=FEATURES, weights=WEIGHTS).fit(stored, y)
    means = [np.average(y[i], weights=alike[row][i]) for row, i in enumerate(indices)]
    np.testing.assert_allclose(regressor.predict(queries), means, atol=1e-12)


def test_an_explanation_adds_up_to_the_similarity():
    stored, queries = mixed(60, 3), mixed(4, 4)
    model = CaseRegressor(3, features=FEATURES, weights=WEIGHTS).fit(stored, np.arange(60))
    distances, indices = model.kneighbors(queries)
    for row in range(4):
        matches = model.explain(queries.iloc[[row]], int(indices[row, 0]))
        weights = [match.weight for match in matches]
        assert np.average([m.similarity for m in matches], weights=weights) == pytest.approx(
            1 - distances[row, 0], abs=1e-15
        )
        assert {match.column for match in matches} == set(stored)


def test_parts_are_stored_as_one():
    data, y = mixed(200, 5), np.array(["x", "y", "z", "x"] * 50)
    fixed = {"age": Linear(max=80), "dose": Linear(max=4)}
    whole = CaseClassifier(4, features=fixed).fit(data, y)
    parts = CaseClassifier(4, features=fixed).partial_fit(data[:3], y[:3], ["w", "x"])
    parts.partial_fit(data[3:], y[3:])
    assert parts.classes_.tolist() == ["w", "x", "y", "z"]
    np.testing.assert_array_equal(whole.kneighbors(data[:9])[1], parts.kneighbors(data[:9])[1])
    np.testing.assert_array_equal(whole.predict_proba(data), parts.predict_proba(data)[:, 1:])


def test_stored_cases_are_not_their_own_neighbours():
    model = CaseRegressor(2).fit([[0.0], [0.0], [5.0], [6.0]], [0, 1, 2, 3])
    assert model.kneighbors(return_distance=False).tolist() == [[1, 2], [0, 2], [3, 0], [2, 0]]
    assert [each.tolist() for each in model.radius_neighbors(radius=0.1, return_distance=False)] == [
        [1],
        [0],
        [],
        [],
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: CaseRegressor(weights={"size": 2}).fit(d, range(9)), "'size'"),
        (lambda d: CaseRegressor(features={"size": Linear(2)}).fit(d, range(9)), "'size'"),
        (lambda d: CaseRegressor().fit(d, range(8)), "9 and 8 rows"),
        (lambda d: CaseRegressor().fit(d.assign(age=np.nan), range(9)), "finite"),
        (lambda d: CaseRegressor().fit(d, range(9)).kneighbors(d, 10), "n_neighbors 10"),
        (lambda d: CaseRegressor().fit(d, range(9)).radius_neighbors(d), "radius None"),
        (lambda d: CaseRegressor().fit(d, range(9)).radius_neighbors(d, np.nan), "radius nan"),
        (lambda d: CaseRegressor(weights=[1]).fit(d, range(9)), "1 weights: expected one for each"),
        (lambda d: CaseRegressor(features={"x": SAME}).fit(np.ones((9, 2)), range(9)), "'x'"),
        (lambda d: CaseRegressor(weights={0: 10**400}).fit(np.ones((9, 2)), range(9)), "weight of 0"),
    ],
)
def test_errors_name_the_value(call, message):
    with pytest.raises((SchemaError, ArgumentError), match=message):
        call(mixed(9, 0))


def test_features_are_a_mapping():
    with pytest.raises(TypeError, match="features: expected similarities by column"):
        CaseRegressor(features=[Linear(max=1)]).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("targets", [[1.7e308] * 3, [-1.7e308] * 3, [1.7e308, 1.7e308, -1.7e308]])
def test_the_mean_of_large_targets_is_finite(targets):
    (found,) = CaseRegressor(3).fit([[0.0], [1.0], [2.0]], targets).predict([[1.0]])
    assert found == pytest.approx(targets[0] if len({*targets}) == 1 else 1.7e308 / 2)


@pytest.mark.parametrize("again", ["fit", "partial_fit"])
def test_after_a_refused_fit_the_cases_are_those_before_or_none(again):
    model = CaseRegressor(1).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(SchemaError, match="rows"):
        getattr(model, again)([[0.0], [1.0]], [0.0])
    if again == "partial_fit":
        assert model.predict([[1.0]]) == [1.0]
    else:
        with pytest.raises(NotFittedError):
            model.predict([[1.0]])
    first = CaseRegressor(1)
    with pytest.raises(SchemaError, match="rows"):
        first.partial_fit([[0.0], [1.0]], [0.0])
    assert first.partial_fit([[0.0], [1.0]], [0.0, 1.0]).predict([[1.0]]) == [1.0]


def test_more_equal_cases_than_neighbours_are_each_answered():
    found = CaseClassifier(1).fit([[1.0]] * 4, [0, 0, 1, 1])
    distances, indices = found.kneighbors()
    assert distances.shape == indices.shape == (4, 1)
    assert (distances == 0).all()
    assert (indices[:, 0] != np.arange(4)).all()


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_categories_are_refused(missing):
    X = pd.DataFrame({"kind": ["a", "b", missing]}, dtype=object)
    with pytest.raises(SchemaError, match="missing category"):
        CaseClassifier(1).fit(X, [0, 1, 1])


@pytest.mark.parametrize(
    ("rows", "query"),
    [
        ([16777216, 16777217, 16777218], 16777217),
        ([1000000.10, 1000000.12, 1000000.14], 1000000.12),
        ([-(10.0**14), 2 - 10.0**14, 4 - 10.0**14], 2 - 10.0**14),
    ],
)
def test_close_numbers_far_from_zero_differ(rows, query):
    column = np.array(rows, np.float64)[:, None]
    fitted = CaseNeighbors(3).fit(column)
    distances, indices = fitted.kneighbors([[query]])
    assert indices[0, 0] == 1
    assert distances[0] == pytest.approx([0, 0.5, 0.5], abs=1e-4)
    assert fitted.explain([[query]], 2)[0].case == pytest.approx(rows[2], abs=1e-6)
    again = pickle.loads(pickle.dumps(fitted)).kneighbors([[query]])
    assert again[1][0, 0] == 1


NOW = 1_700_000_000


@pytest.mark.parametrize(
    ("rows", "query"),
    [
        ([0, 16777216, 16777217, 16777218], 2),
        ([0, 10**9, 10**9 + 1], 2),
        ([0, 86400, NOW, NOW + 1, NOW + 2, 2 * NOW], 3),
        ([10**8, 10**8 + 1, 110_000_000], 1),
        ([-16777217, -16777216, 0], 1),
    ],
)
def test_whole_numbers_beside_much_earlier_ones_differ(rows, query):
    column = np.array(rows, np.float64)[:, None]
    fitted = CaseNeighbors(2).fit(column)
    distances, indices = fitted.kneighbors([column[query]])
    assert indices[0, 0] == query
    assert distances[0, 0] == 0 < distances[0, 1]


TWICE = [0, 1, NOW, NOW + 1]


@pytest.mark.parametrize("kind", [CaseNeighbors, CaseClassifier, CaseRegressor])
def test_whole_numbers_that_become_equal_are_refused(kind):
    table = pd.DataFrame({"x": 0.5, "time": TWICE})
    with pytest.raises(SchemaError, match="time: 1700000000 and 1700000001 become equal in float32"):
        kind(1).fit(table, range(4))
    kind(1).fit(np.float32(table), range(4))
    parts = kind(1).partial_fit(table[1:], range(3))
    with pytest.raises(SchemaError, match="time: 0 and 1 become equal in float32"):
        pickle.loads(pickle.dumps(parts)).partial_fit(table[:1], [3])
    assert parts.partial_fit(table[1:], range(3)).kneighbors(table[3:], 2)[1].tolist() == [[2, 5]]


def test_close_fractions_are_taken():
    column = np.array([[0.3], [0.1 + 0.2], [1.0], [100.25]])
    assert CaseNeighbors(1).fit(column).kneighbors([[100.0]])[1].tolist() == [[3]]
    many = np.random.default_rng(0).normal(size=(1000, 2)) * [1, 1e9]
    many[1::2] = np.nextafter(many[::2], np.inf)
    assert CaseNeighbors(1).fit(many).kneighbors(many[:1])[1].tolist() == [[0]]


def test_numbers_too_far_apart_for_their_similarity_are_refused():
    far = np.array([[0.0], [1e9], [1e9 + 1]])
    with pytest.raises(SchemaError, match=r"numbers 1e\+09 apart"):
        CaseNeighbors(1, features={0: Linear(max=2)}).fit(far)
    assert CaseNeighbors(1, features={0: Linear(max=1e6)}).fit(far).kneighbors([[1e9]])[1].tolist() == [[1]]


def test_a_query_that_becomes_equal_to_another_number_is_refused():
    """It had the distance 0 from a number that is one less."""
    neighbors = CaseNeighbors(1).fit([[0], [2**24], [2**25]])
    assert neighbors.kneighbors([[2**24], [2**24 + 2], [2**25]])[1].ravel().tolist() == [1, 1, 2]
    with pytest.raises(SchemaError, match="16777217 becomes equal in float32"):
        neighbors.kneighbors([[2**24 + 1]])
