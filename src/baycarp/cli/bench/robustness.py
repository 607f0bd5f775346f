"""Malformed messages for every parser, and random hands for the chips: ``baycarp bench robustness``.

A message is a good one that was damaged; message ``n`` of a parser depends on (seed, parser, n) alone.
A parser may accept any input or refuse it with a typed error (``BaycarpError``), within 100 ms.
"""

import json
import random
import time
from argparse import Namespace, _ArgumentGroup
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp import errors
from baycarp.agents.registry import load, parse
from baycarp.agents.table import PLAYERS
from baycarp.arena.acpc.answer import read_answer
from baycarp.arena.engine import Engine, Options
from baycarp.arena.workers import processes
from baycarp.card import DECK, cards
from baycarp.cli.bench.damage import damaged
from baycarp.cli.options import seed
from baycarp.errors import BaycarpError, WorkerError
from baycarp.game.notation.acpc import format_matchstate, format_state, parse_matchstate, parse_state
from baycarp.game.notation.hand import Hand, states
from baycarp.game.notation.irc import read_tables
from baycarp.game.notation.meerkat import parse_line
from baycarp.game.notation.phh import format_phh, parse_phh
from baycarp.game.notation.wire import Lines, game_message
from baycarp.game.state import State
from baycarp.game.variant import Variant, shipped
from baycarp.kernels.game import random_hands
from baycarp.ranges import Range

__all__ = ["PARSERS", "Figures", "add", "bombard", "run"]

SLOW = 0.1
"""Seconds of processor time that no message may take."""

HELD = 5
"""Failures that are recorded for inspection, for each parser."""


@dataclass(slots=True)
class Figures:
    """What became of the messages to one parser, or of the hands.

    Parameters
    ----------
    parser, seed, messages
        What was done.
    accepted, refused
        Well, and with a typed error.
    untyped, slow, crashed
        What must not be: another error, more than 100 ms, the end of the process.
    slowest, seconds
        Processor time of the slowest message in ms, and of all in s.
    failures
        The first few: number and message, and what happened.
    """

    parser: str
    seed: int
    messages: int
    accepted: int = 0
    refused: int = 0
    untyped: int = 0
    slow: int = 0
    crashed: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing happened that must not."""
        return not self.untyped + self.slow + self.crashed


def bombard(parser: str, messages: int, seed: int) -> Figures:
    """Send damaged messages to a parser of ``PARSERS``, and count what becomes of them."""
    make, read = PARSERS[parser]
    good, figures, clock = make(), Figures(parser, seed, messages), time.process_time
    for number in range(messages):
        message = damaged(good, f"{seed} {parser} {number}")
        began = clock()
        try:
            read(message)
            figures.accepted += 1
        except BaycarpError:
            figures.refused += 1
        except Exception as error:
            figures.untyped += 1
            _tell(figures, number, message, f"{type(error).__name__}: {error}")
        took = clock() - began
        figures.seconds += took
        figures.slowest = max(figures.slowest, 1000 * took)
        if took > SLOW:
            figures.slow += 1
            _tell(figures, number, message, f"{1000 * took:.0f} ms")
    return figures


def _tell(figures: Figures, number: int, message: str, what: str) -> None:
    if len(figures.failures) < HELD:
        figures.failures.append(f"{number}: {message[:120]!r}: {what[:120]}")


# What good messages look like.

_LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
_NO_LIMIT = replace(Variant.ring(3, 100, betting="no-limit", stacks=(900, 20_000, 5_000)), name="no-limit")


def _hands(variant: Variant, hands: int = 30) -> list[Hand]:
    """Random hands, cards and all."""
    played = []
    for number in range(hands):
        draw = random.Random(number)
        state = State(variant, deck=draw.sample(range(52), 2 * variant.seats + 5))
        while not state.is_over:
            state.apply(draw.choice(state.legal_actions()))
        names = tuple(f"Player{seat}" for seat in range(variant.seats))
        played.append(Hand.of(state, names, number))
    return played


def _logs(variant: Variant) -> list[str]:
    return [format_state(hand) for hand in _hands(variant)]


def _matchstates(variant: Variant) -> list[str]:
    every = (state for hand in _hands(variant, 10) for state in states(hand))
    return [format_matchstate(state.observe(len(state.acts) % variant.seats)) for state in every]


def _histories() -> list[str]:
    rings = (_LIMIT, _NO_LIMIT, Variant.ring(6, ante=1))
    return [format_phh(hand) for variant in rings for hand in _hands(variant, 10)]


def _agent(spec: str) -> None:
    """Read a specification, and make the agent if that takes no more than its settings."""
    if parse(spec)[0] in _LIGHT:
        load(spec)


def _answer(text: str, state: State) -> None:
    """A client's answer to a dealer, which mends malformed answers: no message is refused."""
    read_answer(state, text)


def _engine(lines: str) -> None:
    """Lines for an engine, the first few of them, which answers errors instead of raising them."""
    engine, wire = Engine(Options(agent="call")), Lines()
    for line in [*wire.feed(lines.encode("utf-8", "surrogatepass")), *wire.end()][:100]:
        for answer in engine.hear(line):
            if answer["type"] == "error" and answer["error"] not in _TYPED:
                raise RuntimeError(f"{answer}")
            if answer["type"] == "error":
                raise BaycarpError(answer)


def _tables(message: str) -> None:
    hdb, hroster, pdb, *_ = [*message.split("\f"), "", "", ""]
    list(read_tables(hdb, hroster, pdb))


_IRC = (
    "100 1 7 3 2/50 2/50 2/90 2/130 9h 2d 5s Kc 3h\f100 3 ann bob cid\f"
    "ann 100 3 1 Bc k kc kc 500 60 0 Qh Jh\nbob 100 3 2 Bf - - - 600 10 0\n"
    "cid 100 3 3 r k b b 700 60 130 9s 8s",
    "100 1 7 2 2/20 2/40 0/0 1/60 9h 2d 5s Kc\f100 2 ann bob\f"
    "ann 100 2 1 Bc b b - 500 40 60\nbob 100 2 2 Bk c f - 600 20 0",
)
_MEERKAT = (
    "7; Ann{0.5 0.5 3.0} Bob{-0.5 1.0 -3.0}; 0d{Ad Ah} 1d{2h 6h} "
    "0r1 1c d{3s Qs Kd} 1c 0c d{Js} 1c 0c d{As} 1r2 0r2 1f.",
    "8; Ann{0.5 0.5 1.0} Bob{-0.5 1.0 -1.0}; 0d{Tc 2d} 1d{As 8h} 0c 1c d{8s Js Ah} 1r1 0f.",
)
_RANGES = (
    "random",
    "AKs AKo AK TT",
    "TT+ A2s+; KTs+",
    "99-66, A5s-A2s,JTs-87s",
    "AhKd;0.5(QQ,AKs) 30%(TT+)",
    "QQ:0.5,72o:25%,?? ",
)
_SPECS = (
    *PLAYERS.values(),
    "karma",
    "rule()",
    "call",
    "formula(tightness=0.4, level='tight')",
    "simulation(playouts=100, margin=-0.5, aggression=1e0)",
    "baycarp2(model='nowhere', groups=3)",
)

_LIGHT = {*PLAYERS, "random", "call", "raise", "rule", "jag", "formula", "simulation"}
_TYPED = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type)}
_TALKS = (
    [{"type": "ready", "id": 1}, {"type": "options", "seed": 3, "time": 0.5, "playouts": 9, "trace": True}],
    [{"type": "position", "game": _LIMIT.name, "state": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"}, {"type": "go"}],
    [
        {"type": "new", "game": "holdem.nolimit.3p", "seat": 1, "seed": 5},
        {"type": "observe", "hand": 2, "actions": ["fold", "fold"], "payoffs": [-50, 50, 0]},
        {"type": "position", "seat": 2, "holes": ["", "", "AhKd"], "players": ["Ann", "Bob", "Cid"]},
        {"type": "go", "id": "now", "time": 0.25},
    ],
    [
        {"type": "new", "game": game_message(_NO_LIMIT), "seat": 0},
        {"type": "position", "actions": ["raise 300", "call", "call 200"], "board": "Qs7d2c", "seat": 0,
         "holes": ["AhKd", "", ""], "stacks": [900, 20000, 5000], "hand": 7},
        {"type": "go", "playouts": 10},
        {"type": "quit"},
    ],
)  # fmt: skip

PARSERS: dict[str, tuple[Callable[[], Sequence[str]], Callable[[str], object]]] = {
    "ACPC state, limit": (partial(_matchstates, _LIMIT), partial(parse_matchstate, variant=_LIMIT)),
    "ACPC state, no-limit": (partial(_matchstates, _NO_LIMIT), partial(parse_matchstate, variant=_NO_LIMIT)),
    "ACPC log": (partial(_logs, _LIMIT), partial(parse_state, variant=_LIMIT)),
    "ACPC log, no-limit": (partial(_logs, _NO_LIMIT), partial(parse_state, variant=_NO_LIMIT)),
    "ACPC answer": (
        lambda: ("f", "c", "r", "r300", "r20000"),
        partial(_answer, state=State(_NO_LIMIT)),
    ),
    "engine": (
        lambda: ["".join(json.dumps(message) + "\n" for message in talk) for talk in _TALKS],
        _engine,
    ),
    "PHH": (_histories, parse_phh),
    "IRC": (lambda: _IRC, _tables),
    "Meerkat": (lambda: _MEERKAT, parse_line),
    "range": (lambda: _RANGES, Range),
    "cards": (lambda: ("AhKd", "Qs7d2c 9h,3s", "10h CA sK tc", "".join(DECK)), cards),
    "game": (lambda: tuple(shipped().values()), Variant.parse),
    "agent": (lambda: _SPECS, _agent),
}
"""By name: what makes good messages, and what is to read the damaged ones."""


# Chips.

GAMES = (
    *(Variant.ring(seats) for seats in (2, 3, 6, 8, 10)),
    Variant.ring(2, 100, betting="no-limit", stacks=(20_000, 20_000)),
    Variant.ring(6, 100, betting="no-limit", stacks=(150, 900, 20_000, 333, 5_000, 100), ante=7),
)


def _conserve(number: int, hands: int, seed: int) -> Figures:
    """Random hands of one game; ``random_hands`` ends with an error where payoffs do not sum to 0."""
    game, began = GAMES[number], time.process_time()
    figures = Figures(f"chips, {game.betting}, {game.seats} seats", seed, hands)
    try:
        random_hands(game, hands, seed)
        figures.accepted = hands
    except AssertionError as error:
        figures.untyped = 1
        figures.failures.append(str(error))
    figures.seconds = time.process_time() - began
    return figures


# The command.


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument("--messages", type=int, default=20_000, help="to each parser (default: %(default)s)")
    group.add_argument(
        "--random-hands", type=int, default=1_000_000, help="in all games together (default: %(default)s)"
    )
    group.add_argument("--only", default="", metavar="WORD", help="parsers and games with this in their name")
    group.add_argument("--seed", type=seed, default=1, help="fixes every message and hand")


def run(args: Namespace) -> int:
    """Send the messages, play the hands, print what became of them; 1 when something was not sound."""
    jobs = [(name, partial(bombard, name, args.messages, args.seed)) for name in PARSERS if args.messages]
    share = -(-args.random_hands // len(GAMES))
    jobs += [(game.name, partial(_conserve, at, share, args.seed)) for at, game in enumerate(GAMES) if share]
    jobs = [(name, job) for name, job in jobs if args.only.lower() in name.lower()]
    sound = True
    lines = []
    for figures in _done(jobs, args):
        sound = sound and figures.sound
        lines.append(figures)
        if args.json:
            print(json.dumps(asdict(figures)), flush=True)
    if not args.json:
        _show(lines)
    return 0 if sound else 1


def _done(jobs: Sequence[tuple[str, Callable[[], Figures]]], args: Namespace) -> Iterator[Figures]:
    """Each job in a process of its own, so that a crash is one line of the table."""
    for name, job in jobs:
        try:
            with processes(1) as pool:
                yield pool.submit(job).result()
        except WorkerError:
            yield Figures(name, args.seed, args.messages, crashed=1)


def _show(lines: Sequence[Figures]) -> None:
    grid = Grid(title="what became of malformed messages, and of chips", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("to", "number", "accepted", "refused", "untyped", "slow", "crash", "most ms", "CPU s"):
        grid.add_column(column, justify="left" if column == "to" else "right", no_wrap=True)
    for one in lines:
        counts = (one.messages, one.accepted, one.refused, one.untyped, one.slow, one.crashed)
        slowest = f"{one.slowest:.1f}" if one.slowest else "-"
        grid.add_row(one.parser, *(f"{count:,}" for count in counts), slowest, f"{one.seconds:.0f}")
    console = Console()
    console.print(grid)
    for one in lines:
        for failure in one.failures:
            console.print(f"{one.parser}: {failure}", markup=False, highlight=False, soft_wrap=True)
