"""The predictability of a player, and the win rate of a responder that is trained on its actions.

Three series of hands, each in a journal of its own: at the table, the same seat and decks for all agents that
are compared, from which the next action is predicted; heads-up against the probes, with all cards, from which
the responder is trained; and heads-up against that responder. The training hands have decks of their own.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from baycarp.agents.registry import load_for
from baycarp.agents.table import TABLE
from baycarp.arena.ablation import arms
from baycarp.arena.decks import PLAYED, STUDIED
from baycarp.arena.match import Match, seatings
from baycarp.arena.measure import Rate, interval
from baycarp.arena.run import Results
from baycarp.arena.series import Series, play_series
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import ActionModel
from baycarp.opponents.actions.styles import Styles, save_styles
from baycarp.training.model import Progress
from experiments.people.predict import Predicted, predict, public_decisions
from experiments.recipes.action_cells import hand_rows, stack
from experiments.recipes.action_em import fit

__all__ = ["PROBES", "Measured", "Plan", "measure", "respond"]

HERO = "the arm"
JUDGE = "control"
"""The estimator of win rates, which reduces their variance."""

PROBES = ("jag", "karma", "raise")
"""The opponents in the training hands of a responder: loose, tight, and one that always raises, so that the
player answers the actions that a responder may use."""

HEADS_UP = "holdem.limit.2p.reverse_blinds"


@dataclass(frozen=True, slots=True)
class Plan:
    """The agents, and the numbers of deals.

    Parameters
    ----------
    specs
        The agents, each compared with the first.
    out
        Folder of the journals and of the responders' models.
    deals
        At the table, each in all rotations.
    watched
        Heads-up against each probe, each in both seats.
    answered
        Against the responder, each in both seats; 0 = no responder is trained.
    seed
        Fixes every card and draw.
    """

    specs: tuple[str, ...]
    out: Path
    deals: int = 200
    watched: int = 500
    answered: int = 500
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of one agent.

    Parameters
    ----------
    spec
        The agent.
    won
        Its win rate at the table.
    more
        That rate less the first agent's, on the same decks.
    predicted
        The predictions of its next action at the table from public information.
    lost
        The responder's win rate against it heads-up: a lower bound of a best response's.
    """

    spec: str
    won: Rate
    more: Rate
    predicted: Predicted
    lost: Rate | None


def measure(
    plan: Plan, workers: Workers = THIS_PROCESS, progress: Progress = lambda what, done, of: None
) -> list[Measured]:
    """Play the hands that the journals lack, and measure every agent.

    Raises
    ------
    ImportError
        scikit-learn is not installed.
    JournalError
        The folder holds other agents' hands.
    TableError
        An agent that does not play one of the games.
    """
    if plan.answered:  # the table's game is verified before the first hand there
        for spec in plan.specs:
            load_for(Variant.load(HEADS_UP), spec)
    names = (HERO, *(name.capitalize() for name in TABLE))
    game = Variant.ring(len(names))
    series = arms(Table(game, names, (plan.specs[0], *TABLE), plan.seed, estimators=(JUDGE,)), plan.specs)
    tick = _tick(progress, "hands at the table", series.hands(plan.deals))
    played = play_series(series, plan.deals, plan.out / "table.journal", workers, tick, PLAYED)
    won = [scores.won(HERO, JUDGE) for scores in series.scores(played)]
    lost = _lost(plan, workers, progress) if plan.answered else [None] * len(plan.specs)
    return [
        Measured(
            spec,
            interval(won[arm], game.seats),
            interval(won[arm] - won[0], game.seats),
            predict(list(public_decisions(_hands(played, arm, game), HERO)), plan.seed),
            lost[arm],
        )
        for arm, spec in enumerate(plan.specs)
    ]


def _lost(plan: Plan, workers: Workers, progress: Progress) -> list[Rate]:
    """The win rate of a responder against each agent, trained on the agent's hands against the probes."""
    game = Variant.load(HEADS_UP)
    tables = [Table(game, (HERO, probe), (spec, probe), plan.seed) for spec in plan.specs for probe in PROBES]
    watched = Series(tuple(Match(table, seatings(2)) for table in tables))
    tick = _tick(progress, "hands watched", watched.hands(plan.watched))
    result = play_series(watched, plan.watched, plan.out / "watched.journal", workers, tick, STUDIED)
    tables = []
    for arm, spec in enumerate(plan.specs):
        matches = range(arm * len(PROBES), (arm + 1) * len(PROBES))
        hands = (hand for number in matches for hand in _hands(result, number, game))
        model = plan.out / f"responder-{arm + 1}.npz"
        respond(hands, HERO, model, f"{spec}, watched for {plan.watched} deals a probe, seed {plan.seed}")
        specs = spec, f"responder(model={str(model)!r})"
        tables.append(Table(game, (HERO, "responder"), specs, plan.seed, estimators=(JUDGE,)))
    series = Series(tuple(Match(table, seatings(2)) for table in tables))
    tick = _tick(progress, "hands answered", series.hands(plan.answered))
    played = play_series(series, plan.answered, plan.out / "answered.journal", workers, tick, PLAYED)
    return [scores.rate("responder", JUDGE) for scores in series.scores(played)]


def respond(hands: Iterable[Hand], player: str, path: Path, command: str) -> ActionModel:
    """Fit the actions of a player by its holdings, and save the model for ``agents.responder``.

    Parameters
    ----------
    hands
        Finished, of two players, with all cards.
    player
        The name of the player.
    path
        The file of the model.
    command
        What made the model, recorded in the file.
    """
    rows = stack(row for row in hand_rows(hands) if row.player == player and row.holding >= 0)
    model = fit(rows, np.ones(len(rows), np.bool_), rounds=1, stay=0.0).model
    save_styles(Styles((model,), (1.0,)), path, command)
    return model


def _tick(progress: Progress, what: str, total: int) -> Callable[[int], None]:
    return lambda done: progress(what, done, total)


def _hands(played: Results, number: int, game: Variant) -> Iterator[Hand]:
    """The hands of one match of a series; those of one deal have one number."""
    for unit in sorted(unit for unit in played if unit[0] == number):
        yield from (parse_state(line, game) for line in played[unit].log)
