"""Weights of similarity as a file of their own: feature weights, similarity constants, thresholds.

    {"format": "baycarp.weights", "version": 1, "origin": {"command": ..., ...},
     "streets": {"flop": {"threshold": 0.93,
                          "features": {"hand_strength": {"weight": 80, "k": 3, "max": 1}, ...}}, ...}}

``max`` is the difference at which a linear similarity is 0, and the unit of an exponential one, whose ``k``
is the rate of its fall. A file is not trusted: it is read as data, and any misfit is an error. The case-bases
of tables of two (``strategies.by_seats``) have the weights of their street.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from baycarp.cases import Exponential, Feature, Linear, Schema
from baycarp.errors import ModelError, SchemaError, reason
from baycarp.files import AnyForm, MapForm, NumberForm, RecordForm, TextForm, read_json, verify, write_whole
from baycarp.strategies.by_seats import shared_name

__all__ = ["PUBLISHED", "TUNED", "Weights", "load_weights", "save_weights"]

PUBLISHED = "the paper's"
"""The source of the weights that a strategy is defined with."""

TUNED = Path(__file__).parent.parent / "data" / "models" / "weights.json"
"""The result of ``train --tune`` for the shipped model; the file holds its command, cases and log losses."""

FORMAT, VERSION = "baycarp.weights", 1
LARGEST = 1 << 20
"""No file of weights is longer, in bytes."""

_FEATURES = MapForm(MapForm(NumberForm(0, 1e6), 1, 3))
FORM = RecordForm(
    {
        "format": TextForm(one_of=(FORMAT,)),
        "version": NumberForm(VERSION, VERSION, whole=True),
        "origin": MapForm(AnyForm()),
        "streets": MapForm(RecordForm({"threshold": NumberForm(0, 1), "features": _FEATURES})),
    },
    {"digest": TextForm()},
)
"""Of the record of ``to_dict``; schemas verify the names."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights, constants and thresholds by street, and their origin.

    Parameters
    ----------
    streets
        By name: ``threshold``, and by feature ``weight``, and of a number ``max``, and where it is compared
        by exponential decay ``k``.
    origin
        Their source: in words, or as command, digests and figures.
    """

    streets: Mapping[str, Any]
    origin: Mapping[str, Any]

    @classmethod
    def of(cls, schemas: Sequence[Schema], origin: Mapping[str, Any]) -> "Weights":
        """Those of some schemas.

        Examples
        --------
        >>> from baycarp.strategies.baycarp import SCHEMAS
        >>> Weights.of(SCHEMAS, {"source": PUBLISHED}).streets["flop"]["features"]["hand_strength"]
        {'weight': 80.0, 'k': 3.0, 'max': 1.0}
        """
        return cls({name: _entries(schema) for name, schema in _own(schemas).items()}, origin)

    @classmethod
    def from_dict(cls, data: Any, where: str, schemas: Sequence[Schema]) -> "Weights":
        """From the record of ``to_dict``, verified against the schemas that it is for.

        Raises
        ------
        ModelError
            Any other data; the message begins with ``where``, the place of the record.
        """
        try:
            verify(FORM, data)
        except ValueError as error:
            raise ModelError(
                f"{where}: {error}: expected weights of format {FORMAT!r}, version {VERSION}"
            ) from None
        streets, origin = data["streets"], data["origin"]
        own = _own(schemas)
        if set(streets) != set(own):
            raise ModelError(f"{where}: expected an origin, and streets {', '.join(own)}")
        weights = cls(streets, origin)
        try:
            for name, schema in own.items():
                _verify(schema, streets[name])
            weights.schemas(schemas)
        except (SchemaError, OverflowError) as error:
            raise ModelError(f"{where}: {error}") from error
        if data.get("digest", weights.digest) != weights.digest:
            raise ModelError(
                f"{where}: digest {data['digest']!r}: expected {weights.digest}, or none in an edited file"
            )
        return weights

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "origin": dict(self.origin),
            "streets": dict(self.streets),
        }

    def signed(self) -> dict[str, Any]:
        """As ``to_dict``, with the digest, which is verified where it stands in a file."""
        return self.to_dict() | {"digest": self.digest}

    @property
    def digest(self) -> str:
        """The digest of the numbers, whatever their origin."""
        numbers = {
            street: {
                "threshold": float(entries["threshold"]),
                "features": {
                    name: {key: float(value) for key, value in held.items()}
                    for name, held in entries["features"].items()
                },
            }
            for street, entries in self.streets.items()
        }
        return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = self.origin.get("source", self.origin.get("command", "of unknown origin"))
        return f"{source} ({self.digest})"

    def schemas(self, like: Sequence[Schema]) -> tuple[Schema, ...]:
        """The schemas with these weights, constants and thresholds; features that they lack are left out."""
        return tuple(self.schema(schema) for schema in like)

    def schema(self, like: Schema) -> Schema:
        """One schema with these weights, constants and threshold.

        Raises
        ------
        ModelError
            A schema with features that have no weight here.
        """
        entries = self.streets.get(shared_name(like.name, self.streets), {"features": {}})
        missing = [feature.name for feature in like.features if feature.name not in entries["features"]]
        if missing:
            raise ModelError(f"weights of {like.name}: none for {', '.join(missing)}")
        features = tuple(_weighed(feature, entries["features"][feature.name]) for feature in like.features)
        return replace(like, features=features, threshold=float(entries["threshold"]))


def _own(schemas: Sequence[Schema]) -> dict[str, Schema]:
    by_name = {schema.name: schema for schema in schemas}
    return {name: schema for name, schema in by_name.items() if shared_name(name, by_name) == name}


def _entries(schema: Schema) -> dict[str, Any]:
    return {
        "threshold": schema.threshold,
        "features": {
            each.name: {"weight": each.weight}
            | (asdict(each.similarity) if isinstance(each.similarity, Linear | Exponential) else {})
            for each in schema.features
        },
    }


def _weighed(feature: Feature, held: Mapping[str, float]) -> Feature:
    similarity: Any = feature.similarity
    constants = {name: value for name, value in held.items() if name != "weight"}
    return replace(feature, weight=held["weight"], similarity=replace(similarity, **constants))


def _verify(schema: Schema, entries: Any) -> None:
    like, features = _entries(schema), entries["features"]
    if not set(features) >= set(like["features"]):
        raise SchemaError(f"{schema.name}: expected a threshold, and features {', '.join(like['features'])}")
    for name, held in features.items():
        keys = like["features"].get(name, {"weight": 0.0})  # of a strategy with more features
        if set(held) != set(keys):
            raise SchemaError(f"{schema.name}, {name}: expected {', '.join(keys)}")


def load_weights(source: Path | str, schemas: Sequence[Schema]) -> Weights:
    """Read a file of weights for these schemas.

    Parameters
    ----------
    source
        The file; ``"thesis"`` names the weights that the schemas are defined with, ``"tuned"`` the shipped
        result of ``baycarp train --tune``.
    schemas
        Of a strategy; every one must have its weights in the file.

    Raises
    ------
    ModelError
        The file is missing, too long, no JSON, or not the weights of these schemas.
    """
    if source == "thesis":
        return Weights.of(schemas, {"source": PUBLISHED})
    path = TUNED if source == "tuned" else Path(source)
    try:
        data = read_json(path, LARGEST)
    except (OSError, ValueError) as error:
        raise ModelError(f"weights {path}: not readable: {reason(error)}") from error
    return Weights.from_dict(data, f"weights {path}", schemas)


def save_weights(path: Path | str, weights: Weights) -> None:
    """Write a file of weights; it appears whole or not at all."""
    write_whole(path, json.dumps(weights.signed(), indent=2) + "\n")
