"""The composition of moves in no-limit hands, and of their sizes: what a population looks like from outside.

Source: van der Kleij (2010), table 4.2 (moves) and appendix C (sizes).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from baycarp.arena.decks import PLAYED
from baycarp.arena.session import play_session
from baycarp.game import ACTIONS
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.variant import Variant
from baycarp.rules.betting.sizes import KLEIJ, bets, hard
from baycarp.training.sizers import MEMBERS
from experiments.players.sizer_tables import tables

__all__ = ["ALL_IN", "Moves", "chi_square", "moves", "population"]

ALL_IN = "all-in"
"""The bets, raises and calls that put a player's last chip in; they are counted by their names as well."""


@dataclass(slots=True)
class Moves:
    """Counts of moves.

    Parameters
    ----------
    hands
        Their number.
    acts
        By (street, name): ``ACTIONS`` and ``ALL_IN``.
    sizes
        By (name, letter of ``KLEIJ``), by hard translation; bets and raises apart.
    """

    hands: int = 0
    acts: Counter[tuple[int, str]] = field(default_factory=Counter)
    sizes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def share(self, name: str, street: int | None = None) -> float:
        """The share of a move among all moves, or among those of a street; 0..1, 0 where none is made."""
        streets = range(4) if street is None else (street,)
        total = sum(self.acts[each, action] for each in streets for action in ACTIONS)
        return sum(self.acts[each, name] for each in streets) / max(total, 1)

    def size(self, name: str, letter: str) -> float:
        """The share of a size among the bets, or the raises; 0..1."""
        total = sum(count for (each, _), count in self.sizes.items() if each == name)
        return self.sizes[name, letter] / max(total, 1)

    def add(self, hand: Hand) -> None:
        """Count the moves of a no-limit hand.

        Raises
        ------
        VariantError
            A fixed-limit hand.
        """
        state = replay(hand)
        self.hands += 1
        for act in state.acts:
            self.acts[act.street, act.action.name] += 1
        for act, legal in bets(state):
            (letter,) = KLEIJ.shares(legal.proportion(act.action), legal, hard)
            self.sizes[act.action.name, letter] += 1
        last = {act.seat: act for act in state.acts if act.paid}
        for seat in state.all_in:
            if seat in last:  # a blind alone is no move
                self.acts[last[seat].street, ALL_IN] += 1


def moves(hands: Iterable[Hand]) -> Moves:
    """Count the moves of no-limit hands.

    Raises
    ------
    VariantError
        A fixed-limit hand.
    """
    counted = Moves()
    for hand in hands:
        counted.add(hand)
    return counted


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Pearson's statistic of counts against expected ones; kinds that are not expected at all are left out.

    Parameters
    ----------
    observed
        Counts by kind.
    expected
        In any unit: they are scaled to the sum of the observed.

    Examples
    --------
    >>> chi_square([30, 70], [1, 1])
    16.0
    """
    scale = sum(observed) / sum(expected)
    pairs = [(seen, scale * chance) for seen, chance in zip(observed, expected, strict=True) if chance]
    return sum((seen - mean) ** 2 / mean for seen, mean in pairs)


def population(game: Variant, hands: int, seed: int) -> Iterator[Hand]:
    """Hands of the population of ``training.sizers``: as many at each of up to a hundred tables.

    Parameters
    ----------
    game
        A no-limit game.
    hands
        Their number.
    seed
        Fixes seats, cards and draws.

    Raises
    ------
    TableError
        A fixed-limit game.
    """
    each = -(-hands // MEMBERS)
    for number, table in enumerate(tables(game, -(-hands // each), seed)):
        played = play_session(table, PLAYED + number, min(each, hands - number * each))
        yield from (parse_state(line, game) for line in played.log)
