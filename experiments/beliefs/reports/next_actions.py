"""``beliefs --next-actions FOLDER``: the thesis' network beside hand -> action, on held-out hands.

Two tables (the true holding, the next choice: the thesis' topology against hand -> action by EM), the
folds of strong hands, with the prior and without, and the learning curve of players unlike the population,
with its picture.
"""

from argparse import Namespace
from collections.abc import Iterator

import numpy as np
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT, LEARNED, numbers
from baycarp.arena.session import Table, split
from baycarp.arena.workers import Workers
from baycarp.bn.inference import Inference
from baycarp.cli.output import console, grid, print_each
from baycarp.cli.runs import workers_of
from baycarp.game import STREETS, Variant
from baycarp.game.notation.hand import Hand
from baycarp.opponents.reliance import USUAL
from baycarp.training.networks import fit_network
from baycarp.training.rows import rows_of_session
from baycarp.training.watch import hands_of, watch
from benchmarks.parts.goal import Goal, at_most, missed
from experiments.beliefs.decision_points import Model
from experiments.beliefs.learning_curve import UNLIKE, Curve, learning_curve
from experiments.beliefs.next_actions import (
    ActionHand,
    HandAction,
    Loss,
    StrongFolds,
    choice_losses,
    holding_losses,
    price_shares,
    strong_folds,
)
from experiments.pictures import save_learning
from experiments.populations.action_cells import hand_rows, stack
from experiments.populations.action_em import STAY, fit, leftover
from experiments.populations.styles import fit_styles

__all__ = ["run"]

WATCHED, HELD_OUT_HANDS = 5000, 6000
"""Hands to learn from; hands of the players unlike the others."""

FORESEEN = 1500
"""Hands of a session with the players unlike the others: the last 500 are foreseen."""

WIDTH = 132
"""Columns that the tables take."""

Sessions = list[list[Hand]]


def run(args: Namespace) -> int:
    """Measure and print; 1 when a goal is missed."""
    with workers_of(args) as workers:
        watched, held_out = _population(args, workers)
        unmet = _unmet_sessions(args, workers)
    rows = [row for hands in watched for row in hand_rows(hands)]
    cells, fresh = stack(rows), stack(row for hands in held_out for row in hand_rows(hands))
    models = {
        "hand -> action": fit(cells, cells.shown).model,
        "every card known": fit(cells, cells.true >= 0).model,
    }
    begun, population = leftover(cells, cells.shown), models["hand -> action"]
    folds = {
        "hand -> action": population,
        "without the prior": fit(cells, cells.shown, stay=0.0).model,
        "leftover start": fit(cells, cells.shown, begun).model,
        "leftover start, without the prior": fit(cells, cells.shown, begun, stay=0.0).model,
    }
    network = fit_network([row for hands in watched for row in rows_of_session(hands)])
    inference = Inference(network)
    readers: dict[str, Model] = {
        "thesis": ActionHand(inference, types=False),
        "thesis, types": ActionHand(inference),
        **{name: HandAction(model) for name, model in models.items()},
    }
    styles = fit_styles({"all": rows})
    return _show(
        args,
        holding_losses(held_out, readers),
        choice_losses(held_out, network, models, price_shares(cells)),
        strong_folds(fresh, folds),
        learning_curve(unmet, tuple(UNLIKE), population, styles, USUAL),
    )


def _show(args: Namespace, holdings: Loss, choices: Loss, folds: StrongFolds, curve: Curve) -> int:
    """Print goals or tables, and draw the learning curve; the exit status."""
    goals = list(_goals(holdings, choices, folds, curve))
    if args.json:
        print_each(goals)
        return missed(goals)
    wide = console(WIDTH)
    wide.print(_losses("log loss of the true holding, nats (95 %)", holdings))
    wide.print(_losses("log loss of the next choice, nats (95 %)", choices))
    wide.print(_folds(folds))
    for measure in curve.losses:
        wide.print(_learned(measure, curve))
    picture = args.next_actions / "learning.png"
    panels = {f"{measure}: log loss, nats": lines for measure, lines in curve.losses.items()}
    save_learning(panels, curve.at, picture, "hands of the player")
    wide.print(f"learning curve: {picture}")
    return missed(goals)


def _population(args: Namespace, workers: Workers) -> tuple[Sessions, Sessions]:
    """The default table, watched; and held-out sessions, a fifth as many."""
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, args.seed)
    number, hands = split(args.hands or WATCHED)
    fresh = max(2, number // 5)
    wanted = [*numbers(LEARNED, number), *numbers(HELD_OUT, fresh)]
    logs = watch(table, wanted, hands, args.next_actions / "population", workers)
    sessions = [list(hands_of(log, table)) for log in logs]
    return sessions[:number], sessions[number:]


def _unmet_sessions(args: Namespace, workers: Workers) -> Sessions:
    """The players unlike the others, among those of the default table that decide fast."""
    usual = tuple(spec for spec in (*TABLE, EIGHTH) if spec not in ("absinthe", "frida"))
    names = (*(spec.capitalize() for spec in usual), *UNLIKE)
    table = Table(Variant.ring(len(names)), names, (*usual, *UNLIKE.values()), args.seed + 4)
    sessions = -(-(args.held_out or HELD_OUT_HANDS) // FORESEEN)
    logs = watch(table, numbers(LEARNED, sessions), FORESEEN, args.next_actions / "held-out", workers)
    return [list(hands_of(log, table)) for log in logs]


def _goals(holdings: Loss, choices: Loss, folds: StrongFolds, curve: Curve) -> Iterator[Goal]:
    def less(name: str, one: float, other: float) -> Goal:
        return Goal(f"{name}: less by", other - one, "nats", 0.0, met=one < other)

    for loss, what in ((holdings, "holding"), (choices, "next choice")):
        for shown, players in ((False, "all active players"), (True, "showdowns")):
            ours, thesis = (loss.mean(name, shown=shown)[0] for name in ("hand -> action", "thesis"))
            yield less(f"{what}, {players}, hand -> action than thesis", ours, thesis)
    strong = float(np.nanmax(folds.models["hand -> action"]))
    yield at_most("strong hands fold, at most", 0.05, strong, "probability")
    for what, lines in curve.losses.items():
        for place, hands in enumerate(curve.at[1:], start=1):
            ours, usual = (lines[name][place][0] for name in ("player model", "population"))
            yield less(f"{what} of a held-out player after {hands} hands, than population", ours, usual)


def _losses(title: str, loss: Loss) -> Grid:
    table = grid("", "street", "rows", *loss.losses, title=title)
    for shown, players in ((False, "active"), (True, "showdown")):
        for street, name in (*enumerate(STREETS), (None, "all")):
            cells = [loss.mean(model, street, shown) for model in loss.losses]
            means = [f"{mean:.3f} ± {margin:.3f}" for mean, margin, _ in cells]
            table.add_row(players, name, str(cells[0][2]), *means)
        table.add_section()
    return table


def _folds(folds: StrongFolds) -> Grid:
    table = grid(
        "street",
        "truth",
        *folds.models,
        title="strong hands that face a bet and fold, held-out hands (95 %)",
        caption="strong: the best 4 of 16 buckets before the flop (7.4 % of holdings), effective strength of "
        f"0.9 and more after it. The prior: strong hands hardly fold, worth up to {STAY:.0f} moves a bucket "
        "and situation. Leftover start: van der Kleij (2010), section 5.5.1",
    )
    for street, (name, true) in enumerate(zip(STREETS, folds.true, strict=True)):
        low, high = true.interval
        shares = (f"{of[street]:.2%}" for of in folds.models.values())
        table.add_row(name, f"{true} = {true.value:.2%} ({low:.2%} .. {high:.2%})", *shares)
    return table


def _learned(measure: str, curve: Curve) -> Grid:
    players = " and ".join(UNLIKE)
    table = grid(
        "after hands",
        *(f"{hands:,}" for hands in curve.at),
        title=f"a player unlike the population ({players}): log loss of the {measure}, nats (95 %)",
        caption=f"{curve.rows[measure]} rows",
    )
    for name, points in curve.losses[measure].items():
        table.add_row(name, *(f"{mean:.3f} ± {margin:.3f}" for mean, margin in points))
    return table
