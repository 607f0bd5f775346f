"""The one-pass reader of PHH and tomllib give the same fields, whatever is done to the text."""

import random
import tomllib
from decimal import Decimal

import pytest
from robustness.parsers import random_played

from baycarp.errors import BaycarpError
from baycarp.game import Variant
from baycarp.game.notation.hand import Refused
from baycarp.game.notation.phh import format_phh
from baycarp.game.notation.phh_reader import hand_of
from baycarp.game.notation.phh_text import fields, plain_fields

AS_PEOPLE_WRITE = """
# A comment, with 'quotes' and [brackets]
variant = 'NT'  # no-limit
ante_trimming_status = true
antes = [0.50, 0.50, 0.50]
blinds_or_straddles = [1, 2, 0, ]
min_bet = 2
starting_stacks = [200, 150.25, 1000]
actions = [
  # Pre-flop

  "d dh p1 AcAd",  # Ann
  'd dh p2 ????',
  "d dh p3 ????",
  "p3 f",
  "p1 cbr 8 # leads out",
  "p2 f"
]
author = "Ann O'Hara"
day = 22
time = 12:30:00
hand = "7-a"
players = ["Ann", "Bob", "Chloé #1"]
_hero = 1
"""
WORDS = [*"0123456789.,[]{}'\"=#pdcbrf?-+_\\\t\r\n eainfé\x00\x7f", "'''", '"""', "\r\n", "inf", "1e5", "[1]"]


def texts():
    rings = (Variant.ring(2, betting="no-limit", stacks=(90, 300)), Variant.ring(6, ante=1), Variant.ring(3))
    yield AS_PEOPLE_WRITE
    for ring in rings:
        yield from map(format_phh, random_played(ring, 5))


def mutated(text, rng):
    for _ in range(rng.randint(1, 3)):
        at, kind = rng.randrange(len(text) + 1), rng.randrange(4)
        drop = rng.randint(1, 12) if kind == 1 else int(kind == 0)
        put = rng.choice(WORDS) if kind != 1 else ""
        if kind == 3:  # a line twice, or elsewhere
            rows = text.split("\n")
            rows.insert(rng.randrange(len(rows)), rng.choice(rows))
            text = "\n".join(rows)
        else:
            text = text[:at] + put + text[at + drop :]
    return text


def by_tomllib(body):
    try:
        return tomllib.loads(body, parse_float=Decimal)
    except ValueError:
        return None


def outcome(found):
    try:
        return hand_of(found, "1")
    except BaycarpError as error:
        return str(error)


def compare(body):
    """Both readers' fields, and hands, are equal; returns whether the text was plain."""
    plain, right = plain_fields(body), by_tomllib(body)
    if plain is None:
        return False
    assert repr(plain) == repr(right), body  # an int is not a Decimal here
    assert outcome(plain) == outcome(right)
    return True


def test_texts_that_programs_write_are_plain():
    assert all(compare(text) for text in texts())


def test_what_is_not_plain_is_read_by_tomllib():
    for other in ('"7\\u002da"', "'''7-a'''"):
        body = AS_PEOPLE_WRITE.replace('"7-a"', other)
        assert plain_fields(body) is None
        assert fields(body) == fields(AS_PEOPLE_WRITE)
    assert fields(AS_PEOPLE_WRITE.replace("\n", "\r\n"))["hand"] == "7-a"
    with pytest.raises(Refused, match="broken fields: Invalid value"):
        fields("variant = \n")


def mutations(count, seed):
    rng = random.Random(seed)
    samples = list(texts())
    return sum(compare(mutated(rng.choice(samples), rng)) for _ in range(count))


def test_mutated_texts_give_equal_hands():
    assert 300 < mutations(2000, 1) < 1500


@pytest.mark.slow
def test_fifty_thousand_mutated_texts_give_equal_hands():
    assert mutations(50_000, 2) > 8_000
