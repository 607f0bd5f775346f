"""From watched hands to the network's rows: what each did, and what he held (seed 000, figure 6.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.observation import Observation
from baycarp.game.state import State
from baycarp.opponents.belief import OBSERVED, TYPE_NODES
from baycarp.opponents.stats import Statistics
from baycarp.rules import Seen, read

__all__ = ["Row", "open_view", "rows_of_session"]


@dataclass(frozen=True, slots=True)
class Row:
    """One player in one hand.

    Parameters
    ----------
    states
        Node -> state, for every street at whose end he was still in; nothing of later streets, and nothing of
        cards that are not known.
    streets
        How many streets he was still in at the end of: 1 = pre-flop, ..., 4 = river.
    showdown
        Whether he showed his cards at the end: what a seated observer may learn from.
    """

    states: dict[str, str]
    streets: int
    showdown: bool


def rows_of_session(hands: Iterable[Hand]) -> Iterator[Row]:
    """The rows of every player who was in after the pre-flop, hand by hand, habits running from the start."""
    statistics = Statistics()
    for hand in hands:
        state = replay(hand)
        over = HandOver(state.observe(None, hand.players), ())
        everything = open_view(state, hand)
        for who in range(hand.variant.seats):
            streets = _streets(state, who)
            if streets:
                habits = statistics.of(hand.players[who]) if hand.players else None
                yield _row(Seen(everything, who, habits), streets)
        statistics.observe(over)


def open_view(state: State, hand: Hand) -> Observation:
    """A trainer's view of a state: every hole card."""
    return Observation(state, None, hand.players, hand.id if isinstance(hand.id, int) else 0)


def _streets(state: State, who: int) -> int:
    """How many streets the player was in at the end of; one ends when the next is dealt, or in a showdown."""
    fold = next((act.street for act in state.acts if act.seat == who and act.action.name == "fold"), None)
    if fold is not None:
        return fold
    if len(state.seats_in) > 1:
        return 4
    return state.acts[-1].street if state.acts else 0


def _row(seen: Seen, streets: int) -> Row:
    names = [name for nodes in OBSERVED[:streets] for name in nodes]
    names += ["HandGroup", *TYPE_NODES[1:streets]]
    states = {name: str(value) for name, value in read(seen, names).items()}
    return Row(states, streets, streets == 4 and bool(seen.hole))
