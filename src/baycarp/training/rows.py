"""From watched hands to the network's rows: actions and holding of each player (Unger 2011, figure 6.1)."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from baycarp.bn.network import Structure
from baycarp.game import HandOver, Observation, State
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.network.statistics import PlayerStats, Statistics
from baycarp.opponents.network.topology import STRUCTURE, hidden, observed
from baycarp.rules import PlayerView, read

__all__ = ["NetworkRow", "row_of", "rows_of_session"]


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """One player in one hand.

    Parameters
    ----------
    states
        Node -> state, for every street at whose end the player was still in; without later streets, and
        without nodes of unknown cards.
    streets
        The number of streets at whose end it was still in: 1 = pre-flop, ..., 4 = river.
    showdown
        Whether it showed its cards at the end, so that a seated observer may learn from them.
    player
        Its name; empty = unknown.
    habits
        Its statistics in earlier hands of the session; None = unknown.
    """

    states: dict[str, str]
    streets: int
    showdown: bool
    player: str = ""
    habits: PlayerStats | None = None


def rows_of_session(
    hands: Iterable[Hand],
    structures: Sequence[Structure] = (STRUCTURE,),
    players: Container[str] | None = None,
) -> Iterator[NetworkRow]:
    """The rows of every player in after the pre-flop, hand by hand, with statistics since the first hand.

    Parameters
    ----------
    hands
        Finished; unknown cards are left out.
    structures
        Of ``opponents.network.topology``: the rows have the nodes of all of them.
    players
        The names of the players that have rows; None = all.
    """
    statistics = Statistics()
    for hand in hands:
        state = replay(hand)
        every_card = Observation(state, None, hand.players, hand.id if isinstance(hand.id, int) else 0)
        for position in range(hand.variant.seats):
            streets = _streets(state, position)
            if streets and (players is None or (hand.players and hand.players[position] in players)):
                habits = replace(statistics.of(hand.players[position])) if hand.players else None
                name = hand.players[position] if hand.players else ""
                yield row_of(PlayerView(every_card, position, habits), streets, structures, name)
        statistics.observe(HandOver(state.observe(None, hand.players), ()))


def _streets(state: State, position: int) -> int:
    """The number of streets at whose end the player was in; the next street or a showdown ends a street."""
    fold = next(
        (act.street for act in state.acts if act.seat == position and act.action.name == "fold"), None
    )
    if fold is not None:
        return fold
    if len(state.seats_in) > 1:
        return 4
    return state.acts[-1].street if state.acts else 0


def row_of(view: PlayerView, streets: int, structures: Sequence[Structure], player: str = "") -> NetworkRow:
    """The row of one player in a hand.

    Parameters
    ----------
    view
        The player in the finished hand; its hole cards where they are known.
    streets
        The number of streets at whose end it was still in, 1..4.
    structures
        Of ``opponents.network.topology``.
    player
        Its name.
    """
    last = streets - 1
    nodes = dict.fromkeys(
        node for each in structures for node in (*observed(each, last), *hidden(each, last))
    )
    states = {name: str(value) for name, value in read(view, nodes).items()}
    habits = view.habits if isinstance(view.habits, PlayerStats) else None
    return NetworkRow(states, streets, streets == 4 and bool(view.hole), player, habits)
