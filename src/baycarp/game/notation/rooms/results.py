"""What a hand paid, by its text: pots collected, bets that went back, rake; all of it must add up.

Rooms differ in where the unmatched part of the last bet is: it goes back in a line of its own, silently, or
within what its owner "collects". What was paid in decides: the rake is the one that the text states, else
none in a tournament, else not negative and not much.
"""

from typing import NamedTuple

from baycarp.errors import CardError
from baycarp.game.notation.hand import Refused, Transcript
from baycarp.game.notation.rooms.amounts import PARTS
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["Settlement", "settle"]

MOST_RAKE = 5
"""Where the text states no rake, it is at most this part of the pot: a fifth."""


class Settlement(NamedTuple):
    """Net chips by position; those of the house; the positions that showed no cards and won nothing."""

    payoffs: tuple[int, ...]
    rake: int
    mucked: tuple[int, ...]


class Ending(NamedTuple):
    """A hand at its end.

    Parameters
    ----------
    stated
        The text.
    order
        The players by position.
    chip
        The parts of an amount that are one chip.
    script
        The hand under the rules, over.
    surplus
        The position of a last raise that nobody could answer, and its chips beyond the call; None = none.
    gone
        Positions that folded all-in.
    """

    stated: Statement
    order: list[int]
    chip: int
    script: Transcript
    surplus: tuple[int, int] | None = None
    gone: tuple[int, ...] = ()


class _Unmatched(NamedTuple):
    """The part of the largest bet that no other matched, and whose it is."""

    seat: int
    chips: int


def settle(end: Ending) -> Settlement:
    """The results of a hand that is over.

    Raises
    ------
    Refused
        "chips do not add up": what the text pays out is not what was paid in, or the cards give it to others.
    """
    state = end.script.state
    paid = list(state.committed)
    if end.surplus:
        paid[end.surplus[0]] += end.surplus[1]
    back = _unmatched(paid, state.variant.antes)
    seats, holes = state.seats_in, end.script.holes
    state.mucked = end.gone
    won = _won(end)
    unseen = tuple(seat for seat in seats if seat in end.gone or not (holes[seat] or won[seat]))
    returned, rake = _balance(end, (sum(paid), sum(won)), back)
    payoffs = [get + again - given for get, again, given in zip(won, returned, paid, strict=True)]
    state.mucked = unseen if len(seats) > 1 else ()
    _check_cards(end.script, payoffs, rake)
    return Settlement(tuple(payoffs), rake, state.mucked)


def _unmatched(paid: list[int], antes: tuple[int, ...]) -> _Unmatched:
    live = paid
    if len(set(antes)) > 1:
        live = [max(chips - ante, 0) for chips, ante in zip(paid, antes, strict=True)]
    most = max(live)
    seat = live.index(most)
    return _Unmatched(seat, most - max(chips for other, chips in enumerate(live) if other != seat))


def _won(end: Ending) -> list[int]:
    """Chips collected by position. The summary's seats are used first: a name can be spelt in two ways."""
    stated, order, chip, script = end.stated, end.order, end.chip, end.script
    place = {player: position for position, player in enumerate(order)}
    won = [0] * len(order)
    total = sum(amount for _, amount in stated.collected)
    if (
        stated.seat_won
        and total in (0, sum(stated.seat_won.values()))
        and stated.seat_won.keys() <= place.keys()
    ):
        for player, amount in stated.seat_won.items():
            won[place[player]] += amount // chip
        return won
    nameless = []
    for name, amount in stated.collected:
        if (player := stated.names.get(name, -1)) in place:
            won[place[player]] += amount // chip
        else:
            nameless.append(amount // chip)
    for amount in sorted(nameless, reverse=True):
        won[_winner(script, won)] += amount
    return won


def _winner(script: Transcript, won: list[int]) -> int:
    """Whose a pot without a known name is: by the cards, or of the only one that is left."""
    state = script.state
    if len(state.seats_in) == 1:
        return state.seats_in[0]
    try:
        payoffs = state.payoffs()
    except CardError:
        raise Refused("winner of another name", "expected a player at the table") from None
    owed = [net + paid - got for net, paid, got in zip(payoffs, state.committed, won, strict=True)]
    return owed.index(max(owed))


def _balance(end: Ending, sums: tuple[int, int], back: _Unmatched) -> tuple[list[int], int]:
    """Chips that went back by position, and the house's, so that ``sums``, paid in and collected, agree."""
    stated, order, chip, script = end.stated, end.order, end.chip, end.script
    paid, collected = sums
    added = stated.added // chip
    printed = None if stated.rake is None else stated.rake // chip
    listed = [0] * len(order)
    for name, amount in stated.returned:
        player = stated.names.get(name)
        listed[order.index(player) if player in order else back.seat] += amount // chip
    apart = [0] * len(order)
    apart[back.seat] = back.chips
    within = [0] * len(order)
    shown = len(script.state.seats_in) > 1
    ways = [within, apart] if stated.within == "always" or (stated.within and shown) else [apart, within]
    for returned in [listed, *ways] if any(listed) else ways:
        rake = paid + added - sum(returned) - collected
        pot = paid + added - back.chips
        silent = any(listed) and returned is not listed  # the line of the uncalled bet is of no account
        if silent and (stated.pot is None or stated.pot // chip != collected + rake):
            continue
        if _is_right(end, rake, printed, pot) and _is_pot(
            stated, chip, {pot, pot - added, paid + added, collected}
        ):
            return returned, rake - added
    detail = f"paid in {paid}, collected {collected}, back {sum(listed) or back.chips}"
    raise Refused("chips do not add up", f"{detail}, rake {'not stated' if printed is None else printed}")


def _is_right(end: Ending, rake: int, printed: int | None, pot: int) -> bool:
    if end.stated.tournament and end.chip < PARTS:  # a room that halves chips pays out whole ones
        return 2 * abs(rake) * end.chip <= PARTS * len(end.stated.collected) and abs(rake) * MOST_RAKE <= pot
    if printed is not None:
        return rake == printed
    if end.stated.tournament:
        return rake == 0
    return 0 <= rake * MOST_RAKE <= pot


def _is_pot(stated: Statement, chip: int, pots: set[int]) -> bool:
    """Whether the pot that the text states is one of those that rooms print."""
    return stated.pot is None or stated.pot // chip in pots


def _check_cards(script: Transcript, payoffs: list[int], rake: int) -> None:
    """The cards give the pots to those that collected them, but for rake and the odd chips."""
    state = script.state
    try:
        by_cards = state.payoffs()
    except CardError:
        return  # a winner's cards were not shown
    odd = len(state.layers())
    for seat, (cards, text) in enumerate(zip(by_cards, payoffs, strict=True)):
        if not min(rake, 0) - odd <= cards - text <= max(rake, 0) + odd:
            raise Refused("chips do not add up", f"position {seat} wins {text}: {cards} by the cards")
