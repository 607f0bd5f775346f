"""The memory of a user's agent: a persistent copy of a model's cases, which grows as the agent learns."""

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from baycarp.cases import CaseBase, CaseStore, forget
from baycarp.errors import ModelError, StoreError, brief
from baycarp.strategies.described import Described
from baycarp.strategies.model import Model

__all__ = ["exists", "home", "memory_file", "recall", "remember"]

BELIEFS = "beliefs"
"""The name, in the store of a memory, of the kind of belief that describes its cases."""


def home() -> Path:
    """The folder of the memories of a user's agents: ``$BAYCARP_HOME``, or the user's data folder."""
    if folder := os.environ.get("BAYCARP_HOME"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "baycarp"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "baycarp"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "baycarp"


def remember(model: Model, name: str, most: int = 0, new: bool = True) -> tuple[Model, CaseStore]:
    """A user's own persistent copy of a model: made on first use, then as it has grown.

    Case-bases that a memory of an older model lacks begin with the model's cases, if beliefs of the same kind
    describe both.

    Parameters
    ----------
    model
        The cases that the memory begins with.
    name
        Of the memory: a file of ``home()``.
    most
        A case-base that holds more is thinned out now, to nine tenths of this, for good; 0 = no bound. So
        retrieval stays fast while it learns, and no decision waits for the thinning.
    new
        Whether a missing memory is made.

    Raises
    ------
    StoreError
        The file cannot be written, is corrupt or of another schema.
    ModelError
        A name that is no plain file name, or a missing memory that is not to be made; ``most`` below 0.
    """
    if most < 0:
        raise ModelError(f"most {brief(most)}: expected a number of cases, 0 = no bound")
    path = _path(name) if new else memory_file(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    store = _open(path, model)
    casebases = {base: _bounded(store, store.load(base), most) for base in model.casebases}
    return _remembered(model, name, casebases, store), store


def recall(model: Model, name: str) -> Model:
    """The content of a memory; nothing is made, and no file stays open.

    Raises
    ------
    ModelError
        There is no memory of that name.
    """
    path = memory_file(name)
    with _completed(path, model) as store:
        casebases = {base: store.load(base) for base in model.casebases}
        return _remembered(model, name, casebases, store)


def _remembered(model: Model, name: str, casebases: Mapping[str, CaseBase], store: CaseStore) -> Model:
    """The model with the cases of a memory, described as its store records; older stores record nothing."""
    manifest = model.manifest
    if recorded := store.about.get(BELIEFS):
        kind, _, digest = recorded.partition(" ")
        manifest = manifest | {"beliefs": Described(kind, digest).to_dict(), "command": f"memory {name}"}
    return replace(model, casebases=casebases, manifest=manifest)


def _path(name: str) -> Path:
    if not name.isprintable() or not name or Path(name).name != name or name.startswith("."):
        raise ModelError(f"memory {brief(name)}: expected a plain name")
    return home() / f"{name}.sqlite"


def exists(name: str) -> bool:
    """Whether there is a memory of that name."""
    return _path(name).exists()


def memory_file(name: str) -> Path:
    """The file of a memory.

    Raises
    ------
    ModelError
        There is no memory of that name.
    """
    path = _path(name)
    if not path.exists():
        raise ModelError(f"memory {name!r}: there is none at {path}")
    return path


def _bounded(store: CaseStore, casebase: CaseBase, most: int) -> CaseBase:
    if not 0 < most < len(casebase):
        return casebase
    fewer = forget(casebase, max(1, most - most // 10))
    gone = np.setdiff1d(casebase.columns()["ids"], fewer.columns()["ids"])
    store.forget(casebase.schema.name, gone.tolist()).result()
    return fewer


def _open(path: Path, model: Model) -> CaseStore:
    beliefs = f"{model.described.kind} {model.described.digest}".strip()
    try:  # all of the cases or none: a copy that was interrupted is made again, and two may try at once
        return CaseStore.create(path, model.casebases.values(), about={BELIEFS: beliefs})
    except StoreError:
        return _completed(path, model)


def _completed(path: Path, model: Model) -> CaseStore:
    """A store that is there; case-bases that it lacks begin with the model's cases."""

    def begin(about: Mapping[str, str]) -> Iterable[CaseBase]:
        kind = about.get(BELIEFS, model.described.kind).partition(" ")[0]  # older memories record nothing
        return model.casebases.values() if kind == model.described.kind else ()

    return CaseStore(path, [casebase.schema for casebase in model.casebases.values()], begin=begin)
