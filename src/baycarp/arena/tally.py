"""The counts of one player's actions and results, for the figures of Unger (2011), section 7.3."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from baycarp.arena.measure import Share, Sum
from baycarp.card import holding_index
from baycarp.errors import TableError
from baycarp.files import ListForm, MapForm, NumberForm, RecordForm, TextForm, TupleForm, verify
from baycarp.game import ACTIONS, State
from baycarp.opponents.stats.definitions import pfr, vpip
from baycarp.opponents.stats.turns import Line
from baycarp.rules.hand import TYPES, hand_types

__all__ = ["Tally"]

_CHIPS, _COUNT, _STREET = NumberForm(whole=True), NumberForm(0, whole=True), NumberForm(0, 3, whole=True)
_BY_STREET = ListForm(TupleForm((_STREET, _COUNT)))

FORM = RecordForm(
    {"hands": _COUNT, "net": _CHIPS}
    | dict.fromkeys(("played", "raised", "won", "uncontested", "showdowns", "showdowns_won"), _COUNT)
    | {
        "acts": ListForm(TupleForm((_STREET, TextForm(one_of=ACTIONS), _COUNT))),
        "on_flop": MapForm(TupleForm((_COUNT, _CHIPS, _COUNT))),
        "asked": _BY_STREET,
        "fell_back": _BY_STREET,
        "faults": MapForm(_COUNT),
    }
)
"""A record of counts."""


@dataclass(slots=True)
class Tally:
    """Counts of one player, which add up: numbers of hands, and ``net`` chips (figure 7.4).

    ``played`` counts hands with voluntary chips pre-flop (a blind alone is not), ``raised`` those with a bet
    or raise pre-flop, ``won`` those in which the player took a pot or a share of one, ``uncontested`` those
    won without a showdown. ``acts`` counts its actions by (street, action) (figure 7.5), ``on_flop`` sums the
    chips of the hands that it was in on the flop by its hand type there (figure 7.6). ``asked`` counts
    decisions that queried a case-base, ``fell_back`` those for which no case reached the threshold, by
    street. ``faults`` counts the faults of an external program, by kind; each cost it the hand.
    """

    hands: int = 0
    net: int = 0
    played: int = 0
    raised: int = 0
    won: int = 0
    uncontested: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    acts: Counter[tuple[int, str]] = field(default_factory=Counter)
    on_flop: dict[str, Sum] = field(default_factory=dict)
    asked: Counter[int] = field(default_factory=Counter)
    fell_back: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def consult(self, street: int, fell_back: bool) -> None:
        """Add a decision that queried a case-base."""
        self.asked[street] += 1
        self.fell_back[street] += fell_back

    def count(self, state: State, line: Line, payoff: int) -> None:
        """Add a finished hand, from the view of the player of a line."""
        position, showdown = line.position, line.showdown
        won = position in state.seats_in and payoff + state.committed[position] > 0
        own = [(act.street, act.action.name) for act in state.acts if act.seat == position]
        self.hands += 1
        self.net += payoff
        self.played += vpip(line, 0)[0]
        self.raised += pfr(line, 0)[0]
        self.won += won
        self.uncontested += won and not showdown
        self.showdowns += showdown
        self.showdowns_won += won and showdown
        self.acts.update(own)
        hole, board = state.hole_of(position), state.board
        if len(board) >= 3 and hole and (0, "fold") not in own:
            held = TYPES[hand_types(board[:3])[holding_index(*hole)]]
            self.on_flop[held] = self.on_flop.get(held, Sum()) + Sum.of(payoff)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(_added(getattr(self, name), getattr(other, name)) for name in self.__slots__))

    def shares(self) -> dict[str, float]:
        """Percentages as in figure 7.4: ``showdowns_won`` of its showdowns, the others of all hands."""
        of = 100 / max(self.hands, 1)
        return {
            "played": of * self.played,
            "won": of * self.won,
            "uncontested": of * self.uncontested,
            "showdowns": of * self.showdowns,
            "showdowns_won": 100 * self.showdowns_won / self.showdowns if self.showdowns else math.nan,
        }

    @property
    def vpip(self) -> Share:
        """Hands with chips put in voluntarily pre-flop, of the hands dealt."""
        return Share(self.played, self.hands)

    @property
    def pfr(self) -> Share:
        """Hands with a pre-flop raise, of the hands dealt."""
        return Share(self.raised, self.hands)

    @property
    def aggression(self) -> tuple[int, int]:
        """Bets and raises, and calls, after the flop: the aggression factor is the one by the other."""
        bold, calls = (
            sum(count for (street, name), count in self.acts.items() if street and name in names)
            for names in (("bet", "raise"), ("call",))
        )
        return bold, calls

    def frequencies(self, street: int) -> dict[str, Share]:
        """Each action's count, of all the player's actions on the street (figure 7.5)."""
        total = sum(count for (where, _), count in self.acts.items() if where == street)
        return {name: Share(self.acts[street, name], total) for name in ACTIONS}

    def to_dict(self) -> dict[str, Any]:
        """Everything, in what JSON can hold."""
        record = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return record | {
            "acts": [[street, name, count] for (street, name), count in sorted(self.acts.items())],
            "on_flop": {
                name: [found.hands, found.chips, found.squares]
                for name, found in sorted(self.on_flop.items(), key=lambda item: TYPES.index(item[0]))
            },
            "asked": [[*each] for each in sorted(self.asked.items())],
            "fell_back": [[*each] for each in sorted(self.fell_back.items())],
            "faults": dict(self.faults),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """From the record that ``to_dict`` made.

        Raises
        ------
        TableError
            Other counts than a tally's.
        """
        try:
            verify(FORM, record, "counts")
        except ValueError as error:
            raise TableError(str(error)) from None
        keyed = {
            "acts": Counter({(street, name): count for street, name, count in record["acts"]}),
            "on_flop": {name: Sum(*found) for name, found in record["on_flop"].items()},
            "asked": Counter(dict(record["asked"])),
            "fell_back": Counter(dict(record["fell_back"])),
            "faults": Counter(record["faults"]),
        }
        return cls(**{**record, **keyed})


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, Counter) or not isinstance(one, dict):
        return one + other
    return {name: one.get(name, Sum()) + other.get(name, Sum()) for name in {**one, **other}}
