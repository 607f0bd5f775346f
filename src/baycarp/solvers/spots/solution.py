"""The solution of a spot."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from baycarp.card import DECK, blocked_by, text
from baycarp.draw import as_frame
from baycarp.errors import ArgumentError, PictureError, brief
from baycarp.files import as_csv, plain_text, write_whole
from baycarp.solvers.spots.betting import Kind, Step
from baycarp.solvers.spots.equity import beside
from baycarp.solvers.spots.locks import seat
from baycarp.solvers.spots.saved import load_solver, save_solver
from baycarp.solvers.spots.sizes import PLAYERS, STREETS
from baycarp.solvers.spots.solver import SpotPoint, SpotSolver
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotNode, SpotTree
from baycarp.solvers.spots.view import SpotView

__all__ = ["Solution"]


class Solution:
    """The average strategies of a spot, and what they can lose.

    Parameters
    ----------
    solver
        The spot in the engine, solved so far.

    Examples
    --------
    >>> import baycarp
    >>> spot = baycarp.Spot("Td9d6hQc2s", 200, 900, oop="QQ,54s", ip="TT", sizes="a", raises="")
    >>> solution = baycarp.solve(spot, target=0.01)
    >>> {action: round(share, 2) for action, share in solution.at("all-in").frequencies().items()}
    {'fold': 0.82, 'call': 0.18}
    """

    def __init__(self, solver: SpotSolver) -> None:
        self.solver = solver

    @property
    def spot(self) -> Spot:
        """What was solved."""
        return self.solver.spot

    @property
    def tree(self) -> SpotTree:
        """The betting; it is read only."""
        return self.solver.tree

    @property
    def points(self) -> tuple[SpotPoint, ...]:
        """The measurements on the way."""
        return tuple(self.solver.points)

    @property
    def iterations(self) -> int:
        """The iterations so far."""
        return int(self.solver.engine.iterations)

    @property
    def exploitability(self) -> float:
        """Half of what both best responses gain, in per cent of the pot, in the game as it is locked."""
        return self.points[-1].exploitability

    @property
    def free_exploitability(self) -> float:
        """The same in the game without locks: what the locks cost, too."""
        return self.solver.exploitability("free") if self.solver.is_locked else self.exploitability

    @property
    def values(self) -> tuple[float, float]:
        """The EVs of both players, out of position first, in chips; their sum is the pot less the rake."""
        one, other = self.solver.values().tolist()
        return one, other

    @property
    def frequency_errors(self) -> list[float]:
        """What is reached of every ``RangeFrequency`` of the locks, less what is asked for."""
        return self.solver.bonuses.errors(self.points[-1].frequencies)

    def worst(self, player: str) -> float:
        """The EV in chips of a player's strategy against a best response to it, which knows no lock.

        Raises
        ------
        ArgumentError
            A spot with rake: the EVs of both do not sum to the pot there.
        """
        return self.spot.root_pot - float(self._without_rake().values("free")[1 - seat(player)])

    def against_model(self) -> float:
        """The EV in chips of the free player's strategy against the model of a restricted solve.

        Raises
        ------
        ArgumentError
            Another solve, a share of 0, or a spot with rake.
        """
        restricted = self.solver.settings.restricted
        if restricted is None or not restricted.share:
            raise ArgumentError("against_model: expected a solve that is restricted to a model")
        player = seat(restricted.player)
        rows, view = self._without_rake().given.rows[player], self.at()
        met = beside(view.range(PLAYERS[1 - player]))[rows.holdings]
        weights, value = rows.weights * met * rows.modelled, self.solver.probe(self.tree.root, ()).value
        known = weights > 0
        won = float(np.asarray(value[player])[known] @ weights[known] / weights[known].sum())
        return self.spot.root_pot - won

    def _without_rake(self) -> SpotSolver:
        if self.spot.rake:
            raise ArgumentError(f"rake {brief(self.spot.rake)}: expected a spot without rake")
        return self.solver

    def more(self, **settings: Any) -> "Solution":
        """Continue the solve; ``settings`` are those of ``SpotSettings`` that change, such as ``target``.

        Raises
        ------
        ArgumentError
            Settings that this solve did not begin with: locks, memory, bits or threads.
        """
        fixed = {*settings} & {"locks", "restricted", "memory", "bits", "threads"}
        if fixed:
            raise ArgumentError(f"{', '.join(sorted(fixed))}: expected as this solve began; start a new one")
        self.solver.settings = replace(self.solver.settings, **settings)
        self.solver.run()
        return self

    def at(self, line: str = "") -> SpotView:
        """A node: strategy, ranges, EV and equity.

        Parameters
        ----------
        line
            The way to it, with the cards where they are dealt: ``"check, bet 60%, call, 2s"``.

        Raises
        ------
        ArgumentError
            No such line, or one without its cards.
        CardError
            A card that is known already.
        """
        place = self.tree.find(line)
        dealt = place.node.now.cards - len(self.spot.cards) - (place.node.kind is Kind.DEAL)
        if len(place.cards) != dealt:
            raise ArgumentError(
                f"line {line[:80]!r}: {len(place.cards)} cards: expected the {dealt} dealt on it, such "
                "as in 'check, check, 2s'"
            )
        known = {*self.spot.cards} & {*place.cards}
        if known:
            raise ArgumentError(
                f"line {line[:80]!r}: {text(known)}: expected a card that is not on the board"
            )
        if not self._can_meet(place.cards):
            raise ArgumentError(f"line {line[:80]!r}: expected cards that leave both players a holding")
        return SpotView(self.solver, line.strip(), place.node, place.cards)

    def _can_meet(self, cards: Sequence[int]) -> bool:
        """Whether two holdings of the ranges are possible beside dealt cards."""
        one, other = (np.where(blocked_by(cards), 0.0, self.spot.weights(player)) for player in (0, 1))
        return bool((one * beside(other) > 0).any())

    def draw(self, line: str = "", path: Path | str | None = None) -> str:
        """The strategy at a decision on the grid of starting hands.

        Parameters
        ----------
        line
            The way to it.
        path
            Where an SVG is written, with the shares as colours; None = the drawing in characters is returned.
        """
        view = self.at(line)
        if path is None:
            return view.draw()
        if Path(path).suffix != ".svg":
            raise PictureError(f"{path}: expected a file .svg")
        view.save(path)
        return str(path)

    def lines(self) -> list[dict[str, Any]]:
        """The decisions and ends of the first street: how often a line is played, EVs, shares of actions."""
        total, found = self.at().met, []
        for line, node in self._first_street(self.tree.root, ""):
            view = self.at(line)
            record: dict[str, Any] = {"line": line, "chance": view.met / total, "pot": view.pot}
            for player in PLAYERS:
                record[f"ev {player}"] = view.mean(view.ev(player), player)
            if node.kind is Kind.DECISION:
                record |= {"player": view.player, **view.frequencies()}
            found.append(record)
        return found

    def _first_street(self, node: SpotNode, line: str) -> Iterator[tuple[str, SpotNode]]:
        yield line, node
        if node.kind is Kind.DECISION:
            for step, child in zip(node.steps, node.children, strict=True):
                yield from self._first_street(child, f"{line}, {step}" if line else str(step))

    def summary(self, street: str | None = None, line: str | None = None) -> list[dict[str, Any]]:
        """What every card of a street changes: one record a card, after a line that ends before it is dealt.

        Parameters
        ----------
        street
            ``"turn"`` or ``"river"``; None = the next one.
        line
            To the deal; of a card that it does not name, all are dealt. None = everybody checks.

        Returns
        -------
        Records: the cards by street, their chance, EV and equity of both players, and the shares of the
        actions of the first player.

        Raises
        ------
        ArgumentError
            No such deal in this solution.
        """
        cards = len(self.spot.cards)
        street = street or STREETS.get(cards + 1, "turn")
        if street not in ("turn", "river"):
            raise ArgumentError(f"street {brief(street)}: expected turn or river")
        line = self._checked_to(street) if line is None else line
        node = self.tree.find(line).node
        if node.kind is not Kind.DEAL or STREETS[node.now.cards] != street:
            raise ArgumentError(f"line {line[:80]!r}: expected one that ends where the {street} is dealt")
        found = []
        for each, dealt in self._dealt(line):
            if not self._can_meet([DECK.index(card) for card in dealt]):
                continue
            after = self.at(each)
            named = dict(zip(list(STREETS.values())[cards - 2 :], dealt, strict=False))
            record: dict[str, Any] = {**named, "chance": after.met}
            for player in PLAYERS:
                record[f"ev {player}"] = after.mean(after.ev(player), player)
                record[f"equity {player}"] = after.mean(after.equity(player), player)
            found.append(record | after.frequencies())
        total = sum(record["chance"] for record in found)
        return [record | {"chance": record["chance"] / total} for record in found if record["chance"]]

    def _dealt(self, line: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """A line to a deal with every card that may be dealt where it names none, and these cards."""
        known = {DECK[card] for card in self.spot.cards}
        found, node = [("", tuple[str, ...]())], self.tree.root
        for word in [*filter(None, (each.strip() for each in re.split("[,/]", line))), ""]:
            names: Sequence[str] = (word,)
            if node.kind is Kind.DEAL:
                node = node.children[0]
                names = (word.capitalize(),) if word.capitalize() in DECK else DECK
                found = [
                    (f"{before}, {card}", (*dealt, card))
                    for before, dealt in found
                    for card in names
                    if card not in known and card not in dealt
                ]
                if word.capitalize() in DECK:
                    continue
            if word:
                node = node.child(self.tree.step(node, word))
                found = [(f"{before}, {word}" if before else word, dealt) for before, dealt in found]
        yield from found

    def _checked_to(self, street: str) -> str:
        """The line of checks to the deal of a street, without the cards on the way."""
        node, words = self.tree.root, list[str]()
        while node.kind is not Kind.DEAL or STREETS[node.now.cards] != street:
            if node.kind is Kind.DEAL:
                node = node.children[0]
            elif Step("check") in node.steps:
                words.append("check")
                node = node.child(Step("check"))
            else:
                raise ArgumentError(f"street {brief(street)}: expected a line to where it is dealt")
        return ", ".join(words)

    def to_records(self, lines: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """The records of decisions: one a holding of the player to act; by default of the first street."""
        if lines is None:
            walked = self._first_street(self.tree.root, "")
            lines = [line for line, node in walked if node.kind is Kind.DECISION]
        return [record for line in lines for record in self.at(line).to_records()]

    def to_frame(self, backend: str | None = None, lines: Sequence[str] | None = None) -> Any:
        """The records as a data frame; None = of the first library that is installed (``draw.as_frame``)."""
        return as_frame(self.to_records(lines), backend)

    def save(self, path: Path | str, spreadsheet: bool = False) -> None:
        """Write ``.npz``, everything, which ``load`` reads; or ``.csv``, the records of the first street.

        ``spreadsheet``: whether a program that runs formulas opens the CSV, as of ``files.as_csv``.

        Raises
        ------
        ArgumentError
            Another ending.
        OSError
            A file that cannot be written.
        """
        path = Path(path)
        if path.suffix not in (".npz", ".csv"):
            raise ArgumentError(f"{path}: expected a file .npz or .csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".npz":
            save_solver(self.solver, path)
        else:
            write_whole(path, as_csv(self.to_records(), spreadsheet))

    @staticmethod
    def load(path: Path | str, **settings: Any) -> "Solution":
        """Read a solution, which can be continued; ``settings`` are those of ``SpotSettings`` that change.

        Raises
        ------
        ModelError
            It is missing, damaged, or of another version.
        ArgumentError
            It takes more memory than it may.
        """
        return Solution(load_solver(path, settings))

    def to_dict(self) -> dict[str, Any]:
        """The spot in short, measurements, EVs, and the lines of the first street, as JSON values."""
        last = self.points[-1]
        return {
            "board": text(self.spot.cards),
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "iterations": self.iterations,
            "exploitability": last.exploitability,
            "free_exploitability": self.free_exploitability,
            "seconds": last.seconds,
            "ev": dict(zip(PLAYERS, self.values, strict=True)),
            "frequency_errors": self.frequency_errors,
            "lines": self.lines(),
        }

    def __str__(self) -> str:
        last = self.points[-1]
        lines = [
            str(self.at()),
            f"exploitability {last.exploitability:.3f} % of the pot after {last.iterations:,} iterations, "
            f"{last.seconds:.2f} s",
        ]
        if self.solver.is_locked:
            lines.append(f"without locks {self.free_exploitability:.3f} % of the pot")
        lines += [f"frequency off by {100 * error:+.2f} points" for error in self.frequency_errors]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The strategy of the first decision, in a notebook."""
        return plain_text(self.at().svg())
