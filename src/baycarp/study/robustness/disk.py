"""A disk that fails: each write, truncation and sync of a case store in turn."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from baycarp.study.robustness.clone import NEEDS_CLONE, clone, from_tests, missing
from baycarp.study.robustness.gate import Result, Share

__all__ = ["CALLS", "faulty_disk", "needs_disk"]

CALLS = 96
"""Calls that fail in turn: more than a run of the tests' script makes."""


def needs_disk() -> str:
    """What is missing to make a disk fail."""
    if clone() is None:
        return NEEDS_CLONE
    if shutil.which("cc") is None or not sys.platform.startswith("linux"):
        return "needs a C compiler and Linux"
    return missing("pytest")


def faulty_disk(share: Share) -> Result:
    """A share of the faults: the n-th call fails, once or from then on, for an error or want of space."""
    tests, result = from_tests("test_store_faults", ["cases"]), Result()
    kinds = len(tests.DISKS)
    with TemporaryDirectory() as folder:
        library = Path(folder, "faulty_disk.so")
        source = tests.HERE / "faulty_disk.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        _, calls = tests.run(library, tests.made(Path(folder, "healthy")) / "cases.sqlite", 0)
        for number in share:
            result.done += 1
            at = 1 + number // kinds
            if at > calls:
                result.counts["beyond the last call"] += 1
                continue
            try:
                tests.fail_at(
                    library, tests.made(Path(folder, str(number))), at, *tests.DISKS[number % kinds]
                )
            except AssertionError as error:
                result.find("losses", f"call {at}, {tests.DISKS[number % kinds]}: {str(error)[:160]!r}")
            result.counts["calls that failed"] += 1
    if calls > CALLS:
        result.find("other", f"the script makes {calls} calls: expected at most {CALLS}")
    return result
