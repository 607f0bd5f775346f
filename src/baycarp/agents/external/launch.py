"""Run a program under limits: ``python launch.py PARENT CPU MEMORY FILES PROCESSES command ...``.

A file that is run by its path and needs no package, so that nothing is imported between the fork and the
limits. PARENT is the number of the process that starts this one, CPU is in seconds, MEMORY (address space) in
bytes, FILES and PROCESSES are numbers of descriptors and of processes. The program is a child of this one;
on Linux this process is the parent of every orphan below it (a subreaper), so that a child of the program
cannot leave by ``setsid``. When the program ends, when it has too many processes, on SIGTERM, and when the
process that started this one ends, every descendant is killed.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

sys.path.append(str(Path(__file__).parents[2] / "files"))
from processes import descendants_of, process_numbers  # type: ignore[import-not-found]

DISK = 64 << 20
"""Bytes of any file that the program writes."""

POLL = 0.2
"""Seconds between two counts of the program's processes."""

LINGER = 5.0
"""Seconds until a process that does not die of SIGKILL is given up."""

LINUX = sys.platform == "linux"

SIGNALS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGCHLD}
"""Those that can be ignored; children are waited for, and a stopped process must go on."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""Of Linux' ``prctl``: the signal that comes when the thread that started this process ends (the supervisor
has one thread); orphans below this process become its children."""


def main(parent: int, limits: dict[int, int], processes: int, command: list[str]) -> int:
    """Run the program until its end or SIGTERM; nothing of it is left when this returns.

    Of other signals, which the program may send, none but SIGKILL ends it.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminate)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _prctl(PR_SET_PDEATHSIG, signal.SIGCONT)  # the program may have stopped this process
    program = 0
    try:
        program = os.fork()
        if not program:
            _execute(limits, processes, command)
        with suppress(PermissionError):
            os.nice(-20)  # root outruns a fork bomb
        for pipe in (0, 1):  # the end of the program must end its pipes
            os.close(pipe)
        return _watch(program, processes, parent)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _kill_all(program)


def _execute(limits: dict[int, int], processes: int, command: list[str]) -> NoReturn:
    """Set the limits for good and become the program; all settings of signals are undone."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        _limit_forks(4 * processes)
        for which, limit in limits.items():
            _limit(which, limit)
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(127)


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (least, least))


def _limit_forks(more: int) -> None:
    """Bound the user's threads to those of now and some more, so that a fork bomb cannot outrun ``_watch``.

    The kernel counts all threads of a user, and does not limit root's. Where it counts more than ``/proc``
    shows (the user's processes in other containers), the limit would forbid the first fork, and is not set.
    """
    if not LINUX or os.geteuid() == 0:
        return
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    most = _threads(os.geteuid()) + more
    if before[1] != resource.RLIM_INFINITY:
        most = min(most, before[1])
    resource.setrlimit(resource.RLIMIT_NPROC, (most, before[1]))
    try:
        child = os.fork()
    except BlockingIOError:
        resource.setrlimit(resource.RLIMIT_NPROC, before)
        return
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _threads(user: int) -> int:
    found = 0
    for name in process_numbers():
        with suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
    return found


def _watch(program: int, processes: int, parent: int) -> int:
    """Wait for the end of the program or the parent, or too many processes; give the exit status."""
    shown = set[str]()
    while os.getppid() == parent:  # PR_SET_PDEATHSIG would come when the parent's *thread* ends
        with suppress(ChildProcessError):
            while ended := os.waitpid(-1, os.WNOHANG)[0]:
                if ended == program:
                    return 0
        now = process_numbers()
        if not now <= shown and (count := len(descendants_of(os.getpid()))) > processes:
            print(f"killed: {count} processes, expected at most {processes}", file=sys.stderr, flush=True)
            return 1
        shown = now
        time.sleep(POLL)
    return 0


def _kill_all(program: int) -> None:
    """Kill its process group, and every descendant until none is left; 0 = it was not started."""
    until, targets = time.monotonic() + LINGER, {-program}
    while program and time.monotonic() < until:
        for process in targets:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        targets = descendants_of(os.getpid()) or {-program}
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _prctl(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value)


def _terminate(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


if __name__ == "__main__":
    started_by, cpu, memory, files, most, *words = sys.argv[1:]
    most_of = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: DISK,
        resource.RLIMIT_NOFILE: int(files),
        resource.RLIMIT_CPU: int(cpu),
        resource.RLIMIT_AS: int(memory),
    }
    sys.exit(main(int(started_by), most_of, int(most), words))
