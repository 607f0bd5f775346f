"""A session with one person at the table: played step by step, journaled action by action."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from baycarp.agents.registry import load_for
from baycarp.agents.trust import located, verify_plain
from baycarp.arena.journal import Journal, Recorded
from baycarp.arena.measure import margin
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.errors import IllegalAction, JournalError, TableError
from baycarp.game import Acted, Action, HandOver, Observation, State, Variant
from baycarp.game.action import action_from_text, action_text
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.web.again import RecordedOpening
from baycarp.web.frames import Frame, choices, frame, holdings
from baycarp.web.panels import Panel, decide

__all__ = ["PERSON", "Finished", "Seating", "Sitting"]

PERSON = "You"
"""The name of the person, in seat 0 of the table."""

SESSION = 0
"""The session's number: a sitting is one session."""

AIDED = "aided"
"""In place of the number of an act, in the record that marks a hand."""

HANDS = 10_000_000
"""More hands than a sitting has."""

HINT = 0.35
"""Seconds of an adviser's decision that is asked for: too few for a re-solve of the turn, whose values
depend on the clock."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The table: the game, the agents beside the person, and the seed.

    Parameters
    ----------
    variant
        The game; the person has seat 0, the agents the others.
    names, specs
        Of the agents, by seat from 1.
    adviser
        The specification of the agent that advises the person; "" = none.
    seed
        Fixes every card and draw.
    time_limit
        Seconds of an agent's decision; None leaves each its own.

    Raises
    ------
    TableError
        Numbers or names that do not fit the game, or an agent that does not play it.
    ModelError
        No such agent, or one with settings that are not plain.
    """

    variant: Variant
    names: tuple[str, ...]
    specs: tuple[str, ...]
    adviser: str = ""
    seed: int = 1
    time_limit: float | None = None

    def __post_init__(self) -> None:
        if not 1 + len(self.specs) == 1 + len(self.names) == self.variant.seats:
            raise TableError(
                f"{self.variant.name} seats {self.variant.seats}: got {len(self.specs)} agents and you"
            )
        if len({PERSON, *self.names}) != self.variant.seats:
            raise TableError(f"players: expected different names other than {PERSON!r}, got {self.names}")
        for spec in filter(None, (*self.specs, self.adviser)):
            verify_plain(spec)

    def header(self) -> Mapping[str, Any]:
        """Identity of the session: everything that its hands depend on."""
        record = asdict(self) | {"kind": "play", "variant": self.variant.name}
        return record | {"blinds": self.variant.blinds, "stacks": self.variant.stacks}


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished hand: the final state, panels by number of the act, chips of the person without luck.

    An aided hand, one with a hint, with opened cards or with a repeated deck, counts in no statistic.
    """

    state: State
    names: tuple[str, ...]
    hand: int
    seat: int
    panels: tuple[Panel | None, ...]
    chips: int
    estimate: float
    is_aided: bool

    def record(self) -> Hand:
        """The hand with all cards."""
        return Hand.of(self.state, self.names, self.hand)

    def line(self) -> str:
        """A line of an ACPC log, all cards included."""
        return format_state(self.record())


class Sitting:
    """The session: hands are dealt, agents decide, the person acts; one call a step.

    Parameters
    ----------
    seating
        The table.
    journal
        Records every action before it counts, and gives back those of an interrupted session: agents decide
        again as they did, and the recorded actions are applied. ``Recorded`` gives them back, and nothing
        is recorded; None = neither.
    start
        The first hand, up to a decision of the person; None = it is dealt like the others.
    folder
        Of the models of learned players; that of the journal, where there is one.

    Raises
    ------
    TableError, ModelError
        An agent that does not exist or does not play the game.
    JournalError
        A journal with actions that do not fit the session.
    """

    def __init__(
        self,
        seating: Seating,
        journal: Journal | Recorded | None = None,
        start: RecordedOpening | None = None,
        folder: Path = Path(),
    ) -> None:
        self.seating = seating
        self.folder = journal.path.parent if journal else folder
        self.finished: list[Finished] = []
        self.is_aided = False
        self._journal: Journal | None = None
        self._unadvised: Observation | None = None
        self._hinted: Panel | None = None  # the advice for the turn, where it was asked for before the action
        self._opened = -1  # the hand whose cards were opened
        self._events: deque[Acted | HandOver] = deque()
        specs = (located(spec, self.folder) for spec in seating.specs)
        self._agents = {seat: load_for(seating.variant, spec) for seat, spec in enumerate(specs, 1)}
        if seating.adviser:
            self._agents[0] = load_for(seating.variant, seating.adviser)
        for seat, agent in self._agents.items():
            agent.sit(seat, seating.variant, agent_seed(seating.seed, SESSION, seat))
        names, first = (PERSON, *seating.names), start.first if start else 1
        self._deals = deals(names, seating.seed, SESSION, HANDS, first)
        self._begin(start)
        if journal:
            self._resume(journal)
        self._journal = journal if isinstance(journal, Journal) else None

    @property
    def names(self) -> tuple[str, ...]:
        """By position in the hand."""
        return self._dealt.names

    @property
    def seat(self) -> int:
        """The person's position in the hand."""
        return self._dealt.seats.index(0)

    @property
    def hand(self) -> int:
        """The number of the hand, from 0."""
        return self._dealt.hand

    @property
    def over(self) -> bool:
        """Whether the hand is over; ``next_hand`` begins another."""
        return self._state.is_over

    @property
    def waits(self) -> bool:
        """Whether the person is to do something: to act, or to begin the next hand."""
        return self.over or self._state.to_act == self.seat

    @property
    def has_folded(self) -> bool:
        """Whether the person is out of the hand."""
        return self.seat not in self._state.seats_in

    @property
    def stay(self) -> str:
        """``check`` or ``call N``, whichever is legal at the person's turn."""
        found = choices(self.observe())
        return str(found["stay"]) if found else ""

    @property
    def behind(self) -> bool:
        """Whether agents have not observed the last action yet; see ``catch_up``."""
        return self._unadvised is not None or bool(self._events)

    def observe(self) -> Observation:
        """The person's observation of the hand."""
        return self._state.observe(self.seat, self.names, self.hand)

    def frame(self) -> Frame:
        """The table as the person observes it."""
        record = frame(self.observe())
        if self._opened == self.hand:
            for position, player in enumerate(record["players"]):
                player |= holdings(self._state.observe(position))[position]
        return record

    def step(self) -> None:
        """Let the agent to act decide and act.

        Raises
        ------
        IllegalAction
            The person is to act, or the hand is over.
        """
        if self.waits:
            raise IllegalAction(f"hand {self.hand}: no agent is to act")
        self.catch_up()
        observation = self._state.observe(self._state.to_act, self.names, self.hand)
        panel = self._decide(observation, self.seating.time_limit)
        assert panel is not None
        self._apply(panel.decision.action, panel)
        self.catch_up()

    def act(self, text: str, hand: int, at: int) -> None:
        """Apply an action of the person, and catch up; see ``take``."""
        self.take(text, hand, at)
        self.catch_up()

    def take(self, text: str, hand: int, at: int) -> None:
        """Apply an action of the person; ``catch_up`` does what takes longer.

        Parameters
        ----------
        text
            ``fold``, ``check``, ``call 5``, ``bet 10``, ``raise 20``.
        hand, at
            The hand's number, and the number of its acts so far, for which the action was meant.

        Raises
        ------
        NotationError
            Not an action.
        IllegalAction
            It is illegal, not the person's turn, or was meant for another decision; nothing is changed.
        """
        self.verify_at(hand, at)
        if self.over or not self.waits:
            raise IllegalAction(f"cannot {text[:40]}: it is not your turn")
        action = action_from_text(text)
        self._state.verify(action)
        self._unadvised = self.observe()
        self._apply(action, None)

    def verify_at(self, hand: int, at: int) -> None:
        """Raise IllegalAction unless the table is at this hand, with so many acts."""
        now = len(self._state.acts)
        if (hand, at) != (self.hand, now):
            raise IllegalAction(f"action for hand {hand}, act {at}: the table is at {self.hand}, {now}")

    def catch_up(self) -> None:
        """What follows from the last action: the advice in its place, what agents learn, the end of the hand.

        Whatever needs one of these calls it first; the action itself is applied and recorded before.
        """
        if (observation := self._unadvised) is not None:
            self._unadvised = None
            panel = self._hinted or self._decide(observation, self.seating.time_limit)
            self._hinted = None
            self._panels[-1] = panel and replace(panel, taken=self._state.acts[-1].action)
        while self._events:
            event = self._events.popleft()
            for agent in self._agents.values():
                agent.learn(event)
        if self.over and len(self.finished) == self.hand:
            self._settle()

    def next_hand(self, hand: int) -> None:
        """Begin the hand after that number; nothing happens where it has begun.

        Raises
        ------
        IllegalAction
            The hand is not over.
        """
        self.catch_up()
        if not self.over and hand >= self.hand:
            raise IllegalAction(f"hand {self.hand}: not over")
        if self.over and hand == self.hand:
            self._begin()

    def mark(self, hand: int) -> None:
        """Mark the hand as one with help, which is recorded before the help is given; see ``Finished``.

        Nothing happens where it is marked, or over: then no help is left to be given.

        Raises
        ------
        TableError
            Another hand than the present one.
        """
        if hand != self.hand:
            raise TableError(f"hand {hand}: the table is at {self.hand}")
        if not self.over and not self.is_aided:
            if self._journal:
                self._journal.append((hand, AIDED), {})
            self.is_aided = True

    def hint(self, hand: int, at: int) -> Panel:
        """The advice for the person's turn, from what its seat may know; the hand is marked.

        The decision is the one that is shown for the action afterwards: the adviser decides once a turn, with
        or without a hint. For a hint it has ``HINT`` seconds, or those of the table where they are fewer.

        Parameters
        ----------
        hand, at
            As in ``take``.

        Raises
        ------
        TableError
            No turn of the person, another decision than this one, or no adviser.
        """
        self.catch_up()
        if (hand, at) != (self.hand, len(self._state.acts)) or self.over or not self.waits:
            raise TableError(f"hint for hand {hand}, act {at}: expected the decision that you are to make")
        if not self.seating.adviser:
            raise TableError("no adviser sits at this table")
        self.mark(hand)
        limit = self.seating.time_limit
        self._hinted = self._hinted or self._decide(
            self.observe(), HINT if limit is None else min(HINT, limit)
        )
        assert self._hinted is not None
        return self._hinted

    def open_cards(self) -> None:
        """Show all cards in the frames of this hand, which is marked; a hint does not use them."""
        self.mark(self.hand)
        self._opened = self.hand

    def panel(self, hand: int, act: int, open_cards: bool = False) -> Frame:
        """A decision as the page opens it; see ``opened``."""
        panel = self.opened(hand, act, open_cards)
        return panel.to_dict(advice=not _is_own(panel)) | {"hand": hand, "act": act}

    def opened(self, hand: int, act: int, open_cards: bool = False) -> Panel:
        """A decision: of a finished hand, in study mode also of this one, which it marks.

        Raises
        ------
        TableError
            No such decision, or one that may not be opened yet.
        """
        self.catch_up()
        if hand == self.hand and not self.over:
            if not open_cards:
                raise TableError(f"hand {hand}: its decisions can be opened once it is over")
            self.mark(hand)
        panels: tuple[Panel | None, ...] = ()
        if hand == self.hand:
            panels = tuple(self._panels)
        elif 0 <= hand < len(self.finished):
            panels = self.finished[hand].panels
        panel = panels[act] if 0 <= act < len(panels) else None
        if panel is None:
            raise TableError(f"hand {hand}, act {act}: no decision to open")
        return panel

    def results(self) -> Frame:
        """The person's chips as won and with luck taken out, and win rates in big blinds per 100 hands.

        Aided hands are in ``hands`` alone.
        """
        unit = self.seating.variant.big_blind
        counted = [each for each in self.finished if not each.is_aided]
        return {
            "hands": len(self.finished),
            "counted": len(counted),
            "chips": sum(each.chips for each in counted),
            "won": _rate([100 * each.chips / unit for each in counted]),
            "withoutLuck": _rate([100 * each.estimate / unit for each in counted]),
        }

    def summary(self) -> Frame:
        """The session so far: its results, and the hands with the largest pots, the largest first."""
        order = sorted(self.finished, key=lambda each: (-each.state.pot, each.hand))
        biggest = [
            {"hand": each.hand, "pot": each.state.pot, "chips": each.chips, "aided": each.is_aided}
            for each in order[:BIGGEST]
        ]
        return self.results() | {
            "players": list(self.seating.names),
            "seed": str(self.seating.seed),
            "folder": str(self.folder) if self._journal else "",
            "biggest": biggest,
        }

    def close(self) -> None:
        """Release the journal; nothing can be played after it."""
        if self._journal:
            self._journal.close()

    def _begin(self, start: RecordedOpening | None = None) -> None:
        self._dealt = next(self._deals)
        self.is_aided = start is not None
        self._panels: list[Panel | None] = []
        if start is None:
            self._state = State(self.seating.variant, None, self._dealt.deck)
            return
        self._state = State(self.seating.variant, start.stacks, start.deck)
        for action in start.actions:
            self._apply(action, None)
        self.catch_up()

    def _decide(self, observation: Observation, limit: float | None) -> Panel | None:
        """The decision of the agent that observes, or the advice to the person; None without an adviser."""
        assert observation.seat is not None
        chair = self._dealt.seats[observation.seat]
        if chair not in self._agents:
            return None
        panel = decide(self._agents[chair], observation, limit)
        return replace(panel, agent=self.seating.specs[chair - 1] if chair else self.seating.adviser)

    def _apply(self, action: Action, panel: Panel | None) -> None:
        if self._journal:
            self._journal.append((self.hand, len(self._state.acts)), {"action": action_text(action)})
        before = self._state.observe(None, self.names, self.hand)
        self._events.append(Acted(before, self._state.apply(action)))
        self._panels.append(panel)
        if self.over:
            after = self._state.observe(None, self.names, self.hand)
            self._events.append(HandOver(after, self._state.payoffs()))

    def _settle(self) -> None:
        payoffs, seat = self._state.payoffs(), self.seat
        policies = [
            panel.decision.policy if panel and act.seat != seat else None
            for panel, act in zip(self._panels, self._state.acts, strict=True)
        ]
        luckless = ESTIMATORS["control"].chips(
            self._state, policies, stream(self.seating.seed, SESSION, self.hand)
        )
        self.finished.append(
            Finished(
                self._state,
                self.names,
                self.hand,
                seat,
                tuple(self._panels),
                payoffs[seat],
                float(luckless[seat]),
                self.is_aided,
            )
        )

    def _resume(self, journal: Journal | Recorded) -> None:
        for unit, record in journal.records.items():
            if self.over:
                self._begin()
            if unit == (self.hand, AIDED):
                self.is_aided = True
                continue
            if unit != (self.hand, len(self._state.acts)) or not isinstance(record.get("action"), str):
                raise JournalError(f"{journal.path}: record {unit} does not follow the hands before it")
            action = action_from_text(record["action"])
            try:
                self._state.verify(action)
                self._unadvised = self._state.observe(self._state.to_act, self.names, self.hand)
                self._apply(action, None)
                self.catch_up()
            except IllegalAction as error:
                raise JournalError(f"{journal.path}: record {unit}: {error}") from error


def _is_own(panel: Panel) -> bool:
    """Whether the agent of a panel acted itself: the person is named otherwise."""
    observation = panel.observation
    return observation.seat is None or observation.players[observation.seat] != PERSON


BIGGEST = 5
"""Hands of a summary."""

ENOUGH = 20
"""Hands from which on results have an interval: that of fewer would be too narrow."""


def _rate(values: list[float]) -> Mapping[str, float | None]:
    """The mean, and half of its 95 % interval; None below ``ENOUGH`` hands."""
    if not values:
        return {"mean": None, "margin": None}
    half = margin(float(np.std(values, ddof=1)), len(values)) if len(values) >= ENOUGH else nan
    return {"mean": float(np.mean(values)), "margin": None if isnan(half) else half}
