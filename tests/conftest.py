"""What every test may ask for."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real hands: ``$BAYCARP_DATA``, or ``shared/data`` beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BAYCARP_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real hands at {folder}: set BAYCARP_DATA to the folder that holds them")
    return folder
