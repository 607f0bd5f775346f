"""The study: the arms of ``contrasts`` in one seat, on the same decks, until a budget is spent."""

from collections.abc import Mapping
from dataclasses import dataclass

from baycarp.agents.table import TABLE
from baycarp.arena.decks import PLAYED, numbers
from baycarp.arena.journal import Unit
from baycarp.arena.workers import Workers
from baycarp.opponents.belief import short_digest
from baycarp.opponents.shown.situations import load_shown
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.casper import CASPER
from baycarp.strategies.coupled import READ_BY_NETWORK
from baycarp.strategies.model import is_model, load_model
from baycarp.training.coupled import train_coupled
from baycarp.training.model import Progress, Training, train_once
from experiments.couplings.contrasts import ARMS, HANDS, digest_of_plan
from experiments.papers.experiment import EXPERIMENT_TABLES, Experiment, ExperimentTable

__all__ = ["TABLES", "CouplingStudy"]

TABLES = EXPERIMENT_TABLES | {
    "heads-up": ExperimentTable(
        (TABLE[1], TABLE[5]), (TABLE[1],), "Two players were watched heads-up, and one of them is met."
    ),
}
"""The table that was watched, one that never was, and heads-up."""

READERS = ("none", "network", "cases")

OTHERS: Mapping[str, Training] = {
    "g-bucks": Training(READ_BY_NETWORK, outcome="g-bucks"),
    "baycarp2": Training(BAYCARP2),
    "casper": Training(CASPER),
}
"""The models beside those of the couplings, of the same watched hands."""


@dataclass(frozen=True, slots=True)
class CouplingStudy(Experiment):
    """The arms at one table of ``TABLES``."""

    estimators: tuple[str, ...] = ("control",)

    @property
    def place(self) -> ExperimentTable:
        """The players that are watched, and those that are met."""
        return TABLES[self.table]

    def train(self, workers: Workers, progress: Progress = lambda what, done, of: None) -> None:
        """Make what the folder lacks of the models of the couplings.

        Raises
        ------
        ModelError
            A model that another command has made.
        """
        train_coupled(self.hands_watched(), self.folder, self._command, workers, progress)

    @property
    def _command(self) -> str:
        command = f"python -m experiments couplings --table {self.table} --seed {self.seed}"
        return f"{command} --train-hands {self.watched}"

    def train_others(self, workers: Workers, progress: Progress = lambda what, done, of: None) -> None:
        """Make what the folder lacks of the other models; see ``train``."""
        watched, command = self.hands_watched(), self._command
        for name, training in OTHERS.items():
            train_once(training, watched, self.folder / name, f"{command}: {name}", workers, progress)

    def arms(self) -> dict[str, str]:
        """The specification of each arm's agent, by its name, of those whose model is there."""
        of = {name: repr(str(self.folder / name)) for name in OTHERS}
        others = {
            "g-bucks": f"cases(model={of['g-bucks']}, policy='best outcome', learning=False)",
            "baycarp2": f"baycarp2(model={of['baycarp2']}, published=True, learning=False)",
            "casper": f"casper02(model={of['casper']}, learning=False)",
        }
        coupled = f"coupled(architecture={{!r}}, model={str(self.folder)!r})"
        names = [name for stage in ARMS.values() for name in stage]
        return {
            name: others.get(name) or coupled.format(name)
            for name in names
            if name not in others or is_model(self.folder / name)
        }

    def digests(self) -> dict[str, str]:
        """The words for a folder of models in an arm's specification, and those for its digest."""
        there = [*READERS, *(name for name in OTHERS if is_model(self.folder / name))]
        models = {name: load_model(self.folder / name).about()["digest"] for name in there}
        whole = [*(models[name] for name in READERS), load_shown(str(self.folder / "shown")).digest]
        own = {repr(str(self.folder / name)): repr(models[name]) for name in OTHERS if name in models}
        return own | {repr(str(self.folder)): repr(short_digest(" ".join(whole)))}

    def header(self) -> dict[str, object]:
        """The owner of a journal: the match without the arm, and the contrasts that were written down."""
        header = next(iter(self.matches().values())).header()
        players = {name: spec for name, spec in header["players"].items() if name != "Hero"}
        return header | {"players": players, "contrasts": short_digest(digest_of_plan())}

    def units(self, stage: str, share: float) -> list[list[Unit]]:
        """Session by session and arm by arm the units of all seatings.

        Parameters
        ----------
        stage
            Of ``ARMS``.
        share
            Of ``HANDS``, 0..1.
        """
        matches = self.matches()
        by_name = dict(zip(self.arms(), matches, strict=True))
        seatings = len(next(iter(matches.values())).seatings)
        sessions = list(numbers(PLAYED, max(1, -(-int(share * HANDS) // (seatings * self.hands)))))
        return [
            [(by_name[name], session, seating) for seating in range(seatings)]
            for session in sessions
            for name in ARMS[stage]
        ]
