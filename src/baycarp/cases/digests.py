"""The digests of a case store's rows: CRC-32 over the values of all columns."""

from struct import Struct
from typing import Any
from zlib import crc32

__all__ = ["case_digest", "symbol_digest", "tried_digest"]

_case, _symbol, _tried = Struct("<qqdq"), Struct("<qq"), Struct("<qqqd")


def case_digest(base: str, *row: Any) -> int:
    """Of a row of ``cases``: id, numbers, codes, symbols, solution, outcome, provenance, merged."""
    id, numbers, codes, symbols, solution, outcome, provenance, merged = row
    values = _case.pack(id, solution, outcome, merged)
    return crc32(b"".join((base.encode(), values, numbers, codes, symbols, provenance)))


def symbol_digest(base: str, feature: int, code: int, symbol: str) -> int:
    """Of a row of ``symbols``."""
    return crc32(b"".join((base.encode(), _symbol.pack(feature, code), symbol.encode())))


def tried_digest(base: str, *row: Any) -> int:
    """Of a row of ``tried``: id, solution, count, outcomes."""
    return crc32(base.encode() + _tried.pack(*row))
