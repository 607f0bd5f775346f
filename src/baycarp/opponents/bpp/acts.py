"""The eight states of an action, and how often a hand of each segment chooses them: one table a player.

The parents of ``OPP_Action`` are the round, the pot, BPP's last action, the board and the opponent's cards.
Such a table has 3,660,800 cells, too many to learn at the table, so Nicholson, Korb and Boulton (2006)
segment it into groups in which a player may act alike. Ours: three sizes of the pot, ``SEGMENTS`` of cards.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Act, Variant
from baycarp.game.state import SHOWN
from baycarp.opponents.bpp.hands import SEGMENT_OF, SEGMENTS, board_state, draws, hand_types
from baycarp.rules.hand import BLOCKED

__all__ = [
    "ACTS",
    "LEGAL",
    "POTS",
    "SHAPE",
    "ActTable",
    "AnsweringAct",
    "holding_segments",
    "responses",
]

ACTS = ("fold", "call", "check", "raise", "bet", "paysmallblind", "paybigblind", "pass")
"""The states. In our reading a player that has not acted on a street has passed, before the flop paid its
blind; since the source has one node for both players, so do we."""

_PASS, _SMALL, _BIG = (ACTS.index(name) for name in ("pass", "paysmallblind", "paybigblind"))

_ANSWERS = {
    "fold": ("pass",),
    "call": ("check", "raise"),
    "check": ("check", "bet"),
    "raise": ("fold", "call", "raise"),
    "bet": ("fold", "call", "raise"),
    "paysmallblind": ("paybigblind",),
    "paybigblind": ("fold", "call", "raise"),
    "pass": ("check", "bet"),
}

LEGAL: NDArray[np.bool_] = np.array([[act in answers for act in ACTS] for answers in _ANSWERS.values()])
"""Whether an opponent may act so, by BPP's last action; shape (8, 8)."""

POTS = (*(f"{bets} bets" for bets in range(10)), "10 bets or more")
"""The pot before an action, in big blinds."""

POT_GROUP = np.array([*[0] * 4, *[1] * 4, *[2] * 3])
"""By state of the pot: below four, below eight, more."""

SHAPE = (4, 3, len(ACTS), len(SEGMENTS), len(ACTS))
"""Of counts: round, group of pots, BPP's action, segment, the opponent's action."""

PRIOR = 1.0
"""Counts of each legal action beside those of the typical opponent; our choice."""

TRUST = 20.0
"""Observations that the typical opponent's row of a segment counts as, beside a player's own; our choice."""


class AnsweringAct(NamedTuple):
    """An action of a player in answer to the other's, as codes: round, pot, the other's action, its own."""

    street: int
    pot: int
    before: int
    act: int


def responses(acts: Iterable[Act], seat: int, variant: Variant) -> tuple[AnsweringAct, ...]:
    """The actions of a player of two.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> hand = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    >>> for name in ("raise", "call"):
    ...     _ = hand.apply(hand.named(name))
    >>> (found,) = responses(hand.acts, 0, hand.variant)
    >>> POTS[found.pot], ACTS[found.before], ACTS[found.act]
    ('3 bets', 'raise', 'call')
    """
    found, blind, last, street = [], max(variant.blinds), _BIG, 0
    for act in acts:
        if act.street != street:
            street, last = act.street, _PASS
        code = ACTS.index(act.action.name)
        if act.seat == seat:
            found.append(AnsweringAct(street, min(act.pot // blind, len(POTS) - 1), last, code))
        else:
            last = code
    return tuple(found)


def holding_segments(board: tuple[int, ...], street: int) -> NDArray[np.uint8]:
    """The segment of every holding on a street; uint8, shape (1326,), ``BLOCKED`` by a card of the board."""
    shown = board[: SHOWN[street]]
    kinds = hand_types(shown)
    free = kinds != BLOCKED
    found = np.full(1326, BLOCKED, np.uint8)
    found[free] = SEGMENT_OF[board_state(shown), kinds[free], draws(shown)[free].astype(np.intp)]
    return found


class ActTable:
    """P(action | round, pot, BPP's action, segment) of one opponent: static, or moved by what it does.

    Parameters
    ----------
    typical
        Counts of a typical opponent, shape ``SHAPE``.
    """

    def __init__(self, typical: NDArray[np.float64]) -> None:
        counts = (typical + PRIOR) * LEGAL[:, None, :]
        self.typical = counts / counts.sum(axis=-1, keepdims=True)
        self.own = np.zeros(SHAPE)

    def cpt(self) -> NDArray[np.float64]:
        """The table by state of the pot, each row of sum 1; shape (4, 11, 8, 8, 8)."""
        counts = TRUST * self.typical + self.own
        rows: NDArray[np.float64] = counts / counts.sum(axis=-1, keepdims=True)
        return rows[:, POT_GROUP]

    def likelihood(self, each: AnsweringAct) -> NDArray[np.float64]:
        """The probability of an action by segment, shape (8,); one that no row has is no evidence: 1."""
        where = each.street, POT_GROUP[each.pot], each.before
        rows = TRUST * self.typical[where] + self.own[where]
        column = rows[:, each.act] / rows.sum(axis=-1)
        return column if column.any() else np.ones(len(column))

    def weights(self, done: Iterable[AnsweringAct], board: tuple[int, ...]) -> NDArray[np.float64]:
        """The likelihood of actions by holding; float64, shape (1326,), 0 where the board has a card."""
        found = np.where(hand_types(board) == BLOCKED, 0.0, 1.0)
        for each in done:
            segments = np.minimum(holding_segments(board, each.street), len(SEGMENTS) - 1)
            found *= self.likelihood(each)[segments]
        return found

    def learn(
        self, done: Iterable[AnsweringAct], board: tuple[int, ...], holdings: NDArray[np.float64]
    ) -> None:
        """Count the actions of a hand, each for the segments of the holdings that its player may have.

        Parameters
        ----------
        done
            The actions.
        board
            The cards that lie.
        holdings
            Their probabilities, shape (1326,): one holding if it was shown.
        """
        possible = holdings > 0
        for each in done:
            if not LEGAL[each.before, each.act]:  # a fold where a check is free
                continue
            segments = holding_segments(board, each.street)[possible]
            shares = np.bincount(segments, holdings[possible], minlength=len(SEGMENTS))
            self.own[each.street, POT_GROUP[each.pot], each.before, :, each.act] += shares
