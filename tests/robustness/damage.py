"""Accidents that happen to messages (flipped, cut, repeated, spliced, nested) and to the bytes of a file."""

import random
from collections.abc import Callable, Sequence
from functools import partial

from hypothesis import strategies as st

__all__ = ["damaged", "damaged_bytes", "damaged_message"]

PAGE = 512
"""Bytes that a disk loses or exchanges at once."""

_STRANGE = (
    "\x00\x01\n\r\t\x7f\x80\xa0\u0301\u0660\u200b\u202e\u2028\ud800\ufeff\U0001f0a1²Ⅷ {}[]()'\"\\/|:;,.#%+-=?"
)
_HUGE = ("-1", "0", "00", "255", "4294967296", "1e999999999", "nan", "9" * 20, "9" * 400, "1" + "0" * 5000)


def damaged(good):
    """Good messages after one to four accidents: a strategy."""
    return st.randoms(use_true_random=True).map(partial(damaged_message, good))


def damaged_message(good: Sequence[str], draw: random.Random) -> str:
    """A good message after one to four accidents."""
    message = draw.choice(good)
    for _ in range(1 + min(int(draw.expovariate(1.0)), 3)):
        message = draw.choice(_ACCIDENTS)(message, draw, good)
    return message


def _span(message: str, draw: random.Random) -> tuple[int, int]:
    start = draw.randint(0, len(message))
    return start, min(start + 1 + int(draw.expovariate(0.2)), len(message))


def _flip(message: str, draw: random.Random, good: Sequence[str]) -> str:
    at, end = _span(message, draw)
    return message[:at] + _letter(message, draw) * (end > at) + message[at + 1 :]


def _insert(message: str, draw: random.Random, good: Sequence[str]) -> str:
    at, _ = _span(message, draw)
    return message[:at] + _letter(message, draw) * draw.choice((1, 1, 1, 2, 40)) + message[at:]


def _letter(message: str, draw: random.Random) -> str:
    """A strange one, an odd one, or one that has its place elsewhere."""
    return draw.choice((draw.choice(_STRANGE), chr(draw.randint(32, 126)), draw.choice(message or "?")))


def _delete(message: str, draw: random.Random, good: Sequence[str]) -> str:
    at, end = _span(message, draw)
    return message[:at] + message[end:]


def _duplicate(message: str, draw: random.Random, good: Sequence[str]) -> str:
    at, end = _span(message, draw)
    return message[:at] + message[at:end] * draw.choice((2, 2, 3, 100, 2000)) + message[end:]


def _truncate(message: str, draw: random.Random, good: Sequence[str]) -> str:
    return message[: draw.randint(0, len(message))]


def _splice(message: str, draw: random.Random, good: Sequence[str]) -> str:
    other = draw.choice(good)
    return message[: draw.randint(0, len(message))] + other[draw.randint(0, len(other)) :]


def _huge(message: str, draw: random.Random, good: Sequence[str]) -> str:
    """A number that does not fit, where one stood."""
    digits = [at for at, letter in enumerate(message) if letter.isdecimal()] or [0]
    at = end = draw.choice(digits)
    while end < len(message) and message[end].isdecimal():
        end += 1
    return message[:at] + draw.choice(_HUGE) + message[end:]


def _nest(message: str, draw: random.Random, good: Sequence[str]) -> str:
    at, end = _span(message, draw)
    left, right = draw.choice(("[]", "()", "{}", "''", "-0", "0("))
    depth = draw.choice((1, 3, 200, 20_000))
    return message[:at] + left * depth + message[at:end] + right * draw.choice((depth, 0)) + message[end:]


_ACCIDENTS = (_flip, _insert, _delete, _duplicate, _truncate, _splice, _huge, _nest)


def damaged_bytes(good):
    """The content of a file after one accident: a strategy."""
    return st.randoms(use_true_random=True).map(lambda draw: draw.choice(_TO_BYTES)(good, draw))


def _flip_bytes(good: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + bytes([good[at] ^ 1 << draw.randrange(8)]) + good[at + 1 :]


def _cut_bytes(good: bytes, draw: random.Random) -> bytes:
    return good[: draw.randrange(len(good))]


def _noise_bytes(good: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + _noise(draw, min(30, len(good) - at)) + good[at + 30 :]


def _zeros_bytes(good: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(0, len(good), PAGE)
    return good[:at] + bytes(min(PAGE, len(good) - at)) + good[at + PAGE :]


def _copy_bytes(good: bytes, draw: random.Random) -> bytes:
    """One page in another's place; the content may be the same."""
    source, at = (draw.randrange(0, len(good), PAGE) for _ in range(2))
    return good[:at] + good[source : source + PAGE] + good[at + PAGE :]


def _lose_bytes(good: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + good[at + draw.choice((1, 8, PAGE)) :]


def _append_bytes(good: bytes, draw: random.Random) -> bytes:
    return good + draw.choice((b"\x00", b"\n", _noise(draw, 30)))


def _noise(draw: random.Random, number: int) -> bytes:
    return bytes(draw.randrange(256) for _ in range(number))


_TO_BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip_bytes, _flip_bytes, _flip_bytes, _cut_bytes, _noise_bytes, _zeros_bytes, _copy_bytes,
    _lose_bytes, _append_bytes,
)  # fmt: skip
