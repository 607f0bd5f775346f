"""CASEY (Sandven and Tessem 2006): its tables, then the strategy that they make.

The source is Unger (2011), section 4.3.2, which prints neither weights nor similarities nor the threshold.
The solution of a case is a plan: an action, and the follow-up if its player has to act again. Of at most 100
cases above the threshold the outcomes of each plan are summed, and the best plan is taken. CASEY begins
without a case and plays at random until it has enough. A case keeps what each street brought beside the net.
"""

from collections.abc import Mapping

from baycarp.cases import BestOutcome, Linear, Schema
from baycarp.game import ACTIONS, Observation
from baycarp.rules.outcome import net
from baycarp.strategies.kinds import action_of_kind, kind_of_action
from baycarp.strategies.readings import Readings
from baycarp.strategies.spec import PROVENANCE, STREET_RESULTS, Strategy, feature

__all__ = ["ADEQUATE", "CASEY", "FALLBACK", "LARGEST", "MEASURED", "MOST", "SCHEMAS", "STEPS", "case_base"]

LARGEST = {
    "preflop": {"hand_rank": 168, "relative_position": 1, "street_bets_to_call": 5},
    "postflop": {
        "random_hand_strength": 1,
        "relative_position": 1,
        "street_bets_to_call": 5,
        "random_hand_ppot": 1,
        "street": 1,
    },
}
"""The features of each case-base, and the difference at which they are not similar at all: our choice, as is
that potential is the positive one (0 on the river). Streets are alike or not: no case of another street
reaches the threshold."""

THRESHOLD = 0.9
"""Our choice."""

MOST = 100
"""Cases above the threshold that are summed up at most, the most similar ones."""

ADEQUATE = 1000
"""Cases that a case-base holds before it decides; until then every action is random. The source has "an
adequate number": the number is our choice."""

FALLBACK = 20
"""The most similar cases, where none reaches the threshold: our choice."""

STEPS = 2
"""Of a plan: an action and a follow-up."""

MEASURED = frozenset({"hand_rank", "random_hand_strength", "random_hand_ppot"})
"""Features that are computed from cards; the others are read off the table."""

SCHEMAS: Mapping[str, Schema] = {
    name: Schema(
        name,
        tuple(feature(each, 1, Linear(largest)) for each, largest in features.items()),
        ACTIONS,
        THRESHOLD,
        FALLBACK,
        (*PROVENANCE, (STREET_RESULTS, "<i4", 4)),
        most=MOST,
    )
    for name, features in LARGEST.items()
}
"""By name; all features weigh alike: our choice."""


def case_base(observation: Observation) -> str:
    """The name of the case-base that a decision uses."""
    return "postflop" if observation.street else "preflop"


CASEY = Strategy(
    name="casey",
    bases=SCHEMAS,
    describe=Readings(),
    policy=BestOutcome(),
    outcome=net,
    action=action_of_kind,
    solution=kind_of_action,
    key=case_base,
    measured=MEASURED,
    price="street_bets_to_call",
    plans="first",
    adequate=ADEQUATE,
)
"""Two case-bases, plans, the best summed outcome: what the first step brought, all that followed included."""
