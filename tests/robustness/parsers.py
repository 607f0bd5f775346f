"""Every parser of text: what makes good messages for it, and what reads them."""

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from baycarp import errors
from baycarp.agents.registry import load, parse
from baycarp.agents.table import PLAYERS
from baycarp.arena.acpc.answer import read_answer
from baycarp.arena.engine import Engine, Options
from baycarp.card import DECK, cards
from baycarp.errors import BaycarpError
from baycarp.game.notation.acpc import format_matchstate, format_state, parse_matchstate, parse_state
from baycarp.game.notation.door import read
from baycarp.game.notation.hand import Hand, states
from baycarp.game.notation.irc import read_tables
from baycarp.game.notation.meerkat import parse_line
from baycarp.game.notation.phh import format_phh, parse_phh
from baycarp.game.notation.wire import Lines, game_message
from baycarp.game.state import State
from baycarp.game.variant import Variant, shipped
from baycarp.kit.games import random_hand
from baycarp.ranges import Range

__all__ = ["IRC", "LIMIT", "PARSERS", "random_played"]

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
_NO_LIMIT = replace(Variant.ring(3, 100, betting="no-limit", stacks=(900, 20_000, 5_000)), name="no-limit")


def random_played(variant: Variant, hands: int = 30) -> list[Hand]:
    """Random hands, cards and all."""
    names = tuple(f"Player{seat}" for seat in range(variant.seats))
    return [Hand.of(random_hand(random.Random(number), variant), names, number) for number in range(hands)]


def _logs(variant: Variant) -> list[str]:
    return [format_state(hand) for hand in random_played(variant)]


def _matchstates(variant: Variant) -> list[str]:
    every = (state for hand in random_played(variant, 10) for state in states(hand))
    return [format_matchstate(state.observe(len(state.acts) % variant.seats)) for state in every]


def _histories() -> list[str]:
    rings = (LIMIT, _NO_LIMIT, Variant.ring(6, ante=1))
    return [format_phh(hand) for variant in rings for hand in random_played(variant, 10)]


def _room_texts() -> list[str]:
    """The first hand of each text of a room."""
    folder = Path(__file__).parents[1] / "game" / "notation" / "rooms"
    names = ("stars", "ggpoker", "winamax", "pacific", "fulltilt", "bovada")
    return [re.split(r"\n{2,}", (folder / f"{name}.txt").read_text("utf-8"))[0] for name in names]


def _any_hands() -> list[str]:
    return ["\n".join(_logs(LIMIT)[:5]), "\n".join(_MEERKAT), *_histories()[::5], *_room_texts()]


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
        for answer in engine.answer_line(line):
            if answer["type"] == "error" and answer["error"] not in _TYPED:
                raise RuntimeError(f"{answer}")
            if answer["type"] == "error":
                raise BaycarpError(answer)


def _tables(message: str) -> None:
    hdb, hroster, pdb, *_ = [*message.split("\f"), "", "", ""]
    list(read_tables(hdb, hroster, pdb))


IRC = (
    "100 1 7 3 2/50 2/50 2/90 2/130 9h 2d 5s Kc 3h\f100 3 ann bob cid\f"
    "ann 100 3 1 Bc k kc kc 500 60 0 Qh Jh\nbob 100 3 2 Bf - - - 600 10 0\n"
    "cid 100 3 3 r k b b 700 60 130 9s 8s",
    "100 1 7 2 2/20 2/40 0/0 1/60 9h 2d 5s Kc\f100 2 ann bob\f"
    "ann 100 2 1 Bc b b - 500 40 60\nbob 100 2 2 Bk c f - 600 20 0",
)
_MEERKAT = (
    "7; Ann{0.0 0.5 -0.5} Bob{0.0 1.0 0.5}; 0d{Jh Ad} 1d{6s Th} 0f.",
    "8; Ann{0.5 0.5 4.0} Bob{-0.5 1.0 -4.0}; 0d{Ad Ah} 1d{2h 6h} "
    "0r1 1c d{3s Qs Kd} 1c 0c d{Js} 1c 0c d{As} 1r2 0r2 1f.",
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
    "baycarp2(model='nowhere', explore=0.3)",
    "sizer(number=7, size=0.5)",
)

_LIGHT = {*PLAYERS, "random", "call", "raise", "rule", "jag", "formula", "simulation", "sizer"}
_TYPED = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type)}
_TALKS = (
    [{"type": "ready", "id": 1}, {"type": "options", "seed": 3, "time": 0.5, "playouts": 9, "trace": True}],
    [{"type": "position", "game": LIMIT.name, "state": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"}, {"type": "go"}],
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
    "ACPC state, limit": (partial(_matchstates, LIMIT), partial(parse_matchstate, variant=LIMIT)),
    "ACPC state, no-limit": (partial(_matchstates, _NO_LIMIT), partial(parse_matchstate, variant=_NO_LIMIT)),
    "ACPC log": (partial(_logs, LIMIT), partial(parse_state, variant=LIMIT)),
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
    "IRC": (lambda: IRC, _tables),
    "Meerkat": (lambda: _MEERKAT, parse_line),
    "hands of any format": (_any_hands, lambda text: list(read(f"{text}\n"))),
    "range": (lambda: _RANGES, Range),
    "cards": (lambda: ("AhKd", "Qs7d2c 9h,3s", "10h CA sK tc", "".join(DECK)), cards),
    "game": (lambda: tuple(shipped().values()), Variant.parse),
    "agent": (lambda: _SPECS, _agent),
}
"""By name: what makes good messages, and what is to read the damaged ones."""
