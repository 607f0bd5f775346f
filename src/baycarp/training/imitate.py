"""Imitation: a model of a named player, from logs of any size (Rubin and Watson 2012, section 5.2.6).

Two passes over the logs, a session at a time, in any number of processes:

    study       hands -> the network's rows: all actions, and the hole cards shown at showdowns
    describe    hands, fitted network -> every decision of the named players as a case

The result of each session is a file, whole or not at all: an interruption loses only unfinished sessions. A
player whose cards are known only at showdowns gives no cases of folds; ``Account`` counts the decisions
without known cards. Such hands still count for the players' statistics and for the tables of observed nodes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena import session
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order, opened
from baycarp.bn.learn import counts, encode, fit_counts
from baycarp.bn.network import Network
from baycarp.cases import CaseBase
from baycarp.errors import ModelError, reason
from baycarp.files import ArrayForm, FileForm, packed, read_arrays, write_whole
from baycarp.opponents.network.topology import HIDDEN, STRUCTURE
from baycarp.strategies.model import Model, load_model, save_model
from baycarp.strategies.spec import Strategy
from baycarp.training.account import Account
from baycarp.training.agreement import Agreement, HeldOut, Prediction, agreement
from baycarp.training.casebases import columns_of_session
from baycarp.training.logs import LogEntry, Logs, read
from baycarp.training.model import Progress, Trained
from baycarp.training.networks import EQUIVALENT_SAMPLE_SIZE, measure
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import claim

__all__ = ["Demonstrations", "Imitated", "imitate"]

MOST_HELD_OUT = 20
"""The greatest number of held-out sessions."""

_Batch = tuple[int, Sequence[LogEntry]]
"""A session of the logs, and its number."""


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """The hands and the imitated players.

    Parameters
    ----------
    logs
        The hands, in sessions of 500 with fresh statistics, as in play. One session of eleven
        (``MOST_HELD_OUT`` at most) is held out, to measure network and case-bases.
    players
        The players whose decisions become cases; None = all players with known cards.
    """

    logs: Logs
    players: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Imitated(Trained):
    """A model of a named player, the account of the logs, and the held-out decisions of the player."""

    account: Account
    agreement: Agreement
    prediction: Prediction


def imitate(
    strategy: Strategy,
    demonstrations: Demonstrations,
    folder: Path,
    command: str,
    workers: Workers = THIS_PROCESS,
    progress: Progress = lambda what, done, of: None,
) -> Imitated:
    r"""Make a model of a player's decisions in logs.

    The model depends on the logs and the players only, bit for bit, for any number of workers.

    Parameters
    ----------
    strategy
        The strategy of the model; a network is fitted if it needs one.
    demonstrations
        The logs and the players.
    folder
        The folder of the model. The results of the sessions are in its ``sessions``, and are used again after
        an interruption.
    command
        The command line, for the manifest.
    workers
        Where the work is done; with a pool of other machines, held-out sessions are compared in this process.
    progress
        See ``training.model.Progress``.

    Raises
    ------
    NotationError
        A missing path, or a folder without files.
    ModelError
        The folder has sessions of other logs; no hand can be used; the named players have no decision, or
        some whose cards are unknown, and the strategy is learned from complete logs alone.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from baycarp.arena.session import Table, play_session
    >>> from baycarp.game.variant import Variant
    >>> from baycarp.strategies.baycarp import BAYCARP2
    >>> game = Variant.ring(2)
    >>> with TemporaryDirectory() as name:
    ...     log = Path(name, "others.log")
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
    with opened(workers) as ready:
        job = partial(_study, demonstrations=demonstrations, strategy=strategy)
        total = 0
        for total, _ in enumerate(_pieces(ready, job, enumerate(logs.sessions()), kept, "rows"), 1):
            progress("sessions read", total, None)
        fresh = _held_out(total)
        account, case_counts, held_out, showdowns = _gather(kept, total, fresh)
        try:
            if not total:
                raise ModelError(f"{', '.join(map(str, logs.paths))}: no hand in them")
            _check(account, players, strategy)
        except ModelError:
            _forget(kept)  # no model comes of them, and they would refuse other logs
            raise
        progress("sessions read", total, total)
        fitted = strategy.needs_network
        network = fit_counts(STRUCTURE, case_counts, EQUIVALENT_SAMPLE_SIZE) if fitted else None
        job = partial(_describe, demonstrations=demonstrations, strategy=strategy, network=network)
        casebases = {name: CaseBase(schema) for name, schema in strategy.bases.items()}
        learned = ((number, batch) for number, batch in enumerate(logs.sessions()) if number not in fresh)
        for done, path in enumerate(_pieces(ready, job, learned, kept, "cases"), 1):
            _extend(casebases, _kept(path))
            progress("sessions described", done, total - len(fresh))
        model = Model(strategy, network, casebases, {"game": logs.variant.name if logs.variant else "-"})
        save_model(folder, model, command, 0)
        met = HeldOut()
        unseen = (batch for number, batch in enumerate(logs.sessions()) if number in fresh)
        compare = partial(_compare, demonstrations=demonstrations, folder=folder)
        near = THIS_PROCESS if workers.pool else ready
        with closing(in_order(compare, unseen, near)) as compared:
            for done, (_, found) in enumerate(compared, 1):
                met += found
                progress("sessions compared", done, len(fresh))
    measured = measure(network, case_counts, held_out) if network else None
    return Imitated(model, measured, showdowns, account, met.agreement, met.prediction)


def _forget(kept: Path) -> None:
    """Remove the results of the sessions, and the folders that are empty then."""
    for path in kept.glob("*"):
        path.unlink()
    with suppress(OSError):
        kept.rmdir()
        kept.parent.rmdir()


def _identity(logs: Logs, players: Sequence[str] | None) -> dict[str, Any]:
    return {
        "logs": [[file.name, file.stat().st_size] for file in logs.files()],
        "game": logs.variant.name if logs.variant else None,
        "hands": logs.hands,
        "players": None if players is None else list(players),
        "session": session.HANDS,
    }


def _held_out(total: int) -> frozenset[int]:
    """The numbers of the held-out sessions, spread over all."""
    count = min(max(total // 11, int(total > 1)), MOST_HELD_OUT)
    return frozenset((2 * i + 1) * total // (2 * count) for i in range(count))


def _check(account: Account, players: Sequence[str] | None, strategy: Strategy) -> None:
    if not account.hands:
        reason = "; ".join(account.first.values()) or "the logs are empty"
        raise ModelError(f"no hand can be used: {reason}")
    if not account.decisions["cases"]:
        most = ", ".join(repr(name) for name, _ in account.players.most_common(5)) or "no named player"
        raise ModelError(f"players {players}: no decision with known cards; most hands: {most}")
    if strategy.complete and (unknown := account.decisions["cards or end unknown"]):
        of = sum(account.decisions.values())
        raise ModelError(
            f"players {players}: the cards of {unknown} of {of} decisions are unknown: expected logs with "
            f"all hole cards, since {strategy.name!r} would learn nothing of the hands that were folded"
        )


def _pieces(
    workers: Workers,
    job: Callable[[_Batch], dict[str, NDArray[Any]]],
    batches: Iterable[_Batch],
    folder: Path,
    kind: str,
) -> Iterator[Path]:
    """The files of numbered sessions of the logs, in order; existing files are not made again.

    Few sessions are read ahead of the workers, so that logs of any size take little memory.
    """
    units = ((number, None if _path(folder, kind, number).exists() else batch) for number, batch in batches)
    with closing(in_order(partial(_piece, job), units, workers)) as found:
        for (number, _), data in found:
            path = _path(folder, kind, number)
            if data is not None:
                write_whole(path, data)
            yield path


def _piece(
    job: Callable[[_Batch], dict[str, NDArray[Any]]], unit: tuple[int, Sequence[LogEntry] | None]
) -> bytes | None:
    number, batch = unit
    return None if batch is None else packed(job((number, batch)))


def _path(folder: Path, kind: str, number: int) -> Path:
    return folder / f"{kind}-{number:05}.npz"


_ROWS = FileForm(
    {
        **{node: ArrayForm("int8", ("rows",), -1) for node in STRUCTURE.nodes},
        "streets": ArrayForm("int8", ("rows",), 0),
        "showdown": ArrayForm("bool", ("rows",)),
        "account": ArrayForm("U", ()),
    },
    rules=(
        (
            "states of the network",
            lambda arrays, _: all(
                arrays[node].max(initial=-1) < len(STRUCTURE.states[node]) for node in STRUCTURE.nodes
            ),
        ),
    ),
)
"""The rows of a session for the network; where it has none, they are empty."""


def _kept(path: Path, form: FileForm | None = None) -> dict[str, NDArray[Any]]:
    try:
        return read_arrays(path, form)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not readable; remove it, and it is made again: {reason(error)}") from error


# The first pass.


def _study(batch: _Batch, demonstrations: Demonstrations, strategy: Strategy) -> dict[str, NDArray[Any]]:
    """The rows of a session for the network, if there is one, and the account of its hands."""
    account = Account()
    hands = list(read(batch[1], account.refuse, strategy.plays))
    for hand in hands:
        account.count(hand, demonstrations.players)
    rows = list(rows_of_session(hands)) if strategy.needs_network else []
    codes = encode(STRUCTURE, [row.states for row in rows])
    return {
        **{node: column.astype(np.int8) for node, column in codes.items()},
        "streets": np.array([row.streets for row in rows], np.int8),
        "showdown": np.array([row.showdown for row in rows], np.bool_),
        "account": np.array(account.to_json()),
    }


def _gather(
    folder: Path, total: int, fresh: frozenset[int]
) -> tuple[Account, dict[str, NDArray[np.int64]], list[NetworkRow], int]:
    """The account, the counts and showdowns of the sessions learned, and the held-out rows with all cards."""
    account, case_counts, held_out, showdowns = Account(), counts(STRUCTURE, []), list[NetworkRow](), 0
    for number in range(total):
        arrays = _kept(_path(folder, "rows", number), _ROWS)
        account.add_json(str(arrays["account"]))
        if number in fresh:
            held_out += _rows(arrays)
            continue
        shown = arrays["showdown"]
        showdowns += int(shown.sum())
        columns = {
            node: np.where(shown, arrays[node], -1) if node in HIDDEN else arrays[node]
            for node in STRUCTURE.nodes
        }
        for node, table in counts(STRUCTURE, columns).items():
            case_counts[node] += table
    return account, case_counts, held_out, showdowns


def _rows(arrays: Mapping[str, NDArray[Any]]) -> list[NetworkRow]:
    codes = zip(*(arrays[node].tolist() for node in STRUCTURE.nodes), strict=True)
    named = [zip(STRUCTURE.nodes, row, strict=True) for row in codes]
    states = [{node: STRUCTURE.states[node][code] for node, code in row if code >= 0} for row in named]
    return list(map(NetworkRow, states, arrays["streets"].tolist(), arrays["showdown"].tolist()))


# The second pass.


def _describe(
    batch: _Batch, demonstrations: Demonstrations, strategy: Strategy, network: Network | None
) -> dict[str, NDArray[Any]]:
    number, entries = batch
    # hands that are refused were counted in the first pass
    hands = read(entries, lambda refused: None, strategy.plays)
    found = columns_of_session(hands, number, strategy, network, demonstrations.players)
    return {f"{base} {name}": column for base, columns in found.items() for name, column in columns.items()}


def _extend(casebases: Mapping[str, CaseBase], arrays: Mapping[str, NDArray[Any]]) -> None:
    for base, casebase in casebases.items():
        named = (key.rpartition(" ") for key in arrays)
        casebase.extend_columns({name: arrays[f"{base} {name}"] for each, _, name in named if each == base})


def _compare(batch: Sequence[LogEntry], demonstrations: Demonstrations, folder: Path) -> HeldOut:
    """The model, which a process reads once, beside the players in a session."""
    model = load_model(folder)
    hands = read(batch, lambda refused: None, model.strategy.plays)
    return agreement(hands, model, demonstrations.players)
