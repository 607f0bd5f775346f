"""Table players against each other at heads-up limit: exact over cards, actions and seats, on sampled boards.

On a board of five cards every pair of holdings is as likely as another, so that the mean over boards of what
one player wins there, with all holdings and all betting, is what it wins a hand. Neither cards in hand nor
drawn actions add to the variance, and several players are compared on the same boards.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.registry import identity, load
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate, margin
from baycarp.arena.ranking import Results
from baycarp.arena.workers import Workers, in_order
from baycarp.card import text
from baycarp.errors import JournalError, TableError
from baycarp.kernels.cfr import LANES, Betting, Deal
from baycarp.solvers.limit import betting as walks
from experiments.cases.class_tables import ClassTable, betting_tree

__all__ = ["BOARDS", "BoardRun", "Pairing", "boards", "rates", "round_robin", "winnings", "winnings_on"]

PAIRS = 1081 * 990
"""Pairs of holdings beside a board of five cards."""


def boards(number: int, seed: int) -> list[tuple[int, ...]]:
    """Boards of five cards, in the order of dealing, drawn independently; a longer draw begins alike."""
    rng = np.random.default_rng(seed)
    return [tuple(rng.choice(52, 5, replace=False).tolist()) for _ in range(number)]


class Pairing:
    """A player and its opponent as tables of the walk of a board, one for each position of the player.

    Parameters
    ----------
    player, opponent
        Of one tree.
    """

    def __init__(self, player: ClassTable, opponent: ClassTable) -> None:
        self.player, self.opponent = player, opponent
        self._seats = tuple(_seated(pair) for pair in ((player, opponent), (opponent, player)))

    def winnings(self, board: Sequence[int], classes: Mapping[ClassTable, NDArray[np.uint16]]) -> list[float]:
        """What the player wins on a board, in chips a hand, by its position; ``classes`` of both."""
        own, other = classes[self.player], classes[self.opponent]
        deals = Deal(list(board), own, other=other), Deal(list(board), other, other=own)
        return [
            float(betting.visit(deal, hero, 1.0, cells, scratch).sum(dtype=np.float64)) / PAIRS
            for hero, (deal, (betting, cells, scratch)) in enumerate(zip(deals, self._seats, strict=True))
        ]


Cells = NDArray[np.float32]


def _seated(pair: tuple[ClassTable, ClassTable]) -> tuple[Betting, Cells, Cells]:
    """The betting of two players by position, their policies as its cells, and the memory of a walk."""
    played, tree = pair[0].tree, walks.limit_betting(pair[0].tree.variant)
    sizes = [[1, 1] for _ in tree.streets]
    decisions = []
    for number, node in enumerate(played.nodes):
        spot = tree.place(node.state.betting)
        actor = tree.streets[spot.street].actors[spot.node]
        policies = pair[actor].policies[number]
        sizes[spot.street][actor] = max(sizes[spot.street][actor], len(policies))
        decisions.append((spot, policies))
    betting = Betting(tree.streets, [(first, second) for first, second in sizes])
    cells = np.zeros(betting.cells, np.float32)
    views = dict(walks.by_node(betting, tree, cells))
    for spot, policies in decisions:
        rows = views[spot.street, spot.node][spot.block].reshape(3, -1, LANES)
        rows[:, : len(policies), spot.lane] = policies.T
    return betting, cells, betting.scratch()


def winnings(pairings: Sequence[Pairing], board: Sequence[int]) -> NDArray[np.float64]:
    """What players win on a board, all holdings and all betting counted.

    Parameters
    ----------
    pairings
        The players, each with its opponent.
    board
        Five ids.

    Returns
    -------
    float64 array, shape (pairings, 2)
        Chips a hand, by position of the player.
    """
    tables = {table for each in pairings for table in (each.player, each.opponent)}
    classes = {table: np.array(table.classes(board), np.uint16) for table in tables}
    return np.array([each.winnings(board, classes) for each in pairings])


BOARDS = 200
"""Boards of a comparison by default."""

Board = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoardRun:
    """How boards are valued.

    Parameters
    ----------
    workers
        Processes; the result does not depend on their number.
    tick
        Called with the number of boards done.
    path
        A journal, continued after an interruption; boards that are in it are not valued again.
    """

    workers: int = 1
    tick: Callable[[int], None] = lambda done: None
    path: Path | None = None


def winnings_on(
    specs: Sequence[str],
    opponent: str,
    drawn: Sequence[tuple[int, ...]],
    game: str,
    run: BoardRun = BoardRun(),
) -> NDArray[np.float64]:
    """What agents win from another on each of some boards.

    Parameters
    ----------
    specs, opponent
        Agents that answer as tables, as ``agents.registry.load`` takes them.
    drawn
        Of ``boards``.
    game
        Heads-up fixed limit.
    run
        How the boards are valued.

    Returns
    -------
    float64 array, shape (boards, agents)
        Small bets a hand, the mean of both positions.

    Raises
    ------
    TableError
        An agent that does not answer as a table, or does not play the game.
    JournalError
        The journal is of other agents, or damaged.
    """
    value = partial(_on_board, tuple(specs), opponent, game)
    with nullcontext() if run.path is None else Journal(run.path, _header(specs, opponent, game)) as journal:
        rows = {} if journal is None else _recorded(journal, drawn, len(specs))
        missing = [board for board in dict.fromkeys(drawn) if board not in rows]
        with closing(in_order(value, missing, Workers(run.workers))) as found:
            for board, row in found:
                if journal is not None:
                    journal.append((text(board),), {"won": row})
                rows[board] = row
                run.tick(len(rows))
    return np.array([rows[board] for board in drawn])


def _header(specs: Sequence[str], opponent: str, game: str) -> dict[str, object]:
    agents = [identity(spec) for spec in specs]
    return {"kind": "tables", "agents": agents, "against": identity(opponent), "game": game}


def _recorded(journal: Journal, drawn: Sequence[Board], agents: int) -> dict[Board, list[float]]:
    """The boards of a journal, verified: a check-sum shows damage, not the writer."""
    rows = {}
    for board in drawn:
        record = journal.records.get((text(board),))
        if record is None:
            continue
        try:
            row = np.array(record["won"], np.float64)
        except (KeyError, TypeError, ValueError):
            row = np.array([])
        if row.shape != (agents,) or not np.isfinite(row).all():
            raise JournalError(f"{journal.path}, unit {text(board)}: expected {agents} finite numbers")
        rows[board] = row.tolist()
    return rows


def round_robin(
    players: tuple[Sequence[str], Sequence[str]],
    drawn: Sequence[tuple[int, ...]],
    game: str,
    workers: int = 1,
    tick: Callable[[int], None] = lambda done: None,
    folder: Path | None = None,
) -> Results:
    """Every two agents on the same boards, for a ranking: a board is a deal.

    Parameters
    ----------
    players
        Names, and agents that answer as tables.
    drawn, game, workers
        As in ``winnings_on``.
    tick
        Called with the number of boards done, counted for each agent that meets later ones.
    folder
        Of journals, one for each agent that meets later ones.
    """
    names, specs = players
    games, blocks = [], []
    for one in range(len(specs) - 1):
        later = range(one + 1, len(specs))
        further = partial(_further, tick, one * len(drawn))
        path = None if folder is None else folder / f"boards-{one}.journal"
        run = BoardRun(workers, further, path)
        won = winnings_on([specs[other] for other in later], specs[one], drawn, game, run)
        games += [(one, other) for other in later]
        blocks += [np.stack([-column, column], axis=1) for column in won.T]
    return Results(tuple(names), tuple(games), tuple(blocks), "sb/h", judge="exact")


def _further(tick: Callable[[int], None], before: int, done: int) -> None:
    tick(before + done)


@lru_cache(maxsize=32)
def _table(spec: str, game: str) -> ClassTable:
    """A process makes it once."""
    agent = load(spec)
    if not offers_classes(agent):
        raise TableError(f"agent {spec!r}: expected one that answers as a table (agents.base.ClassPolicies)")
    return ClassTable(agent, betting_tree(game))  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def _pairings(specs: tuple[str, ...], opponent: str, game: str) -> list[Pairing]:
    """A process makes them once."""
    return [Pairing(_table(spec, game), _table(opponent, game)) for spec in specs]


def _on_board(specs: tuple[str, ...], opponent: str, game: str, board: tuple[int, ...]) -> list[float]:
    won = winnings(_pairings(specs, opponent, game), board)
    small_bet = betting_tree(game).variant.small_bet
    return [float(each) for each in won.mean(axis=1) / small_bet]


def rates(won: NDArray[np.float64]) -> list[Rate]:
    """The mean over boards of each column, with its 95 % interval; small bets a hand."""
    return [Rate(float(each.mean()), margin(float(each.std(ddof=1)), len(each)), len(each)) for each in won.T]
