"""Themes: the mistakes that a player makes again and again, each in words, fixed here.

A theme has its occasions, the wrong answers, and the right ones in whose place they are a mistake. Of the
occasions, wrong and right answers of all themes no two have a mistake in common: a mistake has one theme.
"""

from collections.abc import Callable
from dataclasses import dataclass

from baycarp.game import Observation
from baycarp.game.seats import seat_names

__all__ = ["THEMES", "Occasion", "Theme", "theme_of"]


@dataclass(frozen=True, slots=True)
class Occasion:
    """What themes see of a decision.

    Parameters
    ----------
    street
        0 pre-flop .. 3 river.
    owes
        Whether a call costs chips.
    raised
        Before the flop: whether somebody has raised.
    seat
        The name of the position.
    led
        Whether the player was the last to bet or raise on the street before.
    strong
        Whether the share of the pot is above that of an average holding.
    """

    street: int
    owes: bool
    raised: bool
    seat: str
    led: bool
    strong: bool

    @classmethod
    def of(cls, observation: Observation, share: float) -> "Occasion":
        """The occasion of a decision, with the player's share of the pot, 0..1."""
        state, seat, street = observation.state, observation.seat, observation.street
        assert seat is not None
        now = [act for act in observation.acts if act.street == street]
        before = [act for act in observation.acts if act.street == street - 1]
        raises = [act.seat for act in before if act.action.name in ("bet", "raise")]
        return cls(
            street,
            state.owed > 0,
            any(act.action.name in ("bet", "raise") for act in now),
            seat_names(observation.variant)[seat],
            raises[-1:] == [seat],
            share * len(state.seats_in) > 1,
        )


@dataclass(frozen=True, slots=True)
class Theme:
    """A mistake.

    Parameters
    ----------
    name
        In words, after "You".
    occasion
        Whether a decision is one at which the mistake can be made.
    wrong
        The kinds of action that are the mistake ...
    right
        ... where the best action is of one of these kinds.
    advice
        What to do instead, in a sentence.
    """

    name: str
    occasion: Callable[[Occasion], bool]
    wrong: frozenset[str]
    right: frozenset[str]
    advice: str

    def __str__(self) -> str:
        return self.name


FOLD, STAY, PUSH = frozenset({"fold"}), frozenset({"check", "call"}), frozenset({"bet", "raise"})
BLINDS, LATE = ("SB", "BB"), ("CO", "BTN")


def _first(at: Occasion) -> bool:
    """Before the flop and any raise, out of the blinds."""
    return at.street == 0 and not at.raised and at.seat not in BLINDS


def _early(at: Occasion) -> bool:
    return _first(at) and at.seat not in LATE


def _late(at: Occasion) -> bool:
    return _first(at) and at.seat in LATE


def _continued(at: Occasion) -> bool:
    """On the flop, after own raises, nobody having bet."""
    return at.street == 1 and at.led and not at.owes


THEMES = (
    Theme(
        "enters too many hands from early position",
        _early,
        STAY | PUSH,
        FOLD,
        "Fold more hands there: many players still act after you.",
    ),
    Theme(
        "enters too many hands from late position",
        _late,
        STAY | PUSH,
        FOLD,
        "Fold the weakest hands there, too: the blinds still defend.",
    ),
    Theme(
        "enters too few hands",
        _first,
        FOLD,
        STAY | PUSH,
        "Play more of the good hands when nobody has raised.",
    ),
    Theme(
        "limps",
        lambda at: at.street == 0 and not at.raised and at.owes,
        STAY,
        PUSH,
        "Raise a hand that is worth playing.",
    ),
    Theme(
        "calls too wide in the small blind",
        lambda at: at.street == 0 and at.seat == "SB" and at.owes,
        STAY,
        FOLD,
        "Fold weak hands there: you act first on every later street.",
    ),
    Theme(
        "does not defend the big blind",
        lambda at: at.street == 0 and at.seat == "BB" and at.owes,
        FOLD,
        STAY | PUSH,
        "Call more often: the price is good.",
    ),
    Theme(
        "calls raises with dominated hands",
        lambda at: at.street == 0 and at.raised and at.seat != "SB",
        STAY,
        FOLD,
        "Fold hands that the raiser's hands dominate.",
    ),
    Theme(
        "folds too much to raises and in the small blind",
        lambda at: at.street == 0 and at.seat != "BB" and (at.raised or at.seat == "SB"),
        FOLD,
        STAY | PUSH,
        "Stay in with hands that have the price.",
    ),
    Theme(
        "raises too much before the flop",
        lambda at: at.street == 0,
        PUSH,
        STAY,
        "Call, or see the flop for free.",
    ),
    Theme(
        "raises weak hands over a raise or from the blinds",
        lambda at: at.street == 0 and (at.raised or at.seat in BLINDS),
        PUSH,
        FOLD,
        "Fold them.",
    ),
    Theme(
        "does not raise strong hands again before the flop",
        lambda at: at.street == 0 and (at.raised or not at.owes),
        STAY,
        PUSH,
        "Raise: worse hands pay.",
    ),
    Theme(
        "gives up on the flop after raising",
        _continued,
        STAY,
        PUSH,
        "Bet the flop again: most hands have missed it.",
    ),
    Theme(
        "slow-plays strong hands",
        lambda at: at.street in (1, 2) and at.strong and not _continued(at),
        STAY,
        PUSH,
        "Bet or raise: worse hands pay now.",
    ),
    Theme(
        "misses value bets on the river",
        lambda at: at.street == 3 and at.strong,
        STAY,
        PUSH,
        "Bet or raise: worse hands call.",
    ),
    Theme(
        "misses bluffs",
        lambda at: at.street > 0 and not at.strong and not _continued(at),
        STAY,
        PUSH,
        "Bet: better hands fold often enough.",
    ),
    Theme(
        "bluffs too much",
        lambda at: at.street > 0 and not at.strong,
        PUSH,
        STAY | FOLD,
        "Give up: too few better hands fold.",
    ),
    Theme(
        "bets and raises too thinly",
        lambda at: at.street > 0 and at.strong,
        PUSH,
        STAY | FOLD,
        "Check or call: mostly better hands go on.",
    ),
    Theme(
        "folds too much to bets on the flop and turn",
        lambda at: at.street in (1, 2) and at.owes,
        FOLD,
        STAY | PUSH,
        "Call: you win often enough for the price.",
    ),
    Theme(
        "folds too much to bets on the river",
        lambda at: at.street == 3 and at.owes,
        FOLD,
        STAY | PUSH,
        "Call: you win often enough for the price.",
    ),
    Theme(
        "calls the flop without the price",
        lambda at: at.street == 1 and at.owes,
        STAY,
        FOLD,
        "Fold: you win too seldom for the price.",
    ),
    Theme(
        "calls the turn without the price",
        lambda at: at.street == 2 and at.owes,
        STAY,
        FOLD,
        "Fold: you win too seldom for the price.",
    ),
    Theme(
        "calls the river without the price",
        lambda at: at.street == 3 and at.owes,
        STAY,
        FOLD,
        "Fold: you win too seldom for the price.",
    ),
)
"""All themes; fixed before any log is looked at, and all of them count in the correction for many tests."""


def theme_of(occasion: Occasion, taken: str, best: str) -> Theme | None:
    """The theme of a mistake: a kind of action taken in place of the best kind; None = it has none."""
    return next(
        (
            theme
            for theme in THEMES
            if taken in theme.wrong and best in theme.right and theme.occasion(occasion)
        ),
        None,
    )
