"""Solutions of spots on disk: one ``.npz`` with the spot, the tree, the locks, and the engine's tables."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import text
from baycarp.errors import ArgumentError, ModelError
from baycarp.files import (
    AnyForm,
    ArrayForm,
    FileForm,
    Form,
    ListForm,
    NullForm,
    NumberForm,
    RecordForm,
    TupleForm,
)
from baycarp.game.variant import Variant
from baycarp.ranges import Range
from baycarp.solvers.headed import headed, read_headed, reading, write_headed
from baycarp.solvers.spots.betting import Kind, Step
from baycarp.solvers.spots.given import FixedRows
from baycarp.solvers.spots.locks import FixedTable, RangeFrequency, Restricted
from baycarp.solvers.spots.sizes import Thresholds
from baycarp.solvers.spots.solver import SpotPoint, SpotSettings, SpotSolver
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import MOST_NODES, SpotNode, SpotTree

__all__ = ["load_solver", "save_solver"]

FORMAT = "baycarp.spot"
NAMES = ("fold", "check", "call", "bet", "raise", "all-in")
STATE = "state."

_WEIGHTS = ArrayForm("float64", (1326,), 0)
_HEAD: dict[str, Form] = {
    "spot": AnyForm(),
    "settings": RecordForm({"target": NumberForm(0), "bits": NumberForm(whole=True), "discount": AnyForm()}),
    "restricted": NullForm(TupleForm((NumberForm(0, 1, whole=True), NumberForm(0, 1)))),
    "frequencies": ListForm(AnyForm()),
    "points": ListForm(
        RecordForm(
            {name: NumberForm(0) for name in ("iterations", "exploitability", "seconds")}
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
        },
        limit=1 << 34,
        families={
            "fixed.": ArrayForm("float32 float64", None, 0, 1, gaps=True),
            STATE: ArrayForm("float32 float64 int16 int32 int64 uint8 uint16 uint32 uint64"),
        },
    ),
)
"""The state is the engine's, which verifies its shapes."""


def save_solver(solver: SpotSolver, path: Path) -> None:
    """Write a solve, whole."""
    settings, restricted = solver.settings, solver.settings.restricted
    head = {
        "spot": _as_dict(solver.spot),
        "settings": {name: getattr(settings, name) for name in ("target", "bits", "discount")},
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
    arrays |= {f"fixed.{number}": each.shares for number, each in enumerate(solver.given.fixed)}
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
    with reading(path, "solution of a spot"):
        head, arrays = read_headed(path, FORM)
        spot = _from_dict(head["spot"], arrays)
        tree = _tree(spot, arrays)
        known = {**head["settings"], "locks": [RangeFrequency(**each) for each in head["frequencies"]]}
        known["discount"] = _discount(known["discount"])
        if head["restricted"] is not None:
            player, share = head["restricted"]
            known["restricted"] = Restricted(_NoLock(), player, share)
        fixed = tuple(
            FixedRows(int(node), None if cards is None else bytes(cards), arrays[f"fixed.{number}"])
            for number, (node, cards) in enumerate(head["fixed"])
        )
        points = [SpotPoint(**{**each, "frequencies": tuple(each["frequencies"])}) for each in head["points"]]
        if len(head["suits"]) != 4 or not points:
            raise ModelError(f"{path}: damaged: expected four suits and a measurement")
        one, two, three, four = map(int, head["suits"])
        state = {name.removeprefix(STATE): each for name, each in arrays.items() if name.startswith(STATE)}
    own = SpotSettings(**{**known, **settings})
    with reading(path, "solution of a spot"):
        solver = SpotSolver(spot, own, tree, (fixed, (one, two, three, four)))
        if any((each < 0).any() for name, each in state.items() if not name.startswith("regret")):
            raise ModelError(f"{path}: damaged: expected sums of shares, 0 or more")
        solver.engine.restore(state)
        solver.bonuses.restore(arrays["bonuses"], solver.engine)
        solver.points += points
    return solver


class _NoLock:
    """The model of a saved solve: its tables are in the file."""

    def tables(self, spot: Spot, tree: SpotTree) -> list[FixedTable]:
        """None."""
        return []


def _discount(given: Any) -> Any:
    return given if isinstance(given, str) else (*map(float, given[:3]), int(given[3]))


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
