"""The C core under sanitizers: the fuzz harness of a clone, and its threaded tests under ThreadSanitizer."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from experiments.gates.clone import NEEDS_CLONE, clone, environment, missing
from experiments.gates.gate import Result, Share

__all__ = ["fuzz", "needs_compiler", "needs_tsan", "planted_fuzz", "racing_threads", "threads"]

SECONDS = 600
"""Of one run of the fuzz harness, at most."""

THREADED = ("bn/test_plan.py", "cases/test_merged.py", "cases/test_retrieve.py", "cases/test_store.py")
"""Files of the tests that have tests with "thread" in their names."""


ROUNDS = 5
"""Rounds of one process: its start takes the time of a round."""

AGAIN = """
import sys, pytest
sys.exit(max(pytest.main(sys.argv[2:]) for _ in range(int(sys.argv[1]))))
"""
"""The tests that the arguments name, several times."""


def needs_compiler() -> str:
    """What is missing to build the harness."""
    if clone() is None:
        return NEEDS_CLONE
    absent = [tool for tool in ("cmake", "cc") if shutil.which(tool) is None]
    return f"needs {', '.join(absent)}" if absent else ""


def needs_tsan() -> str:
    """What is missing to build the bindings under ThreadSanitizer and to run the tests with them."""
    if hint := needs_compiler() or missing("pytest", "scikit_build_core", "Cython", "cython_cmake"):
        return hint
    return "" if _tsan().is_file() else "needs libtsan, of GCC"


def _tsan() -> Path:
    done = subprocess.run(["gcc", "-print-file-name=libtsan.so"], capture_output=True, text=True)
    return Path(done.stdout.strip())


def _built(name: str, *commands: list[str]) -> Path:
    """A folder of the clone in which some commands have built what has changed."""
    root = clone()
    assert root is not None
    folder = root / "build" / "gates" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        import fcntl  # POSIX only; the command line is imported everywhere

        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in commands:
            words = [word.format(root=root, folder=folder) for word in command]
            subprocess.run(words, check=True, capture_output=True)
    return folder


PLANTED = ("csrc/src/game.c", "payoffs[i] = -s->paid[i];", "payoffs[i + BC_SEATS] = -s->paid[i];")
"""A file of the core, and what is planted in it: a write beyond an array."""


def planted_fuzz(share: Share) -> Result:
    """The harness over a core with a planted fault."""
    root = clone()
    assert root is not None
    name, good, wrong = PLANTED
    with TemporaryDirectory() as folder:
        copy = Path(folder, "core")
        shutil.copytree(root / "csrc", copy / "csrc")
        shutil.copy(root / "CMakeLists.txt", copy)
        text = (copy / name).read_text("utf-8")
        assert good in text
        (copy / name).write_text(text.replace(good, wrong), "utf-8")
        return fuzz(share, str(Path(folder, "build")), str(copy))  # it is built where it is, each time


RACE = """
#include <stdint.h>
static uint64_t calls;
uint64_t planted(uint64_t times) { while (times--) calls++; return calls; }
"""
"""A kernel of which two threads write the same number."""

RACING = """
from concurrent.futures import ThreadPoolExecutor
from ctypes import CDLL, c_uint64

def test_threads():
    planted = CDLL({library!r}).planted
    planted.argtypes, planted.restype = [c_uint64], c_uint64
    with ThreadPoolExecutor(4) as threads:
        assert len(list(threads.map(planted, [10**4] * 8))) == 8
"""


def racing_threads(share: Share) -> Result:
    """The rounds of a threaded test that passes, of a kernel with a race: the planted fault."""
    with TemporaryDirectory() as folder:
        source, library, file = (Path(folder, name) for name in ("race.c", "race.so", "test_race.py"))
        source.write_text(RACE, "utf-8")
        words = ["gcc", "-g", "-O0", "-fsanitize=thread", "-shared", "-fPIC", "-o", str(library), str(source)]
        subprocess.run(words, check=True)
        file.write_text(RACING.format(library=str(library)), "utf-8")
        with patch(f"{__name__}.THREADED", [str(file)]):
            return threads(share)


def fuzz(share: Share, name: str = "fuzz", source: str = "{root}") -> Result:
    """A share of the seconds of the fuzz harness: libFuzzer with Clang, else the driver of ``csrc/fuzz``."""
    folder = _built(
        name,
        ["cmake", "-S", source, "-B", "{folder}", "-DBAYCARP_FUZZ=ON"],
        ["cmake", "--build", "{folder}", "--target", "fuzz_kernels"],
    )
    clang = "clang" in (folder / "CMakeCache.txt").read_text().lower()
    result = Result()
    for start, seconds in share.blocks(SECONDS):
        seed = f"{share.seed}{start:09}"
        given = [f"-max_total_time={seconds}", f"-seed={seed[-9:]}"] if clang else [str(seconds), seed]
        with TemporaryDirectory() as run:
            done = subprocess.run([folder / "fuzz_kernels", *given], cwd=run, capture_output=True, text=True)
            if done.returncode:
                kept = shutil.copytree(run, folder / f"failed-{start}", dirs_exist_ok=True)
                result.find("crashes", f"seconds {start}: {done.stderr.strip()[-120:]!r}; input in {kept}")
        result.done += seconds
        inputs = re.findall(r"(\d+) inputs", done.stdout) or re.findall(r"Done (\d+) runs", done.stderr)
        result.counts["inputs"] += int(inputs[-1]) if inputs else 0
        result.counts["seconds with " + ("libFuzzer" if clang else "the harness's own driver")] += seconds
    return result


def threads(share: Share) -> Result:
    """A share of the rounds of the threaded tests, on bindings that are built with ThreadSanitizer."""
    folder = _built(
        "tsan",
        [
            *[sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--no-build-isolation", "--no-deps"],
            *["--target", "{folder}/site", "-C", "build-dir={folder}/build"],
            *["-C", "cmake.define.CMAKE_C_FLAGS=-fsanitize=thread -g", "{root}"],
        ],
    )
    root = clone()
    assert root is not None
    first = (str(folder / "site"), str(root / "tests"))
    env = environment(*first, LD_PRELOAD=str(_tsan()), TSAN_OPTIONS="exitcode=66")
    tests = ["-q", "-s", "-p", "no:cacheprovider", "-k", "thread", *THREADED]
    result = Result()
    for number, rounds in share.blocks(ROUNDS):
        command = [sys.executable, "-c", AGAIN, str(rounds), *tests]
        done = subprocess.run(command, cwd=root / "tests", env=env, capture_output=True, text=True)
        races = done.stderr.count("WARNING: ThreadSanitizer") + done.stdout.count("WARNING: ThreadSanitizer")
        result.done += rounds
        result.counts["tests"] += sum(map(int, re.findall(r"(\d+) passed", done.stdout)))
        if races or done.returncode:
            result.find("crashes", f"rounds from {number}: {races} races, {done.stdout.strip()[-120:]!r}")
    return result
