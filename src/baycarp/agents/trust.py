"""Specifications of agents that may come from a stranger: shipped agents with plain settings."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from baycarp.agents.cases.system import OPPONENTS
from baycarp.agents.gambler import TABLE
from baycarp.agents.plugins import plugins
from baycarp.agents.poki.preflop import LEVELS
from baycarp.agents.registry import AGENTS, parse
from baycarp.agents.table import PLAYERS
from baycarp.cases import POLICIES
from baycarp.errors import ModelError, one_of
from baycarp.kernels.search import BACKUPS
from baycarp.opponents.gambler.reverse import FORMS
from baycarp.opponents.gambler.tables import BIASES

__all__ = ["PLAIN", "TEXTS", "located", "verify_plain"]

PLAIN = frozenset(
    (
        *("random", "call", "raise", "frequency", "rule", "jag", "maniac", "station", "folder"),
        *("formula", "simulation", "network", "sizer", *PLAYERS),
        *("baycarp", "baycarp1", "baycarp2", "coupled", "cases", "casper01", "casper02", "casey"),
        *("equilibrium", "equilibriumnl"),
        *("sartre", "sartre2009", "sartre2010", "sartrenl", "sartrenl2010", "sartre3p"),
        *("gambler", "bpp", "mcts"),
    )
)
"""Shipped agents that start no process and read no file but the package's own."""

TEXTS: Mapping[str, Collection[str]] = {
    "level": LEVELS,
    "policy": POLICIES,
    "weights": ("thesis", "tuned"),
    "opponents": OPPONENTS,
    "bias": (*BIASES, TABLE),
    "form": FORMS,
    "backup": BACKUPS,
}
"""The settings that may be a text, and the texts that each may be; a text of any other may name a file."""

_ONLY = "not without trust"

_LEARNED = re.compile(r"alike\(model='(?![.])[\w.+-]{1,80}\.npz'\)")
"""A model beside the journal that names it (``located``): its file is data, read within bounds."""


def located(spec: str, folder: Path) -> str:
    """The specification with the path of its model, where that lies in the folder of a session.

    Examples
    --------
    >>> located("alike(model='Bill-1a2b.npz')", Path("played")), located("karma", Path("played"))
    ("alike(model='played/Bill-1a2b.npz')", 'karma')
    """
    if not _LEARNED.fullmatch(spec):
        return spec
    _, settings = parse(spec)
    return f"alike(model={str(folder / settings['model'])!r})"


def verify_plain(spec: str) -> None:
    """Refuse a specification that could start a program, read or write a file, or import a package.

    Parameters
    ----------
    spec
        As ``registry.load`` takes it. Numbers and truth values are plain settings, and texts of ``TEXTS``.

    Raises
    ------
    ModelError
        An agent that is not in ``PLAIN``, or a setting that is not plain.

    Examples
    --------
    >>> verify_plain("formula(level='tight', tightness=0.4)")
    >>> verify_plain("baycarp(memory='x')")
    Traceback (most recent call last):
    baycarp.errors.ModelError: agent "baycarp(memory='x')": memory: not without trust; expected a number
    """
    if _LEARNED.fullmatch(spec):
        return
    name, settings = parse(spec)
    shown = repr(spec if len(spec) <= 200 else f"{spec[:200]}...")
    if name not in PLAIN:
        exists = name in AGENTS or ":" in name or name in plugins()
        unsafe = f"{_ONLY}; expected a shipped agent that starts no program and reads no file"
        raise ModelError(f"agent {shown}: {unsafe if exists else one_of(name, sorted(PLAIN))}")
    for key, value in settings.items():
        texts = TEXTS.get(key, ())
        if not isinstance(value, bool | int | float) and not (isinstance(value, str) and value in texts):
            expected = f"expected one of {', '.join(texts)}" if texts else "expected a number"
            raise ModelError(f"agent {shown}: {key}: {_ONLY}; {expected}")
