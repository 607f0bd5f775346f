"""Output in encodings that lack characters."""

import io
import os
import subprocess
import sys

import pytest

from baycarp.cli.program import printable

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
MATCH = ("match", "random", "call", "--game", "holdem.limit.2p.reverse_blinds", "--deals", "6")


@pytest.mark.skipif(os.name != "posix", reason="has the C locale")
@pytest.mark.parametrize("command", [MATCH, ("inspect", "bn")])
def test_a_command_prints_in_an_ascii_locale(tmp_path, command):
    out = ["--out", str(tmp_path)] if command is MATCH else []
    done = subprocess.run(
        [sys.executable, "-m", "baycarp", *command, *out], capture_output=True, env=os.environ | ASCII
    )
    assert (done.returncode, done.stderr.count(b"Traceback")) == (0, 0)
    assert done.stdout.isascii()
    assert (b" +- " in done.stdout) is (command is MATCH)


@pytest.mark.parametrize(
    ("encoding", "text", "printed"),
    [
        ("utf-8", "±0.5 Peña █", "±0.5 Peña █"),
        ("latin-1", "±0.5 Peña █", "±0.5 Peña #"),
        ("ascii", "±0.5 Peña █", "+-0.5 Pena #"),
        ("ascii", "a─┤ 3² µs ≠ \udcff €", "a-+ 32 us != \\udcff ?"),
    ],
)
def test_what_an_encoding_lacks_is_printed_in_ascii(monkeypatch, encoding, text, printed):
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    with printable():
        print(text, end="", flush=True)
    assert data.getvalue().decode(encoding) == printed
