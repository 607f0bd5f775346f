"""Models of players from hands of which only showdowns are seen: EM over the hidden holdings.

    E   the probability of every holding of a player in a hand, given all its actions (equation 5.2 of van der
        Kleij 2010) by the model of its cluster; a shown holding is given
    M   the leaves of every cluster: frequencies of choices, weighted by the probability of the bucket

The comparisons of the trees, which all clusters share, grow on one random draw of a bucket for every
decision, by its probability: before the first round by the ordered start of ``ordered_start``, and anew
after the rounds of the first trees. Source: van der Kleij (2010), section 5.5. Ours: shared comparisons, and
growing on a draw, as a tree grown on all weighted buckets would read every decision thirty times.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, HOLDINGS, blocked_by, holding_index
from baycarp.errors import ArgumentError
from baycarp.game.notation.hand import Hand
from baycarp.game.state import SHOWN
from baycarp.kernels.arguments import seeded
from baycarp.kernels.search import CHOICES
from baycarp.opponents.moves.buckets import OUTS, Buckets
from baycarp.opponents.moves.players import Players
from baycarp.opponents.moves.tree_policy import MoveRows
from baycarp.rules.features import SITUATIONS
from baycarp.training.ordered_start import ordered_start
from baycarp.training.player_trees import FittedPlayers, Known, choices_in, clusters_of, fit_trees
from baycarp.trees import DecisionTree

__all__ = ["Spectated", "Start", "fit_shown", "fit_spectated", "left_over", "posterior", "spectated"]

Array = NDArray[np.float64]
Start: TypeAlias = Literal["leftover", "ordered"]
Ints = NDArray[np.int64]

BLOCKED = 255
"""The bucket of holdings that the board blocks."""

LEAST_LEFT = 0.1
"""The least part of the deal of a class that the leftover start keeps."""

GROWN = 2
"""How often the comparisons grow."""

ROUNDS = 8
"""Rounds of E and M after each growth, at most."""

ENOUGH = 1e-3
"""Rounds end when the mean log-likelihood of a player in a hand grows by less than this, in nats."""

BLOCK = 128
"""Players in hands of a block of ``posterior``."""


@dataclass(frozen=True, slots=True)
class Spectated:
    """Decisions as a spectator sees them: the holdings of showdowns alone.

    Parameters
    ----------
    public, choices, names
        As in ``Known``; the decisions of a player in a hand follow one another.
    rows
        Int64, shape (n,): the player in a hand of each decision, ascending from 0.
    boards
        Uint8, shape (boards, 1326): the bucket of every holding, ``BLOCKED`` where a card is on the board.
    board
        Int64, shape (n,): the board of each decision.
    holding
        Int64, shape (rows,): the index of the shown holding; -1 = hidden.
    buckets
        The kind of the buckets.
    """

    public: MoveRows
    choices: NDArray[np.int8]
    names: tuple[str, ...]
    rows: Ints
    boards: NDArray[np.uint8]
    board: Ints
    holding: Ints
    buckets: Buckets = OUTS

    def known(self, buckets: NDArray[np.integer], kept: NDArray[np.bool_] | None = None) -> Known:
        """Decisions with a bucket each, shape (n,); of ``kept`` alone, if it is given."""
        kept = np.ones(len(buckets), bool) if kept is None else kept
        inputs = np.column_stack([self.public.features, buckets])
        return Known(self.public[kept], inputs[kept], self.choices[kept], self.names, self.buckets)

    def shown_buckets(self) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
        """Which decisions are those of shown holdings, and the bucket of these."""
        holding = self.holding[self.rows]
        shown = holding >= 0
        return shown, self.boards[self.board[shown], holding[shown]]


def spectated(hands: Iterable[Hand], without: str = "", kind: Buckets = OUTS) -> Spectated:
    """The decisions of recorded hands, except those of the player ``without``, by a kind of buckets.

    Raises
    ------
    ArgumentError
        No decision, or a hand without names.
    """
    numbered: dict[str, int] = {}
    boards: dict[tuple[tuple[int, ...], int], int] = {}
    parts: list[MoveRows] = []
    choices: list[NDArray[np.int8]] = []
    rows: list[Ints] = []
    board_of: list[int] = []
    holding: list[int] = []
    for number, hand in enumerate(hands):
        if len(hand.players) != hand.variant.seats:
            raise ArgumentError(f"hand {hand.id}: expected the names of {hand.variant.seats} players")
        found, made = choices_in(hand)
        order = np.argsort(found.seats, kind="stable")
        order = order[np.array([hand.players[seat] != without for seat in found.seats[order]], bool)]
        situations = found.situations[order]
        seats, row = np.unique(found.seats[order], return_inverse=True)
        players = [numbered.setdefault(hand.players[seat], len(numbered)) for seat in seats.tolist()]
        actors = np.array(players, np.int64)[row]
        of_hand = np.full(len(order), number)
        parts.append(MoveRows(found.features[order], situations, found.moves[order], actors, of_hand))
        choices.append(made[order])
        rows.append(row + len(holding))
        for situation in situations.tolist():
            shown = tuple(hand.board[: SHOWN[situation // 2]]), hand.variant.seats
            board_of.append(boards.setdefault(shown, len(boards)))
        holding += _shown(hand, found.seats[found.moves == 0].tolist(), seats.tolist())
    if not holding:
        raise ArgumentError("hands: expected at least one decision")
    return Spectated(
        MoveRows.stacked(parts),
        np.concatenate(choices),
        tuple(numbered),
        np.concatenate(rows),
        np.array([_table(kind, cards, seats) for cards, seats in boards]),
        np.array(board_of, np.int64),
        np.array(holding),
        kind,
    )


def _shown(hand: Hand, folded: list[int], seats: list[int]) -> Iterator[int]:
    showdown = hand.variant.seats - len(folded) > 1
    for seat in seats:
        hole = hand.holes[seat]
        yield holding_index(*hole) if showdown and hole and seat not in folded else -1


def _table(kind: Buckets, board: tuple[int, ...], seats: int) -> NDArray[np.uint8]:
    return np.where(blocked_by(board), BLOCKED, kind.on(board, seats)).astype(np.uint8)


def fit_shown(seen: Spectated, clusters: int, seed: int = 1) -> FittedPlayers:
    """Models of shown holdings alone: clusters by all decisions, trees by those of showdowns."""
    shown, buckets = seen.shown_buckets()
    every = np.zeros(len(shown), np.uint8)
    every[shown] = buckets
    return fit_trees(seen.known(every, shown), clusters_of(seen.public, seen.names, clusters, seed), clusters)


def fit_spectated(seen: Spectated, clusters: int, seed: int = 1, start: Start = "ordered") -> FittedPlayers:
    """Models by EM; the other parameters and errors are those of ``player_trees.fit_players``.

    Before the first round the probabilities of hidden holdings are those of ``ordered_start``, or
    ``"leftover"``: the deal less the shown holdings (section 5.5.1 of the source). The seed is also that of
    the draws that trees grow on. The losses are those of the drawn buckets, on the last tenth of the hands.
    """
    assigned = clusters_of(seen.public, seen.names, clusters, seed)
    rng = seeded(seed)
    if start == "ordered":
        shares, _ = posterior(seen, ordered_start(seen.public, seen.buckets.stretches))
    else:
        shares, _ = posterior(
            seen, _unread(seen), left_over(seen.holding[seen.holding >= 0], len(seen.holding))
        )
    for _ in range(GROWN):
        edges = np.cumsum(shares, axis=1)
        drawn = (edges < rng.random(len(edges))[:, None] * edges[:, -1:]).sum(axis=1)
        fitted = fit_trees(seen.known(drawn.clip(0, seen.buckets.count - 1)), assigned, clusters)
        players, shares = _ascend(seen, fitted, assigned, shares)
    return replace(fitted, players=players)


def left_over(shown: Ints, rows: int) -> Array:
    """The probability of each hidden holding: the deal less the shown ones, by the class of the hand.

    A class keeps at least a tenth of its deal, as few hands may show it oftener than it is dealt.

    Parameters
    ----------
    shown
        The indices of shown holdings.
    rows
        The number of players in hands, shown ones included.

    Returns
    -------
    float64, shape (1326,)
        Sums to 1.
    """
    dealt = np.bincount(CLASS_OF).astype(np.float64)
    seen = np.bincount(CLASS_OF[shown], minlength=len(dealt))
    mean = dealt / dealt.sum() * rows
    rest = np.maximum(mean - seen, LEAST_LEFT * mean) / dealt
    return np.asarray((rest / (rest @ dealt))[CLASS_OF])


def _unread(seen: Spectated) -> Array:
    """Actions of which every bucket is equally likely: 1 for each bucket of the street."""
    counts = np.array(seen.buckets.counts)[seen.public.situations // 2]
    return (np.arange(seen.buckets.count) < counts[:, None]).astype(np.float64)


def _ascend(seen: Spectated, fitted: FittedPlayers, assigned: Ints, shares: Array) -> tuple[Players, Array]:
    """Rounds of M and E with the comparisons of some trees; the models, and the last shares of buckets."""
    leaves, of = _leaves(seen, fitted.players), assigned[seen.public.players]
    before = -np.inf
    for _ in range(ROUNDS):
        players = _counted(seen, fitted, (leaves, of), shares)
        shares, likelihoods = posterior(seen, _made(seen, players, (leaves, of)))
        if likelihoods.mean() - before < ENOUGH:
            break
        before = likelihoods.mean()
    return _counted(seen, fitted, (leaves, of), shares), shares


def _leaves(seen: Spectated, players: Players) -> NDArray[np.int32]:
    """The leaf of every decision in each bucket, shape (n, buckets)."""
    count = seen.buckets.count
    found = np.empty((len(seen.choices), count), np.int32)
    for situation in range(len(SITUATIONS)):
        at = np.flatnonzero(seen.public.situations == situation)
        for bucket in range(count):
            inputs = np.column_stack([seen.public.features[at], np.full(len(at), bucket)])
            found[at, bucket] = players.leaves(inputs, situation)
    return found


def _counted(
    seen: Spectated, fitted: FittedPlayers, placed: tuple[NDArray[np.int32], Ints], shares: Array
) -> Players:
    """The M-step: the models with leaves of weighted frequencies."""
    (leaves, of), rows = placed, list[list[DecisionTree]]()
    clusters = len(fitted.players.shares)
    for situation, tree in enumerate(fitted.players.trees[-1]):
        at = np.flatnonzero(seen.public.situations == situation)
        cells = leaves[at] * CHOICES + seen.choices[at][:, None]
        counts = np.zeros((clusters, tree.values.size))
        for cluster in range(clusters):
            members = of[at] == cluster
            weights = shares[at][members].ravel()
            counts[cluster] = np.bincount(cells[members].ravel(), weights, tree.values.size)
        counts = counts.reshape(clusters, *tree.values.shape)
        pooled = counts.sum(axis=0) + fitted.growth.prior
        pooled /= pooled.sum(axis=1, keepdims=True)
        counts += fitted.weight * pooled
        values = [*(counts / counts.sum(axis=2, keepdims=True)), pooled]
        rows.append([DecisionTree(tree.nodes, each) for each in values])
    return Players(tuple(zip(*rows, strict=True)), fitted.players.shares, seen.buckets)


def _made(seen: Spectated, players: Players, placed: tuple[NDArray[np.int32], Ints]) -> Array:
    """The probability of every choice that was made, by bucket and by the model of its player's cluster."""
    (leaves, of), found = placed, np.empty((len(seen.choices), seen.buckets.count))
    for situation in range(len(SITUATIONS)):
        at = np.flatnonzero(seen.public.situations == situation)
        values = np.array([row[situation].values for row in players.trees])
        found[at] = values[of[at][:, None], leaves[at], seen.choices[at][:, None]]
    return found


def posterior(seen: Spectated, made: Array, deal: Array | None = None) -> tuple[Array, Array]:
    """The E-step.

    Parameters
    ----------
    seen
        The decisions.
    made
        Shape (n, buckets): the probability of every choice that was made.
    deal
        The weight of every holding before its actions, shape (1326,), with which the probabilities count up
        to a factor; None = 1.

    Returns
    -------
    float64, shape (n, buckets)
        The probability of each bucket at each decision, given all decisions of the player in the hand.
    float64, shape (rows,)
        The logarithm of their probability, with the holding where it is shown, in nats.
    """
    shares = np.zeros_like(made)
    likelihoods = np.empty(len(seen.holding))
    dealt = np.ones(len(HOLDINGS)) if deal is None else deal
    starts = np.searchsorted(seen.rows, np.arange(len(seen.holding) + 1))
    first, last = seen.board[starts[:-1]], seen.board[starts[1:] - 1]
    free = np.count_nonzero(seen.boards != BLOCKED, axis=1)[last]
    shown, buckets = seen.shown_buckets()
    shares[shown, buckets] = 1
    given = np.flatnonzero(seen.holding >= 0)
    likelihoods[given] = np.bincount(seen.rows[shown], np.log(made[shown, buckets]), len(free))[given]
    hidden = seen.holding < 0
    alike = np.flatnonzero(hidden & (first == last))
    _by_bucket(seen, (made, dealt), alike, (shares, likelihoods))
    apart = np.flatnonzero(hidden & (first != last))
    for begin in range(0, len(apart), BLOCK):
        _by_holding(seen, (made, dealt), apart[begin : begin + BLOCK], (shares, likelihoods))
    return shares, likelihoods - np.log(free)


def _by_bucket(seen: Spectated, given: tuple[Array, Array], rows: Ints, found: tuple[Array, Array]) -> None:
    """Rows with one board: holdings of a bucket are equally likely."""
    if not len(rows):
        return
    (made, deal), count = given, seen.buckets.count
    at, offsets, lengths = _decisions(seen, rows)
    boards, which = np.unique(seen.board[at[offsets]], return_inverse=True)
    sizes = np.array([np.bincount(seen.boards[each], deal, BLOCKED + 1)[:count] for each in boards])
    weight = np.multiply.reduceat(made[at], offsets, axis=0) * sizes[which]
    total = weight.sum(axis=1, keepdims=True)
    found[0][at] = np.repeat(weight / total, lengths, axis=0)
    found[1][rows] = np.log(total[:, 0])


def _by_holding(seen: Spectated, given: tuple[Array, Array], rows: Ints, found: tuple[Array, Array]) -> None:
    """Rows with several boards, on which the buckets of a holding differ."""
    (made, deal), count = given, seen.buckets.count
    at, offsets, lengths = _decisions(seen, rows)
    buckets = np.minimum(seen.boards[seen.board[at]], count).astype(np.intp)
    open_ones = np.column_stack([made[at], np.zeros(len(at))])
    weight = np.multiply.reduceat(np.take_along_axis(open_ones, buckets, axis=1), offsets, axis=0)
    weight *= deal
    total = weight.sum(axis=1, keepdims=True)
    holdings = np.repeat(weight / total, lengths, axis=0)
    cells = buckets + np.arange(len(at))[:, None] * (count + 1)
    sums = np.bincount(cells.ravel(), holdings.ravel(), len(at) * (count + 1))
    found[0][at] = sums.reshape(len(at), count + 1)[:, :count]
    found[1][rows] = np.log(total[:, 0])


def _decisions(seen: Spectated, rows: Ints) -> tuple[Ints, Ints, Ints]:
    """The decisions of ascending rows, where each row begins among them, and their number."""
    chosen = np.zeros(len(seen.holding), bool)
    chosen[rows] = True
    at = np.flatnonzero(chosen[seen.rows])
    offsets = np.searchsorted(seen.rows[at], rows)
    return at, offsets, np.diff(np.append(offsets, len(at)))
