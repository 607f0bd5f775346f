"""The measure: models' answers to the queries of held-out sessions, and one table of their scores."""

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
        0..3, of each.
    known
        Minus the logarithm of the oracle's probability of the truth; nan where there is no oracle.
    keys
        (position, action pre-flop) of each.
    """

    scores: Mapping[str, Mapping[str, Array]]
    hand: NDArray[np.intp]
    street: NDArray[np.intp]
    known: Array
    keys: tuple[tuple[str, str], ...]

    @property
    def deal(self) -> Array:
        """The loss of a belief from the board alone: every holding that it leaves is equally likely."""
        return np.asarray(np.log([1326, 1176, 1128, 1081])[self.street])

    @classmethod
    def joined(cls, parts: Sequence["Judged"]) -> "Judged":
        """Sessions put together; their hands stay apart."""
        starts = np.cumsum([0, *(int(part.hand.max()) + 1 for part in parts)])
        first = parts[0].scores
        return cls(
            {
                name: {key: np.concatenate([part.scores[name][key] for part in parts]) for key in first[name]}
                for name in first
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
        What each was loaded from, by name.
    """
    asked = zip(queries_of_session(hands), oracle_of_session(hands, players), strict=True)
    return np.array([np.nan if belief is None else -np.log(belief[m.holding]) for m, belief in asked])


def oracle_of_session(hands: Sequence[Hand], players: Mapping[str, str]) -> Iterator[Array | None]:
    """The oracle's belief at each query of a session; None where it has none. See ``Oracle``."""
    oracle = Oracle(players)
    found = [oracle.after(hand) for hand in hands]
    for query in queries_of_session(hands):
        yield found[query.hand].get((query.street, query.view.position))


def judge_session(hands: Sequence[Hand], models: Mapping[str, Model], known: Array | None = None) -> Judged:
    """Score every model at every query of a session at which the cards are known.

    Parameters
    ----------
    hands
        In order.
    models
        By name. One that has a method ``types(view, street)`` gives the probabilities of the 17 hand
        types as well, or else they are those of its holdings. A ``Watcher`` receives each hand.
    known
        Of ``known_of_session``; None = no oracle.
    """
    scores: dict[str, list[Score]] = {name: [] for name in models}
    where, keys, kept = [], [], []
    for number, query in enumerate(_watched(hands, models)):
        if query.holding < 0:
            continue
        kept.append(number)
        where.append((query.hand, query.street))
        evidence = read(query.view, ("Position", "Action"))
        keys.append((str(evidence["Position"]), str(evidence.get("Action", "-"))))
        board = query.view.observation.board
        for name, model in models.items():
            types = getattr(model, "types", lambda view, street: None)(query.view, query.street)
            belief = model(query.view, query.street)
            scores[name].append(score(belief, query.holding, board, types))
    at = np.array(where, np.intp).reshape(-1, 2)
    losses = np.full(len(kept), np.nan) if known is None else known[kept]
    columns_of = {name: columns(found) for name, found in scores.items()}
    return Judged(columns_of, at[:, 0], at[:, 1], losses, tuple(keys))


def _watched(hands: Sequence[Hand], models: Mapping[str, Model]) -> Iterator[BeliefQuery]:
    """The queries of a session; a ``Watcher`` receives the hands before each one."""
    watchers = [model for model in models.values() if isinstance(model, Watcher)]
    for watcher in watchers:
        watcher.sit()
    shown = 0
    for query in queries_of_session(hands):
        for hand in hands[shown : query.hand]:
            over = HandOver(replay(hand).observe(None, hand.players), ())
            for watcher in watchers:
                watcher.learn(over)
        shown = query.hand
        yield query


@dataclass(frozen=True, slots=True)
class Line:
    """One model in the table.

    Parameters
    ----------
    name
        The model.
    rows
        Moments.
    loss
        Log loss of the true holding, nats.
    gain
        By how much less than the first model's, on the same queries.
    share
        Of oracle information, (loss of base - loss) / (loss of base - oracle), where there is an oracle.
    above_deal
        The same with the bare deal for the base.
    error
        Expected calibration error of the most probable hand group.
    brier, brier_type
        Of hand group and hand type.
    groups, types
        How often the truth was among the first 1, 2, ...
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
    oracle = ~np.isnan(judged.known)
    most = bottom - np.where(oracle, judged.known, 0.0)
    return ratio(np.where(oracle, bottom - loss, 0.0), np.where(oracle, most, 0.0), judged.hand)


def line(judged: Judged, name: str, base: str, plain: str) -> Line:
    """Sum a model up.

    Parameters
    ----------
    judged
        What was measured.
    name, base, plain
        The model; the one from board and position alone; the one that gains are computed from.
    """
    mine, hands = judged.scores[name], judged.hand
    after = judged.street > 0
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
