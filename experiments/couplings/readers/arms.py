"""The readers by name: ``python -m experiments.couplings.readers.arms FOLDER``, of a table of ``couplings``.

Makes what the folder lacks from the hands that its other models have watched, and prints how the readers read
and decide the same held-out hands. Each is played by
``experiments.couplings.readers.arms:reader(name=NAME, model=FOLDER)``; ``thesis`` is the network's own arm.
Gambler's and the styles' tables are as shipped.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from baycarp.agents.couplings.player import Coupled, Features
from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.measure import mean_by_hand
from baycarp.bn import Inference, Network, Structure, io
from baycarp.cli.output import console, grid
from baycarp.files import read_bytes
from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.belief import short_digest
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import OpponentModel, OpponentModelSpec
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import STRUCTURE, topology
from baycarp.opponents.shown.situations import load_shown
from baycarp.strategies.coupled import read_by
from baycarp.strategies.model import load_model
from baycarp.strategies.registry import STRATEGIES, register
from baycarp.strategies.spec import Strategy
from baycarp.training.model import Training, Watched, train_once
from baycarp.training.networks import fit_network
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import folder_of, hands_of, log_path
from experiments.beliefs.player_networks import fit_player_networks
from experiments.couplings.beside import changed, held_out, observed
from experiments.couplings.readers.by_style import ByStyle, save_styles
from experiments.couplings.readers.by_style import load_styles as load_networks
from experiments.couplings.readers.learned import LearnedNetwork, climbed, learned
from experiments.couplings.readers.terry_mihok import TerryMihok, fitted
from experiments.couplings.study import CouplingStudy

__all__ = ["READERS", "ByReader", "main", "make", "reader"]


@lru_cache(maxsize=4)
def _network(path: Path) -> Network:
    return io.load(path)


def _terry_mihok(folder: Path, adaptive: bool) -> OpponentModel:
    return TerryMihok(_network(folder / "terry-mihok.npz"), adaptive)


def _learned(folder: Path, adaptive: bool) -> OpponentModel:
    return LearnedNetwork(_network(folder / "learned.npz"), adaptive)


def _by_style(own: bool, folder: Path, adaptive: bool) -> OpponentModel:
    return ByStyle(load_networks(folder / STYLES), adaptive, own)


STYLES = "by-style"

THESIS: Mapping[str, Structure] = {
    "thesis": STRUCTURE,
    "aggression": topology(aggression=True),
    "price": topology("priced"),
    "pot-odds": topology("odds"),
}
"""The thesis' network, and with nodes that it proposes (Unger 2011, sections 8.1.1 and 9.1)."""


def _thesis(name: str, folder: Path, adaptive: bool) -> OpponentModel:
    return NetworkModel(_inference(folder / f"{name}.npz"), Weighted(), adaptive)


@lru_cache(maxsize=4)
def _inference(path: Path) -> Inference:
    return Inference(_network(path))


MADE: Mapping[str, Callable[[Path, bool], OpponentModel]] = {
    "terry-mihok": _terry_mihok,
    "learned": _learned,
    STYLES: partial(_by_style, False),
    "by-opponent": partial(_by_style, True),
    **{name: partial(_thesis, name) for name in THESIS},
}
"""Those that a folder holds: from it, and whether habits are counted, to the model."""

FIRST = "thesis"
"""The reader that the others are compared with."""

READERS = (*MADE, "gambler", "styles")


@dataclass(frozen=True, slots=True)
class ByReader(OpponentModelSpec):
    """A reader of ``MADE``.

    Parameters
    ----------
    name
        Its name there.
    folder
        Of what was learned for it.
    adaptive
        Whether it learns from finished hands.
    """

    name: str
    folder: str
    adaptive: bool = True

    @property
    def kind(self) -> str:
        """Its name."""
        return self.name

    @property
    def needs_network(self) -> bool:
        """Its network is in its own folder."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """What was learned, by its digest."""
        return (f"{self.name} {self.digest(None)}",)

    def new(self, inference: Inference | None) -> OpponentModel:
        """An opponent model that has observed nothing yet."""
        return MADE[self.name](Path(self.folder), self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of a digest of the files."""
        own = Path(self.folder) / (STYLES if self.name == "by-opponent" else self.name)
        files = sorted(own.glob("*.npz")) if own.is_dir() else [own.with_suffix(".npz")]
        return short_digest("".join(read_bytes(file, 1 << 24).hex() for file in files))


@lru_cache(maxsize=16)
def _strategy(name: str, folder: Path) -> Strategy:
    specs: Mapping[str, OpponentModelSpec] = {
        "gambler": ByGambler(),
        "styles": ByActions(load_styles()),
    }
    strategy = read_by(name, specs.get(name) or ByReader(name, str(folder)))
    if strategy.name not in STRATEGIES:  # a model of it is loaded by its name
        register(strategy)
    return strategy


def reader(name: str, model: str) -> Coupled:
    """BayCaRP with a reader: similar cases decide.

    Parameters
    ----------
    name
        Of ``READERS``.
    model
        The folder of a table of ``couplings``, with what ``make`` made.
    """
    folder = Path(model) / "readers"
    strategy = _strategy(name, folder)
    return Coupled(strategy, load_model(folder / f"read-by-{name}"), Features())


def make(study: CouplingStudy, hands: int, readers: Sequence[str] = READERS) -> None:
    """Make what the folder of a table lacks.

    Parameters
    ----------
    study
        Whose models exist: the readers learn from the same hands.
    hands
        The first of these, whose decisions become cases.
    readers
        Of ``READERS``.
    """
    folder, watched = study.folder / "readers", study.hands_watched()
    folder.mkdir(exist_ok=True)
    if _lacks(folder / "learned.npz", readers):
        shown = load_shown(str(study.folder / "shown"))
        io.save(learned(shown, climbed(shown)), folder / "learned.npz")
    if _lacks(folder / "terry-mihok.npz", readers):
        every = (hand for session in _sessions(watched) for hand in session)
        io.save(fitted(every), folder / "terry-mihok.npz")
    if {STYLES, "by-opponent"} & {*readers} and not (folder / STYLES / "levels.npz").exists():
        save_styles(fit_player_networks(_rows(watched, STRUCTURE), STRUCTURE), folder / STYLES)
    for name, structure in THESIS.items():
        if _lacks(folder / f"{name}.npz", readers):
            network = fit_network(_rows(watched, structure), structure=structure)
            io.save(network, folder / f"{name}.npz")
    command = f"python -m experiments.couplings.readers.arms {study.table} --hands {hands}"
    fewer = Watched(watched.tables, hands, watched.sessions)
    for name in readers:
        training = Training(_strategy(name, folder))
        train_once(training, fewer, folder / f"read-by-{name}", f"{command}: {name}", progress=_said)


def _lacks(network: Path, readers: Sequence[str]) -> bool:
    return network.stem in readers and not network.exists()


def _rows(watched: Watched, structure: Structure) -> list[NetworkRow]:
    return [row for session in _sessions(watched) for row in rows_of_session(session, (structure,))]


def _said(what: str, done: int, of: int | None) -> None:
    print(f"\r{what}: {done} of {of}   ", end="", flush=True)


def _sessions(watched: Watched) -> Iterable[list[Hand]]:
    curriculum = watched.curriculum
    count, session = curriculum.split(watched.hands)
    assert watched.sessions is not None
    logs = folder_of(watched.sessions, curriculum, session)
    for number in numbers(LEARNED, count):
        yield list(hands_of(log_path(logs, number), curriculum.table(number)))


def main(argv: Sequence[str] | None = None) -> None:
    """Make the readers, and print the table of what each reads and changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hands", type=int, default=10_000, help="the first watched ones, the cases")
    parser.add_argument("--only", nargs="+", choices=READERS, default=READERS, metavar="READER")
    parser.add_argument("--beside", type=int, default=500, help="held-out hands that are read")
    given = parser.parse_args(argv)
    study = CouplingStudy(given.folder.name, given.folder)
    readers = tuple(dict.fromkeys((FIRST, *given.only)))
    make(study, given.hands, readers)
    hands = held_out(study)[: given.beside]
    seen = {name: observed(reader(name, str(given.folder)), hands) for name in readers}
    out, table = console(100), grid("reader", "nats", "more", "changed", "ms")
    for name, each in seen.items():
        apart = f"{changed(each, seen[FIRST]):.1%}" if name != FIRST else "-"
        milliseconds = f"{1000 * np.median(each.seconds):.1f}"
        mean, margin = mean_by_hand(np.subtract(each.losses, seen[FIRST].losses), np.array(each.hands))
        more = f"{mean:+.3f} ± {margin:.3f}"
        table.add_row(name, f"{np.mean(each.losses):.3f}", more, apart, milliseconds)
    out.print(table)
    out.print(f"{len(seen[FIRST].actions):,} decisions in {len(hands)} held-out hands")


if __name__ == "__main__":
    main()
