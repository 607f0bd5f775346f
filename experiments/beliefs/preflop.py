"""The pre-flop of a no-limit hand as that of a limit hand, which the opponent models can follow.

A model of limit play counts bets, not chips: the price of staying in is the first bet of the street (the big
blind), the second (``raised``), or more (``reraised``). A no-limit raise of any size, all-in or not, is one
more bet; a fourth and every further bet is ``reraised`` as well, and no price is ``capped``, since a raise is
always legal. Later streets are left out: their bets are sized, and the models' prices there are not. A hand
in which a player is all-in before the flop and others go on betting has no limit counterpart, since in limit
the player would have to act again: it is left out.
"""

from dataclasses import replace
from functools import lru_cache

from baycarp.errors import NotationError
from baycarp.game import HandOver, Observation, Variant
from baycarp.game.notation.hand import Hand, Transcript, replay, states

__all__ = ["limit_preflop"]


def limit_preflop(hand: Hand) -> tuple[Hand, HandOver] | None:
    """The pre-flop of a no-limit hand in limit, and the end of the hand as the public observed it.

    Parameters
    ----------
    hand
        Finished, in no-limit.

    Returns
    -------
    hand, event
        A limit hand of the same players, cards and choices, which ends with the pre-flop; the event has its
        actions and the hole cards that were shown at the end of the real hand. None = no limit counterpart.

    Examples
    --------
    >>> from baycarp.game.notation.acpc import parse_state
    >>> game = Variant.ring(2, betting="no-limit", stacks=(400, 400))
    >>> hand = parse_state("STATE:0:r6r20c/cc/cc/cc:AhKd|7c7d/Qs7h2c/9h/3d:-20|20:Ann|Bob", game)
    >>> found, over = limit_preflop(hand)
    >>> [action.name for action in found.actions], over.observation.state.hole_of(1) == hand.holes[1]
    (['raise', 'raise', 'call'], True)
    """
    variant = _limit(hand.variant)
    script = Transcript(variant, None, hand.holes, hand.board)
    for state, action in zip(states(hand), hand.actions, strict=False):
        if state.street or script.state.street:
            break
        if script.state.to_act != state.to_act:
            return None
        try:
            if action.name == "fold":
                script.fold()
            elif action.name in ("check", "call"):
                script.stay()
            else:
                script.push()
        except NotationError:
            return None
    if not script.state.street and not script.state.is_over:
        return None
    found = Hand(variant, tuple(script.actions), hand.holes, hand.board, None, hand.players, None, hand.id)
    final, over = replay(hand).observe(None, hand.players).state, replay(found)
    over.known = b"\xff" * 25
    shown = {position: hole for position, hole in enumerate(final.holes) if hole}
    over.deal({position: bytes(hole) for position, hole in shown.items()})
    number = hand.id if isinstance(hand.id, int) else 0
    return found, HandOver(Observation(over, None, hand.players, number), ())


@lru_cache(maxsize=64)
def _limit(game: Variant) -> Variant:
    """The limit game of the same blinds and order of play, with any number of raises."""
    bet = game.big_blind
    return replace(
        game,
        name=f"{game.name}, pre-flop in limit",
        betting="limit",
        stacks=None,
        raise_sizes=(bet, bet, 2 * bet, 2 * bet),
        max_raises=(None,) * 4,
    )
