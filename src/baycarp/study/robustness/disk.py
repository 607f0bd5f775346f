"""A disk that fails: each write, truncation and sync of a case store or a journal in turn."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from baycarp.arena.journal import Journal
from baycarp.errors import BaycarpError
from baycarp.study.robustness.clone import NEEDS_CLONE, clone, from_tests, missing
from baycarp.study.robustness.gate import Result, Share

__all__ = ["CALLS", "faulty_disk", "needs_disk"]

CALLS = {"case store": 96, "journal": 24}
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
        script = JOURNAL if name == "journal" else tests.SCRIPT
        healthy = tests.made(Path(folder, "healthy")) / "healthy.sqlite"
        _, calls = tests.run(library, healthy, 0, script=script)
        for number in share:
            result.done += 1
            at, disk = 1 + number // len(tests.DISKS), tests.DISKS[number % len(tests.DISKS)]
            if at > calls:
                result.counts["beyond the last call"] += 1
                continue
            fail = _fail_journal if name == "journal" else _fail_store
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
