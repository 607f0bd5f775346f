"""Names and messages from files reach no terminal raw: a property of every command that prints them."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout, suppress
from unicodedata import category

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baycarp.api.printing import Console, as_text, cell_text, grid
from baycarp.cli import main
from baycarp.cli.program import printable
from baycarp.files import as_csv, parse_csv, plain_text, plain_values

HOSTILE = (
    "\x1b\x07\x08\x7f\x9b\r\u200b\u200d\u200e\u202a\u202e\u2028\u2029\u2066\u2069\ufeff\u3164\ue000\U000e0041"
)
NAMES = st.text(st.sampled_from(HOSTILE) | st.sampled_from("AñЖ李ي한[]|<&;'") | st.characters(), max_size=12)
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

HAND = """variant = "FT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100]
actions = ["d dh p1 AhKd", "d dh p2 7c7d", "p2 cc", "p1 cc", "d db Qs7h2c", "p1 cc", "p2 cbr 2", "p1 f"]
"""

COMMANDS = (
    ("stats", "FILE"),
    ("decide", "FILE", "--hand", "1", "--street", "flop", "--agent", "rule"),
    ("play", "call", "--again", "FILE", "--terminal", "--adviser", "rule"),
    ("convert", "FILE", "OUT"),
    ("review", "FILE", "--player", "NAME", "--judge", "rule"),
    ("inspect", "bn", "--model", "NAME"),
    ("match", "NAME", "call", "--deals", "1"),
    ("table", "NAME", "call", "--hands", "1"),
    ("tournament", "NAME", "call", "--deals", "1"),
    ("equity", "NAME", "TT"),
    ("solve", "NAME", "--until", "1"),
    ("exploit", "NAME"),
    ("memory", "export", "NAME", "OUT"),
    ("agents", "NAME"),
)
"""Where a name or a path is printed, in a result or in the reason of a refusal."""


def seen(command, folder, name):
    """What a command prints about a hand with a player of this name, or about the name itself."""
    file = folder / "hands.phh"
    players = json.dumps(["You", name or "x"]).encode("ascii", "surrogatepass").decode()
    file.write_text(f"{HAND}players = {players}\n", "utf-8")
    words = {"FILE": str(file), "OUT": str(folder / "out.phhs"), "NAME": f"x{name}"}
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors), pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("sys.stdin", io.StringIO())
        with suppress(SystemExit):
            main([words.get(word, word) for word in command])
    return printed.getvalue() + errors.getvalue()


def misleading(text):
    return {character for character in text if category(character) in HIDDEN and character not in "\n\t"}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_prints_a_misleading_character(command, tmp_path_factory):
    folder, texts = tmp_path_factory.mktemp("names"), []

    @settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(NAMES)
    def is_plain(name):
        texts.append(seen(command, folder, name))
        assert misleading(texts[-1]) == set()

    is_plain()
    assert any(texts)


def test_the_names_are_there_and_without_the_door_they_are_raw(tmp_path, monkeypatch):
    assert "Жаба\\u202e\\x1b" in seen(COMMANDS[0], tmp_path, "Жаба\u202e\x1b")
    monkeypatch.setattr("baycarp.cli.program.plain_text", lambda text: text)
    assert misleading(seen(("equity", "NAME", "TT"), tmp_path, "\u202e\x1b")) == {"\u202e", "\x1b"}


@given(st.text())
def test_text_is_escaped_once_and_letters_stay(text):
    plain = plain_text(text)
    assert misleading(plain) == set()
    assert plain_text(plain) == plain
    if all(category(each)[0] in "LNPS" and each.isascii() for each in text):
        assert plain == text
    assert plain_values({text: [text, 1]}) == {plain: [plain, 1]}


@pytest.mark.parametrize("text", ["Ångström", "Пётр", "李小龙", "محمد", "नरेन्द्र", "한국어", "½ €", "a\tb\nc"])
def test_letters_of_every_script_stay(text):
    assert plain_text(text) == text


@given(NAMES)
def test_a_console_escapes_what_it_is_given(name):
    table = grid("name", title=cell_text(name))
    table.add_row(name.replace("[", ""))
    assert misleading(as_text([table, name])) == set()
    file = io.StringIO()
    Console(file=file, force_terminal=True, color_system="standard").print(
        name, style="red", markup=False, highlight=False
    )
    assert misleading(file.getvalue()) <= {"\x1b"}  # the console's own
    assert file.getvalue().count("\x1b") in (0, 2, 4) or "\n" in name


def test_a_console_of_a_command_may_command_the_terminal():
    below = io.StringIO()
    with redirect_stdout(below), printable():
        Console(force_terminal=True, color_system="standard").print("x", style="red")
        print("\x1b[2J")
    assert below.getvalue() == "\x1b[31mx\x1b[0m\n\\x1b[2J\n"


FORMULAS = st.text(st.sampled_from("=+-@'\t\r\n ,\";a1"), max_size=6)


@given(st.lists(FORMULAS, min_size=1, max_size=4))
def test_csv_for_a_spreadsheet_runs_nothing_and_reads_back_equal(texts):
    records = [{"name": text, "number": -1.5, f"{text}=": 0} for text in texts]
    lines = io.StringIO(as_csv(records, spreadsheet=True), newline="")
    rows = list(parse_csv(lines))
    run = ("=", "+", "-", "@", "\t", "\r")
    assert not any(field.startswith(run) for row in rows for field in row if field != "-1.5")
    lines.seek(0)
    head, *rows = parse_csv(lines, spreadsheet=True)
    assert [row[0] for row in rows] == texts
    assert head == list(dict.fromkeys(name for record in records for name in record))
