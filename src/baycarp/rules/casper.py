"""The readings of the betting for the cases of CASPER and CASEY.

Rubin and Watson (2007), table 1, count in bets of the street, and a free check costs nothing.
"""

import math

from baycarp.rules.betting.amounts import pot_share, street_bets, to_call
from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["READINGS"]


def _players_acted(view: PlayerView) -> float:
    """The others that have checked, called, bet or raised on the street and are still in; no blind counts."""
    state = view.observation.state
    acted = {act.seat for act in view.observation.acts if act.street == state.street}
    return float(len(acted & set(state.seats_in) - {view.position}))


def _street_bets_committed(view: PlayerView) -> float:
    return street_bets(view.observation.state.bets[view.position], view)


def _street_bets_to_call(view: PlayerView) -> float | None:
    owed = to_call(view)
    return None if owed is None else street_bets(owed, view)


def _call_pot_odds(view: PlayerView) -> float | None:
    """The cost is 0 where a check is free."""
    owed = to_call(view)
    return None if owed is None else pot_share(owed, view.observation.state.pot)


def _pot_small_bets(view: PlayerView) -> float:
    return view.observation.state.pot / view.observation.variant.small_bet


def _previous_street_bets(view: PlayerView) -> float | None:
    """Bets and raises of the street before.

    Of the pre-flop the big blind is the first, or it could not reach the five of table 1: our choice.
    """
    before = view.observation.street - 1
    if before < 0:
        return None
    raised = sum(
        act.street == before and act.action.name in ("bet", "raise") for act in view.observation.acts
    )
    return float(raised + (before == 0))


_CASPER = "Rubin and Watson (2007), table 1"
_BETS = Interval(0, math.inf, "bets of the street")

READINGS = (
    Reading("players_acted", Interval(0, 9, "opponents"), _players_acted, _CASPER),
    Reading("street_bets_committed", _BETS, _street_bets_committed, _CASPER),
    Reading("street_bets_to_call", _BETS, _street_bets_to_call, _CASPER),
    Reading("call_pot_odds", Interval(0, 1, "share of the pot"), _call_pot_odds, _CASPER),
    Reading("pot_small_bets", Interval(0, math.inf, "small bets"), _pot_small_bets, _CASPER),
    Reading(
        "previous_street_bets",
        Interval(0, math.inf, "bets"),
        _previous_street_bets,
        _CASPER + "; the blind is our choice",
    ),
    Reading(
        "street",
        Interval(0, 3, "street"),
        lambda view: float(view.observation.street),
        "Unger (2011), section 4.3.2: CASEY's stage",
    ),
)
"""Names, domains and definitions; ``bets`` are fractions where a blind is half a bet."""
