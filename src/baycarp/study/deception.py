"""How predictable a player is, and what a responder trained on him takes from him.

Three series of hands, each in a journal of its own: at the table, the same seat and decks for everybody who
is compared, from which his next action is predicted; heads-up against some probes, cards and all, from which
the responder is trained; and heads-up against that responder. Who is studied so plays on decks of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from baycarp.agents.table import TABLE
from baycarp.arena.ablation import arms
from baycarp.arena.decks import PLAYED, STUDIED
from baycarp.arena.match import Match, seatings
from baycarp.arena.measure import Rate, interval
from baycarp.arena.run import Results
from baycarp.arena.series import Series, play_series
from baycarp.arena.session import Table
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from baycarp.study.predict import Predicted, predict, public_decisions
from baycarp.train.respond import respond

__all__ = ["PROBES", "Measured", "Plan", "measure"]

HERO = "the arm"
JUDGE = "control"
"""What takes luck out of the results."""

PROBES = ("jag", "karma", "raise")
"""Against whom a player is watched before he is responded to: loose, tight, and one who always raises, so
that he has to answer what a responder may do."""

HEADS_UP = "holdem.limit.2p.reverse_blinds"

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is measured, and how long.

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
        Against the responder, each in both seats; 0 = none is trained.
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
    """What was measured of one agent.

    Parameters
    ----------
    spec
        The agent.
    won
        At the table.
    more
        Than the first agent, on the same decks.
    predicted
        His next action at the table, from what is public.
    lost
        What the responder took from him heads-up: a lower bound on what a best response would.
    """

    spec: str
    won: Rate
    more: Rate
    predicted: Predicted
    lost: Rate | None


def measure(plan: Plan, workers: int = 1, progress: Progress = lambda what, done, of: None) -> list[Measured]:
    """Play what the journals lack, and measure every agent.

    Raises
    ------
    ImportError
        scikit-learn is not installed.
    JournalError
        The folder holds other agents' hands.
    """
    game, names = Variant.ring(1 + len(TABLE)), tuple(name.capitalize() for name in TABLE)
    table = Table(game, (HERO, *names), (plan.specs[0], *TABLE), plan.seed, estimators=(JUDGE,))
    series = arms(table, plan.specs)
    tick = _tick(progress, "hands at the table", series.hands(plan.deals))
    played = play_series(series, plan.deals, plan.out / "table.journal", workers, tick, PLAYED)
    won = [scores.won(HERO, JUDGE) for scores in series.scores(played)]
    lost = _lost(plan, workers, progress) if plan.answered else [None] * len(plan.specs)
    measured = []
    for arm, spec in enumerate(plan.specs):
        hands = _hands(played, arm, game)
        predicted = predict(list(public_decisions(hands, HERO)), plan.seed)
        rate, more = (interval(each, game.seats) for each in (won[arm], won[arm] - won[0]))
        measured.append(Measured(spec, rate, more, predicted, lost[arm]))
    return measured


def _lost(plan: Plan, workers: int, progress: Progress) -> list[Rate]:
    """What a responder takes from each agent, trained on his hands against the probes."""
    game = Variant.load(HEADS_UP)
    tables = [Table(game, (HERO, probe), (spec, probe), plan.seed) for spec in plan.specs for probe in PROBES]
    watched = Series(tuple(Match(table, seatings(2)) for table in tables))
    tick = _tick(progress, "hands watched", watched.hands(plan.watched))
    result = play_series(watched, plan.watched, plan.out / "watched.journal", workers, tick, STUDIED)
    models = [plan.out / f"responder-{arm}.npz" for arm in range(1, 1 + len(plan.specs))]
    for arm, (spec, model) in enumerate(zip(plan.specs, models, strict=True)):
        matches = range(arm * len(PROBES), (arm + 1) * len(PROBES))
        hands = (hand for number in matches for hand in _hands(result, number, game))
        respond(hands, HERO, model, f"{spec}, watched for {plan.watched} deals a probe, seed {plan.seed}")
    answers = [f"responder(model={str(model)!r})" for model in models]
    pairs = zip(plan.specs, answers, strict=True)
    tables = [Table(game, (HERO, "responder"), each, plan.seed, estimators=(JUDGE,)) for each in pairs]
    series = Series(tuple(Match(table, seatings(2)) for table in tables))
    tick = _tick(progress, "hands answered", series.hands(plan.answered))
    played = play_series(series, plan.answered, plan.out / "answered.journal", workers, tick, PLAYED)
    return [scores.rate("responder", JUDGE) for scores in series.scores(played)]


def _tick(progress: Progress, what: str, total: int) -> Callable[[int], None]:
    return lambda done: progress(what, done, total)


def _hands(played: Results, number: int, game: Variant) -> Iterator[Hand]:
    """The hands of one match of a series; those of one deal have one number."""
    for unit in sorted(unit for unit in played if unit[0] == number):
        yield from (parse_state(line, game) for line in played[unit].log)
