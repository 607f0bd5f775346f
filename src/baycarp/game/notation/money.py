"""Money of a source, with fractions and infinite stacks, as whole chips and back."""

import re
from collections.abc import Iterable
from decimal import Decimal
from math import lcm
from typing import Any, TypeAlias

from baycarp.game.notation.hand import Refused
from baycarp.game.variant import DEEP

__all__ = ["MOST_CHIPS", "Amount", "Money", "Scale", "amount_of", "is_infinite"]

MOST_CHIPS = 10**12
"""No amount is greater, in chips; less than ``DEEP``, which is what an infinite stack becomes."""

Amount: TypeAlias = "int | Decimal"

_PLAIN = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_BETWEEN = re.compile(r"[\s'\u2019_]")
"""Blanks and other marks between thousands."""
_CURRENCY = re.compile(r"^(?:[A-Z]{0,2}[$€£¥]|[A-Za-z]{2,4})|(?:[$€£¥]|[A-Za-z]{2,4})$")
_GROUPED = re.compile(r"[0-9]{1,3}(?:([.,])[0-9]{3}(?:\1[0-9]{3}){0,3})?(?:[.,][0-9]{1,9})?")


class Scale:
    """How amounts become chips: times the least whole number that makes all of them whole.

    Parameters
    ----------
    amounts
        All amounts of the hand, whole or ``Decimal``; infinite ones are left out.
    """

    def __init__(self, amounts: Iterable[Any]) -> None:
        self.factor, most = 1, 0
        for amount in amounts:
            if type(amount) is int:
                most = max(most, abs(amount))
            elif not is_infinite(amount):
                numerator, denominator = _ratio(amount)
                self.factor = lcm(self.factor, denominator)
                most = max(most, abs(numerator) // denominator)
        if most * self.factor > MOST_CHIPS:
            raise Refused(
                "too many chips", f"{most} at {self.factor} chips each: expected at most {MOST_CHIPS}"
            )
        self.unit = Decimal(1) / self.factor
        """The worth of one chip."""

    def chips(self, amount: Any) -> int:
        """An amount among those given, in chips; ``DEEP`` for an infinite one."""
        if type(amount) is int:
            return amount * self.factor
        if is_infinite(amount):
            return DEEP
        numerator, denominator = _ratio(amount)
        return numerator * (self.factor // denominator)


class Money:
    """Chips of a given worth as money again, whole where it can be."""

    def __init__(self, unit: Decimal) -> None:
        self.unit = unit

    def amount(self, chips: float) -> Amount:
        """The worth of chips; infinite for ``DEEP``."""
        if chips == DEEP:
            return Decimal("inf")
        money = Decimal(str(chips)) * self.unit
        return int(money) if money == money.to_integral_value() else money

    def row(self, chips: Iterable[float]) -> list[Amount]:
        """The worth of each of several amounts."""
        return [self.amount(each) for each in chips]


def amount_of(word: str) -> Amount:
    """Read an amount as people write it, with a currency, a decimal point or comma, and grouped thousands.

    Of one separator alone, three digits behind it are thousands.

    Raises
    ------
    Refused
        Something else, or more than 12 digits before the point or 9 behind it.

    Examples
    --------
    >>> [amount_of(word) for word in ("12", "0.25", "$1,234.50", "1 234,50 €", "1.234.567", "2,500")]
    [12, Decimal('0.25'), Decimal('1234.50'), Decimal('1234.50'), 1234567, 2500]
    """
    if plain := _PLAIN.fullmatch(word):
        return Decimal(word) if plain[1] else int(word)
    digits = _CURRENCY.sub("", _BETWEEN.sub("", word[:40]))
    if plain := _PLAIN.fullmatch(digits.replace(",", ".")):
        parts = digits.replace(",", ".").split(".")
        if len(parts) == 1 or len(parts[1]) != 3 or parts[0] == "0":
            return Decimal(".".join(parts)) if len(parts) == 2 else int(digits)
    if grouped := _GROUPED.fullmatch(digits):
        mark = grouped[1] or ""
        whole = digits.replace(mark, "") if mark else digits
        return Decimal(whole.replace(",", ".")) if {",", "."} & set(whole) else int(whole)
    raise Refused("bad amount", f"{word[:40]!r}")


def is_infinite(amount: object) -> bool:
    """Whether a stack is infinite."""
    return isinstance(amount, Decimal) and amount.is_infinite() and amount > 0


def _ratio(amount: object) -> tuple[int, int]:
    """A finite amount as a reduced fraction."""
    if isinstance(amount, str):
        amount = amount_of(amount)
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise Refused("bad amount", f"{str(amount)[:40]!r}")
    if isinstance(amount, Decimal):
        exponent = amount.as_tuple().exponent
        # The size is tested before the conversion, which would write out every nought of 1e999999999.
        if not isinstance(exponent, int) or not -9 <= exponent <= 12 or amount.adjusted() > 12:
            raise Refused("bad amount", f"{str(amount)[:40]!r}")
    return amount.as_integer_ratio()
