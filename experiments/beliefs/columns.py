"""Decision points and their scores as columns, one value a decision point; sessions are joined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.opponents.actions.situations import PRICE_OF
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.rules import PlayerView, read
from baycarp.rules.seat import POSITIONS, position
from experiments.beliefs.decision_points import DecisionPoint, ObservedAction, situation_of

__all__ = ["ActionColumns", "Judged", "PointColumns", "Rows", "board_of", "name_of"]

Array = NDArray[np.float64]

ROUND = 100
"""A multiple of the folds of the base lines (``base_lines.FOLDS``): played sessions of tables of one size
have the same decks, and hands of one deck have to be in one fold."""


@dataclass(frozen=True, slots=True)
class PointColumns:
    """The decision points of one or more sessions as columns, one value a decision point.

    Parameters
    ----------
    hand, street, seats
        The number of the hand over all sessions; the street that has just ended; the seats of the table.
    position, place
        The position; and its index in ``rules.seat.POSITIONS``, where heads-up has two more of its own.
    observed
        Earlier hands of the player in its session.
    player, action
        The player's name (or position), and its action before the flop (the network's reading).
    holding
        The truth.
    board
        uint8, shape (points, 5): the board then; 255 = not dealt.
    """

    hand: NDArray[np.intp]
    street: NDArray[np.intp]
    seats: NDArray[np.intp]
    position: NDArray[np.intp]
    place: NDArray[np.intp]
    observed: NDArray[np.intp]
    player: NDArray[np.str_]
    action: NDArray[np.str_]
    holding: NDArray[np.intp]
    board: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.hand)


@dataclass(frozen=True, slots=True)
class ActionColumns:
    """The actions of the judged players as columns, and the losses of models that predict them.

    Parameters
    ----------
    hand, street, seats, observed, player
        As for ``PointColumns``.
    situation
        Of ``opponents.actions.situations``.
    price
        The same, by the price alone.
    choice
        0 fold, 1 check or call, 2 bet or raise.
    losses
        By model, nats.
    """

    hand: NDArray[np.intp]
    street: NDArray[np.intp]
    seats: NDArray[np.intp]
    observed: NDArray[np.intp]
    player: NDArray[np.str_]
    situation: NDArray[np.intp]
    price: NDArray[np.intp]
    choice: NDArray[np.intp]
    losses: Mapping[str, Array]

    @classmethod
    def none(cls) -> "ActionColumns":
        """No actions, and no model that predicts them."""
        return cls(**_columns((), _ACTION), losses={})


Columns = TypeVar("Columns", PointColumns, ActionColumns)


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of models over the decision points of one or more sessions.

    Parameters
    ----------
    scores
        By model, by field of ``scores.FIELDS``: float64, shape (points,).
    points
        The decision points.
    actions
        The actions.
    known
        Minus the logarithm of the oracle's probability of the truth; nan without an oracle.
    """

    scores: Mapping[str, Mapping[str, Array]]
    points: PointColumns
    actions: ActionColumns
    known: Array

    @property
    def deal(self) -> Array:
        """The loss of a belief by the board alone: all possible holdings are equally likely."""
        return np.asarray(np.log([1326, 1176, 1128, 1081])[self.points.street])

    @classmethod
    def joined(cls, parts: Sequence["Judged"]) -> "Judged":
        """Sessions together; the numbers of their hands differ, and begin at multiples of ``ROUND``."""
        last = (max([-1, *part.points.hand, *part.actions.hand]) for part in parts)
        starts = np.cumsum([0, *(int(hand) // ROUND * ROUND + ROUND for hand in last)])
        scores = {
            name: {key: np.concatenate([part.scores[name][key] for part in parts]) for key in columns}
            for name, columns in parts[0].scores.items()
        }
        return cls(
            scores,
            _joined(PointColumns, [part.points for part in parts], starts),
            _joined(ActionColumns, [part.actions for part in parts], starts),
            np.concatenate([part.known for part in parts]),
        )


def _joined(kind: type[Columns], parts: Sequence[Columns], starts: NDArray[np.int64]) -> Columns:
    columns: dict[str, Any] = {}
    for field in fields(kind):
        each = [getattr(part, field.name) for part in parts]
        if field.name == "losses":
            columns["losses"] = {name: np.concatenate([part[name] for part in each]) for name in each[0]}
        else:
            columns[field.name] = np.concatenate(each)
    lengths = [len(part.hand) for part in parts]
    columns["hand"] += np.repeat(starts[: len(parts)], lengths)
    return kind(**columns)


_POINT: Mapping[str, type] = {
    **dict.fromkeys(("hand", "street", "seats", "position", "place", "observed"), np.intp),
    "player": np.str_,
    "action": np.str_,
    "holding": np.intp,
}
_ACTION: Mapping[str, type] = {
    **dict.fromkeys(("hand", "street", "seats", "observed"), np.intp),
    "player": np.str_,
    **dict.fromkeys(("situation", "price", "choice"), np.intp),
}
"""Columns with their types, in the order of the rows."""


def _columns(rows: Sequence[Sequence[int | str]], kinds: Mapping[str, type]) -> dict[str, Any]:
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    return {name: np.array(each, kinds[name]) for name, each in zip(kinds, columns, strict=True)}


def name_of(view: PlayerView) -> str:
    """The name of a player, or its position."""
    players = view.observation.players
    return players[view.position] if players else f"position {view.position}"


def _place(view: PlayerView) -> int:
    seats = view.observation.variant.seats
    return len(POSITIONS) + view.position if seats == 2 else POSITIONS.index(position(view.position, seats))


def _observed(view: PlayerView) -> int:
    return view.habits.hands if isinstance(view.habits, PlayerStats) else 0


class Rows:
    """The columns of decision points and actions, value by value."""

    def __init__(self) -> None:
        self._points: list[tuple[int | str, ...]] = []
        self._boards: list[bytes] = []
        self._actions: list[tuple[int | str, ...]] = []

    def add_point(self, point: DecisionPoint) -> None:
        """Add a decision point."""
        view = point.view
        seats, action = view.observation.variant.seats, read(view, ("Action",)).get("Action", "-")
        numbers = (point.hand, point.street, seats, view.position, _place(view), _observed(view))
        self._points.append((*numbers, name_of(view), str(action), point.holding))
        self._boards.append(board_of(view))

    def add_action(self, action: ObservedAction) -> None:
        """Add an action."""
        view = action.view
        situation, _ = situation_of(view)
        street, seats = view.observation.street, view.observation.variant.seats
        price = int(PRICE_OF[street][situation])
        row = (
            action.hand,
            street,
            seats,
            _observed(view),
            name_of(view),
            situation,
            price,
            action.choice,
        )
        self._actions.append(row)

    def points(self) -> PointColumns:
        """The decision points as columns."""
        board = np.frombuffer(b"".join(self._boards), np.uint8).reshape(-1, 5)
        return PointColumns(**_columns(self._points, _POINT), board=board)

    def actions(self, losses: Mapping[str, Sequence[float]]) -> ActionColumns:
        """The actions as columns, with the losses of models."""
        arrays = {name: np.array(each, np.float64) for name, each in losses.items()}
        return ActionColumns(**_columns(self._actions, _ACTION), losses=arrays)


def board_of(view: PlayerView) -> bytes:
    """The board, as five ids; 255 = not dealt."""
    return bytes(view.observation.board).ljust(5, b"\xff")
