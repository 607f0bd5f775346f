"""Environments of other libraries: PettingZoo, Gymnasium and OpenSpiel play with our hands and agents.

``TableEnv``      PettingZoo: several learners at one table, agents in the other seats (``baycarp[rl]``)
``HandEnv``       Gymnasium: one learner, agents in the other seats
``HandsEnv``      Gymnasium: many hands stepped together in C, opponents that look at no cards
``SpielBot``      an agent as a bot of OpenSpiel's ``universal_poker`` and ``repeated_poker``
``SpielAgent``    a bot of OpenSpiel as an agent

**Choices.** A choice is a number. In fixed limit 0 folds, 1 checks or calls, 2 bets or raises. In no-limit
2 and more are the listed ``sizes``, shares of the pot after the call, and the last one is all-in. A size
below the least raise or above the stack is not in the mask, nor is one that equals a smaller one in whole
chips. A fold is illegal where a check is free.

**Observations** are ``{"observation": float32, "action_mask": int8}``. Amounts are in big blinds. The
numbers are, with n seats:

=============  ==========================================================================
0 to 51        the own hole cards: a bit for each card, 4 * rank + suit
52 to 103      the board
104 to 107     the street, pre-flop to river
108, 109       whether the observer is to act; whether the hand is over
110            bets and raises of the street, the big blind not counted
111 to 114     the pot; the price of a call; the least and the greatest bet or raise, as a
               total on the street, 0 = illegal
115 + 14 k ..  the seat k places after the observer, k from 0 to n - 1: whether it is in,
               whether it has acted on the street, whether it is the button; its stack
               (0 = without bound), its bet on the street, what it has paid in the hand;
               its checks and calls by street (4), its bets and raises by street (4)
=============  ==========================================================================

With ``beliefs="AGENT"``, an agent that holds beliefs, there follow for each other seat, in the same order,
the probabilities of its hand groups and then of its hand types (``rules.hand.GROUPS`` and ``TYPES``), 0
where there are none. Nothing depends on cards that the observer has not seen: neither observation, mask,
``info``, ``state()`` nor ``render()``.

**Rewards** are big blinds, at the end of the hand alone, 0 before. ``estimator`` names an estimator of
``arena.variance``: the reward is then its estimate, with the same mean and less luck.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baycarp.env.single import HandEnv
    from baycarp.env.spiel_agent import SpielAgent
    from baycarp.env.spiel_bot import SpielBot
    from baycarp.env.table_env import TableEnv
    from baycarp.env.vector import HandsEnv

__all__ = ["HandEnv", "HandsEnv", "SpielAgent", "SpielBot", "TableEnv"]

# The modules, which are imported on first use: each needs a library of its own.
_HOME = {
    "HandEnv": "single",
    "HandsEnv": "vector",
    "SpielAgent": "spiel_agent",
    "SpielBot": "spiel_bot",
    "TableEnv": "table_env",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'baycarp.env' has no attribute {name!r}")
    try:
        found = globals()[name] = getattr(import_module(f"baycarp.env.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        hint = "pip install 'baycarp[rl]' (in a clone '.[rl]')"
        raise ImportError(f"baycarp.env.{name} needs {error.name}: {hint}") from error
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
