"""Commands that are killed, share a folder, or fill their disk: nothing is lost, and what loses is found."""

import pytest

from experiments.gates import disk, kills
from experiments.gates.gate import Share
from experiments.gates.victims import VICTIMS, Victim

pytestmark = pytest.mark.skipif(bool(disk.needs_disk()), reason=disk.needs_disk() or "-")

FAST = ("convert",)
OTHERS = tuple(name for name in VICTIMS if name not in FAST)

every = pytest.mark.parametrize(
    "name", [*FAST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)


@every
def test_a_killed_command_goes_on_to_the_same_bytes(name):
    result = kills.killed(VICTIMS[name], Share(0, 5))
    assert (result.done, result.found) == (5, {}), result.examples
    assert result.counts["after the first recorded work"] == 4
    assert sum(result.counts.values()) == 5


@every
def test_a_command_whose_disk_is_full_says_so_and_goes_on(name):
    result = kills.filled(VICTIMS[name], Share(0, 5))
    assert (result.done, result.found) == (5, {}), result.examples
    assert result.counts["said so in a line"] >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", VICTIMS)
def test_of_two_processes_in_one_folder_one_works(name):
    result = kills.together(VICTIMS[name])
    assert result.found == {}, result.examples


FORGETFUL = """
import sys, time
from pathlib import Path
folder, kind = Path(sys.argv[1]), sys.argv[2]
done, begun = folder / "done", folder / "begun"
begun_before = begun.exists() and not done.exists()
folder.mkdir(exist_ok=True)
begun.write_text("work")
if not done.exists():
    time.sleep(0.3)
    part = folder / "part"
    part.write_text("begun before" if begun_before and kind == "forgets" else "whole")
    part.replace(done)
print(done.read_text() if kind != "ends" else begun_before or done.exists())
if kind == "ends":
    done.write_text(str(time.time()))
    print(time.time())
"""


@pytest.mark.parametrize("kind", ["forgets", "ends", "remembers"])
@pytest.mark.slow
def test_a_command_that_leaves_something_else_is_found(kind, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(FORGETFUL)
    victim = Victim(lambda seed, folder: [str(program), str(folder), kind], lambda out, folder: out)
    result = kills.killed(victim, Share(0, 4))
    assert result.done == 4
    assert bool(result.found) is (kind != "remembers")  # a kill may fall behind the last write


def test_a_command_that_does_not_go_on_is_found():
    assert kills.killed(VICTIMS["convert"], Share(0, 2), goes_on=False).found["other"] > 0
