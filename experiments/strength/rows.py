"""The rows, in sections. Hands and seeds are fixed here, before anything is played.

The rivals are those that a strong agent must reach: the solved strategy, the expert rules, and the responder,
which answers a model of its opponent; at several seats and at no-limit the searcher.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from baycarp.agents.static.rulebot import RULE_PLAYERS
from baycarp.agents.static.simple import SIMPLE_PLAYERS
from baycarp.api.exploit import GAME
from baycarp.arena.workers import Workers
from experiments.players.players import STYLES
from experiments.strength.folds import FoldRow
from experiments.strength.line import Line
from experiments.strength.losses import LossRow, MostRow
from experiments.strength.seats import SeatRow

__all__ = ["SECTIONS", "Row", "Section", "Work"]


class Work(Protocol):
    """A plan whose result is lines."""

    @property
    def units(self) -> tuple[str, int]:
        """What is counted, and the number."""

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> tuple[Line, ...]:
        """Do what the journal in a folder lacks, and give the lines."""


class Row(Protocol):
    """A row of the table."""

    @property
    def name(self) -> str:
        """Of the row."""

    def plan(self, agent: str, share: float) -> Work:
        """What is to be done for an agent, with a share of the hands, 0..1."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows with one goal.

    Parameters
    ----------
    name
        Of the section.
    goal
        In words.
    rows
        In order.
    """

    name: str
    goal: str
    rows: tuple[Row, ...]


NO_LIMIT = "holdem.nolimit.2p.100bb"
SEVERAL = "holdem.nolimit.6p.100bb"

STRONG = ("equilibrium", "formula", "responder")
SEARCH = ("mcts", "formula")

LEARNING = (0, 100, 400)
"""Parts of a session of 1,000 hands: 1 to 100, 101 to 400, 401 to 1,000."""

WEAK = (
    *SIMPLE_PLAYERS,
    *RULE_PLAYERS,
    "formula(level='loose', shift=-95, tightness=0.54, aggression=0.6)",
    "formula(level='tight', shift=86, tightness=0.51)",
    "formula(level='moderate', shift=-313, raising=391, tightness=0.447, aggression=1.0)",
)
"""Controls, static rules, and formula players of a loose, a tight and a bold style."""

LOOSE = "formula(level='loose', shift=200, tightness=0.2, aggression=0.2)"
"""A formula player that plays most hands."""

PAYING = ("station", "call", "maniac", LOOSE)

HELD_OUT = (
    "Ada=formula(level='loose', shift=20, tightness=0.3, aggression=0.8)",
    "Ben=formula(level='moderate', shift=-60, tightness=0.6, aggression=0.5)",
    "Cleo=formula(level='tight', shift=0, tightness=0.35, aggression=0.2)",
    "Dan=formula(level='loose', shift=-40, tightness=0.5, aggression=0.45, model=0.5)",
    "Eva=formula(level='moderate', shift=100, tightness=0.45, aggression=0.9)",
    "Finn=formula(level='tight', shift=-50, tightness=0.55, aggression=0.7, deception=0.3)",
    "Gus=formula(level='moderate', shift=30, tightness=0.2, aggression=0.3, implied=2)",
)
"""Settings that are in no training."""

TIMES = (5, 20, 50, 200, 500)
RESOLVED = "equilibrium(resolve=True, root='river')"

SECTIONS: tuple[Section, ...] = (
    Section(
        "heads-up limit, the examiner",
        "above 0 at 95 %, half of the interval at most 0.01",
        (SeatRow("v equilibrium", ("equilibrium",), 10_000, 4201, game=GAME, milliseconds=200),),
    ),
    Section(
        "heads-up limit, sessions of 1,000 hands",
        "from hand 401 on 90 % of the best rival, in the first 100 not below equilibrium",
        tuple(
            SeatRow(f"v {spec}", (spec,), 3_000, 4210 + number, STRONG, GAME, 1_000, LEARNING)
            for number, spec in enumerate(WEAK)
        ),
    ),
    Section(
        "the most that can be won from",
        "of this, 80 % from hand 401 on",
        tuple(
            MostRow(f"best response to {spec}", spec, 16, 4230)
            for spec in ("call", "rule", "raise", "station")
        ),
    ),
    Section(
        "several seats",
        "what mcts wins where players pay; elsewhere above 0 at 99 %, and 0.05 more than formula",
        (
            SeatRow("six seats that pay", (*PAYING, "station"), 500, 4241, SEARCH),
            SeatRow("nine seats that pay", (*PAYING, *PAYING), 300, 4242, SEARCH),
            SeatRow("default table", ("default",), 1_000, 4243, ("formula",)),
            SeatRow("held-out table", HELD_OUT, 1_000, 4244, ("formula",)),
            SeatRow("people's table", ("people",), 1_000, 4245, ("formula",)),
            SeatRow("six seats, as people play", ("alike",) * 5, 300, 4246, ("mcts",), SEVERAL),
        ),
    ),
    Section(
        "heads-up no-limit",
        "above 0 at 95 %; from call 90 % of the most, 25,350",
        (
            SeatRow(
                "no-limit v equilibriumnl", ("equilibriumnl",), 2_000, 4251, ("equilibriumnl",), NO_LIMIT
            ),
            SeatRow("no-limit v sartrenl", ("sartrenl",), 2_000, 4252, ("equilibriumnl",), NO_LIMIT),
            SeatRow("no-limit v mcts", ("mcts",), 2_000, 4253, ("equilibriumnl",), NO_LIMIT),
            SeatRow("no-limit v call", ("call",), 1_000, 4254, ("equilibriumnl", "mcts"), NO_LIMIT),
            *(
                SeatRow(
                    f"no-limit v sizer({style})",
                    (f"sizer({style})",),
                    500,
                    4260 + number,
                    ("mcts",),
                    NO_LIMIT,
                )
                for number, style in enumerate(STYLES)
            ),
        ),
    ),
    Section(
        "by milliseconds",
        "more with more time",
        (
            *(
                SeatRow(
                    f"v equilibrium, {time} ms", ("equilibrium",), 1_000, 4270, game=GAME, milliseconds=time
                )
                for time in TIMES
            ),
            *(
                SeatRow(f"six seats that pay, {time} ms", (*PAYING, "station"), 100, 4271, milliseconds=time)
                for time in TIMES
            ),
        ),
    ),
    Section(
        "folds to bets",
        "within 10 points",
        (FoldRow("folds beside the equilibrium", 2_000, 4280),),
    ),
    Section(
        "local best response",
        "of an unknown agent within 20 of the equilibrium re-solved, at most 250; once it is misled, by risk",
        (
            LossRow("as it is", ("AGENT",), RESOLVED, 600, 4290, 40),
            LossRow(
                "misled by a station",
                tuple(f"AGENT(risk={risk})" for risk in (0.9, 0.7)),
                "AGENT(risk=0)",
                200,
                4291,
                20,
                "station",
            ),
        ),
    ),
)
"""Where rows have one seed, they have the same deals."""
