"""One learner at a table of agents, as an environment of Gymnasium: an episode is a hand."""

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces

from baycarp.env.hands import HandOptions, Hands, Observed, greatest, others, variant_of
from baycarp.errors import IllegalAction, TableError
from baycarp.game import Variant

__all__ = ["HandEnv", "space"]


def space(variant: Variant, width: int, choices: int) -> spaces.Space[Any]:
    """The space of a game's observations with masks."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, greatest(variant), (width,), np.float32),
            "action_mask": spaces.Box(0, 1, (choices,), np.int8),
        }
    )


class HandEnv(gymnasium.Env[Observed, np.int64]):
    """Hands of one learner; observations, choices and rewards are described in ``baycarp.env``.

    A choice outside the mask becomes a check, else a fold, and ``info["illegal"]`` is True. A hand that
    ends before the learner's first decision is an episode of one step: its mask holds the check alone, and
    the step pays. ``reset(seed=...)`` begins a session: the agents sit down afresh, and the same decks
    follow.

    Parameters
    ----------
    game
        The name or the file of a game, or its rules.
    opponents
        Specifications of agents, for the seats after the learner's; one text = all are the same.
    seat
        The learner's position, 0 = first left of the button; None = the next one every hand.
    render_mode
        ``"ansi"``: ``render`` returns a text; None: nothing.
    options
        ``sizes``, ``estimator``, ``beliefs``; see ``hands.HandOptions``.

    Raises
    ------
    TableError
        Agents that cannot play the game, another number of them, or a setting out of its range.

    Examples
    --------
    >>> env = HandEnv("holdem.limit.2p", "call")
    >>> seen, info = env.reset(seed=1)
    >>> seen["observation"].shape, seen["action_mask"].tolist()
    ((143,), [0, 1, 1])
    >>> seen, reward, over, _, info = env.step(1)
    >>> reward, over, info
    (0.0, False, {'seat': 0, 'illegal': False})
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  as the base class has it

    def __init__(
        self,
        game: str | Variant,
        opponents: str | Sequence[str] = "call",
        seat: int | None = None,
        render_mode: str | None = "ansi",
        **options: Unpack[HandOptions],
    ) -> None:
        variant = variant_of(game)
        if seat is not None and not 0 <= seat < variant.seats:
            raise TableError(f"seat {seat}: expected a position below {variant.seats}")
        agents = dict(enumerate(others(variant, opponents), 1))
        self._hands = Hands(variant, agents, **options)
        self.render_mode = render_mode
        self._seat, self._playing, self._seeded = seat, False, False
        self.observation_space = space(variant, self._hands.width, self._hands.menu.choices)
        self.action_space = spaces.Discrete(self._hands.menu.choices)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal the next hand, with a seed the first of a session; no option is read."""
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._hands.start(int(self.np_random.integers(2**63)))
            self._seeded = True
        seats = self._hands.variant.seats
        position = (self._hands.hand + 1) % seats if self._seat is None else self._seat
        self._hands.deal(-position % seats)
        self._playing = True
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Apply a choice, and play up to the next decision or the end of the hand."""
        if not self._playing:
            raise TableError("step: expected a reset before, for the hand is over")
        hands, choice = self._hands, int(action)
        illegal = choice != 1 if hands.chair is None else self._act(choice)
        over = hands.chair is None
        self._playing = not over
        reward = hands.rewards()[0] if over else 0.0
        seen = hands.observe(0) if over else self._observed()
        return seen, reward, over, False, self._info(illegal)

    def _act(self, choice: int) -> bool:
        """Apply a choice, or its substitute; whether it was illegal."""
        try:
            self._hands.act(self._hands.action(choice))
        except IllegalAction:
            state = self._hands.state
            self._hands.act(state.named("fold" if state.owed else "check"))
            return True
        return False

    def _observed(self) -> Observed:
        seen = self._hands.observe(0)
        if self._hands.chair is None:
            seen["action_mask"][1] = 1
        return seen

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"seat": self._hands.position(0), "illegal": illegal}

    def render(self) -> str | None:
        """The hand as the learner sees it: betting, own cards, board."""
        return self._hands.text(0) if self.render_mode else None


gymnasium.register(
    "baycarp/Hand-v0",
    entry_point="baycarp.env.single:HandEnv",
    vector_entry_point="baycarp.env.vector:HandsEnv",
)
