"""Bet sizes as values: letters for shares of the pot, and the mappings between letters and chips.

A bet is measured from the call: a raise first calls, and its proportion is the rest divided by the pot that
the call makes (van der Kleij 2010, section 4.3.2). A set of sizes (``Sizes``) is what a case-base or a model
distinguishes; ``BetRange`` is what the rules allow at one decision. ``Sizes.shares`` translates a bet into
letters, by one of ``TRANSLATIONS``; ``Sizes.chips`` translates a letter back into chips.
Source of the letters: Rubin and Watson (2012), sections 6.1 to 6.3.2.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from baycarp.errors import ArgumentError, VariantError, brief
from baycarp.game import Act, Action, State

__all__ = [
    "CALL",
    "FCPA",
    "FOLD",
    "KLEIJ",
    "SARTRE_NL",
    "SARTRE_NL_2010",
    "SOLVED",
    "TRANSLATIONS",
    "BetRange",
    "Sizes",
    "Translation",
    "absolute",
    "bets",
    "hard",
    "soft",
]

FOLD, CALL = "f", "c"
"""The letters of a fold, and of a check or call; they need no translation."""

Translation = Callable[[float, float, float], float]
"""From a bet and the two sizes beside it, ``x <= b < y``, all proportions of the pot, to the probability of
the smaller size ``x``; the larger one has the rest."""


def absolute(b: float, x: float, y: float) -> float:
    """The nearest size by distance, the larger of two equally near.

    The example of Rubin and Watson (2012), section 6.2: it lets an opponent bet ten times the pot as "pot".

    Examples
    --------
    >>> [absolute(chips / 20, 1, 20) for chips in (200, 220)]
    [1.0, 0.0]
    """
    return float(b - x < y - b)


def hard(b: float, x: float, y: float) -> float:
    """The nearest size by ratio: equation 3 of Rubin and Watson (2012), section 6.3.2.

    Examples
    --------
    >>> [hard(chips / 20, 1, 20) for chips in (80, 100, 200)]
    [1.0, 0.0, 0.0]
    """
    return float(x / b > b / y)


def soft(b: float, x: float, y: float) -> float:
    """Equations 4 and 5 of Rubin and Watson (2012), section 6.3.2, normalised as they state.

    Examples
    --------
    >>> round(soft(200 / 20, 1, 20), 12)
    0.1
    """
    smaller, larger = x / b - x / y, b / y - x / y
    return smaller / (smaller + larger)


TRANSLATIONS: Mapping[str, Translation] = {"absolute": absolute, "hard": hard, "soft": soft}
"""The three mappings of a bet between two sizes, by name."""


@dataclass(frozen=True, slots=True)
class BetRange:
    """The bets or raises that the rules allow at one decision. Amounts are chips.

    Parameters
    ----------
    name
        ``"bet"`` or ``"raise"``.
    level
        The player's total on the street after a call.
    pot
        All chips in the pot after that call; at least 1.
    least, most
        The least bet and the player's whole stack, beyond the call. ``least`` is below the rules' minimum
        where the stack is, and then equal to ``most``.

    Raises
    ------
    ArgumentError
        Amounts that contradict each other.
    """

    name: str
    level: int
    pot: int
    least: int
    most: int

    def __post_init__(self) -> None:
        if not (self.pot >= 1 and 1 <= self.least <= self.most and self.level >= 0):
            raise ArgumentError(f"{self}: expected a pot of at least 1 chip and 1 <= least <= most")

    @classmethod
    def of(cls, state: State) -> "BetRange | None":
        """The bets that are legal now; None where there are none.

        Raises
        ------
        VariantError
            A fixed-limit game: its bets have one size.

        Examples
        --------
        >>> from baycarp.game import Variant
        >>> print(BetRange.of(State(Variant.load("holdem.nolimit.2p.reverse_blinds"))))
        raise of 100 to 19900 chips beyond the call, pot 200
        """
        if state.variant.betting != "no-limit":
            raise VariantError(f"{state.variant.name}: expected a no-limit game")
        seat = state.to_act
        if seat is None:
            return None
        owed, least, most, made = state.bounds()
        if not least:
            return None
        level = state.bets[seat] + owed
        return cls("raise" if made else "bet", level, state.pot + owed, least - level, most - level)

    def __str__(self) -> str:
        return f"{self.name} of {self.least} to {self.most} chips beyond the call, pot {self.pot}"

    def action(self, chips: int) -> Action:
        """The action that bets an amount beyond the call.

        Raises
        ------
        ArgumentError
            An amount that is not legal.
        """
        if not self.least <= chips <= self.most:
            raise ArgumentError(f"{chips} chips: expected a {self}")
        return Action(self.name, self.level + chips)

    def proportion(self, action: Action) -> float:
        """The share of the pot that a legal bet or raise puts in beyond the call, above 0."""
        return (action.amount - self.level) / self.pot


@dataclass(frozen=True, slots=True)
class Sizes:
    """A set of sizes: letters with their proportions of the pot after the call.

    Parameters
    ----------
    proportions
        ``((letter, proportion), ...)``, ascending.
    all_in
        The letter of an all-in bet; ``""`` = it is one of the others. Its proportion is the stack's, so the
        letters at or above it do not exist then.
    minimum
        The letter of the least legal bet; ``""`` = it is one of the others. The letters at or below it do not
        exist then.

    Raises
    ------
    ArgumentError
        No letter, a letter twice, one of ``FOLD`` and ``CALL``, or proportions that do not ascend from 0.

    Examples
    --------
    >>> river = BetRange("bet", 0, 20, 10, 400)
    >>> {how: FCPA.shares(10.0, river, mapping) for how, mapping in TRANSLATIONS.items() if how != "soft"}
    {'absolute': {'p': 1.0}, 'hard': {'a': 1.0}}
    >>> FCPA.chips("p", river), FCPA.chips("p", river, jitter=0.3, uniform=0.75)
    (20, 23)
    """

    proportions: tuple[tuple[str, float], ...]
    all_in: str = ""
    minimum: str = ""

    def __post_init__(self) -> None:
        letters = (FOLD, CALL, *self.letters)
        if not self.proportions or {*map(len, letters)} != {1} or len(set(letters)) < len(letters):
            raise ArgumentError(f"letters {self.letters}: expected different ones, without {FOLD} and {CALL}")
        values = [0.0, *(proportion for _, proportion in self.proportions), math.inf]
        if not all(one < other for one, other in pairwise(values)):
            raise ArgumentError(f"proportions {values[1:-1]}: expected finite numbers that ascend from 0")

    @property
    def letters(self) -> tuple[str, ...]:
        """All letters of bets, in ascending order: the least legal bet first, all-in last."""
        return tuple(filter(None, (self.minimum, *(letter for letter, _ in self.proportions), self.all_in)))

    def at(self, legal: BetRange) -> dict[str, float]:
        """The letters that exist at a decision, with their proportions, which ascend."""
        least, most = legal.least / legal.pot, legal.most / legal.pot
        found = {self.minimum: least} if self.minimum and not (self.all_in and least >= most) else {}
        for letter, proportion in self.proportions:
            if self.minimum and proportion <= least:
                continue
            if proportion >= most and self.all_in:
                break
            found[letter] = proportion
            if proportion >= most:
                break
        if self.all_in:
            found[self.all_in] = most
        return found

    def shares(self, proportion: float, legal: BetRange, translation: Translation = soft) -> dict[str, float]:
        """Translate a bet: the letters that it may count as.

        Parameters
        ----------
        proportion
            Of the pot after the call (``BetRange.proportion``), above 0.
        legal
            The bets of that decision.
        translation
            One of ``TRANSLATIONS``, or another function of its kind.

        Returns
        -------
        dict
            Probability by letter, above 0; one or two neighbours, and they sum to 1. A bet below the least
            letter is that one, a bet above the greatest that one.

        Raises
        ------
        ArgumentError
            A proportion that is not a finite number above 0.
        """
        if not 0 < proportion < math.inf:
            raise ArgumentError(f"proportion {brief(proportion)}: expected a finite number above 0")
        known = list(self.at(legal).items())
        above = next((place for place, (_, size) in enumerate(known) if size > proportion), len(known))
        if above in (0, len(known)):
            return {known[max(above - 1, 0)][0]: 1.0}
        (below, x), (beyond, y) = known[above - 1 : above + 1]
        smaller = translation(proportion, x, y)
        return {letter: share for letter, share in ((below, smaller), (beyond, 1 - smaller)) if share > 0}

    def chips(self, letter: str, legal: BetRange, jitter: float = 0.0, uniform: float = 0.5) -> int:
        """Translate a letter back: the chips that it bets beyond the call (equation 6), always legal.

        Parameters
        ----------
        letter
            One of ``letters``; one that does not exist at this decision is the nearest legal bet.
        legal
            The bets of this decision.
        jitter
            The greatest change, as a share of the bet, 0 to below 1; 0.3 in the paper's example. All-in and
            the least bet are not changed: our choice.
        uniform
            A number 0..1 that draws the change: 0 takes the whole jitter off, 1 adds it. A uniform
            distribution is our choice.

        Raises
        ------
        ArgumentError
            Another letter, or a number out of its range.
        """
        if not (0 <= jitter < 1 and 0 <= uniform <= 1):
            raise ArgumentError(
                f"jitter {brief(jitter)}, uniform {brief(uniform)}: expected 0 to below 1, and 0 to 1"
            )
        if letter and letter in (self.all_in, self.minimum):
            return legal.most if letter == self.all_in else legal.least
        for known, proportion in self.proportions:
            if known == letter:
                wanted = proportion * legal.pot * (1 + jitter * (2 * uniform - 1))
                return min(max(math.floor(wanted + 0.5), legal.least), legal.most)
        raise ArgumentError(f"letter {brief(letter)}: expected one of {', '.join(self.letters)}")

    def actions(self, legal: BetRange) -> dict[str, Action]:
        """The bets of a player that only bets these sizes: the action of each letter that exists.

        Of letters with the same action only the nearest is kept.
        """
        known, found = self.at(legal), dict[Action, str]()
        for letter, size in known.items():
            action = legal.action(self.chips(letter, legal))
            other = found.setdefault(action, letter)
            if other != letter and not hard(legal.proportion(action), known[other], size):
                found[action] = letter
        return {letter: action for action, letter in found.items()}


SARTRE_NL = Sizes(
    (("q", 0.25), ("h", 0.5), ("i", 0.75), ("p", 1.0), ("d", 2.0), ("v", 5.0), ("t", 10.0)), all_in="a"
)
"""Rubin and Watson (2012), table 9: a quarter, a half, three quarters, one, two, five, ten pots, all-in."""

SARTRE_NL_2010 = Sizes(SARTRE_NL.proportions)
"""The same without all-in, as the version of 2010 had it."""

FCPA = Sizes((("p", 1.0),), all_in="a")
"""Fold, call, pot, all-in: the example of Rubin and Watson (2012), section 6.1."""

SOLVED = Sizes(
    (("s", 1 / 3), ("h", 0.5), ("i", 0.75), ("p", 1.0), ("o", 1.5), ("d", 2.0), ("v", 5.0)), all_in="a"
)
"""A third, a half, three quarters, one, three halves, two, five pots, all-in: our choice, for a solver."""

KLEIJ = Sizes((("q", 0.25), ("h", 0.5), ("i", 0.75), ("p", 1.0), ("o", 1.5), ("d", 2.0)), minimum="m")
"""van der Kleij (2010), section 4.3.2: the least bet, 1/4, 1/2, 3/4, 1 and 3/2 pot, two pots and more. The
letters are our choice. Bets of two pots and of sixty are one letter here, which players exploited (7.2.2)."""


def bets(state: State) -> Iterator[tuple[Act, BetRange]]:
    """The bets and raises of a no-limit hand so far, each with those that were legal in its place.

    Raises
    ------
    VariantError
        A fixed-limit game.
    """
    replayed = state.begun()
    for act in state.acts:
        if act.action.name in ("bet", "raise"):
            legal = BetRange.of(replayed)
            assert legal is not None
            yield act, legal
        replayed.apply(act.action)
