"""From watched hands to the network's rows: each player's actions and holding (Unger 2011, figure 6.1)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from baycarp.bn.network import Structure
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.state import Observation, State
from baycarp.opponents.stats import Statistics
from baycarp.opponents.topology import STRUCTURE, hidden, observed
from baycarp.rules import PlayerView, read

__all__ = ["Row", "open_view", "rows_of_session"]


@dataclass(frozen=True, slots=True)
class Row:
    """One player in one hand.

    Parameters
    ----------
    states
        Node -> state, for every street at whose end it was still in; nothing of later streets, and nothing of
        cards that are not known.
    streets
        The number of streets at whose end it was still in: 1 = pre-flop, ..., 4 = river.
    showdown
        Whether it showed its cards at the end: what a seated observer may learn from.
    """

    states: dict[str, str]
    streets: int
    showdown: bool


def rows_of_session(hands: Iterable[Hand], structures: Sequence[Structure] = (STRUCTURE,)) -> Iterator[Row]:
    """The rows of every player that was in after the pre-flop, hand by hand, habits running from the start.

    Parameters
    ----------
    hands
        Finished; unknown cards are left out.
    structures
        Of ``opponents.topology``: the rows have the nodes of them all.
    """
    statistics = Statistics()
    for hand in hands:
        state = replay(hand)
        over = HandOver(state.observe(None, hand.players), ())
        everything = open_view(state, hand)
        for position in range(hand.variant.seats):
            streets = _streets(state, position)
            if streets:
                habits = statistics.of(hand.players[position]) if hand.players else None
                yield _row(PlayerView(everything, position, habits), streets, structures)
        statistics.observe(over)


def open_view(state: State, hand: Hand) -> Observation:
    """A trainer's view of a state: every hole card."""
    return Observation(state, None, hand.players, hand.id if isinstance(hand.id, int) else 0)


def _streets(state: State, position: int) -> int:
    """How many streets the player was in at the end of; one ends when the next is dealt, or in a showdown."""
    fold = next(
        (act.street for act in state.acts if act.seat == position and act.action.name == "fold"), None
    )
    if fold is not None:
        return fold
    if len(state.seats_in) > 1:
        return 4
    return state.acts[-1].street if state.acts else 0


def _row(view: PlayerView, streets: int, structures: Sequence[Structure]) -> Row:
    nodes = [(*observed(each, streets - 1), *hidden(each, streets - 1)) for each in structures]
    names = dict.fromkeys(name for each in nodes for name in each)
    states = {name: str(value) for name, value in read(view, names).items()}
    return Row(states, streets, streets == 4 and bool(view.hole))
