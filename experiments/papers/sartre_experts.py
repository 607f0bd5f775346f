"""Several imitated experts together, beside the best of them (Rubin and Watson 2012, section 5.4.3)."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.cases import CaseBase
from baycarp.solvers.plan import SolvePlan
from baycarp.solvers.run import SOLUTION, SolveRun
from baycarp.solvers.solution import SolvedStrategy, betting_of, save_solution
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.strategies.spec import Together
from experiments.cases.table_cases import TableCases, watched
from experiments.cases.versus import boards, rates
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate
from experiments.papers.sartre import COMPARED, round_robin
from experiments.papers.verdict import UNDECIDED, Made, Value

__all__ = ["EXPERTS", "MAKERS", "Expert", "solved"]


@dataclass(frozen=True, slots=True)
class Expert:
    """A strategy to imitate.

    Parameters
    ----------
    buckets
        The abstraction that it is solved on; "" = the shipped strategy.
    threshold
        Its risk: 0 mixes, more leaves out rare actions, 1 never mixes.
    """

    buckets: str
    threshold: float

    def __str__(self) -> str:
        return f"{self.buckets or 'shipped abstraction'}, threshold {self.threshold:g}"


EXPERTS = (Expert("", 0.0), Expert("p10,p10,p10", 0.3), Expert("v8,v8,v8", 1.0))
"""Percentiles and values of hand strength beside the clusters of the shipped strategy."""

ALONE = tuple(map(str, EXPERTS))

COMBINED: Mapping[str, tuple[Together, bool]] = {
    "mean of three, a third of the hands each": ("mean", False),
    "vote of three, a third of the hands each": ("vote", False),
    "mean of three, all hands each": ("mean", True),
    "vote of three, all hands each": ("vote", True),
}
"""By row, the combination, and whether each of its experts has watched all hands."""

ITERATIONS, LEAST, FOR_HANDS = 200, 2, 10_000
"""Of the coarse strategies from this number of hands on; below it in proportion, down to the least."""

HANDS_A_BOARD = 1_000
"""That are watched, for one more board of the comparison."""


def _experts(entry: Entry, run: Run) -> Made:
    """What experts alone and together win from the experts alone."""
    with TemporaryDirectory() if run.folder is None else nullcontext(run.folder) as folder:
        learned = [_learned(expert, place, Path(folder), run) for place, expert in enumerate(EXPERTS)]
    parts, wholes = zip(*learned, strict=True)
    if not all(len(base) for model in parts for base in model.casebases.values()):
        return Made.of(entry, lambda row: [None] * len(entry.columns), run.hands)
    alone = [CaseTable(SARTRE2011, each, learning=False) for each in wholes]
    joined = [_joined(how, wholes if whole else parts) for how, whole in COMBINED.values()]
    drawn = boards(COMPARED + run.hands // HANDS_A_BOARD, run.seed)
    won = round_robin([*alone, *joined], drawn, field=len(alone))
    bankrolls = won[:, : len(alone)].mean(axis=1)
    best = bankrolls[bankrolls[: len(alone)].mean(axis=1).argmax()]

    def values(row: str) -> list[Value]:
        own = bankrolls[[*ALONE, *COMBINED].index(row)]
        bankroll, more = (rates(each[:, None])[0] for each in (own, own - best))
        word = "improve" if more.mean > more.margin else "worsen" if more.mean < -more.margin else UNDECIDED
        return [estimate(bankroll), word if row in COMBINED else None]

    return Made.of(entry, values, run.hands)


def _joined(how: Together, models: Sequence[Model]) -> CaseTable:
    """Experts together."""
    strategy = replace(SARTRE2011, together=how)
    return CaseTable(strategy, models[0], learning=False, experts=models[1:])


def _learned(expert: Expert, place: int, folder: Path, run: Run) -> tuple[Model, Model]:
    """What is learned from an expert's play: from its share of the hands, the first of them, and from all."""
    teacher = Equilibrium(solved(expert.buckets, folder, run), expert.threshold)
    cases, share = TableCases(SARTRE2011), max(1, run.hands // len(EXPERTS))
    for done in watched(teacher, [cases], GAME, (share, run.hands), run.seed + place):
        if done == share:
            part = _model(cases)
        run.tick(done)
    return part, _model(cases)


def _model(cases: TableCases) -> Model:
    """The cases so far; more may be added, and these stay."""
    copies = {name: CaseBase(base.schema) for name, base in cases.casebases.items()}
    for name, base in copies.items():
        base.extend_columns(cases.casebases[name].columns())
    return Model(SARTRE2011, None, copies)


def solved(buckets: str, folder: Path, run: Run) -> str:
    """The file of a strategy, solved in a folder of its own; gone on with after an interruption.

    Parameters
    ----------
    buckets
        Its abstraction; "" = the shipped strategy, whose name is "".
    folder
        Where its folder is.
    run
        Its seed and its number of hands, which the number of iterations grows with.
    """
    if not buckets:
        return ""
    iterations = max(LEAST, ITERATIONS * min(run.hands, FOR_HANDS) // FOR_HANDS)
    plan = SolvePlan.of(GAME, buckets, run.seed)
    own = folder / f"expert-{buckets.replace(',', '-')}-seed{run.seed}-{iterations}"
    own.mkdir(parents=True, exist_ok=True)
    solving = SolveRun(own, plan, run.workers, lambda name, done, total: None)
    solving.solve(iterations, None, lambda: False, lambda loss: None)
    strategy = SolvedStrategy.of(
        betting_of(GAME),
        plan.abstraction,
        solving.solver.policy(),
        {"command": f"{plan.command} --iterations {iterations} --out FOLDER", "iterations": iterations},
        solving.tables.flops,
    )
    save_solution(strategy, own / SOLUTION)
    return str(own / SOLUTION)


MAKERS: Mapping[str, Maker] = {"001-sec5.4.3": _experts}
