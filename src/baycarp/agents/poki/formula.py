"""The formula player, called Pokibot: income rates before the flop, six rules after it.

Sources: Papp 1998 (Loki); Peña 1999 and Billings, Peña, Schaeffer and Szafron 1999 (probability triples).
Before the flop ``preflop.py``; after it the strength of the hand is computed against the field array of the
opponents' weight tables, and the rules of ``triple.h`` become a triple from which the action is drawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from baycarp.agents.anytime import Answer, Anytime, Recorder, Tier
from baycarp.agents.base import Decision, Plays
from baycarp.agents.factory import Factory
from baycarp.agents.poki.preflop import IN_WORDS, LEVELS, Preflop, StreetPlan, chosen
from baycarp.agents.poki.weights import OpponentFrequencies, field
from baycarp.agents.sampling import draw, generator, legal_policy
from baycarp.agents.terms import percent
from baycarp.agents.trace import OpponentStage, Stage
from baycarp.budget import Budget
from baycarp.errors import ArgumentError
from baycarp.game import Event, HandOver, Observation, Variant
from baycarp.kernels.arguments import MOST_SEED, seeded, whole
from baycarp.kernels.simulation import RULES, rule_shares
from baycarp.kernels.strength import strength
from baycarp.rules.betting.context import FOLD_CALL_RAISE, LimitSpot, Rules, facing

__all__ = ["FORMULA", "Formula", "PotentialStage", "RuleStage", "Style"]

REACH = 0.15
"""The largest shift of a threshold by a style; our choice."""


@dataclass(frozen=True, slots=True)
class PotentialStage(Stage, name="potential"):
    """Strength and potentials against one random or weighted hand, 0..1."""

    strength: float
    positive_potential: float
    negative_potential: float


@dataclass(frozen=True, slots=True)
class RuleStage(Stage, name="rules"):
    """The rules of the formula player.

    Parameters
    ----------
    rule
        The one with the largest share.
    strength
        HSn, against all opponents, 0..1.
    optimistic
        EHS', strength and positive potential, 0..1.
    effective
        EHS, the same less negative potential.
    pot_odds
        0..1; 0 = a check is free.
    shares
        Of each rule, 0..1.
    """

    rule: str
    strength: float
    optimistic: float
    effective: float
    pot_odds: float
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Style:
    """A playing style: players of one kind differ by nothing else.

    The parameters are Poker Academy's; the effect of each on the published thresholds is our choice.

    Parameters
    ----------
    level
        Tightness before the flop: "tight", "moderate" or "loose", the published increments.
    shift
        Income-rate points added to every threshold before the flop; positive plays fewer hands.
    raising
        The same for the thresholds of raising alone, beside the shift.
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
    raising: float = 0.0
    mixing: float = 0.0
    tightness: float = 0.5
    aggression: float = 0.5
    deception: float = 0.0
    model: float = 1.0
    implied: float = 0.0
    defence: bool = False

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ArgumentError(f"level {self.level!r}: expected one of {', '.join(LEVELS)}")
        for name in ("tightness", "aggression", "deception"):
            if not 0 <= getattr(self, name) <= 1:
                raise ArgumentError(f"{name} {getattr(self, name)!r}: expected 0..1")
        for name in ("mixing", "model", "implied"):
            if not getattr(self, name) >= 0:
                raise ArgumentError(f"{name} {getattr(self, name)!r}: expected at least 0")

    @property
    def preflop(self) -> Preflop:
        """The position of the thresholds before the flop."""
        return Preflop(self.level, self.shift, self.raising)

    def rules(self) -> Rules:
        """The rules after the flop with the thresholds of this style."""
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
        The playing style.

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
        self._rules, self._anytime = self.style.rules(), Anytime()
        self._seed, self._opponents = 0, OpponentFrequencies()
        self._bluff: tuple[int, tuple[int, ...], int] | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.style}>"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat, without observations of any opponent."""
        self._seed = whole(seed, "seed", 0, MOST_SEED)
        self._opponents, self._bluff = OpponentFrequencies(), None

    def learn(self, event: Event) -> None:
        """Count every player's actions, when the hand is over."""
        if isinstance(event, HandOver):
            self._opponents.learn(event.observation)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose by income rate before the flop, by the rules after it.

        Tiers under a time limit, after the flop: the cheapest legal action; the cards alone; the cards
        against the opponent model. Without a limit only the last is done.
        """
        budget = budget or Budget(time=time_limit)
        self.plays.verify_turn(observation)
        meter, spot = budget.start(), facing(observation)
        tiers = self._tiers(spot)
        if budget.time is None:
            recorder, (*_, best) = Recorder(meter), tiers.values()
            answer = best(observation, recorder)
            assert answer is not None
            return recorder.decision(answer)
        return self._anytime.decide(meter, observation, tiers, first="cheapest" if spot.street else "")

    def _tiers(self, spot: LimitSpot) -> dict[str, Tier]:
        if not spot.street:
            return {"income": partial(self._before_flop, spot)}
        return {
            "cards": partial(self._after_flop, spot, 0.0),
            "model": partial(self._after_flop, spot, self.style.model),
        }

    def _before_flop(self, spot: LimitSpot, observation: Observation, recorder: Recorder) -> Answer:
        uniform = float(seeded(self._seed, observation.hand, spot.seat).random())
        style = self.style
        triple, column, stage = chosen(observation, spot, style.preflop, style.mixing, uniform, recorder)
        policy = legal_policy(observation, triple)
        action = next(action for action in reversed(policy) if FOLD_CALL_RAISE[action.name] <= column)
        reason = f"{stage.hand} is a hand to {IN_WORDS[StreetPlan[stage.strategy]]} here"
        return Answer(action, policy, reason)

    def _after_flop(
        self, spot: LimitSpot, model: float, observation: Observation, recorder: Recorder
    ) -> Answer:
        """The answer by the rules; ``model`` is the weight of the opponent model, 0 = every holding alike."""
        spot = spot._replace(following=self._follows(observation))
        array = field(self._opponents.weigh(observation), model) if model else None
        recorder.add(OpponentStage(seconds=recorder.lap()))
        hs, ppot, npot = strength(observation.hole, observation.board, array, ahead=1)
        recorder.add(PotentialStage(hs, ppot, npot, seconds=recorder.lap()))
        shares, triple = rule_shares(spot, self._rules, hs, ppot, npot)
        by_rule = dict(zip(RULES, shares, strict=True))
        hsn = hs**spot.opponents
        optimistic = hsn + (1 - hsn) * ppot
        stage = RuleStage(
            rule=max(by_rule, key=by_rule.__getitem__),
            strength=hsn,
            optimistic=optimistic,
            effective=optimistic - hsn * npot,
            pot_odds=spot.owed / (spot.pot + spot.owed),
            shares=by_rule,
            seconds=recorder.lap(),
        )
        recorder.add(stage)
        policy = legal_policy(observation, triple)
        action = draw(policy, generator(self._seed, observation).random())
        if FOLD_CALL_RAISE[action.name] == 2:
            bluff = observation.hand, observation.hole, len(observation.acts)
            self._bluff = bluff if stage.rule == "semi-bluff" else None
        opponents = f"{spot.opponents} opponent{'s' if spot.opponents > 1 else ''}"
        reason = f"{stage.rule}: {percent(stage.optimistic)} with its draws, against {opponents}"
        return Answer(action, policy, reason)

    def _follows(self, observation: Observation) -> bool:
        """Whether the agent semi-bluffed in this hand, and no other player has bet or raised since."""
        if self._bluff is None or self._bluff[:2] != (observation.hand, observation.hole):
            return False
        since = observation.acts[self._bluff[2] :]
        return bool(since) and not any(
            act.seat != observation.seat and FOLD_CALL_RAISE[act.action.name] == 2 for act in since
        )


FORMULA = Factory(
    Formula,
    "expert rules over strength, potential and weight tables of the opponents (Pokibot)",
    published={},
    style=Style,
)
"""A style is published where it has no settings."""
