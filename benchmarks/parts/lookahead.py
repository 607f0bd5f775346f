"""The look-ahead on an idle core: playouts a second, and what is known after 50 ms.

Each row is one decision against unknown opponents, in fixed limit: the setup, the playouts, the means of the
largest value and its standard error, and how the value scatters over seeds, which also has what the own later
play has not learned yet.
"""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np

from baycarp.agents.value.lookahead import LookAhead
from baycarp.agents.value.stages import ActionValue
from baycarp.cli.options import JSON, count, option, options
from baycarp.cli.output import console, grid, print_each
from baycarp.game.action import STREETS
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles

__all__ = ["add", "run"]

SEATS = (2, 6, 9)

HOLE, BOARD = "Ts9s", "Ah8s2c7dKs"

CHUNK = 10

add = options(
    JSON,
    option("--spent", type=count, default=50, metavar="MS", help="milliseconds of processor time a decision"),
    option("--seeds", type=count, default=10, help="decisions of each row"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A decision: milliseconds of the setup, playouts a second; the rest in small bets."""

    street: str
    seats: int
    inside: int
    setup: float
    rate: float
    value: float
    error: float
    scatter: float


def run(args: Namespace) -> int:
    """Measure and print."""
    rows = list(_rows(args.spent / 1000, args.seeds))
    if args.json:
        print_each(rows)
        return 0
    titles = ("street", "seats", "in", "setup ms", "playouts/s", "value", "error", "scatter")
    table = grid(*titles, title=f"{args.spent} ms a decision: values in small bets", words=("street",))
    for row in rows:
        figures = (f"{figure:.2f}" for figure in (row.value, row.error, row.scatter))
        table.add_row(
            row.street, str(row.seats), str(row.inside), f"{row.setup:.1f}", f"{row.rate:,.0f}", *figures
        )
    console(100).print(table)
    return 0


def _rows(seconds: float, seeds: int) -> Iterator[Row]:
    model = PlayerModels(load_styles())
    for seats in SEATS:
        for street, name in enumerate(STREETS):
            observation = _called(seats, street)
            setups, playouts, best = [], [], []
            for seed in range(seeds):
                start = process_time()
                look = LookAhead(observation, model, seed)
                setups.append(process_time() - start)
                start = process_time()
                while process_time() < start + seconds:
                    look.run(CHUNK)
                playouts.append(look.playouts)
                best.append(max(look.values(), key=_chips))
            small = observation.variant.small_bet
            values = np.array([value.chips for value in best]) / small
            yield Row(
                street=name,
                seats=seats,
                inside=len(observation.state.seats_in),
                setup=1000 * float(np.median(setups)),
                rate=float(np.mean(playouts)) / seconds,
                value=float(values.mean()),
                error=float(np.mean([value.error for value in best])) / small,
                scatter=float(values.std(ddof=1)) if seeds > 1 else 0.0,
            )


def _chips(value: ActionValue) -> float:
    return value.chips


def _called(seats: int, street: int) -> Observation:
    """The first decision of a street that four players at most have called to."""
    state = State(Variant.ring(seats))
    while state.street < street:
        folds = state.street == 0 and state.owed and len(state.seats_in) > 4
        state.apply(state.named("fold" if folds else "call" if state.owed else "check"))
    assert state.to_act is not None
    shown = BOARD[: 2 * (0, 3, 4, 5)[street]]
    state.deal({state.to_act: HOLE}, shown or None)
    return state.observe(state.to_act)
