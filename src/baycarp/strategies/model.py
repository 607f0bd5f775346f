"""A trained model, as a folder: manifest, network, case-bases. Read-only; learning makes a copy.

manifest.json   format, version, strategy, game, the command that made it, its seed, the digest of every file,
                the beliefs that describe its cases, the models whose cases are those of tables of two
network.npz     ``baycarp.bn.io``; absent where the strategy needs no network
BASE.npz        ``CaseBase.save``, one a case-base

Version 1 named neither strategy nor game: it was BayCaRP's, with a network or without, of limit hold'em.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from baycarp.bn import io
from baycarp.bn.network import Network
from baycarp.cases import CaseBase
from baycarp.errors import ModelError, reason
from baycarp.files import (
    AnyForm,
    ListForm,
    MapForm,
    NumberForm,
    RecordForm,
    TextForm,
    open_regular,
    read_json,
    write_whole,
    written_together,
)
from baycarp.opponents.network.dealt import verify as verify_network
from baycarp.strategies.by_seats import HEADS_UP, BySeats, by_seats
from baycarp.strategies.described import (
    Described,
    described_by,
    from_manifest,
    kind_of,
    verify,
    with_beliefs_of,
)
from baycarp.strategies.registry import strategy as named
from baycarp.strategies.spec import Strategy
from baycarp.strategies.weights import PUBLISHED, Weights

__all__ = [
    "DEFAULT_AGENT",
    "MANIFEST",
    "SHIPPED",
    "Model",
    "first_hands",
    "is_model",
    "load_model",
    "play_with",
    "save_model",
    "shipped_model",
]

FORMAT, VERSION = "baycarp.model", 3
NETWORK, MANIFEST = "network.npz", "manifest.json"
MODELS = Path(__file__).parent.parent / "data" / "models"
LARGEST = 1 << 20
"""No manifest is longer, in bytes."""

_FILE = RecordForm({"bytes": NumberForm(0, 1 << 40, whole=True), "sha256": TextForm(64)})
_BELIEFS = RecordForm({"kind": TextForm()}, {"digest": TextForm()})
FORM = RecordForm(
    {
        "format": TextForm(one_of=(FORMAT,)),
        "version": NumberForm(1, VERSION, whole=True),
        "casebases": ListForm(TextForm(200), most=100),
        "files": MapForm(_FILE, most=101),
    },
    {
        **{name: TextForm() for name in ("strategy", "game", "command", "outcome", "revise", "digest")},
        "seed": NumberForm(whole=True),
        "beliefs": _BELIEFS,
        "weights": AnyForm(),
        "two": ListForm(MapForm(AnyForm()), most=100),
    },
)
"""Of a manifest; ``revise`` and a missing strategy are of older versions."""
SHIPPED = MODELS / "default"
"""The model that ships for the default strategy, its cases described by the network; those of others are
beside it, by the strategy's name, and for other beliefs by their kind."""
DEFAULT_AGENT = MODELS / "styles"
"""The model of the default agent, ``baycarp``: commands about its cases begin with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The trained network and the cases of a strategy.

    Parameters
    ----------
    strategy
        The strategy that it is made for, with an opponent model of the kind that described its cases.
    network
        Fitted; None = the strategy needs none.
    casebases
        By name.
    manifest
        How it was made; empty for one that was never saved.
    weights
        The weights of its features; None = the strategy's own.
    """

    strategy: Strategy
    network: Network | None
    casebases: Mapping[str, CaseBase]
    manifest: dict[str, Any] = field(default_factory=dict)
    weights: Weights | None = None

    @property
    def described(self) -> Described:
        """The kind of belief that describes its cases."""
        if "command" in self.manifest or "beliefs" in self.manifest:
            return from_manifest(self.manifest, self.strategy)
        return described_by(self.strategy.opponents, self.network)

    def verify(self, strategy: Strategy) -> None:
        """Refuse a strategy whose queries another kind of belief describes than its cases.

        Raises
        ------
        ModelError
            Another kind, or cases whose manifest does not record it; an empty model has none.
        """
        if any(map(len, self.casebases.values())):
            verify(self.described, str(self.manifest.get("command", "new")), strategy.opponents)

    def published(self) -> Weights:
        """The weights that its strategy is defined with."""
        return Weights.of(self.strategy.schemas, {"source": PUBLISHED})

    def weighed(self, weights: Weights) -> "Model":
        """The same cases with other weights."""
        casebases = {
            name: casebase.under(weights.schema(casebase.schema)) for name, casebase in self.casebases.items()
        }
        return replace(self, casebases=casebases, weights=weights)

    def empty(self, strategy: Strategy | None = None) -> "Model":
        """The same network, and no case.

        Parameters
        ----------
        strategy
            Describes the cases to come; None = the model's own.
        """
        casebases = {name: CaseBase(casebase.schema) for name, casebase in self.casebases.items()}
        if strategy is None:
            return replace(self, casebases=casebases)
        beliefs = described_by(strategy.opponents, self.network).to_dict()
        return replace(self, casebases=casebases, manifest=self.manifest | {"beliefs": beliefs})

    def with_heads_up(self, *models: "Model") -> "Model":
        """Add the cases of other models for tables of two (``strategies.by_seats``).

        Parameters
        ----------
        models
            Of the same strategy, their cases described by the same kind of belief; network and weights stay
            this model's. The sessions of each are numbered after those of the one before.

        Raises
        ------
        ModelError
            A model of another strategy or of other beliefs, or none; a strategy that has no form by seats, or
            has one already.
        """
        if isinstance(self.strategy.key, BySeats):
            raise ModelError(f"strategy {self.strategy.name!r}: has case-bases for tables of two already")
        strategy = by_seats(self.strategy)
        named(strategy.name)  # only a registered one is loaded again
        own = (self.strategy.name, self.described.kind)
        for model in models:
            if (model.strategy.name, model.described.kind) != own:
                raise ModelError(
                    f"model for tables of two: strategy {model.strategy.name!r}, beliefs of kind "
                    f"{model.described.kind!r}: expected {own[0]!r} and {own[1]!r}"
                )
        if not models:
            raise ModelError("models for tables of two: expected at least one")
        casebases = dict(self.casebases)
        for name in self.casebases:
            added = CaseBase(strategy.bases[HEADS_UP + name])
            if self.weights:
                added = added.under(self.weights.schema(added.schema))
            following = 0
            for model in models:
                columns = dict(model.casebases[name].columns())
                columns["provenance"] = columns["provenance"].copy()
                columns["provenance"]["session"] += following
                following = int(columns["provenance"]["session"].max(initial=following - 1)) + 1
                del columns["ids"]
                added.extend_columns(columns)
            added.fold_in()
            casebases[HEADS_UP + name] = added
        two = [{name: model.about()[name] for name in ("command", "seed", "digest")} for model in models]
        return replace(self, strategy=strategy, casebases=casebases, manifest=self.manifest | {"two": two})

    def of_first(self, hands: int) -> "Model":
        """The same network, and the cases of the first hands that were watched.

        Raises
        ------
        ModelError
            More hands than were watched, or fewer than one.
        """
        numbers = (casebase.columns()["provenance"]["hand"] for casebase in self.casebases.values())
        watched = 1 + max(int(each.max(initial=-1)) for each in numbers)
        if not 1 <= hands <= watched:
            raise ModelError(f"hands {hands}: expected 1..{watched}, which were watched")
        return replace(self, casebases={n: first_hands(base, hands) for n, base in self.casebases.items()})

    @property
    def outcome(self) -> str:
        """The outcome rule of its cases: one of ``rules.outcome.OUTCOMES``; empty = the strategy's."""
        return str(self.manifest.get("outcome", self.manifest.get("revise", "")))

    def about(self) -> dict[str, Any]:
        """Its origin, size and digest."""
        files = self.manifest.get("files", {})
        two = [str(each.get("command", "-")) for each in self.manifest.get("two", [])]
        return {
            "strategy": self.strategy.name,
            **{name: self.manifest.get(name, "-") for name in ("game", "command", "seed")},
            **({"two seats": "; ".join(two)} if two else {}),
            "cases": ", ".join(f"{name} {len(casebase)}" for name, casebase in self.casebases.items()),
            "weights": str(self.weights or self.published()),
            "beliefs": str(self.described),
            "bytes": sum(entry["bytes"] for entry in files.values()),
            "digest": digest(files),
        }


def digest(content: Mapping[str, Any]) -> str:
    """The digest of JSON content, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def save_model(folder: Path | str, model: Model, command: str, seed: int) -> None:
    """Write a model; one that is there is replaced when all files of the new one are written."""
    with written_together(folder, last=MANIFEST) as new:
        if model.network is not None:
            io.save(model.network, new / NETWORK)
        for name, casebase in model.casebases.items():
            casebase.save(new / f"{name}.npz")
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "strategy": model.strategy.name,
            "game": model.manifest.get("game", "-"),
            "command": command,
            "seed": seed,
            "beliefs": model.described.to_dict(),
            "casebases": list(model.casebases),
            "files": {
                name: _entry(new / name) for name in _files(model.casebases, model.network is not None)
            },
            **({"outcome": model.outcome} if model.outcome else {}),
            **({"weights": model.weights.signed()} if model.weights else {}),
            **({"two": model.manifest["two"]} if "two" in model.manifest else {}),
        }
        _write(new, manifest)


def play_with(folder: Path | str, weights: Weights) -> None:
    """Make these weights the model's default, stored in its manifest.

    Raises
    ------
    ModelError
        No model there.
    """
    folder = Path(folder)
    _write(folder, _manifest(folder / MANIFEST) | {"weights": weights.signed()})


def _write(folder: Path, manifest: Mapping[str, Any]) -> None:
    signed = {**manifest, "digest": digest(manifest)}
    write_whole(folder / MANIFEST, json.dumps(signed, indent=2) + "\n")


def is_model(folder: Path) -> bool:
    """Whether a folder looks like a model: it has a manifest."""
    try:
        return (folder / MANIFEST).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def load_model(folder: Path | str) -> Model:
    """Read a model and check every file against its digest; a process reads a model once.

    Raises
    ------
    ModelError
        Not a model, a file that is missing, damaged or exchanged, a strategy that is not registered, or a
        network that its opponent model cannot read.
    """
    folder = Path(folder)
    try:
        stamp = (folder / MANIFEST).stat().st_mtime_ns
    except (OSError, ValueError) as error:  # a path may not hold the character 0
        raise ModelError(f"{folder}: no model: expected a manifest.json in it") from error
    return _load(folder.resolve(), stamp)


@lru_cache(maxsize=8)
def _load(folder: Path, _stamp: int) -> Model:
    manifest = _manifest(folder / MANIFEST)
    for name, entry in manifest["files"].items():
        if _entry(folder / name) != entry:
            raise ModelError(f"{folder / name}: changed since the model was made; expected {entry}")
    try:
        strategy = named(str(manifest.get("strategy", "")))
    except ModelError as error:
        raise ModelError(f"{folder}: {error}") from error
    if set(strategy.bases) != set(manifest["casebases"]):
        raise ModelError(f"{folder}: case-bases {manifest['casebases']}: expected {list(strategy.bases)}")
    casebases = {
        name: CaseBase.load(folder / f"{name}.npz", strategy.bases[name]) for name in manifest["casebases"]
    }
    network = io.load(folder / NETWORK) if NETWORK in manifest["files"] else None
    if network is not None:
        verify_network(network, folder / NETWORK)
    strategy = with_beliefs_of(strategy, from_manifest(manifest, strategy))
    model = Model(strategy, network, casebases, manifest)
    if "weights" not in manifest:
        return model
    where = f"{folder / MANIFEST}, weights"
    return model.weighed(Weights.from_dict(manifest["weights"], where, strategy.schemas))


def first_hands(casebase: CaseBase, hands: int) -> CaseBase:
    """The cases of the first hands that were watched; hands are numbered through all sessions."""
    columns = casebase.columns()
    watched = columns["provenance"]["hand"] < hands
    fewer = CaseBase(casebase.schema)
    fewer.extend_columns({name: column[..., watched] for name, column in columns.items()})
    fewer.fold_in()
    return fewer


def shipped_model(strategy: Strategy) -> Model:
    """The model that ships for a strategy; without a case where none does.

    A strategy with an opponent model has the model of its kind of belief (``data/models/KIND``), and where
    none ships, the default one without its cases, which the network described.

    Raises
    ------
    ModelError
        None ships, and the strategy needs a network.
    """
    if strategy.needs_network:
        if (own := MODELS / kind_of(strategy.opponents)).exists():
            return load_model(own)
        default = load_model(SHIPPED)
        alike = kind_of(strategy.opponents) == default.described.kind
        return default if alike else default.empty(strategy)
    if (folder := MODELS / strategy.name).exists():
        return load_model(folder)
    return Model(strategy, None, {name: CaseBase(schema) for name, schema in strategy.bases.items()})


def _files(casebases: Iterable[str], network: bool = True) -> list[str]:
    return [NETWORK] * network + [f"{name}.npz" for name in casebases]


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = read_json(path, LARGEST, FORM)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not readable: {reason(error)}") from error
    signed = manifest.pop("digest", None)
    if manifest["version"] == VERSION and signed != digest(manifest):
        raise ModelError(f"{path}: damaged, or edited: expected digest {digest(manifest)!r}, got {signed!r}")
    names = manifest["casebases"]
    if not all(name and Path(name).name == name for name in names):
        raise ModelError(f"{path}: expected case-bases by names of files, got {names!r}")
    if set(manifest["files"]) | {NETWORK} != set(_files(names)):
        raise ModelError(f"{path}: files {sorted(manifest['files'])!r}: expected {_files(names)}")
    if manifest["version"] == 1:
        kind = "baycarp" if NETWORK in manifest["files"] else "baycarp-without-network"
        manifest |= {"strategy": kind, "game": "holdem.limit"}
    return manifest | {"version": VERSION}


def _entry(path: Path) -> dict[str, Any]:
    try:
        with open_regular(path) as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return {"bytes": file.tell(), "sha256": digest}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: missing from the model: {reason(error)}") from error
