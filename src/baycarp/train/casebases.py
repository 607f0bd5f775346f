"""From watched hands to cases: every action of every player, folds included (seed 000, section 6.1.2)."""

from collections.abc import Iterable, Iterator

from baycarp.agents.baycarp import SCHEMAS, WITHOUT_NETWORK, beliefs_of, provenance, situation_of
from baycarp.bn.network import Network
from baycarp.bn.plan import Inference
from baycarp.cases import Case, Pending, Step
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.opponents.belief import RangeRule
from baycarp.opponents.stats import Statistics

__all__ = ["cases_of_session"]


def cases_of_session(
    hands: Iterable[Hand], session: int, network: Network | None, rule: RangeRule
) -> Iterator[Step]:
    """Every action of a session as a settled case, described as its actor saw it: hand by hand, by position.

    Parameters
    ----------
    hands
        With all hole cards.
    session
        Its number, for the cases' provenance.
    network
        Fitted: it gives the beliefs that the features are made of. None = everybody may hold anything.
    rule
        How hand groups become a range.
    """
    statistics, inference = Statistics(), Inference(network) if network else None
    for hand in hands:
        yield from _cases_of_hand(hand, session, inference, statistics, rule)
        state = replay(hand)
        statistics.observe(HandOver(state.observe(None, hand.players), state.payoffs()))


def _cases_of_hand(
    hand: Hand, session: int, inference: Inference | None, statistics: Statistics, rule: RangeRule
) -> Iterator[Step]:
    pending = {who: Pending() for who in range(hand.variant.seats)}
    final = replay(hand)
    schemas = SCHEMAS if inference else WITHOUT_NETWORK
    number = hand.id if isinstance(hand.id, int) else 0
    for state, act in zip(states(hand), final.acts, strict=False):
        seen = state.observe(act.seat, hand.players, number)
        beliefs = beliefs_of(seen, inference, statistics, rule) if seen.street else {}
        situation = situation_of(seen, beliefs, schemas=schemas)
        schema = schemas[situation.street]
        case = Case(schema.situation(situation.values), act.action.name, 0.0, provenance(seen, session))
        pending[act.seat].add(schema.name, case, act.paid / hand.variant.small_bet)
    payoffs = final.payoffs()
    for who, waiting in pending.items():
        won = who in final.seats_in and payoffs[who] + final.committed[who] > 0
        yield from waiting.settle(won)
