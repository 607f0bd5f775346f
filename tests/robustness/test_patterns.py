"""No text makes a command hang: a pattern takes a time in proportion to what it reads, or the text is short.

Each text here took minutes where a pattern took the square or cube of it, and takes milliseconds; it is read
in a process of its own, which is given a minute.
"""

import re
import signal
import subprocess
import sys
from textwrap import indent

import pytest
from robustness import patterns

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer of a process here")


def run(*arguments, minutes=1):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60 * minutes, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_timer
def test_every_pattern_takes_a_time_in_proportion_to_its_text():
    assert run(patterns.__file__, minutes=10) == ""  # its own times are those of the processor


@needs_timer
@pytest.mark.parametrize("text", [r"[0-9]+\.?[0-9]*,", r"\s*(?P<name>.+?)\s*\("])
def test_a_pattern_that_takes_the_square_is_found(text):
    assert patterns.finding(patterns.Known("here", re.compile(text), frozenset({"match"})))


STARS = """PokerStars Hand #123456789:  Hold'em No Limit ($1/$2 USD) - 2010/01/01 12:00:00 ET
Table 'Foo' 6-max Seat #1 is the button
"""
PHH = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = [
"""
IPOKER = "<session sessioncode='1'><general><gametype>{}</gametype></general>"

HANDS = "from baycarp.game.notation import door\nlist(door.read_text({}, lambda refused: None))"
NETWORK = "from baycarp.bn.bif import parse_bif\nparse_bif({})"

TEXTS = {
    "blanks in a name": HANDS.format(f"{STARS!r} + ('Seat 1: ' + ' ' * 980 + 'x\\n') * 100"),
    "blanks after a stack": HANDS.format(f"{STARS!r} + ('Seat 1: a ($1' + ' ' * 980 + 'in\\n') * 100"),
    "digits of an interval": NETWORK.format("'variable A { type discrete [2] { (' + '1' * 100_000"),
    "comments without an end": NETWORK.format("'network x { property ' + '/* ' * 100_000"),
    "quotation marks": """from baycarp.files import parse_toml
parse_toml('a = ' + '.' * 16 + '"\\\\' * 100_000)""",
    "blanks after an action": HANDS.format(f"{PHH!r} + \"'a'\" + ' ' * 60_000 + 'x\\n]\\n'"),
    "blanks in a list of actions": HANDS.format(f"{PHH!r} + ' ' * 60_000 + 'x\\n]\\n'"),
    "blanks in the name of a game": HANDS.format(
        f"{IPOKER!r}.format('a' + ' ' * 200_000 + 'x') + '\\n' + '<game></game>\\n' * 9"
    ),
    "games of a long session": HANDS.format(
        f"{IPOKER!r}.format('a') + '<a>' * 80_000 + '\\n' + '<game></game>\\n' * 50_000"
    ),
    "days without a year": """from baycarp.game.notation.rooms.times import time_of
time_of('12:00 ' + 'Jan 1 ' * 50_000)""",
    "rows of one hand": """from baycarp.game.notation.irc import read_tables
rows = '1 1 1 2 a a a a\\n', '1 2 a b\\n', 'a 1 2 1 f - - - 1 1 1\\n'
list(read_tables(*(row * 10_000 for row in rows), lambda refused: None))""",
    "players of a huge table": HANDS.format(
        "'***** Hand History for Game 1 *****\\nTotal number of players : 1/999999\\n'"
        " + ''.join(f'p{n} posts big blind [$1]\\n' for n in range(1400))"
    ),
    "blanks of a condition": """from baycarp.arena.sequential import Until
Until.parse('a' + ' ' * 100_000 + 'b')""",
    "blanks before an agent": """from baycarp.agents.registry import parse
parse(' ' * 100_000 + ':')""",
    "blanks after a size": """from baycarp.solvers.spots.memory import memory_limit
memory_limit('1' + ' ' * 100_000 + 'x')""",
}
"""What is read, by what is repeated in it."""

BEGIN = """from contextlib import suppress
from baycarp.errors import BaycarpError
with suppress(BaycarpError, ValueError):
"""


@pytest.mark.parametrize("code", TEXTS.values(), ids=TEXTS)
def test_a_long_text_is_soon_refused(code):
    run("-c", BEGIN + indent(code, "    "))
