"""``baycarp solve``."""

import json
import signal
import threading

import pytest
from reference.small_games import KUHN, LEDUC

import baycarp.api.solve as api
from baycarp.arena.workers import INTERRUPTIONS
from baycarp.cli import main
from baycarp.cli.solve import stopping
from baycarp.solvers import CFR, ExternalSampling, exploitability, load_strategy


@pytest.fixture
def typed(capsys):
    def run(*arguments):
        status = main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def after(solver, iterations):
    for _ in range(iterations):
        solver.step()
    return solver.average()


@pytest.mark.parametrize(
    ("algorithm", "solver"),
    [("cfr", CFR(LEDUC)), ("cfr+", CFR(LEDUC, plus=True)), ("mccfr", ExternalSampling(LEDUC, 5))],
)
def test_the_curve_is_that_of_the_algorithm(typed, algorithm, solver):
    status, out, _ = typed(
        "solve", "leduc", "--iterations", 60, "--algorithm", algorithm, "--seed", 5, "--json"
    )
    given = json.loads(out)
    assert status == 0
    assert (given["game"], given["algorithm"], given["seed"]) == ("leduc", algorithm, 5)
    assert [point["iterations"] for point in given["points"]] == [1, 2, 5, 10, 20, 50, 60]
    assert given["points"][-1]["exploitability"] == exploitability(after(solver, 60))
    assert (given["interrupted"], given["saved"]) == (False, None)


def test_a_person_reads_a_table_a_curve_and_the_value(typed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    status, out, _ = typed("solve", "kuhn", "--iterations", 2000)
    assert status == 0
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["2,000"])
    assert float(row[1]) == pytest.approx(exploitability(after(CFR(KUHN, plus=True), 2000)), rel=1e-3)
    assert float(row[2]) == pytest.approx(-1 / 18, abs=1e-6)
    assert out.count("•") == 60
    assert "iterations/s" in out


def test_a_strategy_is_saved_with_its_origin_and_digest(typed, tmp_path):
    file = tmp_path / "kuhn.npz"
    words = ("solve", "kuhn", "--iterations", 50, "--algorithm", "mccfr", "--seed", 3, "--out", file)
    assert file.name in typed(*words)[1]
    status, out, _ = typed(*words, "--json")
    saved = load_strategy(file, KUHN)
    assert status == 0
    assert json.loads(out)["saved"] == {"file": str(file), "digest": saved.digest}
    assert saved.strategy.tables() == after(ExternalSampling(KUHN, 3), 50).tables()
    assert (saved.origin.algorithm, saved.origin.iterations, saved.origin.seed) == ("mccfr", 50, 3)
    assert saved.origin.exploitability == exploitability(saved.strategy)


def test_a_folder_that_is_missing_is_explained(typed, tmp_path):
    status, _, err = typed("solve", "kuhn", "--iterations", 5, "--out", tmp_path / "none" / "kuhn.npz")
    assert status == 1
    assert "none" in err


@pytest.mark.parametrize(
    "words", [["chess"], ["kuhn", "--algorithm", "simplex"], ["kuhn", "--iterations", "0"]]
)
def test_what_cannot_be_solved_is_refused(typed, words, capsys):
    with pytest.raises(SystemExit) as status:
        main(["solve", *words])
    assert status.value.code == 1
    assert words[-1] in capsys.readouterr().err


# Interruptions


@pytest.fixture
def interrupts():
    """Signals as in a terminal, whatever the parent process ignores."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in INTERRUPTIONS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def interrupted_at(monkeypatch, number, *iterations):
    """CFR+ that receives a signal within these iterations."""

    class Interrupted(CFR):
        def step(self):
            if self.iterations + 1 in iterations:
                signal.raise_signal(number)
            super().step()

    monkeypatch.setattr(api, "ALGORITHMS", {"cfr+": lambda tree, seed: Interrupted(tree, plus=True)})


@pytest.mark.parametrize(
    ("number", "expected"), [(each, 130 if each == signal.SIGINT else 143) for each in INTERRUPTIONS]
)
def test_an_interruption_keeps_what_was_done(typed, tmp_path, monkeypatch, interrupts, number, expected):
    interrupted_at(monkeypatch, number, 137)
    file = tmp_path / "leduc.npz"
    status, out, _ = typed("solve", "leduc", "--iterations", 10**6, "--out", file)
    assert status == expected
    assert "interrupted after 137 of 1,000,000 iterations" in out
    saved = load_strategy(file, LEDUC)
    assert saved.strategy.tables() == after(CFR(LEDUC, plus=True), 137).tables()
    assert saved.origin.iterations == 137
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_json_says_that_it_was_interrupted(typed, monkeypatch, interrupts):
    interrupted_at(monkeypatch, signal.SIGINT, 9)
    status, out, _ = typed("solve", "kuhn", "--json")
    given = json.loads(out)
    assert (status, given["interrupted"], given["points"][-1]["iterations"]) == (130, True, 9)


def test_a_second_interruption_ends_at_once(typed, interrupts):
    def twice():
        with stopping():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        twice()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_signal_stays_ignored(interrupts):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with stopping() as stop:
        signal.raise_signal(signal.SIGINT)
        assert not stop()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_thread_solves_too(typed):
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(typed("solve", "kuhn", "--iterations", 5)[0]))
    thread.start()
    thread.join()
    assert statuses == [0]
