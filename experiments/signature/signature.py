"""The behaviour of the package as one number: decisions of all agents, and a short training run.

Two builds with the same number make the same decisions, learn and train the same in the fixed situations, to
the last bit of every figure. The number does not depend on the SIMD level or on the number of workers.
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import ArrayLike

from baycarp.arena.session import Table
from baycarp.game.action import ACTIONS, STREETS
from baycarp.game.variant import Variant
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK
from baycarp.training.model import Trained, Training, Watched, train
from experiments.signature.agent_signature import SPECS, Line, digest, line, workbench

__all__ = ["signature", "training"]

WATCHED = Table(
    Variant.ring(4),
    ("Ann", "Bob", "Cleo", "Dan"),
    ("rule", "jag", "formula(tightness=0.4)", "random"),
    seed=14,
)
"""Four players that decide quickly."""

TRAINED_HANDS = 60
"""Hands watched; as many are held out, since both are one session."""

PLAYED_HANDS = 4
"""Of each game with a model just trained."""


def signature(workers: int = 1) -> list[Line]:
    """One line for each agent, then those of the training run; ``agent_signature.number`` combines them."""
    with workbench(workers) as pool:
        trained = pool.submit(training)
        return [*pool.map(line, SPECS), *trained.result()]


def training() -> list[Line]:
    """Train with a network and without one, and play with the trained models.

    The digests are of the network's tables, of its accuracies on held-out hands and of the cases by street;
    and of the decisions with the models as they are read from their folders.
    """
    with TemporaryDirectory() as name:
        first, second = Path(name, "network"), Path(name, "plain")
        watched = Watched(WATCHED, TRAINED_HANDS, Path(name, "sessions"))
        trained = train(Training(BAYCARP2), watched, first, "")
        plain = train(Training(WITHOUT_NETWORK, outcome="hindsight"), watched, second, "")
        played = {
            "the trained model, itself for an expert": f"model={str(first)!r}, experts=[{str(first)!r}]",
            "the model without a network": f"model={str(second)!r}, opponents='none'",
        }
        return [
            _trained("training", trained),
            _trained("training, no network, outcomes by hindsight", plain),
            *(
                replace(line(f"baycarp2({settings})", PLAYED_HANDS), name=what)
                for what, settings in played.items()
            ),
        ]


def _trained(name: str, trained: Trained) -> Line:
    """The digest of a model; its number of decisions is that of its cases."""
    model = trained.model
    parts = [] if model.network is None else [_bytes(model.network.tables)]
    if trained.measured is not None:
        parts.append(_bytes([(each.rows, *each.top, each.unseen) for each in trained.measured.accuracies]))
    for street in STREETS:
        casebase = model.casebases[street]
        columns, solutions = casebase.columns(), casebase.schema.solutions
        parts.append(_bytes([ACTIONS.index(solutions[code]) for code in columns["solutions"]]))
        parts += [_bytes(columns[name]) for name in ("numbers", "codes", "outcomes")]
    return Line(name, sum(map(len, model.casebases.values())), digest(parts))


def _bytes(values: ArrayLike) -> str:
    """Numbers of any type and container, exactly."""
    array = np.ascontiguousarray(values, "<f8")
    return f"{array.shape} {(array + 0.0).tobytes().hex()}"
