"""The formula player, known as Pokibot: income rates before the flop, six rules after it.

Sources: Papp 1998 (Loki); Peña 1999 and Billings, Peña, Schaeffer and Szafron 1999 (probability triples).
Before the flop ``preflop.py``; after it the strength of the hand is reckoned against the field array of the
opponents' weight tables, and the rules of ``triple.h`` become a triple from which the action is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision, Plays
from baycarp.agents.choice import Record, draw, generator, legal_policy
from baycarp.agents.ladder import Climb, Ladder, cheapest
from baycarp.agents.preflop import LEVELS, chosen
from baycarp.budget import Budget
from baycarp.game.event import Event, HandOver
from baycarp.game.observation import Observation
from baycarp.game.variant import Variant
from baycarp.kernels.simulation import RULES, rule_shares
from baycarp.kernels.strength import strength
from baycarp.opponents.triple import FOLD_CALL_RAISE, Rules, Spot, facing
from baycarp.opponents.weights import Opponents, field

__all__ = ["Formula", "Style", "Thought"]

Thought = Callable[[Observation, Spot, Record], Decision]
"""One way to decide, written down in the record."""

REACH = 0.15
"""How far a style moves a threshold at most; our own choice."""


@dataclass(frozen=True, slots=True)
class Style:
    """A personality: players of one kind differ by nothing else.

    The knobs are Poker Academy's; what each does to the published thresholds is our own choice.

    Parameters
    ----------
    level
        Tightness before the flop: "tight", "moderate" or "loose", the published increments.
    shift
        Income-rate points added to every threshold before the flop; positive plays fewer hands.
    mixing
        Pre-flop deception: half the width, in income-rate points, by which the hand's rate is blurred.
    tightness
        After the flop, 0..1: moves the prices of a call by up to 0.15; 0.5 = as published, 0 hardly folds.
    aggression
        After the flop, 0..1: moves the thresholds of betting and raising by up to 0.15; 0.5 = as published.
    deception
        After the flop, 0..1: probability of a check with a strong hand when first to act.
    model
        Weight of the opponent model, a power on the weight tables: 0 = the bare cards, 1 = the model.
    implied
        Bets of implied odds added to the pot when a draw is priced.
    defence
        Whether large pots are defended: a call-down is priced without the bets still to come.
    """

    level: str = "moderate"
    shift: float = 0.0
    mixing: float = 0.0
    tightness: float = 0.5
    aggression: float = 0.5
    deception: float = 0.0
    model: float = 1.0
    implied: float = 0.0
    defence: bool = False

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level {self.level!r}: expected one of {', '.join(LEVELS)}")
        for name in ("tightness", "aggression", "deception"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r}: expected 0..1")
        for name in ("mixing", "model", "implied"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} {getattr(self, name)!r}: expected at least 0")

    def rules(self) -> Rules:
        """The rules after the flop as this style leans on them."""
        bold = REACH * (2 * self.aggression - 1)
        return Rules(
            strong=0.85 - bold,
            good=0.50 - bold,
            odds=REACH * (2 * self.tightness - 1),
            implied=self.implied,
            defence=float(self.defence),
            slow=self.deception,
        )


class Formula:
    """A formula player.

    Parameters
    ----------
    style
        His personality.

    Examples
    --------
    >>> from baycarp.game.state import State
    >>> hand = State(Variant.ring(8))
    >>> hand.deal({2: "AhAd"})
    >>> print(Formula().decide(hand.observe(2)).action)
    raise to 4
    """

    plays = Plays(frozenset({"limit"}))

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()
        self._rules = self.style.rules()
        self._seed = 0
        self._ladder = Ladder()
        self._opponents = Opponents()
        self._bluff: tuple[int, tuple[int, ...], int] | None = None

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; nobody is known yet."""
        self._seed = seed
        self._opponents = Opponents()
        self._bluff = None

    def learn(self, event: Event) -> None:
        """Count what everybody did, when the hand is over."""
        if isinstance(event, HandOver):
            self._opponents.learn(event.seen)

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose by income rate before the flop, by the rules after it.

        Under a time limit answers are sought in order of worth, and the last that was done in time is given:
        after the flop, the cheapest legal action and what the bare cards say; what he says without a limit.
        """
        budget = budget or Budget(time=time_limit)
        meter = budget.start()
        spot = facing(seen)
        self.plays.verify_turn(seen)
        *_, (_, best) = thoughts = self._thoughts(spot)
        if budget.time is None:
            return best(seen, spot, Record(meter))
        climb = self._ladder.start(meter, seen)
        if spot.street:
            climb.step("cheapest", cheapest)
        for name, thought in thoughts:
            climb.step(name, partial(Climb.think, work=partial(thought, seen, spot)))
        return climb.decision()

    def _thoughts(self, spot: Spot) -> "list[tuple[str, Thought]]":
        """The ways to decide, from the quickest to the best."""
        if not spot.street:
            return [("income", self._before_flop)]
        return [("cards", partial(self._after_flop, modelled=False)), ("model", self._after_flop)]

    def _before_flop(self, seen: Observation, spot: Spot, record: Record) -> Decision:
        uniform = float(np.random.default_rng((self._seed, seen.hand, spot.seat)).random())
        style = self.style
        triple, column, said = chosen(seen, spot, style.level, style.shift, style.mixing, uniform)
        record.add("income rate", said)
        policy = legal_policy(seen, triple)
        action = next(action for action in reversed(policy) if FOLD_CALL_RAISE[action.name] <= column)
        reason = f"{said['hand']} earns {said['income rate']:.0f} ({said['table']}): {said['strategy']}"
        return record.decision(policy, action, reason)

    def _after_flop(self, seen: Observation, spot: Spot, record: Record, modelled: bool = True) -> Decision:
        spot = replace(spot, following=self._follows(seen))
        array = self._field(seen) if modelled else None
        record.add("opponents", {})
        hs, ppot, npot = strength(seen.hole, seen.board, array, ahead=1)
        record.add("strength", {"HS": hs, "PPot": ppot, "NPot": npot})
        shares, triple = rule_shares(spot, self._rules, hs, ppot, npot)
        rule, priced = RULES[int(np.argmax(shares))], _priced(spot, hs, ppot, npot)
        record.add("rules", {"rule": rule, **priced, "shares": dict(zip(RULES, shares, strict=True))})
        policy = legal_policy(seen, triple)
        action = draw(policy, generator(self._seed, seen).random())
        if FOLD_CALL_RAISE[action.name] == 2:
            self._bluff = (seen.hand, seen.hole, len(seen.acts)) if rule == "semi-bluff" else None
        reason = "{}, with EHS' {:.2f} against {}".format(rule, priced["EHS'"], spot.opponents)
        return record.decision(policy, action, reason)

    def _field(self, seen: Observation) -> NDArray[np.float64] | None:
        """The field array; None: every holding alike."""
        return field(self._opponents.weigh(seen), self.style.model) if self.style.model else None

    def _follows(self, seen: Observation) -> bool:
        """Whether a semi-bluff of this hand stands unanswered by a bet or raise of another."""
        if self._bluff is None or self._bluff[:2] != (seen.hand, seen.hole):
            return False
        since = seen.acts[self._bluff[2] :]
        return bool(since) and not any(
            act.seat != seen.seat and FOLD_CALL_RAISE[act.action.name] == 2 for act in since
        )


def _priced(spot: Spot, hs: float, ppot: float, npot: float) -> dict[str, float]:
    """The numbers that the rules compare."""
    hsn = hs**spot.opponents
    optimist = hsn + (1 - hsn) * ppot
    return {
        "HSn": hsn,
        "EHS'": optimist,
        "EHS": optimist - hsn * npot,
        "pot odds": spot.owed / (spot.pot + spot.owed),
    }
