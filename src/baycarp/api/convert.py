"""Conversion: ``baycarp.convert`` writes hands of any source as PHH, or as a log of the ACPC."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from rich.console import RenderableType

from baycarp.api.printing import counted, grid
from baycarp.api.result import Record, Result
from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers, in_order
from baycarp.coach.hands import is_session, read
from baycarp.errors import ArgumentError, NotationError, brief
from baycarp.files import part_of, sync_folder, text_writer, write_whole
from baycarp.game.notation.acpc_writer import LogOfOneGame, game_file
from baycarp.game.notation.hand import Hand, Refusal, Refused
from baycarp.game.notation.irc import is_database
from baycarp.game.notation.phh_writer import body_of
from baycarp.game.notation.sources import text_files

__all__ = ["ConvertResult", "HandFormat", "convert"]

HandFormat = Literal["phhs", "acpc"]
"""What is written: PHH with all hands in a file, or a log of the ACPC."""

ENDINGS = {".phhs": "phhs", ".phh": "phhs", ".log": "acpc", ".acpc": "acpc"}
"""The formats of files by their endings, before ``.gz``."""

ENDING = {"phhs": ".phhs", "acpc": ".log"}

Tick = Callable[[str, int, int | None], None]

JOURNAL = "convert.journal"


@dataclass(slots=True, repr=False)
class ConvertResult(Result):
    """How many hands were written, and what was not.

    Parameters
    ----------
    hands, files
        Written.
    skipped
        By reason, the number of hands or files, and the first with its place.
    """

    hands: int = 0
    files: int = 0
    skipped: dict[str, tuple[int, str]] = field(default_factory=dict)

    def refuse(self, refused: Refused) -> None:
        """Count a hand or a file that is not written."""
        count, first = self.skipped.get(refused.reason, (0, str(refused)))
        self.skipped[refused.reason] = (count + 1, first)

    def add(self, record: Record) -> None:
        """Add the counts of a file, from ``to_dict`` of its own result."""
        self.hands += record["hands"]
        self.files += record["files"]
        for row in record["skipped"]:
            count, first = self.skipped.get(row["reason"], (0, row["first"]))
            self.skipped[row["reason"]] = (count + row["count"], first)

    def title(self) -> str:
        """The result in a line."""
        return f"{counted(self.hands, 'hand', ',')} in {counted(self.files, 'file', ',')}"

    def parts(self) -> Iterable[RenderableType]:
        """A line on what was written, and the table of reasons."""
        yield self.title()
        if self.skipped:
            table = grid("not written", "count", "the first", words=("not written", "the first"))
            for row in self.to_records():
                table.add_row(row["reason"], f"{row['count']:,}", row["first"])
            yield table

    def to_records(self) -> list[Record]:
        """One record a reason, the commonest first."""
        rows = sorted(self.skipped.items(), key=lambda row: -row[1][0])
        return [{"reason": reason, "count": count, "first": first} for reason, (count, first) in rows]

    def to_dict(self) -> dict[str, Any]:
        """The counts."""
        return {"hands": self.hands, "files": self.files, "skipped": self.to_records()}


def convert(
    source: str | Path,
    out: str | Path,
    format: HandFormat | None = None,
    game: str | None = None,
    workers: int | Workers = 1,
    tick: Tick = lambda what, done, total: None,
) -> ConvertResult:
    """Write the hands of a file, a folder or an archive as PHH, or as a log of the ACPC.

    Parameters
    ----------
    source
        As of ``baycarp.read``.
    out
        A file that ends in ``.phhs``, ``.phh``, ``.log`` or ``.acpc``, and ``.gz`` to be packed; or a folder,
        which then has a file for each file of a source that is a folder. A file is written whole or not at
        all; in a folder an interrupted conversion goes on with the files that it lacks.
    format
        None = by the ending of ``out``; PHH in a folder. An ACPC log has one game, that of its first hand;
        where it does not ship, its game file is written beside the log.
    game
        The game of ACPC logs that do not name or show it.
    workers
        Processes that convert files of a folder.
    tick
        Receives ``"files"`` or ``"hands"``, how many are done, and how many there are, if that is known.

    Raises
    ------
    NotationError
        No such source, or no hand in it.
    ArgumentError
        An ending that names no format.
    OSError
        A file that cannot be written.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> target = Path(mkdtemp(), "hands.phhs")
    >>> print(convert("STATE:0:rf:AhKd|7c2d:-10|10:Ann|Bob", target))
    1 hand in 1 file
    >>> target.read_text().splitlines()[:2]
    ['[1]', "variant = 'FT'"]
    """
    target = Path(out)
    if format not in (None, *get_args(HandFormat)):
        raise ArgumentError(f"format {brief(format)}: expected one of {', '.join(get_args(HandFormat))}")
    by_ending = ENDINGS.get(Path(target.name.removesuffix(".gz")).suffix)
    if by_ending is None and (target.suffix and not target.is_dir()):
        raise ArgumentError(f"{target}: expected a folder, or a file that ends in {', '.join(ENDINGS)}")
    plan = _Plan(format or by_ending or "phhs", game)  # type: ignore[arg-type]
    whole = Workers(workers) if isinstance(workers, int) else workers
    found = plan.one(source, target, tick) if by_ending else plan.folder(Path(source), target, whole, tick)
    if not found.hands:
        reasons = "; ".join(first for _, first in found.skipped.values()) or "it is empty"
        raise NotationError(f"{str(source)[:80]}: no hand in it could be written: {reasons[:400]}")
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is written, and the game of ACPC logs that are read."""

    format: HandFormat
    game: str | None

    def one(self, source: str | Path, target: Path, tick: Tick) -> ConvertResult:
        """One file of all hands."""
        found = ConvertResult()
        target.parent.mkdir(parents=True, exist_ok=True)
        hands = _counted(read(source, found.refuse, self.game), tick)
        if self.format == "acpc":
            _write_log(target, hands, found)
        else:
            most = 1 if target.name.removesuffix(".gz").endswith(".phh") else None
            _write_phhs(target, hands, found, most)
        return found

    def folder(self, source: Path, folder: Path, workers: Workers, tick: Tick) -> ConvertResult:
        """A file for each file of the source."""
        alone = not source.is_dir() or is_database(source) or is_session(source)
        files = [source] if alone else text_files(source)
        root = source.parent if alone else source
        header = {"source": str(source.resolve()), "format": self.format, "game": self.game}
        found = ConvertResult()
        with Journal(folder / JOURNAL, header) as journal:
            names = [file.relative_to(root).as_posix() for file in files]
            units = [
                (file, folder / target, (name, _size(file)))
                for file, target, name in zip(files, self._targets(names), names, strict=True)
            ]
            missing = [unit for unit in units if unit[2] not in journal.records]
            for record in journal.records.values():
                found.add(record)
            done = len(units) - len(missing)
            work = partial(_convert_file, self)
            with closing(in_order(work, missing, workers)) as records:
                for (_, _, unit), record in records:
                    journal.append(unit, record)
                    found.add(record)
                    done += 1
                    tick("files", done, len(units))
        return found

    def _targets(self, names: list[str]) -> Iterator[str]:
        """A name for each name, without its own packing and ending where that is not another one's."""
        ending, taken = ENDING[self.format], set[str]()
        for name in names:
            short = name.removesuffix(".gz").removesuffix(ending) + ending
            target = name + ending if short in taken else short
            taken.add(target)
            yield target


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _convert_file(plan: _Plan, unit: tuple[Path, Path, tuple[str, int]]) -> Record:
    file, target, _ = unit
    return plan.one(file, target, lambda what, done, total: None).to_dict()


def _counted(hands: Iterable[Hand], tick: Tick) -> Iterator[Hand]:
    for number, hand in enumerate(hands, 1):
        yield hand
        if number % 1000 == 0:
            tick("hands", number, None)


@contextmanager
def _whole(target: Path, found: ConvertResult) -> Iterator[TextIO]:
    """A text that takes the place of the target when the block ends, unless no hand was written."""
    part = part_of(target)
    try:
        with text_writer(part, target.name.endswith(".gz")) as file:
            yield file
        if found.hands:
            part.replace(target)
            sync_folder(target.parent)
            found.files = 1
    finally:
        part.unlink(missing_ok=True)


def _written(hands: Iterable[Hand], as_text: Callable[[Hand], str], refusal: Refusal) -> Iterator[str]:
    for hand in hands:
        try:
            text = as_text(hand)
        except Refused as refused:
            refusal(refused)
        except NotationError as error:
            refusal(Refused("cannot be written", str(error)))
        else:
            yield text


def _write_phhs(target: Path, hands: Iterable[Hand], found: ConvertResult, most: int | None) -> None:
    with _whole(target, found) as file:
        for text in islice(_written(hands, body_of, found.refuse), most):
            found.hands += 1
            file.write(text + "\n" if most else f"[{found.hands}]\n{text}\n\n")


def _write_log(target: Path, hands: Iterable[Hand], found: ConvertResult) -> None:
    log = LogOfOneGame(target.name.partition(".")[0])
    with _whole(target, found) as file:
        for line in _written(hands, log.line, found.refuse):
            if not found.hands:
                file.write(log.head)
            found.hands += 1
            file.write(line)
    if log.game is not None and log.game.name == log.name:
        write_whole(target.with_name(f"{log.name}.game"), game_file(log.game))
