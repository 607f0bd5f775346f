"""The account of a log's hands: used, skipped with reasons, and decisions that can be imitated."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from baycarp.files import MapForm, NumberForm, TextForm, TupleForm, parse_json
from baycarp.game.notation.hand import Hand, Refused, replay
from baycarp.training.casebases import is_of, positions_with_cases

__all__ = ["Account"]

_COUNTS = MapForm(NumberForm(least=0, whole=True))
_FORM = TupleForm((NumberForm(least=0, whole=True), _COUNTS, MapForm(TextForm()), _COUNTS, _COUNTS))
"""Hands, skipped, first, decisions and players, of ``Account.to_json``."""


@dataclass(slots=True)
class Account:
    """Counts of the hands of a log.

    Parameters
    ----------
    hands
        The number of hands used.
    skipped
        The number of hands skipped, by reason.
    first
        By reason, the first hand skipped: its place and fault.
    decisions
        Decisions of the named players: ``"cases"``, and ``"cards or end unknown"``, which are no cases.
    players
        Hands of each player by name; of each session, of the ten players with most hands.
    """

    hands: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)
    players: Counter[str] = field(default_factory=Counter)

    def refuse(self, refused: Refused) -> None:
        """Count a hand that is skipped."""
        self.skipped[refused.reason] += 1
        self.first.setdefault(refused.reason, str(refused))

    def count(self, hand: Hand, players: Sequence[str] | None) -> None:
        """Count a hand that is used."""
        self.hands += 1
        self.players.update(hand.players)
        final = replay(hand)
        recorded = positions_with_cases(hand, final)
        self.decisions.update(
            "cases" if act.seat in recorded else "cards or end unknown"
            for act in final.acts
            if is_of(hand, act.seat, players)
        )

    def to_json(self) -> str:
        """As text, for ``add_json``."""
        named = dict(self.players.most_common(10))
        return json.dumps([self.hands, self.skipped, self.first, self.decisions, named])

    def add_json(self, text: str) -> None:
        """Add the counts of other hands, from the result of ``to_json``."""
        hands, skipped, first, decisions, players = parse_json(text, _FORM)
        self.hands += hands
        self.first = first | self.first
        for counts, more in ((self.skipped, skipped), (self.decisions, decisions), (self.players, players)):
            counts.update(more)
