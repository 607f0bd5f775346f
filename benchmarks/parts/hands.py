"""Processor time of reading hands: PHH and a room's text, beside pokerkit: ``python -m benchmarks hands``.

Ours is a hand from its text to its chips: read, every action verified, replayed once more, its payoffs
compared with those that the text states. Both read the same texts, and their payoffs are compared first.
"""

import time
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from baycarp.arena.session import Table, play_session
from baycarp.cli.options import JSON, count, option, options
from baycarp.game.notation.acpc import read_log
from baycarp.game.notation.door import read
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.notation.phh import format_phh
from baycarp.game.variant import Variant
from benchmarks.parts.goal import Goal, at_most, printing

__all__ = ["add", "run"]

PHH, ROOM = 0.5, 0.4
"""Milliseconds of processor time a hand, at most."""

ROUNDS, FEW = 5, 100
"""Rounds, of which the fastest counts, and hands of the slower library."""

TIMES = 20
"""How many times the made texts are read: a file of a room has hundreds of hands."""

WHOLE = "ms a hand, replayed and verified"

ROOM_TEXT = Path(__file__).parents[2] / "tests" / "game" / "notation" / "rooms" / "stars.txt"
"""A few hands of every kind in PokerStars' form."""

add = options(
    JSON,
    option("--hands", type=count, default=500, help="of six seats in PHH"),
    option("--record", type=Path, help="hands of a room: a file, folder or archive (default: made ones)"),
)


def _measure(args: Namespace) -> Iterator[Goal]:
    sections = _sections(args.hands)
    room = args.record or ROOM_TEXT.read_text("utf-8") * TIMES
    yield at_most("PHH", PHH, _milliseconds(lambda: len(_read("".join(sections)))), WHOLE)
    yield from _pokerkit_phh("".join(sections[:FEW]))
    yield at_most("a room's text", ROOM, _milliseconds(lambda: len(_read(room))), WHOLE)
    yield from _pokerkit_room(room)


run = printing(_measure)


def _sections(hands: int) -> list[str]:
    """No-limit hands of six seats, each with its header, as PHHS."""
    game = Variant.load("holdem.nolimit.6p.100bb")
    table = Table(game, tuple("ABCDEF"), ("sizer",) * 6)
    played = read_log(play_session(table, 0, hands).log, game)
    return [f"[{number}]\n{format_phh(hand)}\n" for number, hand in enumerate(played, 1)]


def _read(source: str | Path) -> list[Hand]:
    """The hands; where no rake is taken the replayed payoffs must be the stated ones."""
    hands = list(read(source, lambda refused: None))
    for hand in hands:
        state = replay(hand)
        if hand.payoffs and not hand.origin.room and hand.payoffs != state.payoffs():
            raise ArithmeticError(f"hand {hand.id}: {state.payoffs()}, stated {hand.payoffs}")
    return hands


def _milliseconds(work: Callable[[], int]) -> float:
    """Processor time for each of the hands that a call counts, in the fastest of several rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        hands = work()
        times.append((time.process_time() - began) / max(hands, 1))
    return 1000 * min(times)


def _pokerkit_phh(text: str) -> Iterator[Goal]:
    try:
        from pokerkit import HandHistory
    except ImportError:
        return

    def settled() -> list[tuple[int, ...]]:
        return [tuple(list(history)[-1].payoffs) for history in HandHistory.loads_all(text)]

    if settled() != [hand.payoffs for hand in _read(text)]:
        raise ArithmeticError("pokerkit's payoffs differ")
    loaded = _milliseconds(lambda: sum(1 for _ in HandHistory.loads_all(text)))
    yield Goal("PHH, pokerkit", loaded, "ms a hand, its fields alone")
    yield Goal("PHH, pokerkit", _milliseconds(lambda: len(settled())), "ms a hand, replayed")


def _pokerkit_room(room: Path | str) -> Iterator[Goal]:
    """pokerkit's parser of PokerStars, which passes over the hands that it cannot read."""
    try:
        from pokerkit import PokerStarsParser
    except ImportError:
        return
    if isinstance(room, Path):
        room = room.read_text("utf-8-sig") if room.suffix == ".txt" else ""
    text = room

    def parsed() -> int:
        return sum(1 for _ in PokerStarsParser()(text))

    with warnings.catch_warnings(), redirect_stderr(StringIO()):  # it prints a traceback for each
        warnings.simplefilter("ignore")
        if found := parsed():
            unit = f"ms a hand of the {found} that it reads, not replayed"
            yield Goal("a room's text, pokerkit", _milliseconds(parsed), unit)
