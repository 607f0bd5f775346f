"""The tunable parameters of a schema, as a point in space; point 0 is the schema itself."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import Exponential, Linear, Schema

__all__ = ["parameters", "with_parameters"]

LOOSEST = 0.5
"""No threshold is tuned to less."""


def parameters(schema: Schema) -> list[tuple[str, str]]:
    """The tunable parameters, (feature, number of it): weight, ``k`` or ``max``; and last the threshold.

    Of an exponential similarity ``max`` is left alone: only its ratio to ``k`` matters.
    """
    found = [(feature.name, "weight") for feature in schema.features]
    for feature in schema.features:
        if isinstance(feature.similarity, Exponential):
            found.append((feature.name, "k"))
        elif isinstance(feature.similarity, Linear):
            found.append((feature.name, "max"))
    return [*found, ("", "threshold")]


def with_parameters(schema: Schema, point: Sequence[float] | NDArray[np.float64]) -> Schema:
    """The schema with every parameter changed: multiplied by e to the point; the weights' sum stays.

    The threshold moves by its distance from 1. Four digits are kept: a file holds the measured values.

    Examples
    --------
    >>> from baycarp.strategies.baycarp import SCHEMAS
    >>> with_parameters(SCHEMAS[1], [0.0] * len(parameters(SCHEMAS[1]))) == SCHEMAS[1]
    True
    """
    factor = dict(zip(parameters(schema), np.exp(point).tolist(), strict=True))
    weights = {f.name: f.weight * factor[f.name, "weight"] for f in schema.features}
    scale = sum(f.weight for f in schema.features) / sum(weights.values())
    features = []
    for feature in schema.features:
        similarity = feature.similarity
        if isinstance(similarity, Exponential):
            similarity = replace(similarity, k=_short(similarity.k * factor[feature.name, "k"]))
        elif isinstance(similarity, Linear):
            similarity = Linear(_short(similarity.max * factor[feature.name, "max"]))
        weight = _short(scale * weights[feature.name])
        features.append(replace(feature, weight=weight, similarity=similarity))
    threshold = max(LOOSEST, 1 - (1 - schema.threshold) * factor["", "threshold"])
    return replace(schema, features=tuple(features), threshold=_short(threshold))


def _short(value: float) -> float:
    return float(f"{value:.4g}")
