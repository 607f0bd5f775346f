"""Money of a source, with fractions and infinite stacks, as whole chips and back."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm

from baycarp.game.notation.hand import Refused
from baycarp.game.variant import DEEP

__all__ = ["MOST_CHIPS", "Money", "Scale", "amount_of", "is_infinite"]

MOST_CHIPS = 10**12
"""No amount is greater, in chips; less than ``DEEP``, which is what an infinite stack becomes."""


class Scale:
    """How amounts become chips: times the least whole number that makes all of them whole.

    Parameters
    ----------
    amounts
        All amounts of the hand, whole or ``Decimal``; infinite ones are left out.
    """

    def __init__(self, amounts: Sequence[object]) -> None:
        finite = [_fraction(amount) for amount in amounts if not is_infinite(amount)]
        self.factor = lcm(*(amount.denominator for amount in finite))
        most = max(map(abs, finite), default=Fraction(0))
        if most * self.factor > MOST_CHIPS:
            raise Refused(
                "too many chips", f"{most} at {self.factor} chips each: expected at most {MOST_CHIPS}"
            )
        self.unit = Decimal(1) / self.factor
        """The worth of one chip."""

    def chips(self, amount: object) -> int:
        """An amount among those given, in chips."""
        return int(_fraction(amount) * self.factor)


class Money:
    """Chips of a given worth as money again, whole where it can be."""

    def __init__(self, unit: Decimal) -> None:
        self.unit = unit

    def amount(self, chips: float) -> int | Decimal:
        """The worth of chips; infinite for ``DEEP``."""
        if chips == DEEP:
            return Decimal("inf")
        money = Decimal(str(chips)) * self.unit
        return int(money) if money == money.to_integral_value() else money

    def row(self, chips: Iterable[float]) -> list[int | Decimal]:
        """The worth of each of several amounts."""
        return [self.amount(each) for each in chips]


def amount_of(word: str) -> Decimal:
    """Read an amount printed in plain digits."""
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", word):
        raise Refused("bad amount", f"{word[:40]!r}")
    return Decimal(word)


def is_infinite(amount: object) -> bool:
    """Whether a stack is infinite."""
    return isinstance(amount, Decimal) and amount.is_infinite() and amount > 0


def _fraction(amount: object) -> Fraction:
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise Refused("bad amount", f"{str(amount)[:40]!r}")
    if isinstance(amount, Decimal):
        exponent = amount.as_tuple().exponent
        # The size is tested before the conversion, which would write out every nought of 1e999999999.
        if not isinstance(exponent, int) or not -9 <= exponent <= 12 or amount.adjusted() > 12:
            raise Refused("bad amount", f"{str(amount)[:40]!r}")
    return Fraction(amount)
