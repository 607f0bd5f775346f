"""Sessions of a contributor (`nox -s NAME`); `.ci/run` is the whole check from nothing."""

import shutil
from pathlib import Path

import nox

nox.options.sessions = ["lint", "tests"]
nox.options.reuse_existing_virtualenvs = True

EPOCH = {"SOURCE_DATE_EPOCH": "1767225600"}  # the start of 2026: times in a wheel
REFERENCE = ("-C", "cmake.define.BAYCARP_REFERENCE=ON")


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format and types."""
    session.install(".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """The default tests; arguments after -- go to pytest."""
    session.install(*REFERENCE, ".[test]")
    session.run("python", "-m", "pytest", "-n", "2", "--dist", "loadfile", *session.posargs)


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


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation, warnings as errors."""
    session.install(".[docs]")
    session.run("sphinx-build", "-W", "docs", "build/docs")


@nox.session
def core(session: nox.Session) -> None:
    """The C core by itself, under AddressSanitizer and UBSan."""
    session.install("cmake", "ninja")
    options = ("-DBAYCARP_C_TESTS=ON", "-DBAYCARP_STRICT=ON", "-DBAYCARP_SANITIZE=ON")
    session.run("cmake", "-S", ".", "-B", "build/core", *options)
    session.run("cmake", "--build", "build/core", "-j2")
    session.run("ctest", "--test-dir", "build/core", "--output-on-failure")
