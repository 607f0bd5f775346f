"""The architectures by name: a reader of opponents, and what makes the decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from baycarp.agents.couplings.adapted import Adapted
from baycarp.agents.couplings.deciding import NetworkDecides
from baycarp.agents.couplings.exemplars import Exemplars
from baycarp.agents.couplings.filtered import Filtered
from baycarp.agents.couplings.parallel import Parallel
from baycarp.agents.couplings.planned import Planned
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.couplings.posterior import ByPosterior
from baycarp.agents.factory import Factory
from baycarp.errors import ModelError, brief, one_of
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.shown.local_tables import LocalTables
from baycarp.opponents.shown.model import ByShown
from baycarp.opponents.shown.retrieved_network import RetrievedNetwork
from baycarp.opponents.shown.with_network import ByNetworkAndShown
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.coupled import read_by
from baycarp.strategies.model import load_model, shipped_model
from baycarp.strategies.spec import Strategy

__all__ = ["ARCHITECTURES", "COUPLED", "Architecture", "coupled"]


@dataclass(frozen=True, slots=True)
class Architecture:
    """A coupling.

    Parameters
    ----------
    reader
        The model of a folder that its cases are of: ``"none"``, ``"network"`` or ``"cases"``.
    decides
        What makes the decision.
    reads
        A reader in place of the model's own, of the folder of shown situations; None = the model's.
    plans
        Whether solutions are plans for the street.
    """

    reader: str
    decides: type[Features]
    reads: Callable[[str], OpponentModelSpec] | None = None
    plans: bool = False


FACTORIAL: Mapping[str, Architecture] = {
    f"{reader}-{name}": Architecture(reader, decides, ByShown if reader == "cases" else None)
    for reader in ("none", "network", "cases")
    for name, decides in (("cases", Features), ("network", NetworkDecides))
}
"""Reader by decider: the factorial core."""

ARCHITECTURES: Mapping[str, Architecture] = {
    "features": FACTORIAL["network-cases"],
    **FACTORIAL,
    "filter": Architecture("none", Filtered),
    "plans": Architecture("network", Planned, plans=True),
    "posterior": Architecture("network", ByPosterior),
    "exemplars": Architecture("network", Exemplars),
    "adapted": Architecture("network", Adapted),
    "local tables": Architecture("network", NetworkDecides, partial(ByNetworkAndShown, LocalTables)),
    "retrieved network": Architecture(
        "network", NetworkDecides, partial(ByNetworkAndShown, RetrievedNetwork)
    ),
    "parallel": Architecture("network", Parallel),
}
"""By name; ``features`` and ``network-cases`` are one."""


def coupled(architecture: str = "features", model: str | None = None) -> Coupled:
    """An agent that couples a network and cases.

    Parameters
    ----------
    architecture
        Features, posterior, exemplars (BN-CBR-2), filter, plans (BN-CBR-1), adapted, local tables (CBR-BN-1),
        retrieved network (CBR-BN-2), parallel, or READER-DECIDER of none, network, cases and network, cases.
    model
        The folder of the models of all readers; None = the shipped model, which the network read.
    """
    if architecture not in ARCHITECTURES:
        raise ModelError(f"architecture {brief(architecture)}: {one_of(architecture, ARCHITECTURES)}")
    wanted = ARCHITECTURES[architecture]
    if model is None:
        if wanted.reader != "network" or wanted.reads:
            raise ModelError(
                f"architecture {architecture!r}: expected model=..., a folder with the models of all readers "
                "(baycarp.training.coupled); the shipped one is the network's alone"
            )
        folder, found, strategy = None, shipped_model(BAYCARP2), BAYCARP2
    else:
        folder = Path(model)
        found, strategy = load_model(folder / wanted.reader), _strategy(wanted, folder)
    return Coupled(
        replace(strategy, plans="sum") if wanted.plans else strategy, found, wanted.decides.of(folder)
    )


def _strategy(wanted: Architecture, folder: Path) -> Strategy:
    """The strategy of the model, with the architecture's own reader where it has one."""
    if wanted.reads is None:
        return load_model(folder / wanted.reader).strategy
    return read_by(wanted.reader, wanted.reads(str(folder / "shown")))


COUPLED = Factory(coupled, "a network and cases in any coupling of the thesis' framework (Unger 2011, 4.1)")
