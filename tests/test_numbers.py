"""Numbers of texts are ASCII decimals: digits of other scripts, and ``1_0``, are no numbers."""

import ast
import re
from pathlib import Path

import pytest

import baycarp
from baycarp.files import decimal_text
from baycarp.game.notation.door import read
from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.amounts import amount, plain_amount

SOURCE = Path(baycarp.__file__).parent
ROOMS = Path(__file__).parent / "game" / "notation" / "rooms"
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

NEITHER = re.compile(r"\[\^[^\]]*\]|\(\?<?!\\d\)")
"""What no digit of any script may stand at."""
TESTS = {"isdigit", "isdecimal", "isnumeric"}


def other_digits(text):
    """Lines of a source that take a digit of another script for one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if r"\d" in NEITHER.sub("", node.value):
                yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in TESTS:
            yield node.lineno


def test_no_source_takes_a_digit_of_another_script_for_one():
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in other_digits(path.read_text("utf-8"))
    ]
    assert not found, found


@pytest.mark.parametrize("text", [r"r'\d+'", r"r'[\d.]'", r"rf'\d{{1,2}}{x}'", "x.isdigit()", r"r'(?=\d)'"])
def test_a_source_that_does_is_found(text):
    assert list(other_digits(text)) == [1]
    assert not list(other_digits(r"r'[^\d\s]{0,4}[0-9](?!\d)'"))


@pytest.mark.parametrize("read_amount", [amount, plain_amount])
@pytest.mark.parametrize("text", ["٣", "٣5", "5٣", "15٣", "1٣K", "$1,٢34.50", "12٣5"])
def test_an_amount_with_another_digit_is_refused(read_amount, text):
    with pytest.raises(Refused, match="bad amount"):
        read_amount(text)


@pytest.mark.parametrize("text", ["1_0", "٣", "1٣", "１"])
def test_a_number_of_python_alone_is_refused(text):
    assert float(text) > 0
    with pytest.raises(ValueError, match="ASCII decimal"):
        decimal_text(text)


def hands(path, text):
    path.write_text(text, "utf-8")
    return {hand.id: hand for hand in read(path, refusal=lambda refused: None)}


@pytest.mark.parametrize("room", sorted(path.name for path in ROOMS.iterdir()))
def test_a_seat_in_another_script_is_no_seat(room, tmp_path):
    text = (ROOMS / room).read_text("utf-8")
    found = re.compile(r"""((?:Seat |seat="|#)\+?)([0-9]{1,2})(?=[: "])""")
    other = found.sub(lambda seat: seat[1] + seat[2].translate(ARABIC), text)
    before, after = hands(tmp_path / room, text), hands(tmp_path / f"other-{room}", other)
    assert before
    assert other != text
    assert not [number for number in after if str(after[number]) == str(before[number])]
