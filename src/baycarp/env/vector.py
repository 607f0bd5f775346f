"""Many hands stepped together in C, as a vector environment of Gymnasium."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from baycarp.agents.registry import load_for
from baycarp.agents.static.simple import AlwaysCall, AlwaysRaise, Frequency, Random
from baycarp.env.hands import SIZES, Observed, others, variant_of
from baycarp.env.single import space
from baycarp.errors import TableError, brief
from baycarp.game import State, Variant
from baycarp.kernels.episodes import Episodes, Menu

__all__ = ["HandsEnv"]

Vector = NDArray[Any]


class HandsEnv(VectorEnv[Observed, Vector, Vector]):
    """Hands of one learner each; observations, choices and rewards are described in ``baycarp.env``.

    A choice outside the mask becomes a check, else a fold, and is True in ``infos["illegal"]``. A hand that
    ends is followed by the next one in the same step: ``infos["final_obs"]`` has the last observations of
    the hands that ``infos["_final_obs"]`` marks. A hand without a decision of the learner is an episode of
    one step, as in ``HandEnv``.

    Parameters
    ----------
    num_envs
        Hands at once.
    game, seat, sizes
        As in ``HandEnv``.
    opponents
        Of these agents, which look at no cards: ``call``, ``raise``, ``random`` and ``frequency``. For
        others take ``gymnasium.vector.SyncVectorEnv`` of ``HandEnv``.

    Raises
    ------
    TableError
        Another opponent, or a setting out of its range.

    Examples
    --------
    >>> env = HandsEnv(1024, "holdem.nolimit.2p.100bb", "random")
    >>> seen, _ = env.reset(seed=1)
    >>> seen["observation"].shape, seen["action_mask"].shape
    ((1024, 143), (1024, 6))
    >>> seen, rewards, over, _, infos = env.step(np.ones(1024, np.int64))
    >>> bool(infos["illegal"].any()), rewards.dtype
    (False, dtype('float64'))
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  as the base class has it

    def __init__(
        self,
        num_envs: int,
        game: str | Variant,
        opponents: str | Sequence[str] = "call",
        sizes: Iterable[float] = SIZES,
        seat: int | None = None,
    ) -> None:
        variant = variant_of(game)
        habits = [_habit(variant, spec) for spec in others(variant, opponents)]
        begun = State(variant)
        stacks = tuple(map(sum, zip(begun.stacks, begun.committed, strict=True)))
        self._episodes = Episodes(Menu(variant.rules, sizes), stacks, habits, seat, num_envs)
        self._big_blind, self._seeded = variant.big_blind, False
        menu = self._episodes.menu
        self.num_envs = num_envs
        self.single_observation_space = space(variant, menu.width, menu.choices)
        self.single_action_space = spaces.Discrete(menu.choices)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal new hands, with a seed those of that seed; no option is read.

        Raises
        ------
        TableError
            Several seeds: one fixes all hands.
        """
        if isinstance(seed, list):
            raise TableError(f"seeds {brief(seed)}: expected one, which fixes all hands")
        super().reset(seed=seed)
        self._episodes.start(int(self.np_random.integers(2**63)))
        seen, mask = self._episodes.observe()
        return {"observation": seen, "action_mask": mask}, {}

    def step(self, actions: Vector) -> tuple[Observed, Vector, Vector, Vector, dict[str, Any]]:
        """One choice in each hand."""
        choices = np.ascontiguousarray(actions, np.int64)
        seen, mask, won, over, illegal, last = self._episodes.step(choices)
        infos: dict[str, Any] = {"illegal": illegal}
        if over.any():
            infos |= {"final_obs": {"observation": last}, "_final_obs": over}
        observed: Observed = {"observation": seen, "action_mask": mask}
        return observed, won / self._big_blind, over, np.zeros_like(over), infos


def _habit(variant: Variant, spec: str) -> tuple[float, float, float] | None:
    """The chances of an agent that looks at no cards: to fold, raise, bet; None = all kinds are as likely."""
    agent = load_for(variant, spec)
    match agent:
        case Frequency():
            return agent.fold, agent.raises, agent.bet
        case Random():
            return None
        case AlwaysRaise():
            return 0.0, 1.0, 1.0
        case AlwaysCall():
            return 0.0, 0.0, 0.0
    raise TableError(
        f"opponent {brief(spec)}: expected call, raise, random or frequency(...); others play in HandEnv"
    )
