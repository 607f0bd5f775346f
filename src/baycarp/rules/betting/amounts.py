"""Amounts in the three units of the papers: small blinds, bets of the street, shares of the pot.

An example: the pot is 40, a bet is 20, 20 are to call, and the small blind is 5. The call is 4 small blinds,
1 bet of the street, and 1/3 of the pot that it makes.
"""

from baycarp.game import Variant
from baycarp.rules.reading import PlayerView

__all__ = ["bet_size", "pot_share", "small_blinds", "street_bets", "to_call"]


def to_call(view: PlayerView) -> int | None:
    """Chips that the player must add to call; None where another one is to act."""
    state = view.observation.state
    return state.owed if state.to_act == view.position else None


def small_blinds(chips: int, variant: Variant) -> float:
    """Halves of a small bet: Unger's figures 6.7 and 6.12 fit only so."""
    return 2 * chips / variant.small_bet


def bet_size(variant: Variant, street: int) -> int:
    """Chips of a bet on a street; in no-limit the big blind."""
    return variant.raise_sizes[street] if variant.raise_sizes else variant.big_blind


def street_bets(chips: int, view: PlayerView) -> float:
    """Bets of the current size: small bets before the turn, big bets from it on."""
    return chips / bet_size(view.observation.variant, view.observation.street)


def pot_share(cost: int, pot: int) -> float:
    """Pot odds: a cost's share of the pot once it is paid."""
    return cost / (pot + cost)
