"""Sartre's tables and figures for heads-up limit (Rubin and Watson 2012, section 5), in kind."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.cases import CaseBase, Matrix, Nested
from baycarp.game.action import STREETS
from baycarp.rules.betting.sequence import sequence_keys
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import GAME, MATRIX, SARTRE2009, SARTRE2011, STEPS, Strengths, schemas
from baycarp.strategies.spec import Strategy
from experiments.cases.class_tables import ClassTable, betting_tree
from experiments.cases.versus import BoardRun, Pairing, boards, rates, winnings, winnings_on
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate
from experiments.papers.verdict import Made, Value
from experiments.recipes.table_cases import TableCases, self_play

__all__ = ["FIGURE2", "MAKERS", "SHARES", "kept"]

POLICIES = {
    "max-frequency": "sartre",
    "probabilistic": "sartre(policy='proportional')",
    "best-outcome": "sartre(policy='best mean outcome')",
}
"""The re-use policies of table 3, on one case-base."""

BUCKETS = 20
"""Of E[HS] and E[HS^2] in figure 2."""

SHARES = (1.0, 0.5, 0.1)
"""Shares of the cases that are kept, in the experiment of figure 2."""

COMPARED = 60
"""Boards on which the strategies of figure 2 are compared."""


def _described(description: Strengths) -> Strategy:
    return replace(SARTRE2011, bases=schemas(description.values), describe=description)


FIGURE2: Mapping[str, Strategy] = {
    "E[HS^2]": _described(Strengths(BUCKETS)),
    "categories": SARTRE2009,
    "E[HS]": _described(Strengths(BUCKETS, moment=1)),
}
"""The strategies of figure 2: all with max-frequency, the categories all-or-nothing with a default policy."""


def _sequences(entry: Entry, run: Run) -> Made:
    """Section 5.3.2, its printed examples and the repaired ones."""
    stepped = Nested(STEPS)

    def similarity(row: str) -> list[Value]:
        one, other = row.removesuffix(" (repaired)").split(", ")
        return [stepped(*(stepped.text(sequence_keys(each)) for each in (one, other)))]

    return Made.of(entry, similarity)


def _textures(entry: Entry, run: Run) -> Made:
    """Figure 3."""
    names = tuple(column.name for column in entry.columns)
    matrix = Matrix(names, MATRIX)
    return Made.of(entry, lambda row: [matrix(row, column) for column in names])


def _cases(entry: Entry, run: Run) -> Made:
    """Table 2: the decisions of the hands, and the cases that they are merged into."""
    cases = TableCases(SARTRE2011)
    self_play(Equilibrium(), [cases], GAME, run.hands, run.seed, run.tick)
    counts = dict(zip(STREETS, cases.decisions, strict=True))
    return Made.of(entry, lambda row: [float(counts[row]), float(len(cases.casebases[row]))], run.hands)


def _policies(entry: Entry, run: Run) -> Made:
    """Table 3: each policy against the others on the same boards."""
    names, drawn = list(POLICIES), boards(run.hands, run.seed)
    won = np.zeros((3, 3, len(drawn)))
    for place, name in enumerate(names):
        others = [other for other in names if other != name]
        found = winnings_on(
            [POLICIES[other] for other in others], POLICIES[name], drawn, GAME, BoardRun(run.workers)
        )
        for other, row in zip(others, found.T, strict=True):
            won[names.index(other), place] = row
    average = won.sum(axis=1) / 2
    cells = {}
    for place, name in enumerate(names):
        values: list[Value] = [*map(estimate, rates(won[place].T))]
        values[place] = None
        cells[name] = [*values, estimate(rates(average[place][:, None])[0])]
    run.tick(run.hands)
    return Made(cells, run.hands)


def _strengths(entry: Entry, run: Run) -> Made:
    """Figure 2 with all cases: the place of each strategy, where no interval of a difference holds 0."""
    cases = {name: TableCases(strategy) for name, strategy in FIGURE2.items()}
    teacher = Equilibrium()
    self_play(teacher, list(cases.values()), GAME, run.hands, run.seed, run.tick)
    tree, drawn = betting_tree(GAME), boards(COMPARED, run.seed)
    opponent = ClassTable(teacher, tree)
    players = [Pairing(ClassTable(kept(each, 1.0, run.seed), tree), opponent) for each in cases.values()]
    won = np.array([winnings(players, board).mean(axis=1) for board in drawn])

    def place(row: str) -> list[Value]:
        own = won[:, list(FIGURE2).index(row)]
        apart = [rates((own - other)[:, None])[0] for other in won.T if other is not own]
        clear = [each for each in apart if each.mean and abs(each.mean) > each.margin]
        return [1.0 + sum(each.mean < 0 for each in clear) if len(clear) == 2 else None]

    return Made.of(entry, place, run.hands)


def kept(cases: TableCases, share: float, seed: int) -> CaseTable:
    """A player with a share of the cases, drawn at random: a larger share has those of a smaller one.

    Parameters
    ----------
    cases
        All of them.
    share
        In (0, 1].
    seed
        Of the draw.
    """
    bases = {}
    for street, (name, casebase) in enumerate(cases.casebases.items()):
        order = np.random.default_rng((seed, street)).permutation(len(casebase))
        rows = np.sort(order[: max(1, round(share * len(casebase)))])
        bases[name] = CaseBase(casebase.schema)
        bases[name].extend_columns({n: column[..., rows] for n, column in casebase.columns().items()})
    strategy = replace(cases.strategy, bases={name: base.schema for name, base in bases.items()})
    return CaseTable(strategy, Model(strategy, None, bases), learning=False)


MAKERS: dict[str, Maker] = {
    "001-2": _cases,
    "001-3": _policies,
    "001-sec5.3.1": _sequences,
    "001-fig2": _strengths,
    "001-fig3": _textures,
}
