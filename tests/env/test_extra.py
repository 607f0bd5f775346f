"""Without the libraries the package still imports, and each class names what installs it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("HandEnv", "gymnasium"),
        ("HandsEnv", "gymnasium"),
        ("TableEnv", "pettingzoo"),
        ("SpielBot", "pyspiel"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(name, library):
    code = (
        f"import sys; sys.modules[{library!r}] = None; import baycarp.env\n"
        f"assert {name!r} in dir(baycarp.env)\n"
        f"try: baycarp.env.{name}\nexcept ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    text = f"baycarp.env.{name} needs {library}: pip install 'baycarp[rl]' (in a clone '.[rl]')\n"
    assert done.stdout == text
