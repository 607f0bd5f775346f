"""The kind of belief that cases are described by: a query is to be described by the same kind.

Relative strength, potential and hand types are computed against the believed ranges. Cases that one opponent
model described are not found by the queries of another, or the wrong ones are, without a sign of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from baycarp.bn.network import Network
from baycarp.errors import ModelError
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import OpponentModelSpec
from baycarp.strategies.baycarp import believing
from baycarp.strategies.spec import Strategy

__all__ = [
    "NONE",
    "UNKNOWN",
    "Described",
    "described_by",
    "from_manifest",
    "kind_of",
    "verify",
    "with_beliefs_of",
]

NONE, UNKNOWN = "none", "unknown"
"""The kind of a strategy without an opponent model, and of a model that does not record it."""

KINDS = ("network", "styles", "gambler", NONE)
"""The kinds that are settings, ``opponents=KIND``, of training and of agents alike."""


@dataclass(frozen=True, slots=True)
class Described:
    """The opponent model that described some cases.

    Parameters
    ----------
    kind
        ``"network"`` (Unger 2011), ``"styles"`` (the action-conditioned model), ``"gambler"`` (Matthews
        2005), ``"none"`` or ``"unknown"``.
    digest
        Of its rule and its tables, 16 hexadecimal digits; empty where there are none.
    """

    kind: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.kind} ({self.digest})" if self.digest else self.kind

    def to_dict(self) -> dict[str, str]:
        """All fields as JSON values."""
        return {"kind": self.kind, "digest": self.digest}


def kind_of(spec: OpponentModelSpec | None) -> str:
    """The kind of an opponent model."""
    return spec.kind if spec else NONE


def described_by(spec: OpponentModelSpec | None, network: Network | None) -> Described:
    """What describes the cases of a model with this opponent model and this network.

    Examples
    --------
    >>> print(described_by(None, None))
    none
    """
    return Described(kind_of(spec), spec.digest(network) if spec else "")


def from_manifest(manifest: Mapping[str, Any], strategy: Strategy) -> Described:
    """What described the cases of a manifest.

    One that does not record it, of an older version, is unambiguous if its command is ``baycarp train`` or
    ``baycarp experiment``: the option ``--styles`` names the styles; without it the network did.

    Parameters
    ----------
    manifest
        Of a model.
    strategy
        Its strategy.
    """
    recorded = manifest.get("beliefs")
    if isinstance(recorded, Mapping) and isinstance(recorded.get("kind"), str):
        return Described(recorded["kind"], str(recorded.get("digest", "")))
    words = str(manifest.get("command", "")).split()
    if strategy.opponents is None:
        return Described(NONE)
    if words[:2] not in (["baycarp", "train"], ["baycarp", "experiment"]):
        return Described(UNKNOWN)
    return Described("styles" if "--styles" in words else "network")


def with_beliefs_of(strategy: Strategy, cases: Described) -> Strategy:
    """The strategy with the shipped styles or Gambler's reading, if they described the cases; or as it is."""
    if cases.kind == "gambler":
        return believing(strategy, ByGambler())
    return believing(strategy, ByActions(load_styles())) if cases.kind == "styles" else strategy


def verify(cases: Described, command: str, spec: OpponentModelSpec | None) -> None:
    """Refuse queries that another kind of belief describes.

    Parameters
    ----------
    cases
        What described the cases.
    command
        Which command made them, for the message.
    spec
        The opponent model of the queries.

    Raises
    ------
    ModelError
        Another kind, or one that is not recorded.
    """
    wanted = kind_of(spec)
    if cases.kind == wanted:
        return
    expected = f"trained with opponents={wanted!r}" if wanted in KINDS else "of its kind"
    way = f", or the setting opponents={cases.kind!r}" if cases.kind in KINDS else ""
    raise ModelError(
        f"model of {command!r}: its cases are described by beliefs of kind {cases.kind!r}, the queries of "
        f"kind {wanted!r}: expected a model {expected}{way}"
    )
