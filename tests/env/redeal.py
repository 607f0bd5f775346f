"""The cards that a seat has not seen, dealt anew for a moment."""

from contextlib import contextmanager

from baycarp.game.state import SHOWN


def seen_places(state, position):
    """The places of ``State.known`` that a position sees: its own, the board so far, hands shown down."""
    shown = [20 + place for place in range(SHOWN[state.street])]
    down = state.seats_in if state.is_over and len(state.seats_in) > 1 else ()
    return {*shown, *(2 * seat + card for seat in {position, *down} - {None} for card in (0, 1))}


@contextmanager
def redealt(state, position, rng):
    """The same hand with other cards in every other place; afterwards with its own again."""
    known = state.known
    fixed = seen_places(state, position)
    left = rng.permutation([card for card in range(52) if card not in {known[place] for place in fixed}])
    cards = iter(left.tolist())
    places = [*range(2 * state.variant.seats), *range(20, 25)]
    changed = bytearray(known)
    for place in places:
        if place not in fixed:
            changed[place] = next(cards)
    assert bytes(changed) != known or set(places) == fixed
    state.known = bytes(changed)
    try:
        yield
    finally:
        state.known = known
