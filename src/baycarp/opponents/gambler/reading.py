"""A hand followed act by act: the distribution of every player's hole cards, as all players may infer it.

After every action the network of its player is reversed, from that player's viewpoint: its scare pool
contains the entries of all others still in, the observer's among them as inferred from its actions, and not
its own. An observer then leaves out the holdings that its own cards block. The players' holdings are taken as
independent.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, blocked_by
from baycarp.game import Act, Observation, Variant
from baycarp.opponents.gambler.draws import BoardDraws, Entry, draws_on, scare
from baycarp.opponents.gambler.preflop import earlier_actions, position
from baycarp.opponents.gambler.reverse import Networks, by_class, not_dominated, wins
from baycarp.opponents.gambler.tables import stakes_state
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, spots

__all__ = ["HandReading", "NetworkPlayer", "ReadAct", "Turn", "action_evidence", "decision_key"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NetworkPlayer:
    """How a player is read: its networks, and the code of its bias."""

    networks: Networks
    bias: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What each holding does at a player's turn, by the networks.

    Parameters
    ----------
    spot
        The situation.
    cell
        int64, shape (1326,): the row of ``choices`` of each holding; -1 where the board blocks.
    choices
        float64, shape (rows, 3): P(action | holding) for fold, call and raise.
    win
        float64, shape (rows,): P(win), or that no hole dominates; None before the first bet of a player.
    key
        Before that: codes of position, early-action and mid-action; otherwise see ``decision_key``.
    """

    spot: LimitSpot
    cell: NDArray[np.int64]
    choices: Array
    win: Array | None
    key: tuple[int, ...]

    def likelihood(self, action: Array) -> Array:
        """P(evidence on the action | holding); float64, shape (1326,), 0 where the board blocks."""
        rows = np.append(self.choices @ action, 0.0)  # the last for -1
        return np.asarray(rows[self.cell])


class ReadAct(NamedTuple):
    """An action and the turn at which it was taken; ``held``: its player's distribution before it."""

    act: Act
    turn: Turn
    held: Array

    @property
    def evidence(self) -> Array:
        """The likelihood of fold, call and raise."""
        return action_evidence(self.act, self.turn.spot)


def action_evidence(act: Act, spot: LimitSpot) -> Array:
    """The likelihood of fold, call and raise: what an act may have been by the network.

    Examples
    --------
    >>> from baycarp.game import Action, Variant
    >>> act = Act(1, 1, Action("check"), 0, 0, 0, 20)
    >>> action_evidence(act, next(spots((act,), Variant.ring(6)))[1])  # a free fold is a check
    array([1., 1., 0.])
    """
    name = act.action.name
    if name in ("bet", "raise"):
        return np.array([0.0, 0.0, 1.0])
    if name == "fold":
        return np.array([1.0, 0.0, 0.0])
    return np.array([float(act.owed == 0), 1.0, float(not spot.can_raise)])


def place_of(spot: LimitSpot) -> int:
    """The code of the position after the flop: late = last to act, early = all others are still to act."""
    return 2 if not spot.behind else 0 if spot.behind == spot.opponents else 1


def decision_key(networks: Networks, spot: LimitSpot, acts: Iterable[Act], seats: int) -> tuple[int, ...]:
    """Codes of stakes, position and, where the networks have them, of the others' acts on the street.

    Parameters
    ----------
    networks
        Of the player.
    spot
        A decision by the probability of winning.
    acts
        Of the hand before it. Those before the flop have their part in its network: a re-raise counts none.
    seats
        Of the table; on a street the first seat acts first.
    """
    most = [0] * len(networks.acting)
    for act in acts if most and spot.street else ():
        if act.street == spot.street and act.seat != spot.seat:
            group = round((len(most) - 1) * act.seat / (seats - 1))
            most[group] = max(most[group], FOLD_CALL_RAISE[act.action.name])
    return stakes_state(spot.owed, spot.pot), place_of(spot), *most


_CLASS_CELL = CLASS_OF.astype(np.int64)


class HandReading:
    """The reading of one hand.

    Parameters
    ----------
    variant
        The game.
    player_of
        How the player at a position is read.
    """

    def __init__(self, variant: Variant, player_of: Callable[[int], NetworkPlayer]) -> None:
        self.variant, self.player_of = variant, player_of
        self.acts: tuple[Act, ...] = ()
        self.board: tuple[int, ...] = ()
        self.moves: list[ReadAct] = []
        self.inside = set(range(variant.seats))
        self._weights = {seat: np.full(len(CLASS_OF), 1 / len(CLASS_OF)) for seat in self.inside}
        self._entries: dict[int, Entry] = {}

    def follows(self, observation: Observation) -> bool:
        """Whether the observation is of the same betting and board, at this point or later."""
        done, shown = len(self.acts), len(self.board)
        return observation.acts[:done] == self.acts and observation.board[:shown] == self.board

    def follow(self, acts: Sequence[Act], board: tuple[int, ...]) -> None:
        """Read the further actions of the hand.

        Parameters
        ----------
        acts
            All actions so far, those already read among them.
        board
            All cards of it so far.
        """
        new = tuple(acts[len(self.acts) :])
        if new:
            for act, spot in list(spots(acts, self.variant))[len(self.acts) :]:
                self._turn_to(board[: act.street + 2] if act.street else ())
                self._read(act, spot)
                self.acts = (*self.acts, act)
        self._turn_to(board)

    def _turn_to(self, board: tuple[int, ...]) -> None:
        if board == self.board:
            return
        self.board, self._entries = board, {}
        blocked = blocked_by(board)
        self._weights = {seat: np.where(blocked, 0.0, weights) for seat, weights in self._weights.items()}

    @property
    def draws(self) -> BoardDraws:
        """The draws on the board."""
        return draws_on(self.board)

    def weights(self, seat: int, known: Sequence[int] = ()) -> Array:
        """The distribution of a player's holding beside known cards; float64, shape (1326,), sums to 1."""
        weights = self._weights[seat].copy()
        if known:
            weights[blocked_by(known)] = 0.0
        return np.asarray(weights / weights.sum())

    def entries(self, others_of: int) -> list[Entry]:
        """The entries in the scare pool of a player: those of all others still in."""
        for seat in self.inside - self._entries.keys():
            self._entries[seat] = self.draws.entry(self._weights[seat])
        return [self._entries[seat] for seat in sorted(self.inside - {others_of})]

    def turn(self, spot: LimitSpot) -> Turn:
        """What each holding of the player to act does; all earlier actions are read."""
        player = self.player_of(spot.seat)
        if spot.street == 0 and not (spot.invested and spot.owed):
            seats = self.variant.seats
            early = position(spot.seat, seats), *earlier_actions(self.acts, spot.seat, seats)
            return Turn(spot, _CLASS_CELL, player.networks.preflop_choices(*early, player.bias), None, early)
        key = decision_key(player.networks, spot, self.acts, self.variant.seats)
        if spot.street == 0:
            others = sorted(self.inside - {spot.seat})
            cell = _CLASS_CELL
            win = not_dominated(np.array([by_class(self._weights[seat]) for seat in others]))
        else:
            cell = self.draws.cell
            win = wins(player.networks.form, self.draws.shares, scare(self.entries(spot.seat)))
        choices = player.networks.choices(win, key, player.bias)
        return Turn(spot, cell, choices, win, key)

    def _read(self, act: Act, spot: LimitSpot) -> None:
        before = self._weights[act.seat]
        move = ReadAct(act, self.turn(spot), before)
        self.moves.append(move)
        self._entries.pop(act.seat, None)
        if act.action.name == "fold":
            self.inside.discard(act.seat)
        held = before * move.turn.likelihood(move.evidence)
        self._weights[act.seat] = held / held.sum()
