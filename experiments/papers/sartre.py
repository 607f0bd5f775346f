"""Sartre's tables and figures for heads-up limit (Rubin and Watson 2012, section 5), in kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.registry import load
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.arena.measure import Rate
from baycarp.arena.ranking import Results, rank_agents
from baycarp.cases import CaseBase, Matrix, Nested
from baycarp.game.action import STREETS
from baycarp.rules.betting.sequence import sequence_keys
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import (
    GAME,
    MATRIX,
    SARTRE2009,
    SARTRE2010,
    SARTRE2011,
    STEPS,
    Strengths,
    schemas,
)
from baycarp.strategies.spec import Strategy
from experiments.cases.class_tables import ClassTable, betting_tree
from experiments.cases.table_cases import TableCases, self_play
from experiments.cases.versus import Pairing, boards, rates, winnings
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate
from experiments.papers.verdict import UNDECIDED, Made, Value

__all__ = ["COMPARED", "FIGURE2", "MAKERS", "SHARES", "kept", "round_robin"]

POLICIES = {
    "max-frequency": "sartre",
    "probabilistic": "sartre(policy='proportional')",
    "best-outcome": "sartre(policy='best mean outcome')",
}
"""The re-use policies of table 3, on one case-base."""

BUCKETS = 20
"""Of E[HS] and E[HS^2] in figure 2."""

SHARES = (1.0, 0.5, 0.1)
"""Shares of the cases that are kept; the axis of figure 2 is not printed in numbers."""

COMPARED = 60
"""Boards on which the strategies of figure 2 are compared."""

CLEAR = 0.95
"""The share of the draws of boards in which a player has its place, from which the place is decided."""

SNAPSHOTS = {"2009": SARTRE2009, "2010": SARTRE2010, "2011": SARTRE2011}
"""By the competition that they entered."""


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
    players = [load(spec) for spec in POLICIES.values()]
    won = round_robin(players, boards(run.hands, run.seed), run.tick)  # type: ignore[arg-type]
    cells = {}
    for place, (name, average) in enumerate(zip(POLICIES, _averages(won), strict=True)):
        values: list[Value] = [*map(estimate, rates(won[place].T))]
        values[place] = None
        cells[name] = [*values, estimate(average)]
    return Made(cells, run.hands)


def round_robin(
    players: Sequence[ClassPolicies],
    drawn: Sequence[tuple[int, ...]],
    tick: Callable[[int], None] = lambda done: None,
    field: int | None = None,
) -> NDArray[np.float64]:
    """What each wins from each other on boards, small bets a hand; shape (players, players, boards).

    Parameters
    ----------
    players
        At least two.
    drawn
        Of ``experiments.cases.versus.boards``.
    tick
        Called with the number of boards done.
    field
        How many of the first players all others meet; the others have 0 from one another. None = all meet.
    """
    tree = betting_tree(GAME)
    tables = [ClassTable(each, tree) for each in players]
    pairs = [pair for pair in combinations(range(len(tables)), 2) if field is None or pair[0] < field]
    pairings = [Pairing(tables[one], tables[other]) for one, other in pairs]
    won = np.zeros((len(tables), len(tables), len(drawn)))
    for number, board in enumerate(drawn):
        found = winnings(pairings, board).mean(axis=1) / tree.variant.small_bet
        for (one, other), each in zip(pairs, found, strict=True):
            won[one, other, number], won[other, one, number] = each, -each
        tick(number + 1)
    return won


def _averages(won: NDArray[np.float64]) -> list[Rate]:
    """What each player of a round robin wins from the others in the mean."""
    return rates(won.sum(axis=1).T / (len(won) - 1))


def _taught(strategies: Mapping[str, Strategy], run: Run) -> dict[str, TableCases]:
    """The cases of strategies that watch the same hands of the solved strategy."""
    cases = {name: TableCases(strategy) for name, strategy in strategies.items()}
    self_play(Equilibrium(), list(cases.values()), GAME, run.hands, run.seed, run.tick)
    return cases


def _against_teacher(players: Sequence[ClassPolicies], run: Run) -> NDArray[np.float64]:
    """What players win from the teacher, chips a hand; shape (boards, players)."""
    tree = betting_tree(GAME)
    opponent = ClassTable(Equilibrium(), tree)
    pairings = [Pairing(ClassTable(each, tree), opponent) for each in players]
    return np.array([winnings(pairings, board).mean(axis=1) for board in boards(COMPARED, run.seed)])


def _strengths(entry: Entry, run: Run) -> Made:
    """Figure 2 with all cases: the place of each strategy, where no interval of a difference holds 0."""
    cases = _taught(FIGURE2, run)
    won = _against_teacher([kept(each, 1.0, run.seed) for each in cases.values()], run)

    def place(row: str) -> list[Value]:
        own = won[:, list(FIGURE2).index(row)]
        apart = [rates((own - other)[:, None])[0] for other in won.T if other is not own]
        clear = [each for each in apart if each.mean and abs(each.mean) > each.margin]
        return [1.0 + sum(each.mean < 0 for each in clear) if len(clear) == 2 else UNDECIDED]

    return Made.of(entry, place, run.hands)


def _by_share(entry: Entry, run: Run) -> Made:
    """Figure 2 by the share of the cases: what each strategy wins, and loses by the fewest of them."""
    cases, small_bet = _taught(FIGURE2, run), betting_tree(GAME).variant.small_bet
    players = [kept(each, share, run.seed) for each in cases.values() for share in SHARES]
    won = _against_teacher(players, run).reshape(COMPARED, len(cases), len(SHARES)) / small_bet
    lost = dict(zip(FIGURE2, (won[:, :, 0] - won[:, :, -1]).T, strict=True))

    def values(row: str) -> list[Value]:
        (less,) = rates((lost["categories"] - lost[row])[:, None])
        word = "better" if less.mean > less.margin else "worse" if less.mean < -less.margin else UNDECIDED
        shares = map(estimate, rates(won[:, list(FIGURE2).index(row)]))
        return [*shares, None if row == "categories" else word]

    return Made.of(entry, values, run.hands)


def _snapshots(entry: Entry, run: Run) -> Made:
    """The three snapshots, taught by the same hands, against each other."""
    players = [kept(each, 1.0, run.seed) for each in _taught(SNAPSHOTS, run).values()]
    won = round_robin(players, boards(COMPARED, run.seed))
    cells = zip(map(estimate, _averages(won)), _runoff(won, run.seed), strict=True)
    return Made(dict(zip(SNAPSHOTS, cells, strict=True)), run.hands)


def _runoff(won: NDArray[np.float64], seed: int) -> list[Value]:
    """The place of each of a round robin by instant run-off; boards are drawn anew for its confidence."""
    games = tuple(combinations(range(len(won)), 2))
    blocks = tuple(np.column_stack([won[one, other], won[other, one]]) for one, other in games)
    results = Results(tuple(map(str, range(len(won)))), games, blocks, "sb/h")
    ranking = rank_agents(results, "instant run-off", seed=seed)
    shares = ranking.shares[np.arange(len(won)), ranking.places - 1]
    places = zip(ranking.places.tolist(), shares.tolist(), strict=True)
    return [float(place) if share >= CLEAR else UNDECIDED for place, share in places]


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
    "001-sec5.3.2": _sequences,
    "001-fig2": _strengths,
    "001-fig2-shares": _by_share,
    "001-sec5.4": _snapshots,
    "001-fig3": _textures,
}
