"""Programs as forks: output, status and end are those of programs, and their processor time is counted."""

import os
import sys
import time

import pytest

from baycarp.arena.workers import CONTEXT
from experiments.gates.programs import Origin, python

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")


def place(variable):
    print(os.getcwd(), os.environ[variable])
    print("a warning", file=sys.stderr)


def imported(name):
    print(name in sys.modules)


def burn(seconds):
    while time.process_time() < seconds:
        pass


def rest():
    print(os.getpid(), flush=True)
    time.sleep(600)


def parent():
    pid = os.fork()
    rest() if pid == 0 else os.waitpid(pid, 0)


def run(origin, work, *arguments, **more):
    with origin.program(work, *arguments, **more) as program:
        assert program.wait(60)
        return program.status, program.out.decode(), program.err


def test_a_program_has_its_place_and_its_output(tmp_path):
    with Origin() as origin:
        status, out, err = run(origin, place, "WHERE", folder=str(tmp_path), WHERE="there")
        assert (status, out, err) == (0, f"{tmp_path} there\n", "a warning")
        assert run(origin, place, "WHERE")[0] == 1  # the next one has neither
        assert "WHERE" not in os.environ


def test_a_program_ends_as_the_interpreter_ends(tmp_path):
    file = tmp_path / "ends.py"
    file.write_text("import sys\nprint(sys.argv)\nsys.exit(int(sys.argv[1]) // int(sys.argv[2]))\n")
    with Origin() as origin:
        assert run(origin, python, str(file), "6", "2") == (3, f"{[str(file), '6', '2']}\n", "")
        status, _, err = run(origin, python, str(file), "6", "0")
        assert (status, err.splitlines()[-1]) == (1, "ZeroDivisionError: integer division or modulo by zero")
        status, out, err = run(origin, python, "-m", "baycarp", "agents", "--nothing")
        assert (status, out) == (1, "")
        assert "baycarp agents --help lists what there is" in err


def test_modules_are_imported_once():
    with Origin(["wave"]) as origin:
        assert run(origin, imported, "wave")[1] == "True\n"
    with Origin() as origin:
        assert run(origin, imported, "wave")[1] == "False\n"


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("work", [rest, parent])
def test_a_program_ends_with_its_block(work):
    with Origin() as origin:
        with origin.program(work, group=True) as program:
            while not program.out.endswith(b"\n"):
                assert not program.wait(0.01)
            pid = int(program.out)
        assert program.status == -9
        end = time.monotonic() + 60
        while is_alive(pid) and time.monotonic() < end:
            time.sleep(0.01)
        assert not is_alive(pid)
        for _ in range(20):  # also before it has begun
            with origin.program(rest, group=True) as program:
                pass
            assert program.status == -9


def test_a_program_without_an_end_is_killed(monkeypatch):
    monkeypatch.setattr("experiments.gates.programs.LONGEST", 0.2)
    with Origin() as origin, origin.program(rest) as program:
        assert not program.ends()
        assert program.status == -9
    with Origin() as origin, origin.program(burn, 0) as program:
        monkeypatch.setattr("experiments.gates.programs.LONGEST", 60)
        assert program.ends()
        assert program.status == 0


def gate(pipe, group):
    with Origin() as origin, origin.program(rest, group=group) as program:
        while not program.out.endswith(b"\n"):
            program.wait(0.01)
        pipe.send(int(program.out))
        program.wait()


@pytest.mark.parametrize("group", [False, True])
def test_a_program_ends_with_the_process_that_waits_for_it(group):
    here, there = CONTEXT.Pipe()
    process = CONTEXT.Process(target=gate, args=(there, group))
    process.start()
    pid = here.recv()
    process.kill()
    end = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_alive(pid)


def test_processor_time_is_that_of_this_process():
    before = os.times()
    with Origin() as origin:
        run(origin, burn, 0.3)
        with origin.program(burn, 600) as program:
            program.wait(1)
    after = os.times()
    assert after.children_user - before.children_user > 0.3
