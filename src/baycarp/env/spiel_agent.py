"""A bot of OpenSpiel as an agent of ours."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import pyspiel

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Seeded
from baycarp.agents.sampling import generator
from baycarp.budget import Budget
from baycarp.env.spiel import action_of, game_text, number_of
from baycarp.errors import ModelError
from baycarp.game import Action, Observation, Variant

__all__ = ["SpielAgent"]

MakeBot = Callable[[Any, int, int], Any]
"""From a game, a player and a seed to a bot."""


class SpielAgent(Seeded):
    """A bot of OpenSpiel at our tables: it steps in ``universal_poker``, no-limit as ``fullgame``.

    A class of its own in a file makes it an agent of every command: ``bots/mine.py:Uniform``. There is one
    bot for each position. The cards that the agent has not seen are drawn anew for every decision, so that
    a bot that looks at them learns nothing.

    Parameters
    ----------
    make
        Makes the bot.

    Examples
    --------
    >>> class Uniform(SpielAgent):
    ...     def __init__(self) -> None:
    ...         super().__init__(lambda game, player, seed: pyspiel.make_uniform_random_bot(player, seed))
    >>> from baycarp import State
    >>> game = Variant.load("holdem.nolimit.2p.100bb")
    >>> agent = Uniform()
    >>> agent.sit(1, game, seed=3)
    >>> State(game, deck="AhKd" "QsQc" "Ks7d2c9h3s").observe(1).state.can(
    ...     agent.decide(State(game, deck="AhKd" "QsQc" "Ks7d2c9h3s").observe(1)).action
    ... )
    True
    """

    plays = Plays(frozenset({"limit", "no-limit"}))

    def __init__(self, make: MakeBot) -> None:
        self._make = make
        self._bots: dict[tuple[Variant, int], Any] = {}

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the bots are made afresh."""
        super().sit(seat, variant, seed)
        self._bots.clear()

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Step the bot of the position; see ``Agent.decide``.

        Raises
        ------
        ModelError
            The bot chose an action that is not legal.
        """
        self.plays.verify_turn(observation)
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        state, hand, seat = self._state(observation), observation.state, observation.seat
        assert seat is not None
        if (observation.variant, seat) not in self._bots:
            self._bots[observation.variant, seat] = self._make(state.get_game(), seat, self._seed)
        bot = self._bots[observation.variant, seat]
        if bot.provides_policy():
            chances, number = bot.step_with_policy(state)
        else:
            number = bot.step(state)
            chances = [(number, 1.0)]
        if number not in state.legal_actions():
            raise ModelError(f"{bot}: action {number}: expected one of {state.legal_actions()[:10]}")
        policy: dict[Action, float] = {}
        for each, chance in chances:
            if chance > 0:
                action = action_of(hand, each)
                policy[action] = policy.get(action, 0.0) + chance
        return recorder.decision(Answer(action_of(hand, number), policy, "a bot of OpenSpiel"))

    def _state(self, observation: Observation) -> Any:
        """The hand in OpenSpiel's game, cards that are not seen drawn anew."""
        hand, variant = observation.state, observation.variant
        stacks = tuple(behind + paid for behind, paid in zip(hand.stacks, hand.committed, strict=True))
        game = _game(variant if variant.betting == "limit" else replace(variant, stacks=stacks))
        seen = {*chain(*hand.holes), *hand.board}
        draw: np.random.Generator = generator(self._seed, observation)
        unseen = iter(draw.permutation([card for card in range(52) if card not in seen]).tolist())
        cards = [*chain(*(hole or (next(unseen), next(unseen)) for hole in hand.holes)), *hand.board]
        state, replayed, dealt = game.new_initial_state(), hand.begun(), iter(cards)
        for act in (*hand.acts, None):
            while state.is_chance_node():
                state.apply_action(next(dealt))
            if act is not None:
                state.apply_action(number_of(replayed, act.action))
                replayed.apply(act.action)
        return state


@lru_cache(maxsize=16)
def _game(variant: Variant) -> Any:
    """The game as OpenSpiel has it; where stacks are carried, one for each hand."""
    return pyspiel.load_game(game_text(variant))
