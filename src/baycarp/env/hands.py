"""The hands of an environment: decks by seed, agents in the seats that no learner has, observations."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer
from baycarp.agents.registry import load_for
from baycarp.arena.decks import LEARNED
from baycarp.arena.session import agent_seed
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.errors import ArgumentError, IllegalAction, TableError, brief
from baycarp.game import Acted, Action, HandOver, Observation, State, Variant
from baycarp.kernels.episodes import Menu
from baycarp.kernels.game import DEEP, deal
from baycarp.opponents.belief import Belief
from baycarp.rules.hand import GROUPS, TYPES

__all__ = ["BELIEFS", "SIZES", "HandOptions", "Hands", "Observed", "greatest", "others", "variant_of"]

Observed = dict[str, NDArray[np.float32] | NDArray[np.int8]]
"""``observation`` and ``action_mask``; see ``baycarp.env``."""

SIZES = (0.5, 1.0, 2.0)
"""The sizes of bets where an environment names none, as shares of the pot after the call."""

BELIEFS = len(GROUPS) + len(TYPES)
"""Numbers of the belief about one opponent."""


class HandOptions(TypedDict, total=False):
    """What every environment of single hands takes by name.

    Parameters
    ----------
    sizes
        Of no-limit bets: rising shares of the pot after the call; ``SIZES`` where none are given.
    estimator
        The reward's, of ``ESTIMATORS``: ``"control"``, ``"all-in"`` or ``"divat"``; empty = the chips won.
    beliefs
        An agent whose beliefs are observed, ``"baycarp"`` or ``"network"``; empty = none.
    """

    sizes: Iterable[float]
    estimator: str
    beliefs: str


def variant_of(game: str | Variant) -> Variant:
    """A game by name or file, or its rules."""
    return game if isinstance(game, Variant) else Variant.load(game)


def others(variant: Variant, opponents: str | Sequence[str]) -> tuple[str, ...]:
    """The specifications of the seats after the learner's, where one stands for all.

    Raises
    ------
    TableError
        Another number of them.
    """
    specs = (opponents,) * (variant.seats - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(specs) != variant.seats - 1:
        raise TableError(f"{variant.name}: expected {variant.seats - 1} opponents, got {len(specs)}")
    return specs


def greatest(variant: Variant) -> float:
    """The greatest number of an observation: all chips that may be in the pot, or a full count of actions."""
    if variant.stacks is not None:
        chips = sum(variant.stacks)
    else:  # fixed limit: every raise of every street, called by all
        capped = zip(variant.max_raises, variant.raise_sizes, strict=True)
        bets = sum(DEEP if raises is None else (raises + 1) * size for raises, size in capped)
        chips = variant.seats * (bets + variant.big_blind + max(variant.antes))
    return max(255.0, chips / variant.big_blind)


class Hands:
    """Hands at one table, each played by agents between the learners' decisions.

    Parameters
    ----------
    variant
        The game.
    agents
        Specifications by chair; a chair without one is a learner's.
    options
        See ``HandOptions``.

    Raises
    ------
    TableError
        An agent that cannot play the game, one that holds no beliefs, or an unknown estimator.
    ModelError
        A specification that is no agent.
    ArgumentError
        An unknown option, or sizes that do not rise.
    """

    def __init__(
        self,
        variant: Variant,
        agents: Mapping[int, str],
        **options: Unpack[HandOptions],
    ) -> None:
        estimator, beliefs = options.get("estimator", ""), options.get("beliefs", "")
        if unknown := sorted(set(options) - set(HandOptions.__annotations__)):
            raise ArgumentError(f"{', '.join(unknown)}: expected {', '.join(HandOptions.__annotations__)}")
        if estimator and estimator not in ESTIMATORS:
            raise TableError(f"estimator {brief(estimator)}: expected one of {', '.join(ESTIMATORS)}")
        if estimator:
            ESTIMATORS[estimator].plays.verify(variant, f"estimator {estimator!r}")
        self.variant, self.menu, self.estimator = (
            variant,
            Menu(variant.rules, options.get("sizes", SIZES)),
            estimator,
        )
        learners = [chair for chair in range(variant.seats) if chair not in agents]
        self._specs = dict(agents) | dict.fromkeys(learners if beliefs else (), beliefs)
        self._learners, self._believes = frozenset(learners), bool(beliefs)
        for spec in dict.fromkeys(self._specs.values()):
            load_for(variant, spec)
        if beliefs and not isinstance(load_for(variant, beliefs), Believer):
            raise TableError(
                f"beliefs {brief(beliefs)}: expected an agent that holds beliefs about its opponents"
            )
        self._names = tuple(f"player_{chair}" for chair in range(variant.seats))
        self.start(0)

    @property
    def width(self) -> int:
        """Numbers of an observation."""
        return self.menu.width + BELIEFS * (self.variant.seats - 1) * self._believes

    def start(self, seed: int) -> None:
        """Begin a session with the decks of a seed; the agents sit down afresh."""
        self._seed, self.hand = seed, -1
        self._agents: dict[int, Agent] = {}
        for chair, spec in self._specs.items():
            self._agents[chair] = agent = load_for(self.variant, spec)
            agent.sit(chair, self.variant, agent_seed(seed, LEARNED, chair))

    def deal(self, first: int) -> None:
        """Deal the next hand, with that chair in position 0, and play up to a learner's decision."""
        seats = self.variant.seats
        self.hand += 1
        deck = deal(self._seed, LEARNED, self.hand, 2 * seats + 5)
        self.state = State(self.variant, deck=deck)
        self._chairs = tuple((first + position) % seats for position in range(seats))
        self._by_position = tuple(self._names[chair] for chair in self._chairs)
        self._policies: list[Mapping[Action, float] | None] = []
        self._go_on()

    @property
    def chair(self) -> int | None:
        """The learner to act; None when the hand is over."""
        return None if self.state.to_act is None else self._chairs[self.state.to_act]

    def position(self, chair: int) -> int:
        """The position of a chair in this hand."""
        return self._chairs.index(chair)

    def action(self, choice: int) -> Action:
        """The action of a choice now.

        Raises
        ------
        IllegalAction
            It names the choice and those of the mask.
        """
        amounts = self.menu.amounts(self.state)
        if not 0 <= choice < len(amounts) or amounts[choice] < 0:
            legal = [number for number, amount in enumerate(amounts) if amount >= 0]
            raise IllegalAction(f"choice {choice}: expected one of {legal}")
        if choice < 2:
            return self.state.named("fold") if choice == 0 else self.passive()
        return Action("raise" if self.state.bets_made else "bet", amounts[choice])

    def passive(self) -> Action:
        """The check or call of now."""
        return self.state.named("call" if self.state.owed else "check")

    def act(self, action: Action) -> None:
        """Apply a learner's action, and play up to the next decision of a learner."""
        self._apply(action, None)
        self._go_on()

    def _apply(self, action: Action, policy: Mapping[Action, float] | None) -> None:
        self._policies.append(policy)
        if self._agents:
            event = Acted(self._view(None), self.state.apply(action))
            for agent in self._agents.values():
                agent.learn(event)
        else:
            self.state.apply(action)

    def _go_on(self) -> None:
        while (chair := self.chair) is not None and chair not in self._learners:
            decision = self._agents[chair].decide(self._view(self.state.to_act))
            self._apply(decision.action, decision.policy)
        if chair is None:
            over = HandOver(self._view(None), self.state.payoffs())
            for agent in self._agents.values():
                agent.learn(over)

    def _view(self, position: int | None) -> Observation:
        return self.state.observe(position, self._by_position, self.hand)

    def rewards(self) -> dict[int, float]:
        """Big blinds by chair, the hand over: those won, or their estimate."""
        won = np.array(self.state.payoffs(), np.float64)
        if self.estimator:
            seed = stream(self._seed, LEARNED, self.hand)
            won = ESTIMATORS[self.estimator].chips(self.state, self._policies, seed)
        return {
            chair: float(won[position]) / self.variant.big_blind
            for position, chair in enumerate(self._chairs)
        }

    def observe(self, chair: int) -> Observed:
        """The observation of a chair; its mask is empty unless it is to act."""
        position, state = self.position(chair), self.state
        acts = [(act.seat, act.street, act.action.name) for act in state.acts]
        numbers = self.menu.observe(state, acts, position)
        if self._believes:
            numbers = np.concatenate([numbers, self._beliefs(chair)])
        if state.to_act == position:
            mask = np.array([amount >= 0 for amount in self.menu.amounts(state)], np.int8)
        else:
            mask = np.zeros(self.menu.choices, np.int8)
        return {"observation": numbers, "action_mask": mask}

    def _beliefs(self, chair: int) -> NDArray[np.float32]:
        """Groups and types of the seats after a chair's; 0 where it is not to act."""
        position, seats = self.position(chair), self.variant.seats
        rows = np.zeros((seats - 1, BELIEFS), np.float32)
        if self.state.to_act == position:
            agent = self._agents[chair]
            assert isinstance(agent, Believer)
            for seat, belief in agent.beliefs(self._view(position)).items():
                rows[(seat - position) % seats - 1] = _numbers(belief)
        return rows.ravel()

    def public(self) -> NDArray[np.float32]:
        """The public observation, from position 0."""
        acts = [(act.seat, act.street, act.action.name) for act in self.state.acts]
        return self.menu.observe(self.state, acts, 0, public=True)

    def text(self, chair: int | None) -> str:
        """The hand as a chair sees it, None = the public one."""
        return repr(self._view(None if chair is None else self.position(chair)).state)


def _numbers(belief: Belief) -> NDArray[np.float32]:
    row = np.zeros(BELIEFS, np.float32)
    row[: len(belief.group_chances)] = belief.group_chances
    row[len(GROUPS) : len(GROUPS) + len(belief.type_chances)] = belief.type_chances
    return row
