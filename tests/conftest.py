"""Fixtures of all tests."""

import gc
import os
from collections.abc import Generator
from pathlib import Path

if "PYTEST_XDIST_WORKER" in os.environ:  # the processes share the cores, and waiting threads take time
    for library in ("OMP", "OPENBLAS"):  # which read it when they are imported
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.strategies.baycarp import BAYCARP2, believing
from baycarp.training.coupled import train_coupled
from baycarp.training.model import Training, Watched, train

settings.register_profile("large", max_examples=20_000)  # --hypothesis-profile=large: for hours


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: without this every garbage collection would go through a million objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real hands: ``$BAYCARP_DATA``, or ``shared/data`` next to the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BAYCARP_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real hands at {folder}: set BAYCARP_DATA to the folder that holds them")
    return folder


WATCHED = Table(
    Variant.ring(4),
    ("Ann", "Bob", "Cleo", "Dan"),
    ("rule", "jag", "formula(tightness=0.5)", "random"),
    seed=3,
)
"""Four fast players, for a small model."""


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model of 150 observed hands; read-only."""
    folder = tmp_path_factory.mktemp("models") / "small"
    train(Training(BAYCARP2), Watched(WATCHED, 150), folder, "the tests' fixture")
    return folder


@pytest.fixture(scope="session")
def styled_model(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model of the same hands, whose cases are described by styles; read-only."""
    folder = tmp_path_factory.mktemp("models") / "styled"
    styled = believing(BAYCARP2, ByActions(load_styles()))
    train(Training(styled), Watched(WATCHED, 150, small_model / "sessions"), folder, "the tests' fixture")
    return folder


@pytest.fixture(scope="session")
def coupled_models(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the models of all readers, of the same hands; read-only."""
    folder = tmp_path_factory.mktemp("models") / "coupled"
    train_coupled(Watched(WATCHED, 150, small_model / "sessions"), folder, "the tests' fixture")
    return folder


@pytest.fixture(scope="session")
def watched_table() -> Table:
    """The players of the small model."""
    return WATCHED
