"""The thesis' network together with shown situations, as a strategy names it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.errors import ModelError
from baycarp.opponents.belief import short_digest
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.shown.situations import load_shown

__all__ = ["ByNetworkAndShown"]


@dataclass(frozen=True, slots=True)
class ByNetworkAndShown(OpponentModelSpec):
    """An opponent model of the network and the shown situations.

    Parameters
    ----------
    made
        ``LocalTables`` or ``RetrievedNetwork``.
    folder
        Of the shown situations.
    adaptive
        Whether habits are counted.
    """

    made: Callable[..., OpponentModel]
    folder: str
    adaptive: bool = True
    kind: ClassVar[str] = "network"
    needs_network: ClassVar[bool] = True

    @property
    def files(self) -> tuple[str, ...]:
        """The situations, by their digest."""
        return (f"shown {load_shown(self.folder).digest}",)

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        if inference is None:
            raise ModelError(f"{self.made.__name__}: expected a model with a network")
        return self.made(inference, load_shown(self.folder), adaptive=self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of a digest of the kind, the network and the situations."""
        own = f"{self.made.__name__} {load_shown(self.folder).digest}"
        return short_digest(f"{own} {network.digest()}") if network is not None else ""
