"""Imitation: a model of a named player, from logs of any size (Rubin and Watson 2012, section 5.2.6).

Two passes over the logs, a session at a time, in any number of processes:

    study       hands -> the network's rows: what everybody did, and what was held at showdowns
    describe    hands, fitted network -> every decision of the named players as a case

What each session gave is kept as a file, whole or not at all: an interruption loses only those under way.
As they say, a player whose cards are known at showdowns alone teaches no folds: ``Account`` counts what
his hidden cards kept from being a case. Such hands still tell everybody's habits, and the tables of what
everybody sees.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena import session
from baycarp.arena.workers import processes
from baycarp.bn.learn import counts, encode, fit_counts
from baycarp.bn.network import Network
from baycarp.cases import CaseBase
from baycarp.cases.columns import Columns, stack
from baycarp.errors import ModelError
from baycarp.files import read_arrays, write_arrays
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.opponents.belief import STRUCTURE, TYPE_NODES
from baycarp.strategies.model import Model, load_model, save_model
from baycarp.strategies.spec import Strategy
from baycarp.train.account import Account
from baycarp.train.agreement import Agreement, agreement
from baycarp.train.casebases import cases_of_session
from baycarp.train.logs import Logs, RawHand, read
from baycarp.train.model import Progress, Trained
from baycarp.train.networks import EQUIVALENT_SAMPLE_SIZE, measure
from baycarp.train.rows import Row, rows_of_session
from baycarp.train.watch import claim

__all__ = ["Demonstrations", "Imitated", "imitate"]

HIDDEN = ("HandGroup", *TYPE_NODES[1:])
"""What only cards tell."""

MOST_HELD_OUT = 20
"""Sessions that measure the model, at most."""


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """What is imitated.

    Parameters
    ----------
    logs
        The hands, in sessions of 500 with fresh statistics, as our players meet them. One session of eleven
        (and `MOST_HELD_OUT` at most) is held out, to measure network and case-bases.
    players
        Whose decisions become cases; None = everybody's whose cards are known.
    """

    logs: Logs
    players: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Imitated(Trained):
    """A model of a named player, what became of the hands of the logs, and how well it does as he did."""

    account: Account
    agreement: Agreement


def imitate(
    strategy: Strategy,
    demonstrations: Demonstrations,
    folder: Path,
    command: str,
    workers: int = 1,
    progress: Progress = lambda what, done, of: None,
) -> Imitated:
    r"""Make a model of what a player does in the logs.

    The model depends on the logs and the players alone, bit for bit, whatever the number of workers.

    Parameters
    ----------
    strategy
        What the model is for; a network is fitted if it needs one.
    demonstrations
        Whose decisions, in which logs.
    folder
        Where the model goes. What the sessions gave is kept in its ``sessions``, and found again after an
        interruption.
    command
        What made the model, for its manifest.
    workers
        Processes.
    progress
        See ``train.model.Progress``.

    Raises
    ------
    NotationError
        A path that is not there, or an ACPC log without its game.
    ModelError
        The folder holds the sessions of other logs; no hand can be used; the named players decide nowhere.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from baycarp.arena.session import Table, play_session
    >>> from baycarp.strategies.baycarp import BAYCARP2
    >>> game = Variant.ring(2)
    >>> with TemporaryDirectory() as name:
    ...     log = Path(name, "strangers.log")
    ...     lines = play_session(Table(game, ("Ann", "Bob"), ("rule", "jag")), 0, hands=20).log
    ...     _ = log.write_text("\n".join([*lines, "STATE:20:rx:|::"]))
    ...     ann = Demonstrations(Logs((log,), game), ("Ann",))
    ...     made = imitate(BAYCARP2, ann, Path(name, "ann"), "an example")
    >>> made.account.hands, dict(made.account.skipped)
    (20, {'unknown action': 1})
    >>> len(made.model.casebases["preflop"]) > 0
    True
    """
    logs, players = demonstrations.logs, demonstrations.players
    kept = folder / "sessions"
    kept.mkdir(parents=True, exist_ok=True)
    claim(kept / "source.json", _identity(logs, players))
    with processes(workers) if workers > 1 else nullcontext() as pool:
        job = partial(_study, variant=logs.variant, players=players, plays=strategy.plays)
        studied, total = _pieces(pool, workers, job, enumerate(logs.sessions()), kept, "rows"), None
        for total, _ in enumerate(studied, start=1):
            progress("sessions read", total, None)
        if not total:
            raise ModelError(f"{logs.paths}: no hand in them")
        fresh = _held_out(total)
        gathered = _gather(kept, total, fresh)
        _check(gathered.account, players)
        progress("sessions read", total, total)
        network = None
        if strategy.needs_network:
            network = fit_counts(STRUCTURE, gathered.counts, EQUIVALENT_SAMPLE_SIZE)
        job = partial(_describe, demonstrations=demonstrations, strategy=strategy, network=network)
        casebases = {name: CaseBase(schema) for name, schema in strategy.bases.items()}
        learned = ((number, batch) for number, batch in enumerate(logs.sessions()) if number not in fresh)
        described = _pieces(pool, workers, job, learned, kept, "cases")
        for done, path in enumerate(described, start=1):
            for name, columns in _columns(path, strategy).items():
                casebases[name].extend_columns(columns)
            progress("sessions described", done, total - len(fresh))
        model = Model(strategy, network, casebases, {"game": logs.variant.name if logs.variant else "-"})
        save_model(folder, model, command, 0)
        met = Agreement()
        unseen = (batch for number, batch in enumerate(logs.sessions()) if number in fresh)
        compare = partial(_compare, variant=logs.variant, players=players, folder=folder)
        for done, found in enumerate(pool.map(compare, unseen) if pool else map(compare, unseen), start=1):
            met += found
            progress("sessions compared", done, len(fresh))
    measured = measure(network, gathered.counts, gathered.held_out) if network else None
    return Imitated(model, measured, gathered.showdowns, gathered.account, met)


def _identity(logs: Logs, players: Sequence[str] | None) -> dict[str, Any]:
    """What the sessions of a folder come from."""
    return {
        "logs": [[file.name, file.stat().st_size] for file in logs.files()],
        "game": logs.variant.name if logs.variant else None,
        "hands": logs.hands,
        "players": None if players is None else list(players),
        "session": session.HANDS,
    }


def _held_out(total: int) -> frozenset[int]:
    """The numbers of the sessions that the network is measured on, spread over all."""
    count = min(max(total // 11, int(total > 1)), MOST_HELD_OUT)
    return frozenset((2 * i + 1) * total // (2 * count) for i in range(count))


def _check(account: Account, players: Sequence[str] | None) -> None:
    if not account.hands:
        reason = "; ".join(account.first.values()) or "the logs are empty"
        raise ModelError(f"no hand can be used: {reason}")
    if not account.decisions["cases"]:
        most = ", ".join(repr(name) for name, _ in account.players.most_common(5)) or "nobody, by name"
        raise ModelError(f"players {players}: no decision with known cards; who sat there most: {most}")


def _pieces(
    pool: Executor | None,
    workers: int,
    job: Callable[[Sequence[RawHand], int, Path], None],
    batches: Iterable[tuple[int, Sequence[RawHand]]],
    folder: Path,
    kind: str,
) -> Iterator[Path]:
    """The files that numbered sessions of the logs give, in order; those that are there are not made again.

    Few sessions are read ahead of the workers, so that logs of any size take little memory.
    """
    waiting: deque[tuple[Path, Future[None] | None]] = deque()
    for number, batch in batches:
        path = _path(folder, kind, number)
        future = None
        if not path.exists():
            if pool:
                future = pool.submit(job, batch, number, path)
            else:
                job(batch, number, path)
        waiting.append((path, future))
        if len(waiting) > (2 * workers if pool else 0):
            yield _made(*waiting.popleft())
    while waiting:
        yield _made(*waiting.popleft())


def _path(folder: Path, kind: str, number: int) -> Path:
    return folder / f"{kind}-{number:05}.npz"


def _made(path: Path, future: "Future[None] | None") -> Path:
    if future is not None:
        future.result()
    return path


def _kept(path: Path) -> dict[str, NDArray[Any]]:
    try:
        return read_arrays(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not readable; remove it, and it is made again: {error}") from error


# The first pass.


def _study(
    batch: Sequence[RawHand],
    number: int,
    path: Path,
    variant: Variant | None,
    players: Sequence[str] | None,
    plays: Plays,
) -> None:
    """What a session teaches the network, and the account of its hands."""
    account, hands = Account(), []
    for hand in read(batch, variant, account.refuse, plays):
        account.count(hand, players)
        hands.append(hand)
    rows = list(rows_of_session(hands))
    codes = encode(STRUCTURE, [row.states for row in rows])
    arrays = {node: column.astype(np.int8) for node, column in codes.items()}
    arrays["streets"] = np.array([row.streets for row in rows], np.int8)
    arrays["showdown"] = np.array([row.showdown for row in rows], np.bool_)
    arrays["account"] = np.array(account.to_json())
    write_arrays(path, arrays)


@dataclass(slots=True)
class _Gathered:
    """What all sessions together teach."""

    account: Account
    counts: dict[str, NDArray[np.int64]]
    held_out: list[Row]
    showdowns: int = 0


def _gather(folder: Path, total: int, fresh: frozenset[int]) -> _Gathered:
    """Add up what the sessions taught; of those held out only the rows are kept, with all cards."""
    gathered = _Gathered(Account(), counts(STRUCTURE, []), [])
    for number in range(total):
        arrays = _kept(_path(folder, "rows", number))
        gathered.account.add(Account.from_json(str(arrays["account"])))
        if number in fresh:
            gathered.held_out += _rows(arrays)
            continue
        shown = arrays["showdown"]
        gathered.showdowns += int(shown.sum())
        columns = {
            node: np.where(shown, arrays[node], -1) if node in HIDDEN else arrays[node]
            for node in STRUCTURE.nodes
        }
        for node, table in counts(STRUCTURE, columns).items():
            gathered.counts[node] += table
    return gathered


def _rows(arrays: Mapping[str, NDArray[Any]]) -> list[Row]:
    rows = []
    for i, streets in enumerate(arrays["streets"].tolist()):
        codes = ((node, int(arrays[node][i])) for node in STRUCTURE.nodes)
        states = {node: STRUCTURE.states[node][code] for node, code in codes if code >= 0}
        rows.append(Row(states, streets, bool(arrays["showdown"][i])))
    return rows


# The second pass.


def _describe(
    batch: Sequence[RawHand],
    number: int,
    path: Path,
    demonstrations: Demonstrations,
    strategy: Strategy,
    network: Network | None,
) -> None:
    """The cases of a session."""
    variant = demonstrations.logs.variant
    hands = read(batch, variant, lambda refused: None, strategy.plays)  # counted in the first pass
    settled = list(cases_of_session(hands, number, strategy, network, demonstrations.players))
    arrays: dict[str, NDArray[Any]] = {}
    for base, schema in strategy.bases.items():
        columns = stack(schema, (each.case for each in settled if each.base == base))
        arrays |= {f"{base} {name}": column for name, column in columns.items()}
    write_arrays(path, arrays)


def _compare(
    batch: Sequence[RawHand],
    variant: Variant | None,
    players: Sequence[str] | None,
    folder: Path,
) -> Agreement:
    """What the model, which a process reads once, would have done in a session."""
    model = load_model(folder)
    hands = read(batch, variant, lambda refused: None, model.strategy.plays)
    return agreement(hands, model, players)


def _columns(path: Path, strategy: Strategy) -> dict[str, Columns]:
    arrays = _kept(path)
    return {
        base: {
            key.removeprefix(f"{base} "): column
            for key, column in arrays.items()
            if key.startswith(f"{base} ")
        }
        for base in strategy.bases
    }
