"""Gambler's post-flop network in two forms, and the network of a re-raise (Matthews 2005, sections 3 and 4).

The paper's form, for each category X of hand: ``player-draws X``, ``opponents-draw X`` and ``bigger X`` are
independent; ``win X`` = the player draws X, no opponent draws more, and none draws X or the player's X is
bigger; ``win`` = any ``win X``. The paper links ``win X`` to ``opponents-draw Y`` of every Y >= X: here the
node ``higher X`` is any of those above X, and ``won X`` any win from X up, so that the same distribution
needs tables of at most four parents. The numbers of a board enter as soft evidence on uniform roots: the
network stays the same on every board, and its plan is compiled once.

The joint form has one draw of the player and one of the strongest opponent, of nine states each: a hand ends
in exactly one category. ``recommend`` and ``action`` are those of ``tables``. ``recommend`` may have more
parents, the others' acts on the street (``tables.ACTING``), which section 7 proposes.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn import Network, Structure
from baycarp.opponents.gambler.tables import (
    ACTING,
    ACTIONS,
    BIASES,
    PLACES,
    STAKES_STATES,
    action_table,
    recommend_table,
)

__all__ = [
    "BIGGER",
    "CATEGORIES",
    "OPPONENTS_DRAW",
    "PLAYER_DRAWS",
    "acting",
    "joint_network",
    "postflop_network",
    "reraise_network",
]

Array = NDArray[np.float64]

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)

NO_YES = ("no", "yes")

PLAYER_DRAWS = tuple(f"player-draws {name}" for name in CATEGORIES)
OPPONENTS_DRAW = tuple(f"opponents-draw {name}" for name in CATEGORIES)
BIGGER = tuple(f"bigger {name}" for name in CATEGORIES)


def acting(network: Network) -> tuple[str, ...]:
    """The nodes of the others' acts on the street: ``ACTING``, or none."""
    return ACTING if ACTING[0] in network.structure.nodes else ()


def _network(
    states: dict[str, tuple[str, ...]],
    parents: dict[str, tuple[str, ...]],
    tables: dict[str, ArrayLike],
    like: Network | None = None,
    acts: tuple[str, ...] = (),
) -> Network:
    """The nodes given, then those of a decision, its tables ours or of ``like``; other nodes are uniform."""
    acts = acts if like is None else acting(like)
    decision = {"stakes": STAKES_STATES, "position": PLACES, **dict.fromkeys(acts, ACTIONS)}
    decision |= {"recommend": ACTIONS, "bias": BIASES, "action": ACTIONS}
    decided_by = {"recommend": ("win", "stakes", "position", *acts), "action": ("recommend", "bias")}
    structure = Structure(states | decision, parents | decided_by)
    given = tables | {"recommend": recommend_table(bool(acts)), "action": action_table()}
    if like is not None:
        given |= {node: like.cpt(node) for node in decided_by}
    counts = {node: structure.cardinality(node) for node in structure.nodes}
    uniform = {node: np.full(count, 1 / count) for node, count in counts.items()}
    return Network(structure, uniform | given)


@cache
def postflop_network(like: Network | None = None) -> Network:
    """The paper's form, with our tables of a decision or with those of another network.

    Examples
    --------
    >>> structure = postflop_network().structure
    >>> structure.parents["win pair"]
    ('player-draws pair', 'bigger pair', 'opponents-draw pair', 'higher pair')
    """
    states: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, ArrayLike] = {}
    above, won = "", ""
    for number in reversed(range(len(CATEGORIES))):
        name = CATEGORIES[number]
        draws = PLAYER_DRAWS[number]
        opposed = OPPONENTS_DRAW[number]
        bigger = BIGGER[number]
        wins = f"win {name}"
        states |= {draws: NO_YES, opposed: NO_YES, bigger: NO_YES, wins: NO_YES}
        parents[wins] = (draws, bigger, opposed, *([f"higher {name}"] if above else []))
        tables[wins] = _wins(bool(above))
        total = f"won {name}" if number else "win"
        states[total] = NO_YES
        parents[total] = (wins, *([won] if won else []))
        tables[total] = _any(len(parents[total]))
        if number:
            below = f"higher {CATEGORIES[number - 1]}"
            states[below] = NO_YES
            parents[below] = (opposed, *([f"higher {name}"] if above else []))
            tables[below] = _any(len(parents[below]))
            above = below
            won = total
    return _network(states, parents, tables, like)


def _any(count: int) -> Array:
    """P(any | parents): yes if one of them is."""
    table = np.zeros((2,) * count + (2,))
    table[..., 1] = 1
    table[(0,) * count] = 1, 0
    return table


def _wins(has_higher: bool) -> Array:
    """P(win X | player-draws X, bigger X, opponents-draw X, higher X)."""
    table = np.zeros((2, 2, 2, 2, 2))
    table[..., 0] = 1
    table[1, :, 0, 0] = table[1, 1, 1, 0] = 0, 1
    return table if has_higher else table[:, :, :, 0]


@cache
def joint_network(like: Network | None = None) -> Network:
    """The joint form: ``opponents-draw`` is their strongest category, and whether the player's is bigger."""
    opposed = tuple(f"{name}, {how}" for name in CATEGORIES for how in ("beaten", "not beaten"))
    wins = np.zeros((len(CATEGORIES), len(opposed), 2))
    for own in range(len(CATEGORIES)):
        for code in range(len(opposed)):
            wins[own, code, int(code // 2 < own or (code // 2 == own and code % 2 == 0))] = 1
    states = {"player-draws": CATEGORIES, "opponents-draw": opposed, "win": NO_YES}
    return _network(states, {"win": ("player-draws", "opponents-draw")}, {"win": wins}, like)


@cache
def reraise_network(acts: tuple[str, ...] = ()) -> Network:
    """A re-raise before the flop: ``win`` is that no opponent's hole cards dominate (section 3, at its end).

    The paper calls at the pot odds or folds; above the bound of ``tables`` this one raises, so that a further
    raise, too, is evidence of the cards (our choice). ``acts``: none, or ``tables.ACTING``.
    """
    return _network({"win": NO_YES}, {}, {}, acts=acts)
