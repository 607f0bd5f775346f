"""SartreNL (Rubin and Watson 2012, section 6): heads-up no-limit, learned from an expert's hands.

A case is the hole cards' class (before the flop) or strength, the betting sequence in letters of bet sizes,
the part of the stack that is committed, and after the flop the texture of the board. Of 2010 (section 6.4.1):
without all-in, hard translation everywhere, probabilistic; of 2011 (6.4.2): with all-in, soft translation at
the table, max-frequency.

Our choices, beside those of ``strategies.sartre``: the class of the hole cards before the flop, a uniform
jitter, all-in without jitter, the proportion of a raise of the pot after the call, similarity floored at 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from baycarp.cases import Aligned, Exponential, Feature, Majority, Policy, Proportional, Schema
from baycarp.game import Action, Observation
from baycarp.game.plays import Plays
from baycarp.rules.betting.letters import PARTS, SessionDraws, bet_of, commitment, letter_of, lettered
from baycarp.rules.betting.sizes import CALL, FOLD, SARTRE_NL, SARTRE_NL_2010, BetRange, Sizes
from baycarp.strategies.sartre import SARTRE2010, Strengths, action_of, schemas
from baycarp.strategies.spec import Beliefs, Strategy

__all__ = ["GAME", "JITTER", "SARTRENL2010", "SARTRENL2011", "SCALE", "STEP", "Lettered", "at_table"]

GAME = "holdem.nolimit.2p.reverse_blinds"

SCALE, STEP = "qhipdvt", 0.05
"""Table 11, and alpha of equation 7."""

JITTER = 0.3
"""Of a bet of the player's own; that of the example in section 6.3.2."""


@dataclass(frozen=True)
class Lettered:
    """Describes a decision of SartreNL.

    Parameters
    ----------
    sizes
        The letters.
    draws
        Of the session; None = hard translation, as of logs.
    soft
        Whether the bets of others are translated softly at the table.
    """

    sizes: Sizes = SARTRE_NL
    draws: SessionDraws | None = None
    soft: bool = True

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The features of the decision; beliefs are not used."""
        number = CARDS.class_of(observation.hole, observation.board)
        return {
            **CARDS.features(number, observation.street),
            "sequence": lettered(observation, self.sizes, self.draws, self.soft),
            "commitment": float(commitment(observation)),
        }


CARDS = Strengths()
"""Of the features of the cards, which are those of limit."""


def _action(
    sizes: Sizes, draws: SessionDraws | None, solution: str, observation: Observation
) -> Action | None:
    """The legal action of a letter: a free fold is a check, a bet that is not allowed a call."""
    allowed = BetRange.of(observation.state)
    if solution not in (FOLD, CALL) and allowed is not None:
        return bet_of(solution, allowed, sizes, observation, draws)
    return action_of("fold" if solution == FOLD else "call", observation)


def _solution(sizes: Sizes, draws: SessionDraws | None, action: Action, observation: Observation) -> str:
    if action.name not in ("bet", "raise"):
        return FOLD if action.name == "fold" else CALL
    legal = BetRange.of(observation.state)
    assert legal is not None
    uniform = draws.uniform(observation.hand, len(observation.acts)) if draws else 0.5
    return letter_of(action, legal, sizes, draws, uniform)


def at_table(strategy: Strategy, seed: int) -> Strategy:
    """The strategy of one session: translations are drawn from its seed."""
    assert isinstance(strategy.describe, Lettered)
    draws, sizes = SessionDraws(seed, JITTER), strategy.describe.sizes
    return replace(
        strategy,
        describe=replace(strategy.describe, draws=draws),
        action=partial(_action, sizes, draws),
        solution=partial(_solution, sizes, draws),
    )


def _bases(sizes: Sizes) -> Mapping[str, Schema]:
    sequence = Feature("sequence", 1, Aligned(SCALE, STEP))
    committed = Feature("commitment", 1, Exponential(k=1, max=1), (1, PARTS))
    solutions = (FOLD, CALL, *sizes.letters)
    return {
        name: replace(
            schema,
            features=(
                *(sequence if each.name == "sequence" else each for each in schema.features),
                committed,
            ),
            solutions=solutions,
        )
        for name, schema in schemas().items()
    }


def _version(name: str, sizes: Sizes, policy: Policy, soft: bool) -> Strategy:
    return replace(
        SARTRE2010,
        name=name,
        bases=_bases(sizes),
        describe=Lettered(sizes, soft=soft),
        policy=policy,
        action=partial(_action, sizes, None),
        solution=partial(_solution, sizes, None),
        game=GAME,
        plays=Plays(frozenset({"no-limit"}), 2, 2),
        at_table=at_table,
    )


SARTRENL2010 = _version("sartrenl2010", SARTRE_NL_2010, Proportional(), soft=False)
"""Without all-in, hard translation, probabilistic (section 6.4.1)."""

SARTRENL2011 = _version("sartrenl", SARTRE_NL, Majority(), soft=True)
"""With all-in, soft translation, max-frequency (section 6.4.2)."""
