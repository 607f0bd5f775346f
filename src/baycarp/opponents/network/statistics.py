"""Running counts of players' actions, by name, over finished hands."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from baycarp.game.event import Event, HandOver
from baycarp.opponents.stats.definitions import LATER, pfr, vpip
from baycarp.opponents.stats.turns import lines_of_acts

__all__ = ["PlayerStats", "Statistics"]


@dataclass(slots=True)
class PlayerStats:
    """The counts of one player's actions, with their opportunities.

    Parameters
    ----------
    hands
        Hands dealt to the player.
    voluntary
        Hands with a call, bet or raise pre-flop; blinds and checks are none.
    raised
        Hands with a bet or raise pre-flop.
    streets
        Hands with a decision of the player on the flop, the turn and the river.
    aggressive
        Of these, hands with a bet or raise on that street.
    """

    hands: int = 0
    voluntary: int = 0
    raised: int = 0
    streets: tuple[int, int, int] = (0, 0, 0)
    aggressive: tuple[int, int, int] = (0, 0, 0)

    @property
    def vpip(self) -> float | None:
        """Share of hands with money put in voluntarily pre-flop; None before the first hand."""
        return self.voluntary / self.hands if self.hands else None

    @property
    def pfr(self) -> float | None:
        """Share of hands with a pre-flop raise; None before the first hand."""
        return self.raised / self.hands if self.hands else None

    def aggression(self, street: int) -> float | None:
        """Share of a later street's hands with a bet or raise, street 1..3; None before its first decision.

        The counterpart of PFR on the other streets (Unger 2011, section 9.1).
        """
        played = self.streets[street - 1]
        return self.aggressive[street - 1] / played if played else None


class Statistics:
    """The running counts of every player at a table.

    A hand is counted when it is over, so that what is read during a hand never holds the hand itself
    (Unger 2011, section 5.3.2: VPIP and PFR over the previous rounds).
    """

    def __init__(self) -> None:
        self._players: defaultdict[str, PlayerStats] = defaultdict(PlayerStats)

    def of(self, player: str) -> PlayerStats:
        """Return the counts of a player by name; a new player's are empty."""
        return self._players[player]

    def observe(self, event: Event) -> None:
        """Count a hand that is over; other events are ignored.

        Parameters
        ----------
        event
            The arena's event. Without names the hand is not counted: in the next hand a position belongs to
            another player.
        """
        if not isinstance(event, HandOver):
            return
        acts, players = event.observation.acts, event.observation.players
        if not players:
            return
        for line, player in zip(lines_of_acts(acts, len(players)), players, strict=True):
            stats = self._players[player]
            stats.hands += 1
            stats.voluntary += vpip(line, 0)[0]
            stats.raised += pfr(line, 0)[0]
            stats.streets = _added(stats.streets, [bool(line.turns[street]) for street in LATER])
            stats.aggressive = _added(stats.aggressive, [line.count(street, "raise") > 0 for street in LATER])


def _added(counts: tuple[int, int, int], more: Sequence[bool]) -> tuple[int, int, int]:
    flop, turn, river = (count + one for count, one in zip(counts, more, strict=True))
    return flop, turn, river
