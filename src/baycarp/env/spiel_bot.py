"""An agent of ours as a bot of OpenSpiel's ``universal_poker`` and ``repeated_poker``."""

from typing import Any

import pyspiel

from baycarp.agents.registry import load_for
from baycarp.env.spiel import SpielHand, choose, hand_of, variant_of_game
from baycarp.game import Acted, HandOver, Observation, State

__all__ = ["SpielBot"]


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """An agent at OpenSpiel's table. It decides from its own cards, the board and the betting.

    It observes every hand that it is shown: at its own decisions, by ``inform_action``, and at the end of a
    hand that an action of its own or one it is informed of ends. In ``repeated_poker`` it keeps what it has
    learned from hand to hand; ``restart`` begins another game.

    Parameters
    ----------
    game
        ``universal_poker`` as hold'em (betting abstractions ``limit``, ``fcpa``, ``fullgame``), or
        ``repeated_poker`` of one.
    player
        OpenSpiel's number of the player.
    agent
        A specification.
    seed
        Of the agent's draws.

    Raises
    ------
    VariantError
        Another game.
    TableError
        An agent that does not play it.

    Examples
    --------
    >>> from baycarp.env.spiel import game_text
    >>> from baycarp import Variant
    >>> game = pyspiel.load_game(game_text(Variant.load("holdem.limit.2p.reverse_blinds")))
    >>> bots = [SpielBot(game, player, spec) for player, spec in enumerate(["call", "raise"])]
    >>> sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, seed=7))
    0.0
    """

    def __init__(self, game: Any, player: int, agent: str, seed: int = 0) -> None:
        super().__init__()
        self._variant = variant_of_game(game)
        words = game.get_parameters()
        inner = words.get("universal_poker_game_string", words)
        self._pots = inner["betting"] == "nolimit" and inner["bettingAbstraction"] == "fcpa"
        self._repeated = inner is not words
        self._player, self._seed, self._games = player, seed, 0
        self._agent = load_for(self._variant, agent)
        self._agent.sit(player, self._variant, seed)
        self._hand, self._seen = 0, 0

    def restart(self) -> None:
        """Begin another game; of ``repeated_poker`` with an agent that has learned nothing."""
        self._games += 1
        if self._repeated:
            self._agent.sit(self._player, self._variant, self._seed)
        self._hand, self._seen = 0, 0

    def restart_at(self, state: Any) -> None:
        """Begin a game that has begun."""
        self.restart()
        self._watch(state)

    def step(self, state: Any) -> int:
        """The number of the agent's action."""
        hand = self._watch(state)
        position = hand.players.index(self._player)
        if hand.state.to_act != position:
            return 1  # a check that decides nothing
        decision = self._agent.decide(self._view(hand.state, hand, position))
        number = choose(state, hand.state, decision.action, self._pots)
        self._end(state.child(number))
        return number

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Observe an action of another player or of chance, before it is applied."""
        if not state.is_chance_node():
            self._watch(state)
        self._end(state.child(action))

    def _watch(self, state: Any) -> SpielHand:
        """Let the agent observe what is new in a state."""
        hand = hand_of(state, self._variant)
        if hand.number == self._hand + 1:
            self._learn(hand_of(state, self._variant, previous=True))
        if hand.number != self._hand:
            self._hand, self._seen = hand.number, 0
        self._learn(hand)
        return hand

    def _end(self, after: Any) -> None:
        """Let the agent observe a hand that has ended with the whole game."""
        if after.is_terminal():
            self._learn(hand_of(after, self._variant))

    def _learn(self, hand: SpielHand) -> None:
        """The events of a hand that the agent has not observed, each from the public state before it."""
        replayed, acts = hand.state.begun(), hand.state.acts
        for number, act in enumerate(acts):
            if number >= self._seen:
                replayed.known = hand.state.known
                self._agent.learn(Acted(self._view(replayed, hand), act))
            replayed.apply(act.action)
        if hand.state.is_over and self._seen <= len(acts):
            self._agent.learn(HandOver(self._view(hand.state, hand), hand.state.payoffs()))
        self._seen = len(acts) + hand.state.is_over

    def _view(self, state: State, hand: SpielHand, position: int | None = None) -> Observation:
        names = tuple(f"player_{player}" for player in hand.players)
        return state.observe(position, names, self._games + hand.number)
