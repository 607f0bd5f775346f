"""Case-bases as estimators of scikit-learn: exact neighbours by weighted similarities of mixed features.

Only this module imports scikit-learn; nothing imports this one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.frames import (
    Local,
    category_places,
    columns_of,
    name_of,
    situations,
    store,
    texts_of,
)
from baycarp.cases.retrieve import ColumnMatch, Retrieved, explain, retrieve_all
from baycarp.cases.schema import FARTHEST, Feature, Schema, Situation
from baycarp.cases.similarity import Exponential, Linear
from baycarp.cases.symbols import Nested
from baycarp.errors import SchemaError, brief
from baycarp.kernels.arguments import real

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        _num_samples,
        check_array,
        check_is_fitted,
        column_or_1d,
        validate_data,
    )
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "baycarp.cases.neighbors needs scikit-learn: pip install 'baycarp[train]' (in a clone '.[train]')"
    ) from error

__all__ = ["CaseClassifier", "CaseNeighbors", "CaseRegressor"]

Ids: TypeAlias = NDArray[np.int64]

FINEST = 1e-3
"""A difference is stored to within this part of the similarity's ``max``."""

FAR = 16
"""A column is stored by differences where 0 is so many times farther off than its numbers lie apart."""

APART = 2.0**24
"""Whole differences below this are exact in float32; larger ones may become equal."""

SAME = Nested((1.0,))
"""1 for equal categories, 0 for others."""


def _origins(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each column is stored as the difference from: 0, or its least number far from 0.

    Where whole numbers would become equal that way, the least or the middle number, if that keeps them apart.
    """
    if not numbers.size:
        return np.zeros(len(numbers))
    least = numbers.min(axis=1)
    origins = np.where(np.abs(least) > FAR * np.ptp(numbers, axis=1), least, 0.0)
    for place, column in enumerate(numbers):
        if len(_merged(_large(column, origins[place]), origins[place])):
            middle = np.partition(column, len(column) // 2)[len(column) // 2]
            apart = (at for at in (least[place], middle) if not len(_merged(_large(column, at), at)))
            origins[place] = next(apart, origins[place])
    return origins


def _large(column: NDArray[np.float64], origin: float) -> NDArray[np.float64]:
    """The distinct whole numbers whose differences from the origin may not be exact in float32."""
    return np.unique(column[(np.abs(column - origin) >= APART) & (column == np.rint(column))])


def _merged(whole: NDArray[np.float64], origin: float) -> NDArray[np.float64]:
    """The first two of these rising numbers, if any, whose differences from the origin merge in float32."""
    place = np.flatnonzero(np.diff((whole - origin).astype(np.float32)) == 0)[:1]
    return np.concatenate([whole[place], whole[place + 1]])


def _verify_query(name: str, column: NDArray[np.float64], stored: NDArray[np.float64], origin: float) -> None:
    """Refuse a whole number that becomes equal to another one that is stored."""
    if not len(stored):
        return
    asked = np.setdiff1d(_large(column, origin), stored)
    merged = np.isin((asked - origin).astype(np.float32), (stored - origin).astype(np.float32))
    if merged.any():
        raise SchemaError(
            f"{name}: {asked[merged][0]:.0f} becomes equal in float32 to a number that is stored, as a "
            f"difference from {origin:.17g}: expected numbers that stay apart"
        )


class _CaseNeighbors(BaseEstimator):  # type: ignore[misc]
    """Fit, retrieval and explanation; the kinds of estimators differ in what they predict."""

    casebase_: CaseBase
    y_: NDArray[Any]
    origin_: NDArray[np.float64]
    large_: list[NDArray[np.float64]]
    symbolic_: frozenset[int]

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        features: Mapping[Any, Local] | None = None,
        weights: Mapping[Any, float] | Sequence[float] | None = None,
        threshold: float | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.features = features
        self.weights = weights
        self.threshold = threshold

    def fit(self, X: Any, y: ArrayLike) -> Any:
        """Store cases in place of those stored before.

        Parameters
        ----------
        X
            Array or data frame, (n, features). Columns of a data frame that are not numeric, and those with a
            similarity of symbols in ``features``, are categories; all others finite numbers.
        y
            Targets, shape (n,).
        """
        for name in ("casebase_", "y_"):
            self.__dict__.pop(name, None)
        return self._store(X, y, reset=True)

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The most similar cases, most similar first, equals by index.

        Parameters
        ----------
        X
            Queries; None = the stored cases, each without itself.
        n_neighbors
            Their number; None = that of the estimator.
        return_distance
            Whether to return 1 - similarity as well.

        Returns
        -------
        distances, indices : float64 and int64 arrays, shape (queries, n_neighbors)
        """
        check_is_fitted(self, "y_")
        k, own = self.n_neighbors if n_neighbors is None else n_neighbors, X is None
        if not 1 <= k <= len(self.y_) - own:
            raise SchemaError(f"n_neighbors {brief(k)}: expected 1 to {len(self.y_) - own}")
        found = self._retrieved(X, at_least=0.0, at_most=k + own)
        pairs = [_others(e, row) if own else (e.ids, e.similarities) for row, e in enumerate(found)]
        indices = np.array([ids[:k] for ids, _ in pairs], np.int64).reshape(-1, k)
        distances = 1 - np.array([alike[:k] for _, alike in pairs]).reshape(-1, k)
        return (distances, indices) if return_distance else indices

    def radius_neighbors(
        self, X: Any = None, radius: float | None = None, return_distance: bool = True
    ) -> Any:
        """All cases within a distance of 1 - similarity, most similar first.

        Parameters
        ----------
        X
            As for `kneighbors`.
        radius
            The largest distance, 0..1; None = that of the threshold of the estimator.
        return_distance
            As for `kneighbors`.

        Returns
        -------
        distances, indices : object arrays, shape (queries,), of float64 and int64 arrays
        """
        check_is_fitted(self, "y_")
        if radius is None and self.threshold is None:
            raise SchemaError("radius None: expected a radius, or an estimator with a threshold")
        if radius is not None and not real(radius, "radius") >= 0:
            raise SchemaError(f"radius {brief(radius)}: expected a distance, 0..1")
        at_least = self.threshold if radius is None else max(0.0, 1 - radius)
        found = self._retrieved(X, at_least=at_least, fallback=0)
        distances, indices = np.empty(len(found), object), np.empty(len(found), object)
        for row, each in enumerate(found):
            ids, alike = _others(each, row) if X is None else (each.ids, each.similarities)
            distances[row] = 1 - alike
            indices[row] = ids
        return (distances, indices) if return_distance else indices

    def explain(self, X: Any, index: int) -> tuple[ColumnMatch, ...]:
        """Lay one query beside a stored case: values, weight and similarity of each feature.

        The weighted mean of the similarities is the similarity of `kneighbors`, to the last bit.
        """
        check_is_fitted(self, "y_")
        (query,) = self._queries(X)
        found = explain(self.casebase_, query, index)
        origins = self.origin_.tolist()  # of the numbers, which come first
        there = (
            replace(match, query=match.query + origin, case=match.case + origin)
            for match, origin in zip(found, origins, strict=False)
        )
        return (*there, *found[len(origins) :])

    def _store(self, X: Any, y: ArrayLike, reset: bool) -> Any:
        if y is None:
            raise SchemaError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        given, symbols = self._columns(X, reset)
        numbers = self._differences(given)
        self._verify_spread(numbers)
        large = self._verified_large(given, reset)
        y = self._targets(y)
        if len(y) != numbers.shape[1]:
            raise SchemaError(f"X and y: {numbers.shape[1]} and {len(y)} rows, expected equal numbers")
        store(self.casebase_, numbers, symbols)
        self.large_ = large
        self.y_ = y if reset else np.concatenate([self.y_, y])  # last: it is what says that all is stored
        return self

    def _verify_spread(self, numbers: NDArray[np.float32]) -> None:
        """Refuse a column whose numbers are too far apart for the similarity that compares them."""
        for feature, column in zip(self.casebase_.schema.numbers, numbers, strict=True):
            unit = cast(Linear | Exponential, feature.similarity).max
            far = np.abs(column).max(initial=0)
            if np.spacing(far) > FINEST * unit:
                raise SchemaError(
                    f"{feature.name}: numbers {far:g} apart: expected at most {FINEST / 2**-23:,.0f} times "
                    f"{unit:g}, the difference at which its similarity ends"
                )

    def _verified_large(self, given: NDArray[np.float64], reset: bool) -> list[NDArray[np.float64]]:
        """The large whole numbers of each column, with those stored before; two that merge are refused."""
        large = [_large(*pair) for pair in zip(given, self.origin_, strict=True)]
        if not reset:
            large = [np.union1d(*pair) for pair in zip(self.large_, large, strict=True)]
        for feature, whole, origin in zip(self.casebase_.schema.numbers, large, self.origin_, strict=True):
            if len(pair := _merged(whole, origin)):
                raise SchemaError(
                    f"{feature.name}: {pair[0]:.0f} and {pair[1]:.0f} become equal in float32, as "
                    f"differences from {origin:.17g}: expected whole numbers that stay apart; scale them, "
                    "or round them to float32"
                )
        return large

    def _targets(self, y: ArrayLike) -> NDArray[Any]:
        raise NotImplementedError

    def _columns(self, X: Any, reset: bool) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
        """Rows as numbers and symbols, shape (columns, n); ``reset`` makes schema and origins from them."""
        symbolic = category_places(X, self.features) if reset else self.symbolic_
        if symbolic:
            validate_data(self, X, reset=reset, skip_check_array=True)
            columns = columns_of(X)
            texts = [
                texts_of(column, (self.features or {}).get(name_of(X, place)))
                for place, column in enumerate(columns)
                if place in symbolic
            ]
            numbers = [np.asarray(c, np.float64) for place, c in enumerate(columns) if place not in symbolic]
            given = np.array(numbers).reshape(len(numbers), -1 if numbers else len(columns[0]))
            if not np.all(np.isfinite(given)):
                raise SchemaError("X contains NaN or infinity: expected finite numbers")
        else:
            given, texts = validate_data(self, X, reset=reset, dtype=np.float64).T, []
        if reset:
            self.symbolic_ = symbolic
            self.casebase_ = CaseBase(self._schema(X, given))
        self.casebase_.schema.bounded(given)
        if reset:
            self.origin_ = _origins(given)
        return given, np.array(texts, np.str_).reshape(len(texts), given.shape[1])

    def _differences(self, given: NDArray[np.float64]) -> NDArray[np.float32]:
        """Numbers as they are stored and compared."""
        return np.ascontiguousarray(self.casebase_.schema.bounded(given - self.origin_[:, None]))

    def _queries(self, X: Any) -> list[Situation]:
        given, symbols = self._columns(X, reset=False)
        for feature, *column in zip(
            self.casebase_.schema.numbers, given, self.large_, self.origin_, strict=True
        ):
            _verify_query(feature.name, *column)
        return situations(self._differences(given), symbols)

    def _schema(self, X: Any, numbers: NDArray[np.float64]) -> Schema:
        """Similarities as given; else of categories equality, of numbers linear over their range."""
        ranges = iter(np.ptp(numbers, axis=1).tolist() if numbers.size else [])
        features, given, weights = [], self.features or {}, self.weights
        if weights is not None and not isinstance(weights, Mapping):
            if len(weights) != self.n_features_in_:
                raise SchemaError(
                    f"{len(weights)} weights: expected one for each of {self.n_features_in_} columns"
                )
            weights = dict(zip((name_of(X, i) for i in range(self.n_features_in_)), weights, strict=True))
        unknown = set(given) | set(weights or {})
        for place in range(self.n_features_in_):
            name = name_of(X, place)
            unknown.discard(name)
            weight = 1.0 if weights is None else real(weights.get(name, 1.0), f"weight of {name}")
            if place in self.symbolic_:
                features.append(Feature(str(name), weight, given.get(name, SAME)))
            else:
                local = given.get(name, Linear(max=next(ranges) or 1.0))
                features.append(Feature(str(name), weight, local, (-FARTHEST, FARTHEST)))
        if unknown:
            raise SchemaError(f"features or weights of {sorted(map(str, unknown))}: expected columns of X")
        return Schema("cases", tuple(features), ("case",), threshold=self.threshold or 0.0)

    def _retrieved(self, X: Any, **limits: Any) -> list[Retrieved]:
        if X is not None:
            return retrieve_all(self.casebase_, self._queries(X), **limits)
        stored = self.casebase_.columns()
        symbols = stored.get("symbols", np.empty((0, len(self.y_)), np.str_))
        return retrieve_all(self.casebase_, situations(stored["numbers"], symbols), **limits)

    def _neighbors(self, X: Any) -> list[Retrieved]:
        """The cases that predict: those above the threshold, or where there are none the most similar."""
        check_is_fitted(self, "y_")
        k = min(self.n_neighbors, len(self.y_))
        if self.threshold is None:
            return self._retrieved(X, at_least=0.0, at_most=k)
        return self._retrieved(X, at_least=self.threshold, fallback=k)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "casebase_" in state:
            casebase = state.pop("casebase_")
            stored = casebase.columns()
            state["_cases"] = casebase.schema, stored["numbers"].copy(), stored.get("symbols")
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        cases = state.pop("_cases", None)
        super().__setstate__(state)
        if cases is not None:
            self.casebase_ = CaseBase(cases[0])
            store(self.casebase_, *cases[1:])


class CaseNeighbors(_CaseNeighbors):
    """The most similar cases, without targets.

    Parameters are those of `CaseClassifier`.

    Examples
    --------
    >>> CaseNeighbors(1).fit([[0.0], [1.0], [4.0]]).kneighbors([[3.0]])
    (array([[0.25]]), array([[2]]))
    """

    def fit(self, X: Any, y: object = None) -> Any:
        """Store cases in place of those stored before; ``y`` is ignored."""
        return super().fit(X, np.zeros(_num_samples(X)))

    def partial_fit(self, X: Any, y: object = None) -> Any:
        """Store further cases; the similarities stay those of the first call."""
        return self._store(X, np.zeros(_num_samples(X)), reset=not hasattr(self, "y_"))

    def _targets(self, y: ArrayLike) -> NDArray[Any]:
        return np.asarray(y)


class CaseClassifier(ClassifierMixin, _CaseNeighbors):  # type: ignore[misc]
    """Classification by the most similar cases, each with a vote of its similarity.

    Parameters
    ----------
    n_neighbors
        Cases that vote; with a threshold, where no case reaches it.
    features
        Local similarities by column name, or by place where columns have no names: ``Linear``,
        ``Exponential``, ``Matrix``, ``Nested`` or ``Aligned``. Others: equality of categories, and ``Linear``
        over the range of the first fit (1 where it has one value): a query farther than that from a case
        has similarity 0 to it. At most 64 numbers and 8 categories.
    weights
        Weights above 0 by column, or one for each; others 1.
    threshold
        All cases at or above this similarity vote, 0..1; None = the most similar ones.

    Notes
    -----
    Numbers are stored as float32, those much farther from 0 than from one another as differences from the
    least one of the first fit, or the middle one where that keeps whole numbers apart. Retrieval is exact
    on these. A column whose numbers are so far apart that a thousandth of the similarity's ``max`` is lost is
    refused, as are missing values, and a column of which two whole numbers would become equal. Numbers with
    fractions may become equal where they differ by less than that thousandth.

    Examples
    --------
    >>> import pandas
    >>> X = pandas.DataFrame({"size": [1.0, 2.0, 8.0, 9.0], "colour": ["red", "red", "blue", "red"]})
    >>> found = CaseClassifier(1, weights={"colour": 0.5}).fit(X, ["small", "small", "large", "large"])
    >>> found.predict(X.iloc[[2]])
    array(['large'], dtype='<U5')
    >>> [round(match.similarity, 3) for match in found.explain(X.iloc[[2]], 3)]
    [0.875, 0.0]
    """

    def partial_fit(self, X: Any, y: ArrayLike, classes: ArrayLike | None = None) -> Any:
        """Store further cases; the similarities stay those of the first call.

        ``classes`` may name classes without cases yet; new classes of later calls are added.
        """
        first = not hasattr(self, "y_")
        if first and classes is not None:
            self.classes_ = np.unique(np.asarray(classes))
        before = None if first and classes is None else self.classes_
        self._store(X, y, reset=first)
        if before is not None:
            self.classes_ = np.union1d(before, self.classes_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of most votes of each query; of equal ones the first."""
        chances = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(chances, axis=1)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of the votes of each class, shape (queries, classes)."""
        found = self._neighbors(X)
        codes = np.searchsorted(self.classes_, self.y_)
        votes = [np.bincount(codes[e.ids], _votes(e), len(self.classes_)) for e in found]
        totals = np.array(votes).reshape(len(found), len(self.classes_))
        return np.asarray(totals / totals.sum(axis=1, keepdims=True))

    def _targets(self, y: ArrayLike) -> NDArray[Any]:
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        kept = [] if "y_" not in self.__dict__ else [self.y_]
        self.classes_ = np.unique(np.concatenate([*kept, y]))
        return np.asarray(y)


class CaseRegressor(RegressorMixin, _CaseNeighbors):  # type: ignore[misc]
    """Regression by the mean target of the most similar cases, weighted by their similarity.

    Parameters are those of `CaseClassifier`.

    Examples
    --------
    >>> CaseRegressor(2).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).predict([[1.5]])
    array([1.5])
    """

    def partial_fit(self, X: Any, y: ArrayLike) -> Any:
        """Store further cases; the similarities stay those of the first call."""
        return self._store(X, y, reset=not hasattr(self, "y_"))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The weighted mean of each query, shape (queries,)."""
        return np.array([_mean(self.y_[e.ids], _votes(e)) for e in self._neighbors(X)])

    def _targets(self, y: ArrayLike) -> NDArray[Any]:
        return np.asarray(check_array(column_or_1d(y, warn=True), ensure_2d=False, dtype=np.float64))


def _votes(found: Retrieved) -> NDArray[np.float64]:
    """The similarities; if all are 0, ones."""
    return found.similarities if found.similarities.any() else np.ones(len(found))


def _mean(targets: NDArray[np.float64], votes: NDArray[np.float64]) -> float:
    """The weighted mean, of large numbers too, whose sum overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.average(targets, weights=votes)
    if not np.isfinite(mean):
        halves = targets / 2
        mean = 2 * np.clip(
            np.average(halves / votes.sum(), weights=votes) * votes.sum(), halves.min(), halves.max()
        )
    return float(mean)


def _others(found: Retrieved, row: int) -> tuple[Ids, NDArray[np.float64]]:
    """The cases other than the query itself, which may be beyond more cases that equal it."""
    kept = found.ids != row
    return found.ids[kept], found.similarities[kept]
