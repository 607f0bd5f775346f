"""Solutions of spots on disk: one ``.npz`` with the spot, the tree, the locks, and the engine's tables."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, fields
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import text
from baycarp.errors import ArgumentError
from baycarp.files import (
    AnyForm,
    ArrayForm,
    FileForm,
    Form,
    ListForm,
    NullForm,
    NumberForm,
    RecordForm,
    TextForm,
    TupleForm,
    verify_as_written,
)
from baycarp.files.arrays import opened_arrays
from baycarp.game.variant import Variant
from baycarp.kernels.spots import ACTIONS
from baycarp.ranges import Range
from baycarp.solvers.headed import headed, reading, write_headed
from baycarp.solvers.spots.betting import Kind, Step
from baycarp.solvers.spots.given import EngineInput, FixedRows, engine_input
from baycarp.solvers.spots.locks import FixedTable, RangeFrequency, Restricted
from baycarp.solvers.spots.sizes import Thresholds
from baycarp.solvers.spots.solver import SpotPoint, SpotSettings, SpotSolver
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import MOST_NODES, SpotNode, SpotTree

__all__ = ["load_solver", "save_solver"]

FORMAT = "baycarp.spot"
NAMES = ("fold", "check", "call", "bet", "raise", "all-in")
STATE, FIXED = "state.", "fixed."
DONE = STATE + "iterations"
MOST_DONE = 1 << 40

_WEIGHTS = ArrayForm("float64", (1326,), 0)
_HEAD: dict[str, Form] = {
    "spot": AnyForm(),
    "settings": RecordForm({"target": NumberForm(0), "bits": NumberForm(whole=True), "discount": AnyForm()}),
    "restricted": NullForm(TupleForm((NumberForm(0, 1, whole=True), NumberForm(0, 1)))),
    "frequencies": ListForm(
        RecordForm({"line": TextForm(), "step": TextForm(), "share": NumberForm(0, 1)}),
    ),
    "points": ListForm(
        RecordForm(
            {"iterations": NumberForm(0, MOST_DONE, whole=True)}
            | {name: NumberForm(0) for name in ("exploitability", "seconds")}
            | {"frequencies": ListForm(NumberForm(0, 1))}
        ),
        least=1,
    ),
    "suits": ListForm(NumberForm(whole=True), 4, 4),
    "fixed": ListForm(
        TupleForm((NumberForm(0, whole=True), NullForm(ListForm(NumberForm(0, 51, whole=True), most=2))))
    ),
}
FORM = headed(
    FORMAT,
    _HEAD,
    FileForm(
        {
            "oop": _WEIGHTS,
            "ip": _WEIGHTS,
            "counts": ArrayForm("int32", ("decisions",), 1),
            "names": ArrayForm("uint8", ("steps",), 0, len(NAMES) - 1),
            "totals": ArrayForm("float64", ("steps",), 0),
            "bonuses": ArrayForm("float64", ("frequencies",)),
            DONE: ArrayForm("int64 int32", (), 0, MOST_DONE),
        },
        families={FIXED: ArrayForm("float32"), STATE: ArrayForm("float32 int16 uint16")},
    ),
)
"""The spot says what the families hold: ``_fixed_forms`` and ``_state_forms``, by which they are read."""


def save_solver(solver: SpotSolver, path: Path) -> None:
    """Write a solve, whole."""
    settings, restricted = solver.settings, solver.settings.restricted
    head = {
        "spot": _as_dict(solver.spot),
        "settings": {
            "target": settings.target,
            "bits": settings.bits,
            "discount": _as_json(settings.discount),
        },
        "restricted": None if restricted is None else [restricted.player, restricted.share],
        "frequencies": [asdict(lock) for lock in settings.locks if isinstance(lock, RangeFrequency)],
        "points": [asdict(point) for point in solver.points],
        "suits": list(solver.given.suits),
        "fixed": [[each.node, None if each.cards is None else [*each.cards]] for each in solver.given.fixed],
    }
    counts, names, totals = _steps(solver.tree)
    arrays: dict[str, NDArray[Any]] = {
        "oop": solver.spot.weights(0),
        "ip": solver.spot.weights(1),
        "counts": counts,
        "names": names,
        "totals": totals,
        "bonuses": solver.bonuses.values,
    }
    arrays |= {f"{FIXED}{number}": each.shares for number, each in enumerate(solver.given.fixed)}
    arrays |= {STATE + name: array for name, array in solver.engine.state().items()}
    write_headed(path, FORMAT, head, arrays)


def load_solver(path: Path | str, settings: Mapping[str, Any]) -> SpotSolver:
    """Read a solve; ``settings`` are those of ``SpotSettings`` that change.

    Raises
    ------
    ModelError
        It is missing, damaged, or of another version.
    ArgumentError
        Settings out of their range, or more memory than it may take.
    """
    SpotSettings(**settings)  # a wrong one is not the file's fault
    with (
        reading(path, "solution of a spot"),
        opened_arrays(path, FORM) as (head, arrays, rest),
    ):
        spot = _from_dict(head["spot"], arrays)
        verify_as_written(head["spot"], _as_dict(spot), "spot")
        tree = _tree(spot, arrays)
        known = {**head["settings"], "locks": [RangeFrequency(**each) for each in head["frequencies"]]}
        known["discount"] = _discount(known["discount"])
        if head["restricted"] is not None:
            player, share = head["restricted"]
            known["restricted"] = Restricted(_NoLock(), player, share)
        own = SpotSettings(**{**known, **settings})
        given = engine_input(spot, tree, own.locks, own.restricted)
        shares = rest(FIXED, _fixed_forms(head["fixed"], given))
        fixed = tuple(
            FixedRows(int(node), None if cards is None else bytes(cards), shares[f"{FIXED}{number}"])
            for number, (node, cards) in enumerate(head["fixed"])
        )
        points = [SpotPoint(**{**each, "frequencies": tuple(each["frequencies"])}) for each in head["points"]]
        one, two, three, four = map(int, head["suits"])
        solver = SpotSolver(spot, own, tree, (fixed, (one, two, three, four)))
        done = int(arrays[DONE])
        solver.bonuses.restore(arrays["bonuses"], solver.engine, done)
        state = {DONE: arrays[DONE], **rest(STATE, _state_forms(solver, done))}
        solver.engine.restore({name.removeprefix(STATE): each for name, each in state.items()})
        solver.points += points
    return solver


def _fixed_forms(listed: list[Any], given: EngineInput) -> dict[str, ArrayForm]:
    """What is fixed: shares of the actions of a decision by row of its player, once on each board."""
    if len({(node, None if cards is None else tuple(cards)) for node, cards in listed}) < len(listed):
        raise ArgumentError("fixed: expected a decision on a board once")
    tree = given.arrays
    shapes = [(int(tree.count[node]), len(given.rows[int(tree.player[node])].weights)) for node, _ in listed]
    return {
        f"{FIXED}{number}": ArrayForm("float32", shape, 0, 1, gaps=True)
        for number, shape in enumerate(shapes)
    }


def _state_forms(solver: SpotSolver, done: int) -> dict[str, ArrayForm]:
    """The tables of the engine, and what an iteration of this spot can add to a number of them.

    Discounts never exceed 1. An iteration adds to a regret at most the widest gap between two payoffs of the
    player, times the weight of the other range; to a sum, at most the weight of a holding. Rounding to the
    nearest at most doubles it. A best response sets sums up to 1. Up to ``firm`` the regrets of a holding,
    times values, sum to a number that float32 has.
    """
    given, tree = solver.given, solver.given.arrays
    payoff, bonus = tree.payoff[tree.count == 0], solver.bonuses.most(done) * len(solver.bonuses.values)
    met = [float(rows.weights.sum(dtype=np.float64)) for rows in reversed(given.rows)]
    gap = float(((np.ptp(payoff, axis=(0, 2)) + 2 * bonus) * met).max())
    value = float(((np.abs(payoff).max(axis=(0, 2)) + bonus) * met).max())
    firm = float(np.finfo(np.float32).max) / ACTIONS / max(value, 1.0)
    regret = min(2 * done * gap, firm)
    sums = 1 + 2 * done * max(float(rows.weights.max()) for rows in given.rows)
    is_packed = solver.engine.bits == 16
    ranges = {
        "regret": (-32767, 32767) if is_packed else (-regret, regret),
        "sums": (0, 65535) if is_packed else (0, sums),
        "regret_scale": (0, regret / 32767),
        "sums_scale": (0, sums / 65535),
    }
    return {
        STATE + name: ArrayForm(array.dtype.name, array.shape, *ranges[name])
        for name, array in solver.engine.state().items()
        if name in ranges
    }


class _NoLock:
    """The model of a saved solve: its tables are in the file."""

    def tables(self, spot: Spot, tree: SpotTree) -> list[FixedTable]:
        """None."""
        return []


def _as_json(discount: Any) -> Any:
    """The weights of iterations; JSON has no infinite number."""
    return (
        discount
        if isinstance(discount, str)
        else [str(each) if abs(each) == inf else each for each in discount]
    )


def _discount(given: Any) -> Any:
    """The weights that ``_as_json`` gave, which ``SpotSettings`` verifies."""
    if not isinstance(given, list):
        return given
    return tuple(float(each) if each in ("inf", "-inf") else each for each in given)


def _as_dict(spot: Spot) -> dict[str, Any]:
    """A spot without its ranges, as JSON values."""
    betting = spot.betting
    return {
        "board": text(spot.cards),
        "betting": _variant(betting) if isinstance(betting, Variant) else betting,
        "thresholds": asdict(spot.thresholds),
        **{name: getattr(spot, name) for name in ("pot", "stack", "rake", "cap", "line")},
        **{name: _menu(getattr(spot, name)) for name in ("sizes", "raises", "donk")},
    }


def _menu(given: str | Mapping[str, str] | None) -> Any:
    return dict(given) if isinstance(given, Mapping) else given


def _variant(game: Variant) -> dict[str, Any]:
    return {each.name: getattr(game, each.name) for each in fields(game) if each.init}


def _from_dict(given: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Spot:
    betting = given["betting"]
    if isinstance(betting, dict):
        betting = Variant(**{name: _tuple(value) for name, value in betting.items()})
    named = {**given, "betting": betting, "thresholds": Thresholds(**given["thresholds"])}
    return Spot(**named, oop=Range(arrays["oop"]), ip=Range(arrays["ip"]))


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _steps(tree: SpotTree) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float64]]:
    """The steps of all decisions in the order of breadth: their number, names, totals."""
    decisions = [node for node in tree if node.kind is Kind.DECISION]
    steps = [step for node in decisions for step in node.steps]
    return (
        np.array([len(node.steps) for node in decisions], np.int32),
        np.array([NAMES.index(step.name) for step in steps], np.uint8),
        np.array([step.total for step in steps], np.float64),
    )


def _tree(spot: Spot, arrays: Mapping[str, NDArray[Any]]) -> SpotTree:
    """The tree of a file: every step is legal, or ``ArgumentError`` is raised."""
    rules, start = spot.rules(), spot.start()
    counts, names, totals = (arrays[name].tolist() for name in ("counts", "names", "totals"))
    if len(names) != len(totals) or sum(counts) != len(names) or min(counts, default=0) < 1:
        raise ArgumentError("damaged tree: expected a name and a total a step")
    if len(names) > MOST_NODES:
        raise ArgumentError(f"a tree of more than {MOST_NODES:,} nodes")
    root, used = SpotNode(Kind.DECISION, start), 0
    waiting, decisions = deque([root]), iter(counts)
    while waiting:
        node = waiting.popleft()
        if node.kind is Kind.DEAL:
            node.children = [SpotNode(Kind.DECISION, node.now)]
        elif node.kind is Kind.DECISION:
            count = next(decisions, 0)
            for name, total in zip(names[used : used + count], totals[used : used + count], strict=True):
                plain = Step(NAMES[name])
                step = plain if name < 3 else rules.verified_step(node.now, total)
                if (
                    step in node.steps
                    or (name in (0, 2) and not node.now.owed)
                    or (name == 1 and node.now.owed)
                ):
                    raise ArgumentError(f"damaged tree: {step}: expected a legal step, once")
                node.steps.append(step)
                node.children.append(SpotNode(*rules.after(node.now, step)))
            used += count
            if not count:
                raise ArgumentError("damaged tree: expected the steps of every decision")
        waiting += node.children
    if next(decisions, None) is not None:
        raise ArgumentError("damaged tree: expected no further steps")
    return SpotTree(rules, start, root)
