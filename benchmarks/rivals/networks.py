"""The drop-in for pgmpy beside pgmpy, on public networks; results are compared first."""

import statistics
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from baycarp.bn import Network
from baycarp.bn.pgmpy import VariableElimination, to_pgmpy
from baycarp.bn.sampling import sample
from baycarp.cli.bench.clock import seconds
from baycarp.cli.bench.goal import Goal, at_least
from baycarp.cli.bench.networks import EASY, Query
from baycarp.errors import ModelError

ROWS = 20_000
"""Rows of a batch; pgmpy answers the first few."""


def goals(name: str, network: Network, ours: VariableElimination, asked: Sequence[Query]) -> Iterator[Goal]:
    """Single queries of one network, and of ALARM a batch of data-frame rows too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pgmpy's own future
        model = to_pgmpy(network)
        theirs, peer = (
            import_module("pgmpy.inference").VariableElimination(model),
            f"pgmpy {version('pgmpy')}",
        )
        slow, fast = [], []
        for query in asked:
            mine = partial(ours.query, [query.wanted], query.evidence)
            other = partial(theirs.query, [query.wanted], evidence=query.evidence, show_progress=False)
            _require_equal(mine().values, other().values, f"{name}: {query.wanted}")
            slow.append(seconds(other))
            fast.append(min(seconds(mine, 3) for _ in range(3)))
        ratio = statistics.median(slow) / statistics.median(fast)
        yield at_least(f"{name}: query again", 50 if name in EASY else 30, ratio, f"times {peer}")
        if name == "alarm":
            yield _batch(network, model, ours, peer)


def _batch(network: Network, model: Any, ours: VariableElimination, peer: str) -> Goal:
    """Four hidden nodes; data frames on both sides."""
    states, hidden = network.structure.states, ("HYPOVOLEMIA", "LVFAILURE", "KINKEDTUBE", "PULMEMBOLUS")
    columns = {
        node: np.array(states[node], dtype=object)[codes]
        for node, codes in sample(network, ROWS, seed=2).items()
        if node not in hidden
    }
    frame = import_module("pandas").DataFrame(columns)
    few = frame.iloc[:20]
    theirs = model.predict_probability(few)
    _require_equal(ours.predict_probability(few)[list(theirs)], theirs, "batch")
    slow = seconds(partial(model.predict_probability, few)) / len(few)
    fast = statistics.median(seconds(partial(ours.predict_probability, frame)) for _ in range(3)) / len(frame)
    text = f"alarm, {ROWS:,} rows ({1e6 * fast:.2f} us a row): batch against Python call"
    return Goal(text, slow / fast, f"times {peer}")


def _require_equal(ours: Any, theirs: Any, what: str) -> None:
    if not np.max(np.abs(np.asarray(ours) - np.asarray(theirs))) <= 1e-9:
        raise ModelError(f"{what}: the results of the libraries differ by more than 1e-9")
