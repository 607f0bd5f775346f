"""What became of the hands of a log: used, skipped and why, and what of them could be imitated."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from baycarp.game.notation.hand import Hand, Refused, replay
from baycarp.train.casebases import is_of, positions_with_cases

__all__ = ["Account"]


@dataclass(slots=True)
class Account:
    """What became of the hands.

    Parameters
    ----------
    hands
        Used.
    skipped
        By reason.
    first
        By reason, the first that was skipped for it: its place, and what was wrong.
    decisions
        Of the named players: ``"cases"``, and ``"cards or end unknown"``, which are none for that.
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
        recorded = set(positions_with_cases(hand, final))
        for act in final.acts:
            if is_of(hand, act.seat, players):
                self.decisions["cases" if act.seat in recorded else "cards or end unknown"] += 1

    def add(self, other: "Account") -> None:
        """Take in what became of other hands."""
        self.hands += other.hands
        self.skipped += other.skipped
        self.first = other.first | self.first
        self.decisions += other.decisions
        self.players += other.players

    def to_json(self) -> str:
        """As text."""
        named = dict(self.players.most_common(10))
        return json.dumps([self.hands, self.skipped, self.first, self.decisions, named])

    @classmethod
    def from_json(cls, text: str) -> "Account":
        """Read what ``to_json`` wrote."""
        hands, skipped, first, decisions, players = json.loads(text)
        return cls(hands, Counter(skipped), first, Counter(decisions), Counter(players))
