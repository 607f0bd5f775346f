"""The text of hands, by template: hands with the same betting differ by their cards and number alone.

A template is the text of one hand, as the writers of ``game.notation`` give it, with its cards and its
number as fields of ``str.format``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from baycarp.card import DECK, as_cards
from baycarp.game import Action, State, Variant
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.phh import format_phh

__all__ = ["SUFFIXES", "Format", "Templates", "as_phh"]

Format = Literal["acpc", "phh"]

_DECKS = {1: "AsAh4d9c2c7d9hJs3s", -1: "4d9cAsAh2c7d9hJs3s", 0: "2c3d2d3hAsKsQsJsTs"}
"""A deck by outcome of the showdown: position 0 wins, position 1 wins, equal hands."""

_CARDS = re.compile(r"(d dh p1 |p1 sm )\w{4}|(d dh p2 |p2 sm )\w{4}|(d db )(?:\w{6}|\w\w)")


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _acpc(hand: Hand) -> str:
    kind, _, betting, cards, payoffs, names = format_state(hand).split(":")
    streets = "".join(f"/{{{field}}}" for field in range(3, 3 + cards.count("/")))
    return f"{kind}:{{0}}:{betting}:{{1}}|{{2}}{streets}:{payoffs}:{_literal(names)}\n"


def _phh(hand: Hand) -> str:
    before, actions, after = re.split(r"^(actions = .*)$", format_phh(hand), maxsplit=1, flags=re.MULTILINE)
    streets = iter(("{3}", "{4}", "{5}"))

    def card(found: re.Match[str]) -> str:
        first, second, board = found.groups()
        return f"{first}{{1}}" if first else f"{second}{{2}}" if second else f"{board}{next(streets)}"

    numbered = re.sub(r"^hand = .*$", "hand = {0}", _literal(after), count=1, flags=re.MULTILINE)
    return f"[{{0}}]\n{_literal(before)}{_CARDS.sub(card, actions)}{numbered}\n"


def as_phh(hand: Hand) -> str:
    """A hand of a PHHS file, under its number."""
    return f"[{hand.id}]\n{format_phh(hand)}\n"


SUFFIXES: Mapping[Format, str] = {"acpc": ".log", "phh": ".phhs"}
"""Of files, by the format of their hands."""

_TEMPLATES: Mapping[Format, Callable[[Hand], str]] = {"acpc": _acpc, "phh": _phh}


@dataclass(frozen=True, slots=True)
class Templates:
    """The texts of hands with the same players in the same positions.

    Parameters
    ----------
    variant
        A game of two players.
    names
        Of the players, by position.
    format
        The notation.
    made
        Templates by actions and outcome, filled when they are wanted.
    """

    variant: Variant
    names: tuple[str, str]
    format: Format
    made: dict[tuple[int, int], Callable[..., str]] = field(default_factory=dict)

    def text(self, ending: tuple[int, Sequence[Action]], outcome: int, number: int, deck: bytes) -> str:
        """The text of a hand.

        Parameters
        ----------
        ending
            The number of the betting, and its actions.
        outcome
            1 and -1: position 0 and 1 wins the showdown; 0: equal hands, or no showdown.
        number
            Of the hand.
        deck
            Nine card ids: two hole cards a position, then the board.
        """
        place = ending[0], outcome
        if place not in self.made:
            state = State(self.variant, None, as_cards(_DECKS[outcome], "deck", (9,)))
            for action in ending[1]:
                state.apply(action)
            self.made[place] = _TEMPLATES[self.format](Hand.of(state, self.names, 0)).format
        a, b, c, d, e, f, g, h, i = map(DECK.__getitem__, deck)
        return self.made[place](number, a + b, c + d, e + f + g, h, i)
