"""Models of the user as an option of commands: ``--model MODULE:NAME``."""

from collections.abc import Iterable
from importlib import import_module

from baycarp.cli.options import option
from baycarp.errors import ModelError
from baycarp.study.beliefs.queries import Model

__all__ = ["MODEL", "load_models"]

MODEL = option(
    "--model",
    action="append",
    default=[],
    metavar="MODULE:NAME",
    help="measure a model of yours too: see baycarp.study.beliefs.queries.Model",
)


def load_models(names: Iterable[str]) -> dict[str, Model]:
    """The named models.

    Raises
    ------
    ModelError
        A module that cannot be imported, or no callable of that name in it.
    """
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
