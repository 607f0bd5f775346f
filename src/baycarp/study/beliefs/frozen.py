"""The measure as files: the queries, the oracle's posteriors, frozen baselines; and others' scores.

FOLDER/benchmark.json   format, version, the command that makes it; of each table of players its number of
                        moments, the names of the baselines, and the SHA-256 of each array
FOLDER/TABLE.npz        ``hands``     uint8: one ACPC line a hand, hole cards and all
                        ``sessions``  int32: the hands of each session; habits start anew with each
                        ``hand``, ``street``, ``who``, ``holding``  int32, one a moment: the line of its
                                      hand, from 0; the street that has just ended; the player's position;
                                      the truth
                        ``board``     uint8, shape (moments, 5): as it lay then; 255 = not dealt
                        ``known``     float64: what the oracle loses there, nats; nan where there is none
                        ``oracle``    float32, shape (moments with an oracle, 1326): its posteriors, in order
                        ``scores``    float64, shape (baselines, fields of ``Score``, moments)

Another program's beliefs are an npz with an array of shape (moments, 1326) for each table that it answers,
by ``card.holding_index``. No array is pickled. Everything but ``oracle`` and ``known`` is the same on every
machine, bit for bit; these two are sums of products, whose order is the machine's.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import read_json, write_arrays, write_whole
from baycarp.game.notation.hand import Hand
from baycarp.study.beliefs.measure import Judged, Line, line, oracle_of_session
from baycarp.study.beliefs.queries import queries_of_session
from baycarp.study.beliefs.scores import Score, columns, score

__all__ = ["Frozen", "Session", "freeze", "judge", "save"]

FORMAT, VERSION = "baycarp.beliefs", 1

CARD = "benchmark.json"

FIELDS = Score.__slots__

PLAIN = "plain"
"""The baseline that gains are computed from; the one from board and position alone is ``BASE``."""

BASE = "base"


@dataclass(frozen=True, slots=True)
class Session:
    """One session with queries.

    Parameters
    ----------
    text
        Its hands, one ACPC line each.
    hands
        The same, read.
    players
        What each was loaded from, by name.
    judged
        The scores of the baselines.
    """

    text: str
    hands: Sequence[Hand]
    players: Mapping[str, str]
    judged: Judged


@dataclass(frozen=True, slots=True)
class Frozen:
    """One table of players.

    Parameters
    ----------
    baselines
        Their names, in the order of ``scores``.
    arrays
        As in the file.
    """

    baselines: tuple[str, ...]
    arrays: Mapping[str, NDArray[Any]]

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each array, as hexadecimal digits."""
        return {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in self.arrays.items()}


def freeze(sessions: Iterable[Session]) -> Frozen:
    """Put sessions into arrays, with the oracle's posteriors: about a minute a session of 500 hands."""
    parts: dict[str, list[NDArray[Any]]] = {}
    lengths: list[int] = []
    for session in sessions:
        for name, array in _of(session, sum(lengths)).items():
            parts.setdefault(name, []).append(array)
        lengths.append(len(session.hands))
        names = tuple(session.judged.scores)
    arrays = {name: np.concatenate(each, axis=2 if name == "scores" else 0) for name, each in parts.items()}
    return Frozen(names, {"sessions": np.array(lengths, np.int32), **arrays})


def _of(session: Session, before: int) -> dict[str, NDArray[Any]]:
    asked, boards, oracle, known = [], [], [], []
    queries = queries_of_session(session.hands)
    for query, belief in zip(queries, oracle_of_session(session.hands, session.players), strict=True):
        if query.holding < 0:
            continue
        asked.append((before + query.hand, query.street, query.view.position, query.holding))
        board = query.view.observation.board
        boards.append([*board, *(255,) * (5 - len(board))])
        known.append(np.nan if belief is None else -np.log(belief[query.holding]))
        if belief is not None:
            oracle.append(belief.astype(np.float32))
    columns = np.ascontiguousarray(np.array(asked, np.int32).reshape(-1, 4).T)
    scores = [[found[field] for field in FIELDS] for found in session.judged.scores.values()]
    return {
        "hands": np.frombuffer(session.text.encode(), np.uint8),
        **dict(zip(("hand", "street", "who", "holding"), columns, strict=True)),
        "board": np.array(boards, np.uint8).reshape(-1, 5),
        "known": np.array(known),
        "oracle": np.array(oracle, np.float32).reshape(-1, 1326),
        "scores": np.array(scores),
    }


def save(tables: Mapping[str, Frozen], folder: Path, command: str) -> None:
    """Write tables by name; the card, which makes them a benchmark, comes last."""
    folder.mkdir(parents=True, exist_ok=True)
    card: dict[str, Any] = {"format": FORMAT, "version": VERSION, "command": command, "tables": {}}
    for name, table in tables.items():
        write_arrays(folder / f"{name}.npz", table.arrays)
        entry = {"moments": len(table.arrays["holding"]), "baselines": table.baselines}
        card["tables"][name] = {**entry, "sha256": table.digests}
    write_whole(folder / CARD, json.dumps(card, indent=1) + "\n")


def judge(folder: Path, file: Path) -> dict[str, list[Line]]:
    """Judge another program's beliefs beside the frozen baselines.

    Parameters
    ----------
    folder
        Of ``save``.
    file
        The program's beliefs.

    Returns
    -------
    dict of table to lines
        The baselines', and last the program's, which has the name of its file.

    Raises
    ------
    ModelError
        No benchmark, or beliefs that are none: an array of another shape, probabilities that do not sum to 1.
    """
    try:
        card = read_json(folder / CARD, 1 << 20)
        if (card["format"], card["version"]) != (FORMAT, VERSION):
            raise ModelError(f"expected format {FORMAT!r}, version {VERSION}")
        if wrong := [name for name in card["tables"] if Path(name).name != name]:
            raise ModelError(f"table {wrong[0]!r}: expected the name of a file")
        with np.load(file, allow_pickle=False) as arrays:
            names = [name for name in card["tables"] if name in arrays.files]
            if not names:
                raise ModelError(
                    f"{file}: arrays {arrays.files}: expected some of {', '.join(card['tables'])}"
                )
            return {
                name: _judged(
                    folder / f"{name}.npz", card["tables"][name]["baselines"], arrays[name], file.stem
                )
                for name in names
            }
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ModelError(f"{folder}, {file}: cannot be judged: {error}") from error


def _judged(table: Path, names: Sequence[str], beliefs: NDArray[Any], model_name: str) -> list[Line]:
    with np.load(table, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if name != "oracle"}
    count = len(arrays["holding"])
    if beliefs.shape != (count, 1326) or beliefs.dtype.kind != "f":
        raise ModelError(f"{beliefs.dtype} of shape {beliefs.shape}: expected floats of {(count, 1326)}")
    found = []
    for belief, holding, board in zip(beliefs, arrays["holding"].tolist(), arrays["board"], strict=True):
        found.append(score(belief.astype(np.float64), holding, board[board < 52].tolist()))
    losses = zip(names, arrays["scores"], strict=True)
    frozen = {name: dict(zip(FIELDS, each, strict=True)) for name, each in losses}
    hand, street = arrays["hand"].astype(np.intp), arrays["street"].astype(np.intp)
    judged = Judged({**frozen, model_name: columns(found)}, hand, street, arrays["known"], ())
    return [line(judged, name, BASE, PLAIN) for name in judged.scores]
