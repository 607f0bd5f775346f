"""Accidents that happen to files: bits flip, pages move, the end is missing."""

from collections.abc import Callable
from random import Random

__all__ = ["damaged_bytes"]

PAGE = 512
"""Bytes that a disk loses or exchanges at once."""


def damaged_bytes(good: bytes, seed: str) -> bytes:
    """The content of a file after one accident."""
    draw = Random(seed)
    return draw.choice(_ACCIDENTS)(good, draw)


def _flip(good: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + bytes([good[at] ^ 1 << draw.randrange(8)]) + good[at + 1 :]


def _cut(good: bytes, draw: Random) -> bytes:
    return good[: draw.randrange(len(good))]


def _noise(good: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + draw.randbytes(min(30, len(good) - at)) + good[at + 30 :]


def _zeros(good: bytes, draw: Random) -> bytes:
    at = draw.randrange(0, len(good), PAGE)
    return good[:at] + bytes(min(PAGE, len(good) - at)) + good[at + PAGE :]


def _copy(good: bytes, draw: Random) -> bytes:
    """One page in another's place; the content may be the same."""
    source, at = (draw.randrange(0, len(good), PAGE) for _ in range(2))
    return good[:at] + good[source : source + PAGE] + good[at + PAGE :]


def _lose(good: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(good))
    return good[:at] + good[at + draw.choice((1, 8, PAGE)) :]


def _append(good: bytes, draw: Random) -> bytes:
    return good + draw.choice((b"\x00", b"\n", draw.randbytes(30)))


_ACCIDENTS: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flip, _flip, _flip, _cut, _noise, _zeros, _copy, _lose, _append
)  # fmt: skip
