"""A valid call of every public function, from which `hostile` makes hostile ones.

An argument stays as it is where it is a `Fixed` object of the package; an `Amount` is replaced only by what
lies outside its range, since a larger one would only run longer.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from baycarp.bn import Inference, Network, Sample, Structure, compile, save
from baycarp.budget import Budget
from baycarp.cases import (
    Case,
    CaseBase,
    CaseStore,
    Feature,
    Linear,
    MostSimilar,
    PredictedStates,
    Schema,
    export_csv,
    retrieve,
)
from baycarp.cases.columns import room
from baycarp.game.variant import Variant
from baycarp.kernels import elimination
from baycarp.kernels.counting import Column
from baycarp.kernels.similarity import STATES, Measure
from baycarp.kernels.trees import NODE
from baycarp.solvers import CFR, GameTree, Kuhn, SolvedBy, StrategyProfile, flatten, save_strategy
from baycarp.solvers.spots.given import engine_input
from baycarp.solvers.spots.spot import Spot

__all__ = ["ENTRIES", "UNTRIED", "Amount", "Fixed"]


@dataclass(frozen=True, slots=True)
class Fixed:
    """An argument that is not replaced."""

    value: Any


@dataclass(frozen=True, slots=True)
class Amount:
    """An argument that is replaced only by what lies outside its range."""

    value: Any


Arguments: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]


def _of(*args: Any, **keywords: Any) -> Arguments:
    return args, keywords


def _weights() -> Any:
    return np.linspace(0.25, 1, 1326)


@cache
def _network() -> Network:
    structure = Structure({"A": ["x", "y"], "B": ["u", "v", "w"]}, {"B": ["A"]})
    return Network(structure, {"A": [0.4, 0.6], "B": [[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]]})


@cache
def _schema() -> Schema:
    features = (Feature("x", 2, Linear(max=10)), Feature("b", 1, PredictedStates(("u", "v"), slots=2)))
    return Schema("toy", features, ("low", "high"), threshold=0.9, fallback=3)


def _casebase() -> CaseBase:
    base = CaseBase(_schema())
    base.extend(Case(_situation(x), "low" if x < 20 else "high", float(x)) for x in range(40))
    return base


def _situation(x: float) -> Any:
    return _schema().situation({"x": x / 4, "b": {"u": 0.5, "v": 0.5}})


def _columns() -> dict[str, Any]:
    new: dict[str, Any] = room(_schema(), 3)
    new["codes"][:] = 0
    return {name: array for name, array in new.items() if name != "ids"}


def _query() -> dict[str, Any]:
    return {"x": 3.0, "b": {"u": 0.25, "v": 0.75}}


@cache
def _folder() -> Path:
    """Files to be read."""
    folder = Path(tempfile.mkdtemp(prefix="baycarp-hostile-"))
    save(_network(), folder / "network.npz")
    export_csv(_casebase(), folder / "cases.csv")
    CaseStore.create(folder / "cases.sqlite", [_casebase()]).close()
    save_strategy(StrategyProfile.uniform(_kuhn()), SolvedBy("cfr", 0, 0, 0.5), folder / "kuhn.npz")
    return folder


@cache
def _kuhn() -> GameTree:
    return flatten(Kuhn())


@cache
def _ring() -> Variant:
    return Variant.ring(3)


B_GIVEN_A = ([1, 3], [0, 1], 0, 3, [(elimination.TABLES, 2, [0, 1], [(0, 3)])])
"""A step: the row of P(B | A) at the state observed of A."""


def _program() -> elimination.Program:
    observed = [("A", ("x", "y"))]
    return elimination.Program(_network().tables, np.empty(0), observed, [B_GIVEN_A], [(0, 3)])


def _measure() -> Measure:
    return Measure(np.ones(2), np.zeros(1), np.full(1, 10.0))


def _numbers() -> Any:
    return np.arange(8, dtype=np.float32)[None]


def _similar() -> Arguments:
    return _of(
        Fixed(_measure()), _numbers(), np.zeros((1, 8), np.uint8), 8, Fixed(None),
        np.full(1, 3, np.float32), np.ones((1, STATES)), 0.1, 4,
    )  # fmt: skip


def _totals() -> Arguments:
    return _of(
        Fixed(_measure()), _numbers(), np.zeros((1, 8), np.uint8), 8, Fixed(None),
        np.full(1, 3, np.float32), np.ones((1, STATES)), 0.1, np.zeros(8, np.uint8), np.ones(8),
    )  # fmt: skip


def _cells() -> Arguments:
    return _of(
        np.array([0, 1], np.int32), np.array([0, 8], np.int64), np.arange(8, dtype=np.int32), _numbers(),
        np.zeros((1, 8), np.uint8), _numbers()[:1], np.arange(8, dtype=np.uint16), True,
    )  # fmt: skip


def _retrieved() -> tuple[Any, ...]:
    base = _casebase()
    return base, retrieve(base, _query())


def _influences(with_chosen: bool) -> Arguments:
    base, retrieved = _retrieved()
    found = MostSimilar()(retrieved, base, base.schema.solutions)
    if with_chosen:
        return _of(Fixed(MostSimilar()), Fixed(retrieved), Fixed(base), Fixed(found), "low")
    return _of(Fixed(base), _query(), Fixed(retrieved), retrieved.ids[:1])


ROWS = {"A": np.array([0, 1, -1, 1]), "B": np.array([2, 0, 1, -1])}
SOFT = {"A": np.array([0.5, 1.0]), "B": np.array([1.0, 2.0, 3.0])}
HOLES = [[0, 1], [20, 30], [40, 41]]
FLOP, HOLE = "Qs7d2c", "AhKd"

CARDS: dict[str, Callable[[], Arguments]] = {
    "baycarp.Budget": lambda: _of(0.5, playouts=10),
    "baycarp.Range": lambda: _of(_weights()),
    "baycarp.Range.from_classes": lambda: _of(np.linspace(0, 1, 169)),
    "baycarp.Range.from_groups": lambda: _of({1: 1.0, 2: 0.5}),
    "baycarp.State": lambda: _of(Fixed(_ring()), [100, 100, 100], list(range(11))),
    "baycarp.cards": lambda: _of(HOLE + FLOP),
    "baycarp.equities": lambda: _of(
        HOLE, _weights(), "QsQc", board="7d2cTs", budget=Fixed(Budget(playouts=50)), seed=Amount(3)
    ),
    "baycarp.equity": lambda: _of(_weights(), _weights(), FLOP),
    "baycarp.expected_strength": lambda: _of(HOLE, FLOP),
    "baycarp.hand_name": lambda: _of(HOLE + FLOP),
    "baycarp.hand_strength": lambda: _of(HOLE, FLOP, _weights()),
    "baycarp.potential": lambda: _of(HOLE, FLOP, _weights(), ahead=1),
    "baycarp.rank": lambda: _of(np.arange(21, dtype=np.uint8).reshape(3, 7)),
    "baycarp.strength": lambda: _of(HOLE, FLOP, _weights(), _weights(), ahead=2),
    "baycarp.text": lambda: _of(np.array([50, 45])),
}

NETWORKS: dict[str, Callable[[], Arguments]] = {
    "baycarp.bn.Explainer": lambda: _of(Fixed(_network()), ("A",), ("B",)),
    "baycarp.bn.Inference": lambda: _of(Fixed(_network()), 8),
    "baycarp.bn.Inference.posterior": lambda: _of(
        Fixed(Inference(_network())), {"A": "x"}, ["B"], {"B": SOFT["B"]}
    ),
    "baycarp.bn.Inference.posteriors": lambda: _of(Fixed(Inference(_network())), {"A": ROWS["A"]}, ["B"]),
    "baycarp.bn.Network": lambda: _of(
        Fixed(_network().structure), {node: _network().cpt(node) for node in ("A", "B")}
    ),
    "baycarp.bn.QueryPlan.posterior": lambda: _of(
        Fixed(compile(_network(), ["A"], ["B"], ["B"])), {"A": "x"}, {"B": SOFT["B"]}
    ),
    "baycarp.bn.QueryPlan.posteriors": lambda: _of(
        Fixed(compile(_network(), ["A"], ["B"], ["B"])), np.array([[0], [1]]), {"B": np.ones((2, 3))}
    ),
    "baycarp.bn.QueryPlan.log_likelihood": lambda: _of(
        Fixed(compile(_network(), ["A", "B"], [])), np.array([[0, 1], [1, 2]])
    ),
    "baycarp.bn.Structure": lambda: _of({"A": ["x", "y"], "B": ["u", "v"]}, {"B": ["A"]}),
    "baycarp.bn.compile": lambda: _of(Fixed(_network()), ["A"], ["B"], ["B"]),
    "baycarp.bn.cost": lambda: _of(Fixed(_network()), ["A"], ["B"], ["B"]),
    "baycarp.bn.counts": lambda: _of(Fixed(_network().structure), dict(ROWS)),
    "baycarp.bn.em": lambda: _of(
        Fixed(Sample(dict(ROWS))), Fixed(_network()), iterations=Amount(3), tolerance=0.0, prior=1.0
    ),
    "baycarp.bn.fit": lambda: _of(Fixed(_network().structure), dict(ROWS), 1.0),
    "baycarp.bn.load": lambda: _of(str(_folder() / "network.npz")),
    "baycarp.bn.random_network": lambda: _of(Fixed(_network().structure), Amount(1), 1.0),
}

CASES: dict[str, Callable[[], Arguments]] = {
    "baycarp.cases.CaseBase.case": lambda: _of(Fixed(_casebase()), 3),
    "baycarp.cases.CaseBase.extend_columns": lambda: _of(Fixed(_casebase()), _columns()),
    "baycarp.cases.Exponential": lambda: _of(1.0, 10.0),
    "baycarp.cases.Linear": lambda: _of(10.0),
    "baycarp.cases.competence": lambda: _of(Fixed(_casebase()), Amount(5), Amount(0)),
    "baycarp.cases.explain": lambda: _of(Fixed(_casebase()), _query(), 3),
    "baycarp.cases.forget": lambda: _of(Fixed(_casebase()), Amount(30), Amount(0)),
    "baycarp.cases.import_csv": lambda: _of(str(_folder() / "cases.csv"), Fixed(_schema())),
    "baycarp.cases.influences": lambda: _influences(with_chosen=True),
    "baycarp.cases.local_similarities": lambda: _of(
        Fixed(_casebase()), Fixed(_situation(3)), np.array([1, 2, 3])
    ),
    "baycarp.cases.merge": lambda: _of(Fixed(_casebase())),
    "baycarp.cases.retrieve": lambda: _of(Fixed(_casebase()), _query(), 0.5, 4, 3),
    "baycarp.cases.retrieve_all": lambda: _of(Fixed(_casebase()), [_query()], 0.5, 4, 3),
    "baycarp.cases.salvage": lambda: _of(str(_folder() / "cases.sqlite"), Fixed(_schema())),
    "baycarp.cases.spreads": lambda: _of(Fixed(_schema()), Fixed([_casebase().columns()]), Amount(5)),
    "baycarp.cases.totals": lambda: _of(Fixed(_casebase()), _query(), 0.5, 3, False),
    "baycarp.cases.utility": lambda: _of(Fixed(_casebase())),
    "baycarp.cases.without": lambda: _influences(with_chosen=False),
}

SEARCH: dict[str, Callable[[], Arguments]] = {
    "baycarp.Spot": lambda: _of("Td9d6hQc2s", Amount(200), Amount(900), "AA,KQs:0.5", "QQ-99", "60%, e, a"),
    "baycarp.solvers.CFR": lambda: _of(Fixed(_kuhn()), True),
    "baycarp.solvers.ExternalSampling": lambda: _of(Fixed(_kuhn()), Amount(1)),
    "baycarp.solvers.StrategyProfile": lambda: _of(
        Fixed(_kuhn()), StrategyProfile.uniform(_kuhn()).probabilities
    ),
    "baycarp.solvers.StrategyProfile.at": lambda: _of(Fixed(StrategyProfile.uniform(_kuhn())), 0, "K:"),
    "baycarp.solvers.StrategyProfile.of": lambda: _of(
        Fixed(_kuhn()), StrategyProfile.uniform(_kuhn()).tables()
    ),
    "baycarp.solvers.best_response": lambda: _of(Fixed(StrategyProfile.uniform(_kuhn())), 0),
    "baycarp.solvers.load_strategy": lambda: _of(str(_folder() / "kuhn.npz"), Fixed(_kuhn())),
    "baycarp.solvers.solve": lambda: _of(Fixed(CFR(_kuhn())), Amount(3)),
}


def _rows(*extra: Any) -> Arguments:
    return _of(np.zeros((4, 2), np.uint8), np.full((2, 64), np.inf), *extra, Amount(3), 1.0, 1.0)


def _spot() -> tuple[Any, ...]:
    """The arguments of an engine of spots."""
    spot = Spot("Td9d6hQc2s", 20, 50, "AA,KQs", "QQ-99", sizes="60%", raises="")
    return engine_input(spot, spot.build_tree()).arguments


KERNELS: dict[str, Callable[[], Arguments]] = {
    "spots.Engine": lambda: _of(*_spot(), suits=(0, 1, 2, 3), bits=32, threads=Amount(1)),
    "spots.engine_bytes": lambda: _of(*_spot(), suits=(0, 1, 2, 3), bits=32, threads=Amount(1)),
    "arguments.array": lambda: _of([1.0, 2.0], Fixed("n")),
    "arguments.instance": lambda: _of(3, Fixed(int), Fixed("n")),
    "arguments.real": lambda: _of(0.5, Fixed("n")),
    "arguments.seeded": lambda: _of(3),
    "arguments.whole": lambda: _of(3, Fixed("n"), Fixed(0), Fixed(10)),
    "counting.Column": lambda: _of(np.array([0, 1, -1]), 2),
    "counting.code_rows": lambda: _of(np.zeros((3, 2), np.int64), np.array([2, 3], np.int32)),
    "counting.count": lambda: _of(Fixed([Column(np.array([0, 1, -1]), 2)])),
    "elimination.Program": lambda: _of(
        _network().tables, np.empty(0), Fixed([("A", ("x", "y"))]), Fixed([B_GIVEN_A]), Fixed([(0, 3)])
    ),
    "elimination.Program.run": lambda: _of(Fixed(_program()), {"A": "x"}),
    "elimination.Program.run_batch": lambda: _of(Fixed(_program()), np.array([[0], [1]])),
    "evidence.strength_buckets": lambda: _of(_weights(), _weights(), np.array([0.25, 0.5]), 0.2),
    "evidence.weigh_top_labels": lambda: _of(np.array([[0.25, 0.75]]), [1], np.zeros(1326, np.uint8), FLOP),
    "features.hand_features": lambda: _of(Fixed(_ring().rules), (40,) * _ring().seats, [(1, 0)], FLOP),
    "features.validity": lambda: _of(),
    "game.deal": lambda: _of(Amount(1), Amount(2), Amount(3), 9),
    "game.random_hands": lambda: _of(Fixed(_ring()), Amount(5), Amount(1)),
    "hands.census": lambda: _of(5),
    "hands.rank": lambda: _of([0, 1, 2, 3, 4]),
    "search.bucket_table": lambda: _of(FLOP, [0.2, 0.5], 0.02),
    "search.hand_choices": lambda: _of(Fixed(_ring().rules), (40,) * _ring().seats, [(1, 0)]),
    "preflop.class_equities": lambda: _of(),
    "preflop.class_strengths": lambda: _of(),
    "preflop.equity": lambda: _of(_weights(), _weights()),
    "preflop.lead": lambda: _of("AhKd", (1, 2)),
    "runout.runout": lambda: _of(HOLES, [2, 3, 4], [7, 3], dead=[51], boards=Amount(9), seed=Amount(1)),
    "sampling.Sampler": lambda: _of([_weights(), _weights()], FLOP, Amount(1)),
    "simd.active": lambda: _of(),
    "simd.use": lambda: _of("base"),
    "similarity.Cells": _cells,
    "similarity.Measure": lambda: _of(np.ones(3), np.zeros(1), np.full(1, 10.0)),
    "similarity.exp_nonpositive": lambda: _of(-1.0),
    "similarity.exp_nonpositive_all": lambda: _of(np.array([-1.0, 0.0])),
    "similarity.similar": _similar,
    "similarity.sums": lambda: _of(
        np.array([5, 7], np.int64), np.ones(2), 5, 8, np.zeros(8, np.uint8), np.ones(8), 2
    ),
    "similarity.totals": _totals,
    "strength.as_weights": lambda: _of(_weights()),
    "strength.equity": lambda: _of(_weights(), _weights(), FLOP),
    "strength.strengths": lambda: _of(HOLE, FLOP, [_weights()], 1),
    "strength.expected_strength": lambda: _of(HOLE, FLOP),
    "strength.holding_equity": lambda: _of(HOLE, FLOP, _weights()),
    "strength.known_cards": lambda: _of(FLOP, Fixed("board"), Fixed((3, 4, 5))),
    "strength.strength": lambda: _of(HOLE, FLOP, _weights(), 2),
    "strength.weights_beside": lambda: _of(_weights(), FLOP),
    "sweeps.rank_holdings": lambda: _of(FLOP),
    "sweeps.share": lambda: _of(HOLE, 3, Amount(50), Amount(1)),
    "sweeps.sweep": lambda: _of(FLOP, _weights()),
    "categories.categories": lambda: _of(FLOP),
    "categories.category_orders": lambda: _of(FLOP),
    "sweeps.sweep_expected": lambda: _of(FLOP, _weights()),
    "sweeps.sweep_expected_batch": lambda: _of(np.array([[2, 3, 4], [9, 10, 11]]), _weights()),
    "sweeps.sweep_potential": lambda: _of(FLOP),
    "trees.add_values": lambda: _of(
        np.array([(0, -1, 0)], NODE), np.ones((1, 2)), np.zeros((3, 2)), np.zeros((3, 2))
    ),
    "trees.grow_classes": lambda: _rows(np.zeros(4, np.uint8), np.ones(4), 2),
    "trees.grow_gradients": lambda: _rows(np.zeros(4), np.ones(4)),
}

ENTRIES: dict[str, Callable[[], Arguments]] = {
    **CARDS,
    **NETWORKS,
    **CASES,
    **SEARCH,
    **{f"baycarp.kernels.{name}": entry for name, entry in KERNELS.items()},
}
"""By full name, what makes the arguments of a valid call."""

UNTRIED = {
    "objects of the package alone": (
        "baycarp.bn.QueryPlan", "baycarp.bn.Posterior", "baycarp.cases.CaseBase", "baycarp.cases.combine",
        "baycarp.cases.drift", "baycarp.cases.retain", "baycarp.cases.tally", "baycarp.cases.vote",
        "baycarp.cases.Weighing",
        "baycarp.game.HandOver", "baycarp.game.Acted", "baycarp.game.Observation", "baycarp.game.pots",
        "baycarp.Observation", "baycarp.Result",
        "baycarp.game.notation.replay", "baycarp.game.notation.states", "baycarp.rules.PlayerView",
        "baycarp.rules.read", "baycarp.kernels.expectation.Expectation",
        "baycarp.kernels.explanation.Explanation", "baycarp.kernels.simulation.Simulation",
        "baycarp.kernels.simulation.rule_shares", "baycarp.kernels.simulation.triples",
        "baycarp.kernels.game.Hand", "baycarp.kernels.game.Rules", "baycarp.kernels.response.Street",
        "baycarp.kernels.episodes.Menu", "baycarp.kernels.episodes.Episodes", "baycarp.check_agent",
        "baycarp.kernels.response.add_values", "baycarp.kernels.response.zeros",
        "baycarp.kernels.cfr.Betting", "baycarp.kernels.cfr.Deal",
        "baycarp.kernels.mccfr.Dealer", "baycarp.kernels.mccfr.Sampling",
        "baycarp.kernels.evidence.by_holding", "baycarp.kernels.evidence.by_hypothesis",
        "baycarp.kernels.evidence.sum_by_label", "baycarp.kernels.evidence.alternatives",
        "baycarp.kernels.evidence.mixed_choices",
        "baycarp.kernels.search.MoveValue", "baycarp.kernels.search.Search",
        "baycarp.kernels.search.TreePolicies", "baycarp.kernels.lookahead.LookAhead",
        "baycarp.kernels.lookahead.StylePolicies", "baycarp.kernels.lookahead.StyledPlayers",
        "baycarp.kernels.lookahead.Worth", "baycarp.kernels.lookahead.Continuations",
        "baycarp.kernels.lookahead.Learned", "baycarp.solvers.RestrictedCFR",
        "baycarp.solvers.exploitability", "baycarp.solvers.flatten", "baycarp.solvers.nash_conv",
        "baycarp.kernels.spots.Probe", "baycarp.solvers.value", "baycarp.Solution", "baycarp.solve_many",
    ),
    "text, tried by test_parsers": (
        "baycarp.load", "baycarp.match", "baycarp.observe", "baycarp.read", "baycarp.exploit",
        "baycarp.table", "baycarp.tournament", "baycarp.solve", "baycarp.solve_holdem", "baycarp.train",
        "baycarp.imitate", "baycarp.stats", "baycarp.decide", "baycarp.versus",
    ),
    "files, tried by test_files": (
        "baycarp.bn.save", "baycarp.cases.export_csv", "baycarp.convert", "baycarp.cases.CaseStore",
        "baycarp.bn.read_bif", "baycarp.bn.write_bif", "baycarp.solvers.save_strategy",
    ),
    "declarations of rules and schemas": (
        "baycarp.Variant", "baycarp.game.Variant", "baycarp.game.State", "baycarp.game.Act", "baycarp.Action",
        "baycarp.game.Action", "baycarp.cases.Aligned", "baycarp.cases.BestOutcome", "baycarp.cases.Feature",
        "baycarp.solvers.Kuhn", "baycarp.solvers.Leduc",
        "baycarp.cases.Matrix", "baycarp.cases.Nested", "baycarp.cases.PredictedStates",
        "baycarp.cases.CaseRetriever", "baycarp.cases.Schema",
    ),
}  # fmt: skip
"""Public functions without an entry, by the reason."""
