"""Gambler's pre-flop network (Matthews 2005, section 3); its tables are unpublished, and ours.

``hole -> group``; ``position, early-action, mid-action -> strategy``; ``strategy, group -> recommend``;
``recommend, bias -> action``.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Structure
from baycarp.card import CLASS_OF, CLASSES
from baycarp.game import Act
from baycarp.opponents.gambler.tables import ACTIONS, BIASES, action_table, floored
from baycarp.rules.income import IncomeGroup, income_rates

__all__ = [
    "POSITIONS",
    "STRATEGIES",
    "STRUCTURE",
    "earlier_actions",
    "position",
    "power_ratings",
    "preflop_network",
]

Array = NDArray[np.float64]

POSITIONS = ("under-the-gun", "small-blind", "big-blind", "early", "middle", "late")

GROUPS = ("1", "2", "3", "4", "5", "6")
"""Of hole cards by power rating, the best first."""

BREAKS = (37.0, 34.0, 30.0, 24.5, 19.0)
"""Power ratings between the groups (our choice): income rates of about 620, 420, 260, 100, and 0 where a hand
breaks even against six others."""

BLUR = 0.5
"""Width of the logistic border between two groups, in power ratings."""

MODES = ("call", "raise", "raise or call")
"""The action of a group that is played; the third raises with groups that are two better, else calls."""

STRATEGIES = tuple(f"S{number}" for number in range(1, 17))
"""S1 folds all; then each worst group that is played, 1 to 5, with each of ``MODES``."""

MAIN, NEXT = 0.80, 0.08
"""Probability of the strategy of ``PLAYED``, and of one with a group more or less in the same mode."""

NOBODY, CALLED, MID_RAISE, EARLY_RAISE = range(4)

PLAYED: dict[str, tuple[tuple[int, str], tuple[int, str], tuple[int, str], tuple[int, str]]] = {
    "under-the-gun": ((2, "raise"), (3, "raise or call"), (1, "raise"), (1, "raise")),
    "early": ((2, "raise"), (3, "raise or call"), (1, "raise"), (1, "raise")),
    "middle": ((3, "raise"), (3, "raise or call"), (2, "raise or call"), (1, "raise")),
    "late": ((4, "raise"), (4, "raise or call"), (2, "raise"), (1, "raise")),
    "small-blind": ((4, "raise"), (4, "raise or call"), (2, "raise"), (1, "raise")),
    "big-blind": ((4, "raise"), (2, "raise"), (4, "raise or call"), (3, "raise or call")),
}
"""The worst group that is played, and how: nobody in, called, raised late, raised early (our choice)."""

STRUCTURE = Structure(
    {
        "hole": CLASSES,
        "group": GROUPS,
        "position": POSITIONS,
        "early-action": ACTIONS,
        "mid-action": ACTIONS,
        "strategy": STRATEGIES,
        "recommend": ACTIONS,
        "bias": BIASES,
        "action": ACTIONS,
    },
    {
        "group": ("hole",),
        "strategy": ("position", "early-action", "mid-action"),
        "recommend": ("strategy", "group"),
        "action": ("recommend", "bias"),
    },
)


@cache
def power_ratings() -> Array:
    """The power rating of each starting class: AA 40 .. 72o 0, evenly in the order of income rates (IR7)."""
    order = np.argsort(np.argsort(income_rates()[IncomeGroup.IR7], kind="stable"), kind="stable")
    ratings = 40.0 * order / (len(CLASSES) - 1)
    ratings.flags.writeable = False
    return np.asarray(ratings)


@cache
def preflop_network() -> Network:
    """The network with our tables.

    Examples
    --------
    >>> network = preflop_network()
    >>> network.cpt("hole")[[CLASSES.index(name) for name in ("AA", "AKs", "AKo")]].round(4).tolist()
    [0.0045, 0.003, 0.009]
    """
    uniform = {node: np.full(n, 1 / n) for node in STRUCTURE.nodes if (n := STRUCTURE.cardinality(node))}
    tables = {node: uniform[node] for node in ("position", "early-action", "mid-action", "bias")}
    hole = np.bincount(CLASS_OF, minlength=len(CLASSES)) / len(CLASS_OF)
    return Network(
        STRUCTURE,
        tables
        | {
            "hole": hole,
            "group": _groups(),
            "strategy": _strategies(),
            "recommend": _recommendations(),
            "action": action_table(),
        },
    )


def _groups() -> Array:
    """P(group | hole): logistic in the rating, so that a border is no cliff; shape (169, 6)."""
    above = 1 / (1 + np.exp((np.array(BREAKS) - power_ratings()[:, None]) / BLUR))
    shares = np.diff(above, axis=1, prepend=0.0, append=1.0) + 1e-9
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _strategies() -> Array:
    """P(strategy | position, early-action, mid-action); shape (6, 3, 3, 16)."""
    table = np.empty((len(POSITIONS), 3, 3, len(STRATEGIES)))
    for place, name in enumerate(POSITIONS):
        for early in range(3):
            for mid in range(3):
                met = EARLY_RAISE if early == 2 else MID_RAISE if mid == 2 else min(early + mid, CALLED)
                table[place, early, mid] = _around(*PLAYED[name][met])
    return table


def _around(worst: int, mode: str) -> Array:
    """The strategy, those beside it, and the rest evenly."""
    number = _number(worst, mode)
    shares = np.zeros(len(STRATEGIES))
    shares[number] = MAIN
    for group in (worst - 1, worst + 1):
        shares[_number(group, mode) if 1 <= group <= 5 else 0] += NEXT
    rest = shares == 0
    shares[rest] = (1 - shares.sum()) / rest.sum()
    return shares


def _number(worst: int, mode: str) -> int:
    return 1 + 3 * (worst - 1) + MODES.index(mode)


def _recommendations() -> Array:
    """P(recommend | strategy, group): what the strategy does with the group; shape (16, 6, 3)."""
    table = np.zeros((len(STRATEGIES), len(GROUPS), 3))
    table[0, :, 0] = 1
    for worst in range(1, 6):
        for mode in MODES:
            for group in range(1, 7):
                bold = mode == "raise" or (mode == "raise or call" and group <= worst - 2)
                action = 0 if group > worst else 2 if bold else 1
                table[_number(worst, mode), group - 1, action] = 1
    return floored(table)


@cache
def position(seat: int, seats: int) -> int:
    """The code of the position (an index of ``POSITIONS``) of a seat, 0 = the small blind.

    Heads-up 0 is the big blind. The seats after under-the-gun are thirds, the button always late; with three
    players the button is late and nobody under the gun (our choice).

    Examples
    --------
    >>> [POSITIONS[position(seat, 6)] for seat in range(6)]
    ['small-blind', 'big-blind', 'under-the-gun', 'early', 'middle', 'late']
    """
    if seat < 2:
        return POSITIONS.index("big-blind" if seat == (1 if seats > 2 else 0) else "small-blind")
    if seat == seats - 1:
        return POSITIONS.index("late")
    if seat == 2:
        return POSITIONS.index("under-the-gun")
    return POSITIONS.index(("early", "middle", "late")[(seat - 3) * 3 // (seats - 3)])


EARLY = frozenset(POSITIONS.index(name) for name in ("under-the-gun", "early"))


def earlier_actions(acts: Iterable[Act], seat: int, seats: int) -> tuple[int, int]:
    """Codes of early-action and mid-action: the most aggressive act of others; fold where nobody has paid.

    Under-the-gun and early positions give early-action, all others mid-action.

    Examples
    --------
    >>> from baycarp.game import Action
    >>> acts = [Act(2, 0, Action("raise", 20), 10, 20, 1, 15), Act(3, 0, Action("fold"), 20, 0, 2, 35)]
    >>> earlier_actions(acts, 5, 6)
    (2, 0)
    """
    most = [0, 0]
    for act in acts:
        if act.street == 0 and act.seat != seat:
            mid = position(act.seat, seats) not in EARLY
            name = act.action.name
            most[mid] = max(most[mid], 2 if name in ("bet", "raise") else 1 if act.paid else 0)
    return most[0], most[1]
