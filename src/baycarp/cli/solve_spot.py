"""The part of ``baycarp solve`` that solves spots."""

import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import count
from math import isfinite
from time import monotonic
from typing import Any

from baycarp.api.solve_spot import solve_spot
from baycarp.cli.options import Add, group, option, options, path, seconds
from baycarp.cli.output import as_json, counted
from baycarp.draw import drawable
from baycarp.errors import ArgumentError, BaycarpError, PictureError, brief
from baycarp.files import decimal_text, read_json
from baycarp.solvers.spots.memory import in_units
from baycarp.solvers.spots.play import SpotTable
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.solver import SpotPoint
from baycarp.solvers.spots.spot import Spot

__all__ = ["LINE", "SPOT", "SPOT_NAMES", "SPOT_OPTIONS", "TARGET", "is_spot", "run_spots"]

LONGEST = 1 << 24
"""Bytes of a file of spots, at most."""

PAUSE = 2.0
"""Seconds between two lines of progress."""


def _chips(text: str) -> float:
    """A number of chips, at least 0."""
    try:
        value = float(decimal_text(text))
    except ValueError:
        value = -1.0
    if not (isfinite(value) and value >= 0):
        raise ArgumentTypeError(f"{text[:40]!r}: expected a number, at least 0")
    return value


SPOT: Add = options(
    option("--board", metavar="CARDS", help="flop, turn or river, such as Td9d6h"),
    option("--turn", metavar="CARD", help="the next card, after --board"),
    option("--river", metavar="CARD", help="the last card"),
    option("--oop", metavar="RANGE", help="range of the first to act (default: all holdings)"),
    option("--ip", metavar="RANGE", help="range of the other player (default: all holdings)"),
    option("--pot", type=_chips, metavar="CHIPS", help="at the start of the street"),
    option("--stack", type=_chips, metavar="CHIPS", help="behind each player"),
    option("--sizes", metavar="SIZES", help="bets: 60%% of the pot, e geometric, 100c chips, a all-in"),
    option("--raises", metavar="SIZES", help="raises, such as '2.5x, a'"),
    option("--rake", type=_chips, metavar="SHARE", help="of every pot, 0..1"),
    option("--cap", type=_chips, metavar="CHIPS", help="of the rake, at most"),
)
"""The options that make a spot."""

TARGET: Add = option(
    "--target", type=_chips, metavar="PERCENT", help="exploitability in %% of the pot (default: 0.3)"
)
LINE: Add = option("--line", metavar="LINE", help="the decision that is shown, such as 'check, bet 60%%'")

SPOT_OPTIONS: Add = group(
    "spots",
    "a board with two ranges, instead of GAME; or GAME is the .npz of a spot, which is continued",
    SPOT,
    option("--spots", type=path, metavar="FILE", help="JSON: a list of spots, each with these names"),
    TARGET,
    option("--time", type=seconds, help="seconds of a spot, at most"),
    option("--memory", metavar="BYTES", help="such as 4GB (default: 70 %% of what is available)"),
    LINE,
    option("--picture", type=path, metavar="FILE", help="draw its strategy, as SVG"),
    option("--play", choices=PLAYERS, help="play hands against the solution"),
)

SPOT_NAMES = (
    *("board", "turn", "river", "oop", "ip", "pot", "stack", "sizes", "raises", "rake", "cap", "spots"),
    *("target", "time", "memory", "line", "picture", "play"),
)
"""The options that only spots have."""


def is_spot(args: Namespace) -> bool:
    """Whether a spot is meant."""
    return bool(args.board or args.spots or str(args.problem or "").endswith(".npz"))


def run_spots(args: Namespace, stop: Callable[[], bool], tick: Callable[[str, int, int | None], None]) -> int:
    """Solve the spots of the arguments, show and write them; what is done when ``stop`` is true is kept."""
    if args.picture and drawable(args.picture).suffix != ".svg":
        raise PictureError(f"{args.picture}: expected a file .svg")
    many = args.spots is not None
    if many and args.out:
        args.out.mkdir(parents=True, exist_ok=True)
    for number, solution in zip(count(1), _solutions(args, stop, tick), strict=False):
        out = args.out / f"spot-{number}.npz" if many and args.out else args.out
        if out:
            solution.save(out)
        if args.picture:
            solution.draw(args.line or "", args.picture)
        if args.json:
            print(as_json(solution.to_dict()), flush=True)
        else:
            _print(solution, args.line or "")
        if args.play and not stop():
            _play(solution, args.play, args.seed)
    return 0


def _solutions(
    args: Namespace, stop: Callable[[], bool], tick: Callable[[str, int, int | None], None]
) -> Iterator[Solution]:
    settings: dict[str, Any] = {"stop": stop, "report": _reporter(args.json, tick)}
    given = {"target": args.target, "time": args.time, "iterations": args.iterations, "memory": args.memory}
    settings |= {name: value for name, value in given.items() if value is not None}
    settings["threads"] = args.workers
    if str(args.problem or "").endswith(".npz"):
        yield _continued(args, settings)
        return
    for spot in _spots(args):
        yield solve_spot(spot, **settings)
        if stop():
            return


def _continued(args: Namespace, settings: dict[str, Any]) -> Solution:
    for name in SPOT_NAMES[:12]:
        if getattr(args, name) is not None:
            raise ArgumentError(f"--{name}: expected no option of the spot, {args.problem} has them")
    solution = Solution.load(args.problem, **settings)
    return solution.more()


def _spots(args: Namespace) -> Iterator[Spot]:
    if args.spots is None:
        yield _spot({name: getattr(args, name) for name in SPOT_NAMES[:11]}, "arguments")
        return
    for name in SPOT_NAMES[:11]:
        if getattr(args, name) is not None:
            raise ArgumentError(f"--{name}: expected it in {args.spots}")
    try:
        given = read_json(args.spots, LONGEST)
    except ValueError as error:
        raise ArgumentError(f"{args.spots}: {error}") from error
    if not isinstance(given, list) or not given or not all(isinstance(each, dict) for each in given):
        raise ArgumentError(f"{args.spots}: expected a list of spots, each with names such as board and pot")
    for number, each in enumerate(given, 1):
        yield _spot(each, f"{args.spots}: spot {number}")


def _spot(given: dict[str, Any], where: str) -> Spot:
    """A spot of named values; turn and river are added to the board."""
    named = {name: value for name, value in given.items() if value is not None}
    known = {each.name for each in fields(Spot)} - {"tree", "thresholds"} | {"turn", "river"}
    for name in named:
        if name not in known:
            raise ArgumentError(f"{where}: {brief(name, 40)}: expected names of {', '.join(sorted(known))}")
    for name in ("board", "pot", "stack"):
        if name not in named:
            raise ArgumentError(f"{where}: expected a {name}")
    for name in ("board", "turn", "river", "oop", "ip", "line"):
        if not isinstance(named.get(name, ""), str):
            raise ArgumentError(f"{where}: {name}: expected a text")
    named["board"] = "".join(str(named.pop(name, "")) for name in ("board", "turn", "river"))
    try:
        return Spot(**named)
    except (BaycarpError, TypeError, AttributeError, ArithmeticError) as error:
        raise ArgumentError(f"{where}: {error}") from error


def _reporter(is_quiet: bool, tick: Callable[[str, int, int | None], None]) -> Callable[[SpotPoint], None]:
    """Prints a line of progress now and then."""
    last = monotonic()

    def report(point: SpotPoint) -> None:
        nonlocal last
        if monotonic() - last < PAUSE:
            return
        last = monotonic()
        tick("iterations", point.iterations, None)
        if not is_quiet:
            done = counted(point.iterations, "iteration", ",")
            print(f"{done}: exploitability {point.exploitability:.3f} % of the pot", flush=True)

    return report


def _print(solution: Solution, line: str) -> None:
    solver = solution.solver
    counts = ", ".join(f"{number:,} {name}" for name, number in solution.tree.counts().items() if number)
    print(f"tree: {counts}; memory {in_units(solver.bytes)}")
    print(solution)
    view = solution.at(line)
    if line:
        print(f"\n{view}")
    if view.player:
        print(f"\n{view.draw()}")


def _play(solution: Solution, player: str, seed: int) -> None:
    """Hands at the terminal, until the person leaves."""
    table = SpotTable(solution, player, seed)
    print(f"you are {player}; q leaves")
    try:
        while True:
            hand = table.deal()
            while not hand.is_over:
                view = hand.view
                print(f"\n{view.line or 'start'}: pot {view.pot:g}, you hold {hand.hole}")
                word = input(f"{', '.join(hand.actions)}> ").strip()
                if re.fullmatch("q|quit", word):
                    return
                try:
                    step = hand.act(word)
                except BaycarpError as error:
                    print(error)
                    continue
                if step.loss > 0:
                    print(f"loses {step.loss:.2f} chips; best: {step.best}")
                print(f"played {step.share:.0%} of the time with these cards")
            print(f"{hand.shown} of the opponent: you have {hand.won:+.2f}; lost in all {table.loss:.2f}")
    except EOFError:
        print()
