"""Models of the user as an option of commands: ``--model MODULE:NAME``."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from baycarp.cli.options import option
from baycarp.errors import ModelError
from experiments.beliefs.decision_points import Model

__all__ = ["MODEL", "load_models"]

MODEL = option(
    "--model",
    action="append",
    default=[],
    metavar="MODULE:NAME",
    help="measure a model of yours too: see experiments.beliefs.decision_points.Model",
)


def load_models(names: Iterable[str]) -> dict[str, Model]:
    """The named models; modules of the current folder are found after those that are installed.

    Raises
    ------
    ModelError
        A module that cannot be imported, or no callable of that name in it.
    """
    if (folder := str(Path.cwd())) not in sys.path:  # the command's script leaves it out
        sys.path.append(folder)
    return {name: _load(name) for name in names}


def _load(name: str) -> Model:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute, None) if attribute else None
    except (ImportError, ValueError) as error:
        raise ModelError(f"model {name!r}: expected a module that can be imported: {error}") from error
    if not callable(found):
        raise ModelError(f"model {name!r}: expected MODULE:NAME of a callable on observations")
    model: Model = found
    return model
