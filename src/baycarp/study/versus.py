"""Table players against each other at heads-up limit: exact over cards, actions and seats, on sampled boards.

On a board of five cards every pair of holdings is as likely as another, so that the mean over boards of what
one player wins there, with all holdings and all betting, is what it wins a hand. Neither cards in hand nor
drawn actions add to the variance, and several players are compared on the same boards.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.class_tables import BettingTree, ClassTable, betting_tree
from baycarp.agents.classes import offers_classes
from baycarp.agents.registry import load
from baycarp.arena.measure import Rate, margin
from baycarp.arena.ranking import Results
from baycarp.arena.workers import processes
from baycarp.card import HOLDINGS, HOLDS, blocked_by
from baycarp.errors import TableError
from baycarp.kernels.hands import rank

__all__ = ["BOARDS", "boards", "rates", "round_robin", "winnings", "winnings_on"]

PAIRS = 1081 * 990
"""Pairs of holdings beside a board of five cards."""


def boards(number: int, seed: int) -> list[tuple[int, ...]]:
    """Boards of five cards, in the order of dealing, drawn independently; a longer draw begins alike."""
    rng = np.random.default_rng(seed)
    return [tuple(rng.choice(52, 5, replace=False).tolist()) for _ in range(number)]


def winnings(
    players: Sequence[ClassTable], opponent: ClassTable, board: Sequence[int]
) -> NDArray[np.float64]:
    """What players win on a board from an opponent, all holdings and all betting counted.

    Parameters
    ----------
    players, opponent
        Of one tree.
    board
        Five ids.

    Returns
    -------
    float64 array, shape (players, 2)
        Chips a hand, by position of the player.
    """
    tree, holdings = opponent.tree, np.flatnonzero(~blocked_by(board))
    theirs, *ours = ([each[holdings] for each in one.classes(board)] for one in (opponent, *players))
    won = np.empty((len(players), 2))
    for position in (0, 1):
        ends = _end_values(tree, opponent, theirs, position, (board, holdings))
        for number, (player, classes) in enumerate(zip(players, ours, strict=True)):
            won[number, position] = _value(tree, player, classes, position, ends) / PAIRS
    return won


def _end_values(
    tree: BettingTree,
    opponent: ClassTable,
    classes: list[NDArray[np.intp]],
    position: int,
    dealt: tuple[Sequence[int], NDArray[np.intp]],
) -> NDArray[np.float32]:
    """Chips of each holding at each end, times the opponent's reach; shape (ends, holdings)."""
    board, holdings = dealt
    reach = np.empty((len(tree.nodes), len(holdings)), np.float32)
    ended = np.empty((len(tree.ends), len(holdings)), np.float32)
    reach[0] = 1
    for number, node in enumerate(tree.nodes):
        mine = node.state.to_act == position
        policy = None if mine else opponent.policies[number][classes[node.state.street]]
        for column, child in enumerate(node.children):
            if child is not None:
                rows = ended[-1 - child] if child < 0 else reach[child]
                np.multiply(reach[number], 1 if policy is None else policy[:, column], out=rows)
    chips = np.array([end.chips for end in tree.ends], np.float32)
    folded = np.array([-1 if end.folded is None else end.folded for end in tree.ends])
    beats = _showdowns(board, holdings)
    values = np.empty_like(ended)
    shown = folded < 0
    values[shown] = ended[shown] @ beats.T
    held, folds = HOLDS[:, holdings].astype(np.float32), ended[~shown]
    values[~shown] = folds.sum(axis=1, keepdims=True) - (folds @ held.T) @ held + folds  # no shared card
    sign = np.where(shown | (folded != position), 1, -1).astype(np.float32)
    return np.asarray(values * (chips * sign)[:, None])


def _compatible(holdings: NDArray[np.intp]) -> NDArray[np.float32]:
    """1 where two holdings share no card."""
    held = HOLDS[:, holdings].astype(np.float32)
    return np.asarray(held.T @ held == 0, np.float32)


def _showdowns(board: Sequence[int], holdings: NDArray[np.intp]) -> NDArray[np.float32]:
    """1 where a row's holding beats a column's, -1 where it loses, 0 for ties and shared cards."""
    hands = np.empty((len(holdings), 7), np.uint8)
    hands[:, :5], hands[:, 5:] = board, HOLDINGS[holdings]
    ranks = np.asarray(rank(hands)).astype(np.int64)
    return np.asarray(np.sign(ranks[:, None] - ranks) * _compatible(holdings), np.float32)


def _value(
    tree: BettingTree,
    player: ClassTable,
    classes: list[NDArray[np.intp]],
    position: int,
    ends: NDArray[np.float32],
) -> float:
    """The chips of all holdings together, times the opponent's reach."""
    values = np.zeros((len(tree.nodes), ends.shape[1]), np.float32)
    for number in reversed(range(len(tree.nodes))):
        node = tree.nodes[number]
        mine = node.state.to_act == position
        policy = player.policies[number][classes[node.state.street]] if mine else None
        for column, child in enumerate(node.children):
            if child is not None:
                below = ends[-1 - child] if child < 0 else values[child]
                values[number] += below if policy is None else below * policy[:, column]
    return float(values[0].sum(dtype=np.float64))


BOARDS = 200
"""Boards of a comparison by default."""


def winnings_on(
    specs: Sequence[str],
    opponent: str,
    drawn: Sequence[tuple[int, ...]],
    game: str,
    workers: int = 1,
    tick: Callable[[int], None] = lambda done: None,
) -> NDArray[np.float64]:
    """What agents win from another on each of some boards.

    Parameters
    ----------
    specs, opponent
        Agents that answer as tables, as ``registry.load`` takes them.
    drawn
        Of ``boards``.
    game
        Heads-up fixed limit.
    workers
        Processes; the result does not depend on their number.
    tick
        Called with the number of boards done.

    Returns
    -------
    float64 array, shape (boards, agents)
        Small bets a hand, the mean of both positions.

    Raises
    ------
    TableError
        An agent that does not answer as a table, or does not play the game.
    """
    value = partial(_on_board, tuple(specs), opponent, game)
    rows = []
    with processes(workers) if workers > 1 else nullcontext() as pool:
        for row in (pool.map if pool else map)(value, drawn):
            rows.append(row)
            tick(len(rows))
    return np.array(rows)


def round_robin(
    players: tuple[Sequence[str], Sequence[str]],
    drawn: Sequence[tuple[int, ...]],
    game: str,
    workers: int = 1,
    tick: Callable[[int], None] = lambda done: None,
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
    """
    names, specs = players
    games, blocks = [], []
    for one in range(len(specs) - 1):
        later = range(one + 1, len(specs))
        further = partial(_further, tick, one * len(drawn))
        won = winnings_on([specs[other] for other in later], specs[one], drawn, game, workers, further)
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


def _on_board(specs: tuple[str, ...], opponent: str, game: str, board: tuple[int, ...]) -> list[float]:
    won = winnings([_table(spec, game) for spec in specs], _table(opponent, game), board)
    small_bet = betting_tree(game).variant.small_bet
    return [float(each) for each in won.mean(axis=1) / small_bet]


def rates(won: NDArray[np.float64]) -> list[Rate]:
    """The mean over boards of each column, with its 95 % interval; small bets a hand."""
    return [Rate(float(each.mean()), margin(float(each.std(ddof=1)), len(each)), len(each)) for each in won.T]
