"""A disk that fails: each write, truncation and sync of a case store, a journal or a model in turn."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from baycarp.arena.journal import Journal
from baycarp.errors import BaycarpError
from baycarp.strategies.model import MANIFEST, SHIPPED, load_model
from experiments.gates.clone import NEEDS_CLONE, clone, from_tests, missing
from experiments.gates.gate import NO_TRY, Result, Share

__all__ = ["CALLS", "faulty_disk", "hasty", "needs_disk"]

CALLS = {"case store": 96, "journal": 24, "model": 64}
"""Calls that fail in turn: more than a run of the script of each makes."""

JOURNAL = """
import sys
from pathlib import Path
from baycarp.arena.journal import Journal
try:
    with Journal(Path(sys.argv[1]), {"seed": 1}) as journal:
        for n in range(6):
            try:
                journal.append((n,), {})
                print("kept", n, flush=True)
            except OSError:
                print("failed", n)
except OSError:
    print("refused")
"""
"""Appends six records, and prints the outcome of each; what is printed as kept must be in the file."""

MODEL = """
import sys
from baycarp.strategies.model import SHIPPED, load_model, save_model
shipped = load_model(SHIPPED)
for hands in range(1, 4):
    try:
        save_model(sys.argv[1], shipped.of_first(hands), "a disk that fails", hands)
        print("kept", hands, flush=True)
    except OSError:
        print("failed", hands, flush=True)
"""
"""Writes a model three times, each with the cases of one more hand; its seed is the number of hands."""


HASTY = {
    "case store": ('print("failed", n, error', 'print("kept", n, n'),
    "journal": ('print("failed", n)', 'print("kept", n)'),
    "model": (
        "import sys\n",
        """import sys
from contextlib import contextmanager
from pathlib import Path
import baycarp.strategies.model as models
@contextmanager
def in_place(folder, last):
    Path(folder).mkdir(exist_ok=True)
    yield Path(folder)
models.written_together = in_place
""",
    ),
}
"""What is planted in a script: outcomes are reported as kept that were not; the files of a model are replaced
one by one."""

WHERE = {"case store": Share(200, 202), "journal": Share(12, 20), "model": Share(101, 104)}
"""Faults that find it."""


def hasty(name: str, share: Share) -> Result:
    """Some of the faults with the planted one."""
    return faulty_disk(name, replace(WHERE[name], seed=share.seed), HASTY[name])


def needs_disk() -> str:
    """What is missing to make a disk fail."""
    if clone() is None:
        return NEEDS_CLONE
    if shutil.which("cc") is None or not sys.platform.startswith("linux"):
        return "needs a C compiler and Linux"
    return missing("pytest")


def faulty_disk(name: str, share: Share, planted: tuple[str, str] = ("", "")) -> Result:
    """A share of the faults: the n-th call fails, once or from then on, for an error or want of space."""
    tests, result = from_tests("test_store_faults", ["cases"]), Result()
    with TemporaryDirectory() as folder:
        library = Path(folder, "faulty_disk.so")
        source = tests.HERE / "faulty_disk.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        script = {"journal": JOURNAL, "model": MODEL}.get(name, tests.SCRIPT).replace(*planted, 1)
        fail = {"journal": _fail_journal, "model": _fail_model}.get(name, _fail_store)
        healthy = tests.made(Path(folder, "healthy")) / "healthy.sqlite"
        _, calls = tests.run(library, healthy, 0, script=script)
        for number in share:
            result.done += 1
            at, disk = 1 + number // len(tests.DISKS), tests.DISKS[number % len(tests.DISKS)]
            if at > calls:
                result.counts[NO_TRY] += 1
                continue
            try:
                run = partial(tests.run, library, script=script)
                fail(tests, run, tests.made(Path(folder, str(number))), at, disk)
            except (AssertionError, BaycarpError) as error:
                result.find("losses", f"call {at}, {disk}: {str(error)[:160]!r}")
            result.counts["calls that failed"] += 1
    if calls > CALLS[name]:
        result.find("other", f"the script makes {calls} calls: expected at most {CALLS[name]}")
    return result


Disk = tuple[int, bool]
"""Number of the error, and whether all later calls fail too."""


Run = Callable[..., tuple[list[list[str]], int]]
"""Runs a script on a path, with a fault."""


def _fail_store(tests: ModuleType, run: Run, folder: Path, at: int, disk: Disk) -> None:
    tests.fail_at(run, folder, at, *disk)


def _fail_journal(_tests: ModuleType, run: Run, folder: Path, at: int, disk: Disk) -> None:
    path = folder / "match.journal"
    outcomes, _ = run(path, at, *disk)
    kept = {int(words[1]) for words in outcomes if words[0] == "kept"}
    with Journal(path, {"seed": 1}) as journal:
        found = {unit[0] for unit in journal.records}
    assert kept <= found, f"kept {kept}, found {found}"


def _fail_model(_tests: ModuleType, run: Run, folder: Path, at: int, disk: Disk) -> None:
    path = folder / "model"
    outcomes, _ = run(path, at, *disk)
    written = [words[0] == "kept" for words in outcomes]
    whole = [hands for hands, kept in enumerate(written, 1) if kept][-1:]  # the last that was acknowledged
    if not whole and not (path / MANIFEST).exists():
        return
    found = load_model(path)
    seed = found.manifest["seed"]
    # a model may be in place although the sync of its folder failed
    assert seed in whole or not written[seed - 1], f"outcomes {written}, found the model of {seed} hands"
    assert not whole or seed >= whole[0], f"outcomes {written}, found the model of {seed} hands"
    expected = load_model(SHIPPED).of_first(seed).casebases
    assert {name: len(base) for name, base in found.casebases.items()} == {
        n: len(b) for n, b in expected.items()
    }
