"""What a decision by value records: the price, the share of the pot, and what each action is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from baycarp.agents.trace import Stage
from baycarp.game.action import Action

__all__ = ["ActionValue", "ValueStage"]


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an action is worth from this decision on.

    Parameters
    ----------
    action
        A legal action.
    chips
        The expected winnings against a fold, which is worth 0.
    error
        The standard error of ``chips``; 0 = exact.
    """

    action: Action
    chips: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class ValueStage(Stage, name="value"):
    """The values of the legal actions against the believed holdings.

    Parameters
    ----------
    method
        ``"equity"``, ``"look-ahead"`` or ``"re-solve"``.
    share
        The share of the pot that the own holding has against the believed ones, ties included, 0..1.
    price
        Chips to call divided by the pot after the call; 0 where a check is free.
    opponent, act
        The name of the opponent whose act is faced, and the act: ``"bets"``, ``"raises"``, ``"checks"`` or
        ``"calls"``; empty for several opponents, or before any act.
    values
        Of every legal action.
    safe
        Whether a best response wins no more from the re-solve than from the blueprint.
    trust
        The weight, 0..1, of the opponent's model; the rest is the blueprint's.
    removed
        Actions that are worse by more than the error, and are not drawn.
    opponents, to_come
        The numbers of opponents still in, and of board cards to come.
    big_blind
        In chips, the unit of the values in words; 0 = not known.
    """

    method: str
    share: float
    price: float
    opponent: str = ""
    act: str = ""
    values: Sequence[ActionValue] = ()
    safe: bool = False
    trust: float = 0.0
    removed: Sequence[Action] = ()
    opponents: int = 1
    to_come: int = 0
    big_blind: int = 0
