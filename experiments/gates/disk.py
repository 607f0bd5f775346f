"""A disk that fails: each write, truncation and sync of a case store, a journal or a model in turn."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from baycarp.arena.journal import Journal
from baycarp.errors import BaycarpError
from baycarp.strategies.model import MANIFEST, SHIPPED, load_model
from experiments.gates.clone import NEEDS_CLONE, clone, from_tests, missing
from experiments.gates.gate import Result, Share

__all__ = ["CALLS", "faulty_disk", "needs_disk"]

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


def needs_disk() -> str:
    """What is missing to make a disk fail."""
    if clone() is None:
        return NEEDS_CLONE
    if shutil.which("cc") is None or not sys.platform.startswith("linux"):
        return "needs a C compiler and Linux"
    return missing("pytest")


def faulty_disk(name: str, share: Share) -> Result:
    """A share of the faults: the n-th call fails, once or from then on, for an error or want of space."""
    tests, result = from_tests("test_store_faults", ["cases"]), Result()
    with TemporaryDirectory() as folder:
        library = Path(folder, "faulty_disk.so")
        source = tests.HERE / "faulty_disk.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        script = {"journal": JOURNAL, "model": MODEL}.get(name, tests.SCRIPT)
        fail = {"journal": _fail_journal, "model": _fail_model}.get(name, _fail_store)
        healthy = tests.made(Path(folder, "healthy")) / "healthy.sqlite"
        _, calls = tests.run(library, healthy, 0, script=script)
        for number in share:
            result.done += 1
            at, disk = 1 + number // len(tests.DISKS), tests.DISKS[number % len(tests.DISKS)]
            if at > calls:
                result.counts["beyond the last call"] += 1
                continue
            try:
                fail(tests, library, tests.made(Path(folder, str(number))), at, disk)
            except (AssertionError, BaycarpError) as error:
                result.find("losses", f"call {at}, {disk}: {str(error)[:160]!r}")
            result.counts["calls that failed"] += 1
    if calls > CALLS[name]:
        result.find("other", f"the script makes {calls} calls: expected at most {CALLS[name]}")
    return result


Disk = tuple[int, bool]
"""Number of the error, and whether all later calls fail too."""


def _fail_store(tests: ModuleType, library: Path, folder: Path, at: int, disk: Disk) -> None:
    tests.fail_at(library, folder, at, *disk)


def _fail_journal(tests: ModuleType, library: Path, folder: Path, at: int, disk: Disk) -> None:
    path = folder / "match.journal"
    outcomes, _ = tests.run(library, path, at, *disk, script=JOURNAL)
    kept = {int(words[1]) for words in outcomes if words[0] == "kept"}
    with Journal(path, {"seed": 1}) as journal:
        found = {unit[0] for unit in journal.records}
    assert kept <= found, f"kept {kept}, found {found}"


def _fail_model(tests: ModuleType, library: Path, folder: Path, at: int, disk: Disk) -> None:
    path = folder / "model"
    outcomes, _ = tests.run(library, path, at, *disk, script=MODEL)
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
