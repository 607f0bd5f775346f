"""Logs of hands among agents, of any length: files of whole sessions, the same for any number of workers.

Two players that answer as tables are played by ``table_play``, many hands at once; any others decide hand by
hand, as in a match.
"""

from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.classes import offers_classes
from baycarp.agents.registry import identity, load
from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.session import HANDS, Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.files import mapped_array, write_whole
from baycarp.game.notation.acpc import parse_state
from baycarp.kernels.game import deal
from baycarp.solvers.buckets.boards import canonical_boards
from baycarp.training.hand_texts import SUFFIXES, Format, Templates, as_phh
from baycarp.training.holding_classes import BoardRows, HoldingClasses
from baycarp.training.table_play import BatchPlay
from baycarp.training.watch import alone, claim

__all__ = ["LogPlan"]

TOGETHER = 40
"""Sessions in a file of players that answer as tables; of others one."""

MANY = 100_000
"""From so many hands on the classes on all flops and turns are computed first, by all workers together."""

PORTION = 256
"""Boards of a unit of that work."""


@dataclass(frozen=True)
class LogPlan:
    """What is written.

    Parameters
    ----------
    table
        The players and their game, with the seed; stacks are reset.
    hands
        In all.
    format
        The notation of the files.
    """

    table: Table
    hands: int
    format: Format = "acpc"

    @property
    def answers_as_tables(self) -> bool:
        """Whether two players of heads-up fixed limit answer as tables."""
        game = self.table.variant
        plain = (game.seats, game.betting, game.stacks) == (2, "limit", None)
        return plain and self.table.budget is None and all(map(offers_classes, map(load, self.table.specs)))

    def parts(self) -> list[tuple[int, int]]:
        """The first hand and the number of hands of each file."""
        length = HANDS * (TOGETHER if self.answers_as_tables else 1)
        return [(first, min(length, self.hands - first)) for first in range(0, self.hands, length)]

    def about(self) -> dict[str, Any]:
        """What a folder is for, as JSON values: another plan is refused there."""
        table = self.table
        agents = [identity(spec, table.variant) for spec in table.specs]
        names = {"game": table.variant.name, "players": list(table.players), "agents": agents}
        return names | {"seed": table.seed, "hands": self.hands, "format": self.format}

    def run(
        self,
        folder: Path,
        workers: Workers = THIS_PROCESS,
        tick: Callable[[str, int, int | None], None] = lambda name, done, total: None,
    ) -> list[Path]:
        """Write the files that a folder lacks, and give the paths of all, in order.

        Parameters
        ----------
        folder
            Of the files ``hands-NNNNNNNNN.log`` or ``.phhs``, named by the number of their first hand; each
            is written whole or not at all.
        workers
            Where hands are played.
        tick
            Receives the kind of work, how much is done and how much there is.

        Raises
        ------
        ModelError
            The folder has logs of another plan, another process writes to it, or there is no such agent.
        TableError
            An agent that does not play the game.
        """
        self.table.verify_players()
        numbers(LEARNED, -(-self.hands // HANDS))
        folder.mkdir(parents=True, exist_ok=True)
        claim(folder / "table.json", self.about())
        parts = self.parts()
        paths = [folder / f"hands-{first:09}{SUFFIXES[self.format]}" for first, _ in parts]
        missing = {part: path for part, path in zip(parts, paths, strict=True) if not path.exists()}
        done = self.hands - sum(hands for _, hands in missing)
        with TemporaryDirectory() as kept:
            many = sum(hands for _, hands in missing) >= MANY and workers.pool is None
            if self.answers_as_tables and many:
                _prepare(self.table, Path(kept), workers, tick)
            tick("hands", done, self.hands)
            play = partial(_by_tables, self, kept) if self.answers_as_tables else partial(_by_decisions, self)
            own = alone(folder) if missing else nullcontext()
            with own, closing(in_order(play, list(missing), workers)) as found:
                for part, text in found:
                    write_whole(missing[part], text)
                    done += part[1]
                    tick("hands", done, self.hands)
        return paths


def _by_decisions(plan: LogPlan, part: tuple[int, int]) -> str:
    first, hands = part
    played = play_session(plan.table, LEARNED + first // HANDS, hands)
    lines = [f"STATE:{first + hand}:{line.split(':', 2)[2]}" for hand, line in enumerate(played.log)]
    if plan.format == "acpc":
        return "".join(line + "\n" for line in lines)
    return "".join(as_phh(parse_state(line, plan.table.variant)) for line in lines)


def _by_tables(plan: LogPlan, kept: str, part: tuple[int, int]) -> str:
    first, hands = part
    seed = plan.table.seed
    cards = (deal(seed, LEARNED + n // HANDS, n % HANDS, 9) for n in range(first, first + hands))
    decks = np.frombuffer(b"".join(cards), np.uint8).reshape(hands, 9)
    texts = [""] * hands
    with _ONE_AT_A_TIME:
        for parity, (play, templates) in enumerate(_seated(plan, kept)):
            rows = np.arange(parity, hands, 2)
            played = play.play(decks[rows], np.random.default_rng((seed, LEARNED, first, parity)))
            actions = [tuple(act.action for act in state.acts) for state in play.endings]
            places, outcomes = played.endings.tolist(), played.outcomes.tolist()
            for row, place, outcome in zip(rows.tolist(), places, outcomes, strict=True):
                ending = place, actions[place]
                texts[row] = templates.text(ending, outcome, first + row, decks[row].tobytes())
    return "".join(texts)


_ONE_AT_A_TIME = Lock()
"""The play that ``_seated`` keeps belongs to one thread at a time; a cluster's worker may have several."""


@lru_cache(maxsize=1)
def _seated(plan: LogPlan, kept: str) -> tuple[tuple[BatchPlay, Templates], ...]:
    """The play of the hands with even and with odd numbers: the button moves one seat a hand."""
    table = plan.table
    classes = _classes(table)
    for number, own in enumerate(classes.values()):
        for street in (1, 2):
            if (path := _path(Path(kept), number, street)).exists():
                rows = mapped_array(path, "uint16")
                own.rows[street] = BoardRows.of(2 + street, rows)
    seatings = ((1, 0), (0, 1))
    return tuple(
        (
            BatchPlay((classes[table.specs[one]], classes[table.specs[other]]), table.variant),
            Templates(table.variant, (table.players[one], table.players[other]), plan.format),
        )
        for one, other in seatings
    )


@lru_cache(maxsize=1)
def _classes(table: Table) -> dict[str, HoldingClasses]:
    agents: dict[str, Any] = {spec: load(spec) for spec in dict.fromkeys(table.specs)}
    return {spec: HoldingClasses(agent, table.variant) for spec, agent in agents.items()}


Portion = tuple[int, int, int]
"""Boards of a unit of work: the number of the agent, the street, and the first board."""


def _prepare(
    table: Table, folder: Path, workers: Workers, tick: Callable[[str, int, int | None], None]
) -> None:
    """Write the classes on all flops and turns to a folder, which the workers read together."""
    for number in range(len(set(table.specs))):
        for street in (1, 2):
            boards = len(canonical_boards(2 + street))
            units = [(number, street, first) for first in range(0, boards, PORTION)]
            name, rows = f"boards of {2 + street} cards", list[NDArray[np.uint16]]()
            with closing(in_order(partial(_portion, table), units, workers)) as found:
                for (_, _, first), part in found:
                    rows.append(part)
                    tick(name, first + len(part), boards)
            np.save(_path(folder, number, street), np.concatenate(rows), allow_pickle=False)


def _portion(table: Table, unit: Portion) -> NDArray[np.uint16]:
    """The classes on some canonical boards: shape (boards, 1326)."""
    number, street, first = unit
    classes = list(_classes(table).values())[number]
    places = np.arange(first, min(first + PORTION, len(canonical_boards(2 + street))))
    with _ONE_AT_A_TIME:
        classes.fill(street, places)
    return classes.rows[street].rows[places]


def _path(folder: Path, number: int, street: int) -> Path:
    return folder / f"classes-{number}-{street}.npy"
