"""Solve a game or a spot, and measure the error."""

import threading
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from signal import SIG_IGN, SIGINT, getsignal, signal
from types import FrameType

from baycarp.api.solve import SmallGamePlan
from baycarp.api.solve_holdem import HOLDEM, HoldemPlan, HoldemSettings
from baycarp.arena.workers import INTERRUPTIONS
from baycarp.cli.options import JSON, SEEDED, WORKERS, count, group, option, options, path
from baycarp.cli.output import as_json, console
from baycarp.cli.progress import stages
from baycarp.cli.solve_spot import SPOT_NAMES, SPOT_OPTIONS, is_spot, run_spots
from baycarp.errors import ArgumentError
from baycarp.files import decimal_text
from baycarp.solvers import ALGORITHMS, GAMES

__all__ = ["add", "run", "stopping"]


class Stop:
    """Whether an interruption was requested; called as ``stop()``.

    Attributes
    ----------
    status : int
        The exit status of the command: 0, 130 after Ctrl-C, 143 after another interruption.
    """

    def __init__(self) -> None:
        self.status = 0

    def __call__(self) -> bool:
        """Whether to stop."""
        return self.status != 0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: the first one is noted, the second one interrupts at once."""
        if self.status:
            raise KeyboardInterrupt
        self.status = 130 if number == SIGINT else 143


@contextmanager
def stopping() -> Iterator[Stop]:
    """Note interruptions instead of raising them; not in threads, and no signal that is ignored."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: getsignal(number) for number in INTERRUPTIONS}
    for number, handler in before.items():
        if handler is not SIG_IGN:
            signal(number, stop.handle)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal(number, handler)


def _minutes(text: str) -> float:
    """A number of minutes, at least 0."""
    try:
        value = float(decimal_text(text))
    except ValueError:
        value = -1.0
    if not 0 <= value < inf:
        raise ArgumentTypeError(f"{text!r}: expected minutes, at least 0")
    return value


def _problem(text: str) -> str:
    """The name of a game, or a file of a spot."""
    if text not in (*GAMES, *HOLDEM) and not text.endswith(".npz"):
        raise ArgumentTypeError(
            f"invalid choice: {text!r}: expected one of {', '.join((*GAMES, *HOLDEM))}, or the .npz of a spot"
        )
    return text


add = options(
    option(
        "problem",
        metavar="GAME",
        nargs="?",
        type=_problem,
        help=f"one of {', '.join((*GAMES, *HOLDEM))}; or the .npz of a spot",
    ),
    option("--iterations", type=count, metavar="N", help="in all (default: of a small game 1000)"),
    option(
        "--out",
        type=path,
        metavar="PATH",
        help="of a small game or a spot: the file of the strategy, as .npz; of --spots: a folder; of "
        "hold'em: the folder of the run, continued if it exists, and of solution.npz",
    ),
    SEEDED,
    JSON,
    SPOT_OPTIONS,
    group(
        "small games",
        None,
        option("--algorithm", choices=[*ALGORITHMS], help="mccfr samples, and uses the seed (default: cfr+)"),
    ),
    group(
        "heads-up hold'em",
        None,
        option("--minutes", type=_minutes, help="of solving in this call, measurements apart"),
        option(
            "--buckets",
            help="of flop, turn, river: p percentiles, v values, e clusters (default: p50,p50,p50; no-limit: "
            "e100,e60,p50)",
        ),
        option(
            "--opponent",
            metavar="BUCKETS",
            help="limit: of flop and turn, of an opponent that plays best responses on the river: less "
            "exploitable, slower (default: both players learn, with the same buckets)",
        ),
        WORKERS,
    ),
)


def run(args: Namespace) -> int:
    """Solve the game or spot that is named; after an interruption, what was done until then is kept."""
    if is_spot(args):
        _refuse(args, "algorithm", "minutes", "buckets", "opponent")
        with stopping() as stop, stages() as tick:
            return run_spots(args, stop, tick) or stop.status
    if args.problem is None:
        raise ArgumentError(f"expected a GAME, {', '.join((*GAMES, *HOLDEM))}, or --board")
    _refuse(args, *SPOT_NAMES)
    plan_of = _holdem if args.problem in HOLDEM else _small_game
    with stopping() as stop, stages() as tick:
        found = plan_of(args, stop).run(args.out, args.workers, tick)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show(console(100))
    return stop.status


def _small_game(args: Namespace, stop: Stop) -> SmallGamePlan:
    _refuse(args, "minutes", "buckets", "opponent")
    return SmallGamePlan(args.problem, args.iterations or 1000, args.algorithm or "cfr+", args.seed, stop)


def _holdem(args: Namespace, stop: Stop) -> HoldemPlan:
    _refuse(args, "algorithm")
    if args.out is None or (args.minutes is None and args.iterations is None):
        raise ArgumentError(f"{args.problem}: expected --out FOLDER, and --minutes or --iterations")
    settings = HoldemSettings(
        iterations=args.iterations,
        minutes=args.minutes,
        buckets=args.buckets or "",
        opponent=args.opponent or "",
        seed=args.seed,
        stop=stop,
        report=_ignore if args.json else _print,
    )
    return HoldemPlan(args.problem, settings)


def _refuse(args: Namespace, *names: str) -> None:
    """Raise ``ArgumentError`` if an option of other games is given."""
    for name in names:
        if getattr(args, name) is not None:
            raise ArgumentError(f"{args.problem or 'a spot'}: --{name}: expected an option of this game")


def _print(line: str) -> None:
    print(line, flush=True)


def _ignore(line: str) -> None:
    """As JSON, only the results are printed."""
