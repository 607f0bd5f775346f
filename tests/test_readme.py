"""The README's examples run, and print what it shows."""

import doctest
import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_examples_print_what_the_readme_shows():
    blocks = re.findall(r"```pycon\n(.*?)```", README.read_text("utf-8"), flags=re.S)
    assert blocks, "no example in the README"
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        example = doctest.DocTestParser().get_doctest(block, names, f"example {number}", str(README), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        assert runner.run(example, clear_globs=False).failed == 0
        names = example.globs
