"""Models' beliefs at the queries of held-out sessions, and one table of their scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay
from baycarp.rules import read
from baycarp.study.beliefs.oracle import Oracle
from baycarp.study.beliefs.queries import BeliefQuery, Model, Watcher, queries_of_session
from baycarp.study.beliefs.scores import Figure, Score, calibration, columns, mean, ratio, score

__all__ = ["Judged", "Line", "judge_session", "known_of_session", "line", "oracle_of_session"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of models over the queries of one or more sessions.

    Parameters
    ----------
    scores
        By model, by field of ``Score``: float64, shape (queries,).
    hand
        The number of the hand of each query, over all sessions.
    street
        The street of each query, 0..3.
    known
        Minus the logarithm of the oracle's probability of the truth; nan without an oracle.
    keys
        (position, action pre-flop) of each query.
    """

    scores: Mapping[str, Mapping[str, Array]]
    hand: NDArray[np.intp]
    street: NDArray[np.intp]
    known: Array
    keys: tuple[tuple[str, str], ...]

    @property
    def deal(self) -> Array:
        """The loss of a belief by the board alone: all possible holdings are equally likely."""
        return np.asarray(np.log([1326, 1176, 1128, 1081])[self.street])

    @classmethod
    def joined(cls, parts: Sequence["Judged"]) -> "Judged":
        """Sessions together; the numbers of their hands are different."""
        starts = np.cumsum([0, *(int(part.hand.max()) + 1 for part in parts)])
        return cls(
            {
                name: {key: np.concatenate([part.scores[name][key] for part in parts]) for key in fields}
                for name, fields in parts[0].scores.items()
            },
            np.concatenate([part.hand + start for part, start in zip(parts, starts, strict=False)]),
            np.concatenate([part.street for part in parts]),
            np.concatenate([part.known for part in parts]),
            tuple(key for part in parts for key in part.keys),
        )


def known_of_session(hands: Sequence[Hand], players: Mapping[str, str]) -> Array:
    """The oracle's loss at each query of a session, nats; nan where it has no belief.

    Parameters
    ----------
    hands
        In order.
    players
        The specification of each, by name.
    """
    found = oracle_of_session(hands, players)
    return np.array([np.nan if belief is None else -np.log(belief[m.holding]) for m, belief in found])


def oracle_of_session(
    hands: Sequence[Hand], players: Mapping[str, str]
) -> Iterator[tuple[BeliefQuery, Array | None]]:
    """Each query of a session with the oracle's belief; None where it has none. See ``Oracle``."""
    found = list(map(Oracle(players).after, hands))
    for query in queries_of_session(hands):
        yield query, found[query.hand].get((query.street, query.view.position))


def judge_session(hands: Sequence[Hand], models: Mapping[str, Model], known: Array | None = None) -> Judged:
    """Score every model at every query of a session with known cards.

    Parameters
    ----------
    hands
        In order.
    models
        By name. A model with a method ``types(view, street)`` returns the probabilities of the 17 hand types
        by it; otherwise they are those of its holdings. A ``Watcher`` receives each hand.
    known
        Of ``known_of_session``; None = no oracle.
    """
    scores: dict[str, list[Score]] = {name: [] for name in models}
    rows, keys = [], []
    for number, query in enumerate(_watched(hands, models)):
        if query.holding < 0:
            continue
        rows.append((number, query.hand, query.street))
        evidence = read(query.view, ("Position", "Action"))
        keys.append((str(evidence["Position"]), str(evidence.get("Action", "-"))))
        for name, model in models.items():
            types = getattr(model, "types", lambda view, street: None)(query.view, query.street)
            belief = model(query.view, query.street)
            scores[name].append(score(belief, query.holding, query.view.observation.board, types))
    kept, hand, street = np.array(rows, np.intp).reshape(-1, 3).T
    losses = np.full(len(kept), np.nan) if known is None else known[kept]
    return Judged({name: columns(found) for name, found in scores.items()}, hand, street, losses, tuple(keys))


def _watched(hands: Sequence[Hand], models: Mapping[str, Model]) -> Iterator[BeliefQuery]:
    """The queries of a session; a ``Watcher`` receives the earlier hands before each one."""
    watchers = [model for model in models.values() if isinstance(model, Watcher)]
    for watcher in watchers:
        watcher.sit()
    earlier = 0
    for query in queries_of_session(hands):
        for hand in hands[earlier : query.hand] if watchers else ():
            over = HandOver(replay(hand).observe(None, hand.players), ())
            for watcher in watchers:
                watcher.learn(over)
        earlier = query.hand
        yield query


@dataclass(frozen=True, slots=True)
class Line:
    """One model in the table.

    Parameters
    ----------
    name
        The model.
    rows
        The number of queries.
    loss
        Log loss of the true holding, nats.
    gain
        The plain model's loss less this one, on the same queries.
    share
        Share of oracle information, (loss of base - loss) / (loss of base - oracle), with an oracle.
    above_deal
        The same with the deal as the base.
    error
        Expected calibration error of the most probable hand group.
    brier, brier_type
        Brier scores of hand group and hand type.
    groups, types
        The share of queries with the truth among the first 1, 2, ...
    """

    name: str
    rows: int
    loss: Figure
    gain: Figure
    share: Figure
    above_deal: Figure
    error: float
    brier: Figure
    brier_type: Figure
    groups: tuple[Figure, ...]
    types: tuple[Figure, ...]


def _share(judged: Judged, bottom: Array, loss: Array) -> Figure:
    most = bottom - judged.known
    oracle = ~np.isnan(most)
    return ratio(np.where(oracle, bottom - loss, 0.0), np.where(oracle, most, 0.0), judged.hand)


def line(judged: Judged, name: str, base: str, plain: str) -> Line:
    """Summarise a model.

    Parameters
    ----------
    judged
        The scores.
    name, base, plain
        The model; the one by board and position alone; the one for gains.
    """
    mine, hands, after = judged.scores[name], judged.hand, judged.street > 0
    return Line(
        name,
        len(hands),
        mean(mine["loss"], hands),
        mean(judged.scores[plain]["loss"] - mine["loss"], hands),
        _share(judged, judged.scores[base]["loss"], mine["loss"]),
        _share(judged, judged.deal, mine["loss"]),
        calibration(mine["sure"], mine["group"] == 0),
        mean(mine["brier"], hands),
        mean(mine["brier_type"], hands),
        tuple(mean((mine["group"] < k).astype(np.float64), hands) for k in (1, 2, 3, 4)),
        tuple(mean(np.where(after, mine["type"] < k, np.nan), hands) for k in (1, 2, 3)),
    )
