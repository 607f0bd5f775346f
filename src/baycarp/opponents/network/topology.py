"""The network's nodes and arcs (Unger 2011, figures 5.3 and 5.4), and the additions that the thesis proposes.

``topology()`` is the network that was built. Calls may be divided by price, or have a node of pot
odds beside them (section 8.1.1); partial hands may stand between the hand types (section 5.3.3); the
aggression of the player on earlier hands may be a parent of each hand type (section 9.1).
"""

from functools import cache
from typing import Literal, TypeAlias, get_args

from baycarp.bn.network import Structure
from baycarp.errors import SchemaError, brief
from baycarp.rules import READINGS
from baycarp.rules.hand import GROUPS, TYPES

__all__ = [
    "AGGRESSION",
    "HIDDEN",
    "OBSERVED",
    "PARENTS",
    "STRUCTURE",
    "TYPE_NODES",
    "Calls",
    "hidden",
    "observed",
    "states_of",
    "street_of",
    "topology",
]

Calls: TypeAlias = Literal["plain", "priced", "odds"]
"""All calls alike; divided by price; or with a node of pot odds beside them."""

PARENTS: dict[str, tuple[str, ...]] = {
    "Position": (),
    "VPIP": (),
    "PFR": (),
    "Action": (),
    "HandGroup": ("PFR", "VPIP", "Position", "Action"),
    "ActionFlop": ("Action",),
    "Board": (),
    "HandType": ("HandGroup", "ActionFlop", "Board"),
    "ActionTurn": ("ActionFlop",),
    "BoardChangeTurn": (),
    "HandTypeTurn": ("HandType", "ActionTurn", "BoardChangeTurn"),
    "ActionRiver": ("ActionTurn",),
    "BoardChangeRiver": (),
    "HandTypeFinal": ("HandTypeTurn", "ActionRiver", "BoardChangeRiver"),
}
"""The arcs of the network, drawn at each node's foot: Unger (2011), figures 5.3 and 5.4."""

TYPE_NODES = ("", "HandType", "HandTypeTurn", "HandTypeFinal")
"""The node of the hand type, by street."""

OBSERVED = (
    ("Position", "VPIP", "PFR", "Action"),
    ("ActionFlop", "Board"),
    ("ActionTurn", "BoardChangeTurn"),
    ("ActionRiver", "BoardChangeRiver"),
)
"""The nodes of the built network that can be observed from each street on."""

HIDDEN = (
    "HandGroup", "HandClass", "HandType", "HandTypeTurn", "HandTypeFinal",
    "PartialHandFlop", "PartialHandTurn",
)  # fmt: skip
"""The nodes that cards alone determine."""


PARTIAL: dict[str, tuple[str, ...]] = {
    "FlushBoardFlop": (),
    "StraightBoardFlop": (),
    "PartialHandFlop": ("HandGroup", "ActionFlop", "FlushBoardFlop", "StraightBoardFlop"),
    "FlushChangeTurn": (),
    "StraightChangeTurn": (),
    "PartialHandTurn": ("PartialHandFlop", "ActionTurn", "FlushChangeTurn", "StraightChangeTurn"),
    "FlushChangeRiver": (),
    "StraightChangeRiver": (),
    "HandTypeTurn": (*PARENTS["HandTypeTurn"], "PartialHandFlop"),
    "HandTypeFinal": (
        *PARENTS["HandTypeFinal"],
        "PartialHandTurn",
        "FlushChangeRiver",
        "StraightChangeRiver",
    ),
}
"""The additions of figure 5.5: partial hands depend on the action "in the same manner as the hand type
nodes", and are parents of the next street's type. The figure is not in the text: groups and boards as parents
are our choice."""

CLASSES_NODE = {"HandClass": ("HandGroup", "VPIP", "Position", "Action")}
"""A player's starting class within the group; our choice."""

AGGRESSION = {
    "HandType": "AggressionFlop",
    "HandTypeTurn": "AggressionTurn",
    "HandTypeFinal": "AggressionRiver",
}
"""The statistic of earlier hands that each hand type depends on, as the hand group does on VPIP and PFR.
Section 9.1 proposes statistics of the later streets; the arcs are our choice."""

_ACTIONS = ("Action", "ActionFlop", "ActionTurn", "ActionRiver")


def topology(
    calls: Calls = "plain", partial: bool = False, classes: bool = False, aggression: bool = False
) -> Structure:
    """The network's nodes, states and arcs, which training fills with numbers.

    Parameters
    ----------
    calls
        See ``Calls``. Priced, each street's action is a ``PricedAction`` node; with odds, a ``PotOdds`` node
        of the street is a parent wherever its action is one.
    partial
        Whether partial hands stand beside the hand types.
    classes
        Whether the starting class, one of 169, depends on the hand group (our choice: groups are coarse).
    aggression
        Whether the player's aggression on each later street is a parent of the street's hand type.

    Examples
    --------
    >>> topology() == STRUCTURE, len(topology().nodes), len(topology("odds", partial=True).nodes)
    (True, 14, 26)
    >>> topology("priced").parents["HandType"]
    ('HandGroup', 'PricedActionFlop', 'Board')
    """
    if calls not in get_args(Calls):
        raise SchemaError(f"calls {brief(calls)}: expected one of {', '.join(get_args(Calls))}")
    parents = PARENTS | (PARTIAL if partial else {}) | (CLASSES_NODE if classes else {})
    if aggression:
        parents |= dict.fromkeys(AGGRESSION.values(), ())
        parents |= {node: (*parents[node], habit) for node, habit in AGGRESSION.items()}
    if calls == "priced":
        parents = {_priced(node): tuple(map(_priced, above)) for node, above in parents.items()}
    if calls == "odds":
        odds = {node: node.replace("Action", "PotOdds") for node in _ACTIONS}
        parents = {node: _beside(above, odds) if node in HIDDEN else above for node, above in parents.items()}
        parents |= {odds[node]: (node,) for node in _ACTIONS}
    return Structure({node: states_of(node) for node in parents}, parents)


def _priced(node: str) -> str:
    return f"Priced{node}" if node in _ACTIONS else node


def _beside(above: tuple[str, ...], odds: dict[str, str]) -> tuple[str, ...]:
    return (*above, *(odds[node] for node in above if node in odds))


def states_of(node: str) -> tuple[str, ...]:
    """The states of a node; none of a name that is no reading of named states."""
    if node == "HandGroup":
        return GROUPS
    if node in TYPE_NODES:
        return TYPES
    domain = READINGS[node].domain if node in READINGS else ()
    return domain if isinstance(domain, tuple) else ()


STRUCTURE = topology()
"""The network that was built."""


def street_of(node: str) -> int:
    """The street on which a node can first be observed, 0..3.

    Examples
    --------
    >>> [street_of(node) for node in ("VPIP", "HandType", "PotOddsTurn", "HandTypeFinal")]
    [0, 1, 2, 3]
    """
    if node.endswith(("River", "Final")):
        return 3
    return 2 if node.endswith("Turn") else int(node.endswith(("Flop", "Board", "HandType")))


@cache
def observed(structure: Structure, street: int) -> tuple[str, ...]:
    """The nodes that are observable by the end of a street, in the network's order.

    Examples
    --------
    >>> observed(STRUCTURE, 1)
    ('Position', 'VPIP', 'PFR', 'Action', 'ActionFlop', 'Board')
    """
    return tuple(node for node in structure.nodes if node not in HIDDEN and street_of(node) <= street)


def hidden(structure: Structure, street: int) -> tuple[str, ...]:
    """The nodes of a player's cards by the end of a street, in the network's order.

    Examples
    --------
    >>> hidden(topology(partial=True), 1)
    ('HandGroup', 'HandType', 'PartialHandFlop')
    """
    return tuple(node for node in structure.nodes if node in HIDDEN and street_of(node) <= street)
