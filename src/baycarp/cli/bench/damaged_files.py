"""Damaged files for every reader of files that the package writes: refused, or harmless, never other content.

File ``n`` of a kind depends on (seed, kind, n) alone.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from baycarp.bn import io
from baycarp.cases import Case, CaseBase, CaseStore, Feature, Linear, Nested, Schema
from baycarp.cli.bench.damage import damaged_file
from baycarp.errors import BaycarpError
from baycarp.opponents.styles import SHIPPED as STYLES
from baycarp.opponents.styles import load_styles
from baycarp.strategies.model import NETWORK, SHIPPED, first_hands, load_model, save_model
from baycarp.strategies.weights import TUNED, load_weights

__all__ = ["FILES", "Kind", "outcome"]

HANDS = 300
"""Of the shipped model that are in the damaged files."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file.

    Parameters
    ----------
    make
        Puts a good file, or a folder of them, at a path.
    read
        Its content: equal for files that say the same.
    """

    make: Callable[[Path], object]
    read: Callable[[Path], object]


def outcome(kind: str, number: int, seed: int, folder: Path) -> str:
    """Damage a file and read it.

    Parameters
    ----------
    kind
        One of ``FILES``.
    number, seed
        Of the damage.
    folder
        Where good files and the damaged one are kept; one for each process.

    Returns
    -------
    "refused" with a typed error, "harmless" where the content is the same, "other content", or the untyped
    error.
    """
    good, bad = folder / f"{kind} good", folder / f"{kind} bad"
    if not good.exists():
        FILES[kind].make(good)
    _remove(bad)
    paths = sorted(good.iterdir()) if good.is_dir() else [good]
    shutil.copytree(good, bad, copy_function=shutil.copy) if good.is_dir() else shutil.copy(good, bad)
    chosen = paths[number % len(paths)]
    damaged = damaged_file(chosen.read_bytes(), f"{seed} {kind} {number}")
    (bad / chosen.name if good.is_dir() else bad).write_bytes(damaged)
    try:
        content = FILES[kind].read(bad)
    except BaycarpError:
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "harmless" if content == FILES[kind].read(good) else "other content"


def _remove(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        shutil.rmtree(each) if each.is_dir() else each.unlink()


_MERGED = Schema(
    "merged",
    (Feature("x", 1, Linear(max=10)), Feature("key", 1, Nested((1.0, 0.5)))),
    ("low", "high"),
    0.9,
    merged=True,
)


def _merged() -> CaseBase:
    casebase = CaseBase(_MERGED)
    situations = ({"x": i * i % 11, "key": f"{i % 7}|{i % 3}"} for i in range(500))
    casebase.extend(
        Case(_MERGED.situation(each), ("low", "high")[i % 2], float(i % 5))
        for i, each in enumerate(situations)
    )
    return casebase


def _casebases() -> list[CaseBase]:
    model = load_model(SHIPPED)
    return [*(first_hands(casebase, HANDS) for casebase in model.casebases.values()), _merged()]


def _store(path: Path) -> None:
    CaseStore.create(path, _casebases()).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _columns(casebase: CaseBase) -> dict[str, bytes]:
    return {name: column.tobytes() for name, column in casebase.columns().items()}


def _stored(path: Path) -> object:
    with CaseStore(path, [*load_model(SHIPPED).strategy.bases.values(), _MERGED]) as store:
        return {name: _columns(store.load(name)) for name in store.schemas}


def _model(folder: Path) -> None:
    model = load_model(SHIPPED)
    casebases = {name: first_hands(casebase, HANDS) for name, casebase in model.casebases.items()}
    save_model(folder, replace(model, casebases=casebases), "an example", 1)


def _learned(folder: Path) -> Any:
    model = load_model(folder)
    bases = {name: _columns(casebase) for name, casebase in model.casebases.items()}
    return bases, model.network and model.network.digest(), model.strategy.name, model.outcome


FILES: dict[str, Kind] = {
    "case store": Kind(_store, _stored),
    "case-base": Kind(lambda path: _merged().save(path), lambda path: _columns(CaseBase.load(path, _MERGED))),
    "network": Kind(partial(shutil.copy, SHIPPED / NETWORK), lambda path: io.load(path).digest()),
    "model": Kind(_model, _learned),
    "styles": Kind(partial(shutil.copy, STYLES), lambda path: load_styles(path).digest),
    "weights": Kind(
        partial(shutil.copy, TUNED),
        lambda path: load_weights(path, load_model(SHIPPED).strategy.schemas).digest,
    ),
}
"""By name."""
