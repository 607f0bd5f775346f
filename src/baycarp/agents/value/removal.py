"""What is not drawn: actions that are worth less than any other by more than the errors of both."""

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import TypeAlias

from baycarp.agents.value.stages import ActionValue
from baycarp.card import blocked_by, holding_index
from baycarp.game import Action, Observation
from baycarp.kernels.sweeps import rank_holdings

__all__ = ["Apart", "holds_best", "kept", "settled", "worse"]

SETTLED = 3.0

Values: TypeAlias = Sequence[ActionValue]
Apart: TypeAlias = Callable[[int, int], float]


def worse(values: Values, apart: Apart | None = None) -> tuple[Action, ...]:
    """The actions that are worth less than another, by more than one standard error of the difference.

    Parameters
    ----------
    values
        Of the legal actions.
    apart
        The standard error of the difference of two of them, by their places; None = they are independent.

    Examples
    --------
    >>> fold, call = ActionValue(Action("fold"), 0.0), ActionValue(Action("call", 20), -11.0, 4.0)
    >>> worse([fold, call])
    (Action(name='call', amount=20),)
    """
    return _behind(values, apart, 1.0)


def settled(values: Values, apart: Apart | None = None) -> bool:
    """Whether one action is best by more than three standard errors: more playouts would not change it."""
    return len(_behind(values, apart, SETTLED)) == len(values) - 1


def _behind(values: Values, apart: Apart | None, errors: float) -> tuple[Action, ...]:
    """A fold is exact: it removes a call that a raise, of which little is known, would leave."""
    places = range(len(values))

    def beats(one: int, other: int) -> bool:
        error = apart(one, other) if apart else hypot(values[one].error, values[other].error)
        return values[one].chips - values[other].chips > errors * error

    return tuple(values[other].action for other in places if any(beats(one, other) for one in places))


def kept(policy: Mapping[Action, float], values: Values, apart: Apart | None = None) -> dict[Action, float]:
    """A policy without the actions that are worse; their probability goes to the others in proportion.

    Parameters
    ----------
    policy
        Probability by action.
    values, apart
        As of ``worse``; another size of a bet than those is judged by the nearest one.

    Returns
    -------
    dict
        Of the same actions; where nothing is left of the policy, the action has all that is worth most after
        its error.
    """
    removed = set(worse(values, apart))
    left = {action: 0.0 if nearest(action, values) in removed else each for action, each in policy.items()}
    total = sum(left.values())
    if total > 0:
        return {action: each / total for action, each in left.items()}
    best = max(values, key=lambda value: value.chips - value.error).action
    return {**left, best: 1.0}


def nearest(action: Action, values: Values) -> Action | None:
    """The valued action of the same kind that is nearest in size; None = there is none."""
    same = [value.action for value in values if value.action.name == action.name]
    return min(same, key=lambda other: abs(other.amount - action.amount), default=None)


def holds_best(observation: Observation) -> bool:
    """Whether no holding beats the own one on the board as it is; False before the flop.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> line = "MATCHSTATE:0:0:rc/crc/crc/cr:{}|/Js6c4c/3h/6d"
    >>> game = "holdem.limit.2p.reverse_blinds"
    >>> [holds_best(observe(line.format(hole), game=game)) for hole in ("6h6s", "JhJd")]
    [True, False]
    """
    if not observation.board:
        return False
    ranks = rank_holdings(observation.board)
    return bool(ranks[holding_index(*observation.hole)] >= ranks[~blocked_by(observation.hole)].max())
