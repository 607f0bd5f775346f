"""A table of several learners, as an environment of PettingZoo (AEC): an episode is a hand."""

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from baycarp.env.hands import HandOptions, Hands, Observed, greatest, variant_of
from baycarp.env.single import space
from baycarp.errors import TableError
from baycarp.game import Variant
from baycarp.kernels.arguments import seeded

__all__ = ["TableEnv"]


class TableEnv(AECEnv[str, Observed, int | None]):  # type: ignore[misc]
    """Hands of several learners; observations, choices and rewards are described in ``baycarp.env``.

    ``player_0`` is first left of the button, and the others follow in order; a learner keeps its position.
    A choice outside the mask raises ``IllegalAction``. ``state()`` is the public observation, without hole
    cards. ``reset(seed=...)`` begins a session: the agents sit down afresh, and the same decks follow.

    Parameters
    ----------
    game
        The name or the file of a game, or its rules.
    opponents
        Specifications of agents by position; the other positions are learners'.
    render_mode, options
        As in ``HandEnv``.

    Raises
    ------
    TableError
        No seat for a learner, or as in ``HandEnv``.

    Examples
    --------
    >>> env = TableEnv("holdem.limit.3p", {2: "call"})
    >>> env.reset(seed=1)
    >>> for player in env.agent_iter():  # both call to the end
    ...     seen, reward, over, _, info = env.last()
    ...     env.step(None if over else 1)
    >>> env.possible_agents, env.agents
    (['player_0', 'player_1'], [])
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as the base class has it
        "name": "baycarp_table_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Variant,
        opponents: Mapping[int, str] | None = None,
        render_mode: str | None = "ansi",
        **options: Unpack[HandOptions],
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        variant, agents = variant_of(game), dict(opponents or {})
        if wrong := sorted(set(agents) - set(range(variant.seats))):
            raise TableError(f"opponents at {wrong}: expected positions below {variant.seats}")
        if len(agents) == variant.seats:
            raise TableError(f"{variant.name}: expected a seat for a learner")
        self._hands = Hands(variant, agents, **options)
        self._chairs = {f"player_{seat}": seat for seat in range(variant.seats) if seat not in agents}
        self.possible_agents = [*self._chairs]
        choices = self._hands.menu.choices
        seen = space(variant, self._hands.width, choices)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {name: spaces.Discrete(choices) for name in self.possible_agents}
        self.state_space = spaces.Box(0.0, greatest(variant), (self._hands.menu.width,), np.float32)
        self._draw: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations: the same one every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's choices: the same one every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand, with a seed the first of a session; no option is read."""
        if seed is not None or self._draw is None:
            self._draw = np.random.default_rng() if seed is None else seeded(seed)
            self._hands.start(int(self._draw.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._hands.deal(0)
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """Select the agent to act, or end the episode."""
        chair = self._hands.chair
        if chair is not None:
            self.agent_selection = f"player_{chair}"
            return
        won = self._hands.rewards()
        self.rewards = {name: won[self._chairs[name]] for name in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Apply a choice of the selected agent; None once the hand is over.

        Raises
        ------
        IllegalAction
            A choice outside the mask; the hand is unchanged.
        """
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        chosen = self._hands.action(-1 if action is None else int(action))
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        self._hands.act(chosen)
        self._select()

    def observe(self, agent: str) -> Observed:
        """The observation of an agent; its mask is empty unless it is to act."""
        return self._hands.observe(self._chairs[agent])

    def state(self) -> NDArray[np.float32]:
        """The public observation, from position 0: without hole cards and beliefs."""
        return self._hands.public()

    def render(self) -> str | None:
        """The hand as the selected agent sees it: betting, own cards, board."""
        return self._hands.text(self._chairs[self.agent_selection]) if self.render_mode else None

    def close(self) -> None:
        """Nothing is held."""
