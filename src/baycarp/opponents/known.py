"""What is known of one player from its recorded hands, for the agents that model opponents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from baycarp.errors import CardError
from baycarp.game import Acted, Event, HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.plays import Plays
from baycarp.opponents.moves.learned import learn_player
from baycarp.opponents.moves.players import Players, save_players

__all__ = ["KnownPlayer", "events_of"]


class Learner(Protocol):
    """An agent, as far as it learns."""

    plays: Plays

    def learn(self, event: Event) -> None:
        """Learn from an event."""


def events_of(hand: Hand, number: int = 0) -> Iterator[Event]:
    """The events of a recorded hand as an agent of another seat observes them; none without its end.

    Raises
    ------
    NotationError
        A hand that cannot be replayed.
    """
    over = replay(hand)
    if not over.is_over:
        return
    for state, act in zip(states(hand), over.acts, strict=False):
        yield Acted(state.observe(None, hand.players, number), act)
    try:
        payoffs = over.payoffs()
    except CardError:
        payoffs = ()
    yield HandOver(over.observe(None, hand.players, number), payoffs)


@dataclass(frozen=True, slots=False)
class KnownPlayer:
    """The model of one player.

    Parameters
    ----------
    name
        Of the player.
    hands
        Its hands, oldest first.
    """

    name: str
    hands: tuple[Hand, ...]

    @cached_property
    def players(self) -> Players:
        """The player's probabilities of each action by holding, learned from the hands."""
        return learn_player(self.hands, self.name)

    def save(self, path: Path | str) -> None:
        """Write the model: ``alike(model=PATH)`` plays by it, ``mcts(model=PATH)`` reads opponents by it."""
        save_players(self.players, path, f"baycarp.stats(HANDS).player({self.name!r}).model()")

    def introduce(self, agent: Learner) -> int:
        """Let a seated agent observe the hands, as if it had sat there: whatever it models, it learns.

        Parameters
        ----------
        agent
            After its ``sit``, which begins its statistics anew.

        Returns
        -------
        int
            The number of hands of games that it plays.
        """
        fitting = [hand for hand in self.hands if agent.plays.fits(hand.variant)]
        for number, hand in enumerate(fitting):
            for event in events_of(hand, number):
                agent.learn(event)
        return len(fitting)

    @classmethod
    def of(cls, hands: Iterable[Hand], name: str) -> "KnownPlayer":
        """The player's hands of a record."""
        return cls(name, tuple(hand for hand in hands if name in hand.players))
