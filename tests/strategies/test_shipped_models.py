"""The models that ship: each loads, names its strategy and game, and all together stay small."""

import pytest

from baycarp.game import Variant
from baycarp.strategies.model import MODELS, load_model
from baycarp.strategies.registry import STRATEGIES

FOLDERS = sorted(path.parent for path in MODELS.glob("*/manifest.json"))
MOST = 32_000_000
"""Bytes of all models."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_shipped_model_loads_and_names_its_strategy(folder):
    model = load_model(folder)
    assert model.strategy.name in STRATEGIES
    assert set(model.casebases) == set(model.strategy.bases)
    assert (model.network is not None) == model.strategy.needs_network
    about = model.about()
    game = about["game"]  # of seats in any number, or a shipped one
    assert game == "holdem.limit" or model.strategy.plays.fits(Variant.load(game))
    assert about["command"].startswith("baycarp train")


def test_the_models_stay_within_their_bytes():
    sizes = {
        path.name: sum(file.stat().st_size for file in [*path.rglob("*"), path] if file.is_file())
        for path in sorted(MODELS.iterdir())
    }
    for name, size in sizes.items():
        print(f"{size:>12,} bytes  {name}")
    assert sum(sizes.values()) < MOST
