"""A situation as a person would draw it: the cards, the pot, the players, and what each did."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from textwrap import fill
from typing import Protocol

from baycarp.card import text
from baycarp.files import plain_text
from baycarp.game.action import STREETS, Act, Action
from baycarp.game.seats import seat_label, seat_names
from baycarp.game.variant import Variant
from baycarp.kernels.game import Hand

__all__ = ["Observed", "act_in_words", "as_html", "as_text"]


class Observed(Protocol):
    """What is drawn of an ``Observation``, which draws itself by this module."""

    @property
    def variant(self) -> Variant:
        """The game."""

    @property
    def state(self) -> Hand:
        """Chips, cards and turn."""

    @property
    def seat(self) -> int | None:
        """The observing position."""

    @property
    def players(self) -> tuple[str, ...]:
        """Names by position, or none."""

    @property
    def hand(self) -> int:
        """The number of the hand, from 0."""

    @property
    def acts(self) -> tuple[Act, ...]:
        """All actions so far."""

    def legal_actions(self) -> tuple[Action, ...]:
        """Those of the player to act."""


def as_text(observation: Observed) -> str:
    """The hand as a seat observes it, in lines of at most 80 columns where names are short.

    Amounts are chips. ``>`` marks the player to act; a player's chips are those it put in during the hand.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> line = "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"
    >>> print(as_text(observe(line, game="holdem.limit.2p.reverse_blinds")))
    holdem.limit.2p.reverse_blinds, flop: Qs 7d 2c, pot 40
    > BB   Ah Kd  20 in
      BTN  .. ..  20 in
    preflop  BTN raise to 20, BB call 10
    flop     BB to act: check, bet 10
    """
    state, variant = observation.state, observation.variant
    board = f": {_cards(observation.state.board)}" if observation.state.board else ""
    hand = f"hand {observation.hand + 1}, " if observation.players else ""
    street = f"{STREETS[state.street]}{' (over)' if state.is_over else ''}"
    lines = [f"{hand}{variant.name}, {street}{board}, pot {state.pot}"]
    names = _names(observation)
    labels = _labels(observation)
    width = max(map(len, labels))
    for position, name in enumerate(labels):
        mark = ">" if position == state.to_act else " "
        lines.append(
            f"{mark} {name:<{width}}  {_hole(observation, position)}  {_chips(observation, position)}"
        )
    return "\n".join([*lines, *_streets(observation, names)])


def as_html(observation: Observed) -> str:
    """The same for a notebook: cards larger and hearts and diamonds red, the players as a table."""
    state, variant = observation.state, observation.variant
    rows = "".join(
        f"<tr><td>{'▶' if position == state.to_act else ''}</td><td>{escape(name)}</td>"
        f"<td>{_drawn(_hole(observation, position))}</td>"
        f"<td>{escape(_chips(observation, position))}</td></tr>"
        for position, name in enumerate(_labels(observation))
    )
    board = f"<p>{_drawn(_cards(observation.state.board))}</p>" if observation.state.board else ""
    title = f"{escape(variant.name)}, {STREETS[state.street]}, pot {state.pot}"
    streets = "".join(f"<br>{escape(line)}" for line in _streets(observation, _names(observation)))
    return f"<b>{title}</b>{board}<table>{rows}</table><small>{streets.removeprefix('<br>')}</small>"


def _drawn(cards: str) -> str:
    """Cards such as ``Ah Kd`` with the symbols of their suits."""
    symbols = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
    return " ".join(
        f'<b style="color:{"#c0392b" if card[1] in "hd" else "inherit"}">{card[0]}{symbols[card[1]]}</b>'
        if card[1] in symbols
        else "▯"
        for card in cards.split()
    )


def act_in_words(act: Act) -> str:
    """An action of the record; a call has the chips that it took.

    Examples
    --------
    >>> act_in_words(Act(0, 0, Action("call", 10), owed=10, paid=10, bets=1, pot=15))
    'call 10'
    """
    return str(Action("call", act.paid) if act.action.name == "call" else act.action)


def _names(observation: Observed) -> tuple[str, ...]:
    return tuple(plain_text(name, kept="") for name in observation.players) or seat_names(observation.variant)


def _labels(observation: Observed) -> list[str]:
    """Seats with their players."""
    variant = observation.variant
    return [seat_label(variant, position, observation.players) for position in range(variant.seats)]


def _streets(observation: Observed, names: tuple[str, ...]) -> Iterator[str]:
    state = observation.state
    played = {
        street: ", ".join(f"{names[act.seat]} {act_in_words(act)}" for act in acts)
        for street, acts in groupby(observation.acts, key=lambda act: act.street)
    }
    if state.to_act is not None:
        turn = f"{names[state.to_act]} to act"
        if observation.seat == state.to_act:
            turn += f": {', '.join(map(str, observation.legal_actions()))}"
        played[state.street] = "; ".join(filter(None, (played.get(state.street, ""), turn)))
    for street, words in played.items():
        yield fill(f"{STREETS[street]:<7}  {words}", 80, subsequent_indent=" " * 9, break_on_hyphens=False)


def _hole(observation: Observed, position: int) -> str:
    if position not in observation.state.seats_in and position != observation.seat:
        return "     "
    return _cards(observation.state.hole_of(position)) or ".. .."


def _chips(observation: Observed, position: int) -> str:
    state, variant = observation.state, observation.variant
    words = [f"{state.committed[position]} in"]
    if variant.stacks is not None:
        words.append(f"{state.stacks[position]} behind")
    if position not in state.seats_in:
        words.append("folded")
    return ", ".join(words)


def _cards(ids: tuple[int, ...]) -> str:
    shown = text(ids)
    return " ".join(shown[at : at + 2] for at in range(0, len(shown), 2))
