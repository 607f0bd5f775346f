"""Solutions that are kinds of actions; in no-limit a bet or raise is the smallest."""

from baycarp.game import ACTIONS, Action, Observation

__all__ = ["NEIGHBOURS", "action_of_kind", "kind_of_action", "legal_kinds"]

NEIGHBOURS = {
    "fold": ("check",),
    "check": ("call",),
    "call": ("check",),
    "bet": ("raise", "call", "check"),
    "raise": ("bet", "call", "check"),
}
"""A retrieved solution that is not legal now counts as the first of these that is. Our choice."""


def action_of_kind(solution: str, observation: Observation) -> Action | None:
    """The legal action of a kind, or of the first of its neighbours that is legal."""
    legal = observation.legal_actions()
    for name in (solution, *NEIGHBOURS[solution]):
        for action in legal:
            if action.name == name:
                return action
    return None


def kind_of_action(action: Action, observation: Observation) -> str:
    """The kind of an action."""
    return action.name


def legal_kinds(street: int, price: float, done: str) -> tuple[str, ...]:
    """The kinds of actions that were legal in a stored case, as far as a case records it.

    Parameters
    ----------
    street
        0..3.
    price
        Above 0 where a bet was to be called.
    done
        The solution of the case. Whether a raise was beyond the cap is not recorded: it counts as legal.
    """
    legal = ("fold", "call", "raise") if price else ("check", "bet" if street else "raise")
    return legal if done in legal else tuple(kind for kind in ACTIONS if kind in (*legal, done))
