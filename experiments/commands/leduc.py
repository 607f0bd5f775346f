"""Leduc hold'em, exactly: archetypes recognised by a network of styles, and exploited at a stated risk."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from baycarp.cli.options import JSON, count, option, options
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.solvers import CFR, Leduc, StrategyProfile, exploitability, flatten
from experiments.leduc.archetypes import LEVELS, archetypes, equilibrium, outsiders
from experiments.leduc.hands import ends_of
from experiments.leduc.sessions import STAGES, Learner, Measured, measure

__all__ = ["add", "run"]

PUBLISHED = {"mean": 0.106, "most": 0.821}
"""StratFormer's gains over the equilibrium on its twelve opponents, in big blinds a hand."""

KNOWN = {"0.1": 0.1, "0.3": 0.3, "0.5": 0.5, "0.8": 0.8}
"""The shares at which the network knows each style: none of an opponent's."""

OUTSIDERS_SEED = 1

add = options(
    JSON,
    option("--seeds", type=count, default=10, help="sessions an opponent and risk"),
    option(
        "--risks",
        nargs="+",
        type=float,
        default=[0.97, 0.5, 0.8, 0.9, 1.0],
        help="trust in the model at full evidence; all opponents meet the first, the archetypes all",
    ),
)


def run(args: Namespace) -> int:
    """Play the sessions, and print what is won by opponent and by risk."""
    tree = flatten(Leduc())
    base = equilibrium(CFR(tree, plus=True))
    learner = Learner(ends_of(tree), base, archetypes(base, KNOWN))
    twelve, others = archetypes(base, LEVELS), outsiders(base, OUTSIDERS_SEED)
    first, *rest = args.risks
    rows = _measured(learner, {**twelve, **others}, first, args.seeds)
    by_risk = {first: {name: rows[name] for name in twelve}} | {
        risk: _measured(learner, twelve, risk, args.seeds) for risk in rest
    }
    if args.json:
        print(
            as_json({"opponents": _records(rows), "risks": {str(k): _total(v) for k, v in by_risk.items()}})
        )
        return 0
    screen = console(WIDTH)
    screen.print(_by_opponent({**twelve, **others}, rows, first))
    screen.print(_by_risk(by_risk))
    print(f"published: mean gain {PUBLISHED['mean']}, most {PUBLISHED['most']} big blinds a hand")
    return 0


WIDTH = 110
"""Columns that the tables need."""


def _measured(
    learner: Learner, opponents: Mapping[str, StrategyProfile], risk: float, seeds: int
) -> dict[str, Measured]:
    with progress(f"sessions at risk {risk}", len(opponents) * seeds) as tick:
        rows: dict[str, Measured] = {}
        for name, opponent in opponents.items():
            done = seeds * len(rows)
            rows[name] = measure(learner, opponent, risk, seeds, partial(_further, tick, done))
        return rows


def _further(tick: Callable[[int], None], before: int, done: int) -> None:
    tick(before + done)


def _by_opponent(
    opponents: Mapping[str, StrategyProfile], rows: Mapping[str, Measured], risk: float
) -> object:
    stages = [f"{hands:,}" for hands in STAGES]
    heads = ("loses at most", "equilibrium wins", "most gain", *stages, "gain", "loss")
    table = grid(
        "opponent", *heads, words=("opponent",), title=f"risk {risk}: share of the most gain by hands"
    )
    for name, row in rows.items():
        can_gain = row.most > CERTAIN
        table.add_row(
            name,
            f"{exploitability(opponents[name]):.3f}",
            f"{row.equilibrium:.3f}",
            f"{row.most:.3f}",
            *(f"{share:.0%}" if can_gain else "-" for share in row.shares),
            f"{row.gain:+.3f}",
            f"{row.losses[:, -1].mean():.2f}",
        )
    return table


CERTAIN = 1e-4
"""Chips: a smaller gain is an error of the equilibrium."""


def _by_risk(by_risk: Mapping[float, Mapping[str, Measured]]) -> object:
    title = f"the twelve archetypes after {STAGES[-1]:,} hands"
    heads = ("mean gain", "largest", "mean share", "least share", "gain while learning", "loss")
    table = grid("risk", *heads, words=(), title=title)
    for risk, rows in sorted(by_risk.items()):
        total = _total(rows)
        table.add_row(
            f"{risk}",
            f"{total['mean gain']:+.3f}",
            f"{total['largest gain']:+.3f}",
            f"{total['mean share']:.0%}",
            f"{total['least share']:.0%}",
            f"{total['gain while learning']:+.3f}",
            f"{total['loss']:.2f}",
        )
    return table


def _total(rows: Mapping[str, Measured]) -> dict[str, float]:
    """Over opponents: gains and losses in chips a hand, shares of the most gain."""
    shares = [row.shares[-1] for row in rows.values()]
    return {
        "mean gain": float(np.mean([row.gain for row in rows.values()])),
        "largest gain": max(row.gain for row in rows.values()),
        "mean share": float(np.mean(shares)),
        "least share": float(min(shares)),
        "gain while learning": float(np.mean([row.on_the_way for row in rows.values()])),
        "loss": float(np.mean([row.losses[:, -1].mean() for row in rows.values()])),
    }


def _records(rows: Mapping[str, Measured]) -> list[dict[str, object]]:
    return [
        {
            "opponent": name,
            "most": row.most,
            "equilibrium": row.equilibrium,
            "gains": row.gains.mean(0).tolist(),
            "losses": row.losses.mean(0).tolist(),
        }
        for name, row in rows.items()
    ]
