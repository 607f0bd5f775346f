"""The benchmark as files: decision points, the oracle's posteriors, baselines; and scores of other beliefs.

FOLDER/benchmark.json   format, version, the command that makes it; of each table of players its number of
                        decision points (``points``), the names of the baselines, the SHA-256 of each array
FOLDER/TABLE.npz        ``hands``     uint8: one ACPC line for each hand, with all hole cards
                        ``sessions``  int32: the hands of each session; statistics start anew with each
                        ``hand``, ``street``, ``position``, ``holding``  int32, one a decision point: the line
                                      of its hand, from 0; the street that has just ended; the player's
                                      position; the truth
                        ``board``     uint8, shape (points, 5): the board then; 255 = not dealt
                        ``seats``, ``place``, ``observed``, ``player``, ``action``: as in ``PointColumns``
                        ``known``     float64: the oracle's loss, nats; nan without an oracle
                        ``oracle``    float32, shape (points with an oracle, 1326): its posteriors, in order
                        ``scores``    float64, shape (baselines, ``scores.FIELDS``, points)

Another program's beliefs are an npz with an array of shape (points, 1326) for each table, by
``card.holding_index``. No array is pickled. All arrays but ``oracle`` and ``known`` are the same on every
machine, bit for bit; these two are sums of products, whose order depends on the machine.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import read_json, write_arrays, write_whole
from baycarp.game.notation.hand import Hand
from baycarp.rules.hand import TYPES, hand_types
from experiments.beliefs.columns import ActionColumns, Judged, PointColumns
from experiments.beliefs.decision_points import SHOWN
from experiments.beliefs.information import Line, line
from experiments.beliefs.measure import oracle_of_session
from experiments.beliefs.scores import FIELDS, score, score_types, type_masses

__all__ = ["BenchmarkSession", "BenchmarkTable", "benchmark_table", "judge", "save"]

FORMAT, VERSION = "baycarp.beliefs", 3

CARD = "benchmark.json"

PLAIN = "plain"
"""The baseline for gains; the one by board and position alone is ``BASE``."""

BASE = "base"


@dataclass(frozen=True, slots=True)
class BenchmarkSession:
    """One session with decision points.

    Parameters
    ----------
    text
        Its hands, one ACPC line each.
    hands
        The same, parsed.
    players
        The specification of each, by name.
    judged
        The scores of the baselines.
    """

    text: str
    hands: Sequence[Hand]
    players: Mapping[str, str]
    judged: Judged


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
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


def benchmark_table(sessions: Iterable[BenchmarkSession]) -> BenchmarkTable:
    """Put sessions into arrays, with the oracle's posteriors: about a minute for a session of 500 hands."""
    given = list(sessions)
    lengths = [len(session.hands) for session in given]
    parts = [_of(session, sum(lengths[:number])) for number, session in enumerate(given)]
    arrays = {
        name: np.concatenate([part[name] for part in parts], axis=2 if name == "scores" else 0)
        for name in parts[0]
    }
    return BenchmarkTable(tuple(given[0].judged.scores), {"sessions": np.array(lengths, np.int32), **arrays})


def _of(session: BenchmarkSession, before: int) -> dict[str, NDArray[Any]]:
    found = [each for each in oracle_of_session(session.hands, session.players) if each[0].holding >= 0]
    points = session.judged.points
    known = [np.nan if belief is None else -np.log(belief[point.holding]) for point, belief in found]
    oracle = [belief for _, belief in found if belief is not None]
    columns = {field.name: getattr(points, field.name) for field in fields(PointColumns)}
    columns["hand"] = columns["hand"] + before
    narrow = {
        name: each.astype(np.int32) if each.dtype == np.intp else each for name, each in columns.items()
    }
    return {
        "hands": np.frombuffer(session.text.encode(), np.uint8),
        **narrow,
        "known": np.array(known),
        "oracle": np.array(oracle, np.float32).reshape(-1, 1326),
        "scores": np.array([[each[name] for name in FIELDS] for each in session.judged.scores.values()]),
    }


def save(tables: Mapping[str, BenchmarkTable], folder: Path, command: str) -> None:
    """Write tables by name; ``benchmark.json`` comes last and makes the folder complete."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = {}
    for name, table in tables.items():
        write_arrays(folder / f"{name}.npz", table.arrays)
        entries[name] = {
            "points": len(table.arrays["holding"]),
            "baselines": table.baselines,
            "sha256": table.digests,
        }
    card = {"format": FORMAT, "version": VERSION, "command": command, "tables": entries}
    write_whole(folder / CARD, json.dumps(card, indent=1) + "\n")


def judge(folder: Path, file: Path) -> dict[str, list[Line]]:
    """Score another program's beliefs beside the stored baselines.

    Parameters
    ----------
    folder
        The folder of ``save``.
    file
        The program's beliefs.

    Returns
    -------
    dict of table to lines
        The baselines', and last the program's, which has the name of its file.

    Raises
    ------
    ModelError
        No benchmark, or no beliefs: an array of another shape, probabilities that do not sum to 1.
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
    columns = {
        field.name: arrays[field.name].astype(np.intp)
        if arrays[field.name].dtype == np.int32
        else arrays[field.name]
        for field in fields(PointColumns)
    }
    points = PointColumns(**columns)
    baselines = zip(names, arrays["scores"], strict=True)
    stored = {name: dict(zip(FIELDS, each, strict=True)) for name, each in baselines}
    scores = {**stored, model_name: _scores(beliefs.astype(np.float64), points)}
    judged = Judged(scores, points, ActionColumns.none(), arrays["known"])
    return [line(judged, name, BASE, PLAIN) for name in scores]


def _scores(beliefs: NDArray[np.float64], points: PointColumns) -> dict[str, NDArray[np.float64]]:
    """All scores of beliefs, those of hand types as well."""
    masses, truths = np.full((len(beliefs), len(TYPES)), np.nan), np.zeros(len(beliefs), np.intp)
    for row in np.flatnonzero(points.street):
        board = tuple(points.board[row, : SHOWN[points.street[row]]].tolist())
        masses[row] = type_masses(beliefs[row], board)
        truths[row] = hand_types(list(board))[points.holding[row]]
    return {**score(beliefs, points.holding, points.board), **score_types(masses, truths)}
