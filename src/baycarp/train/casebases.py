"""From watched hands to cases: every action of every player, folds included (seed 000, section 6.1.2)."""

from collections.abc import Container, Iterable, Iterator, Sequence

from baycarp.agents.baycarp import situation_of
from baycarp.agents.schemas import SCHEMAS, WITHOUT_NETWORK, provenance
from baycarp.bn.network import Network
from baycarp.bn.plan import Inference
from baycarp.cases import Case, Expected, Pending, Schema, SignedCost, Step
from baycarp.errors import CardError
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.state import State
from baycarp.opponents.belief import RangeRule
from baycarp.opponents.reads import Reads, read_all, strangers
from baycarp.opponents.styles import Styles
from baycarp.rules.worth import BELIEVED, Stake, worths

__all__ = ["cases_of_session", "is_of", "told_of"]


def cases_of_session(
    hands: Iterable[Hand],
    session: int,
    network: Network | None,
    rule: RangeRule,
    players: Container[str] | None = None,
    revise: str = "cost",
    streets: Container[int] = range(4),
    styles: Styles | None = None,
) -> Iterator[Step]:
    """Every action of a session as a settled case, described as its actor saw it: hand by hand, by position.

    A hand of which the actor's cards or who won are not known gives no cases; it still tells of habits.

    Parameters
    ----------
    hands
        Finished; unknown cards are left out.
    session
        Its number, for the cases' provenance.
    network
        Fitted: it gives the beliefs that the features are made of. None = everybody may hold anything.
    rule
        How hand groups become a range.
    players
        Whose actions; None = everybody's.
    revise
        What an action is held to have been worth, one of ``rules.worth.REVISIONS``. In hindsight all cards
        that the hand tells are known.
    streets
        Which actions, 0..3.
    styles
        Beliefs by hand -> action, a model of each player that begins as his style's; None = the network's.
    """
    reads = strangers(Inference(network) if network else None, rule, styles)
    schemas = SCHEMAS if network else WITHOUT_NETWORK
    for hand in hands:
        final = replay(hand)
        whose = [who for who in told_of(hand, final) if is_of(hand, who, players)]
        if whose:
            yield from _cases_of_hand(hand, final, whose, session, reads, schemas, revise, streets)
        over = HandOver(final.observe(None, hand.players), ())
        reads.learn(over)


def is_of(hand: Hand, who: int, players: Container[str] | None) -> bool:
    """Whether a position is one of these players'; None = it is, whoever he be."""
    return players is None or (bool(hand.players) and hand.players[who] in players)


def told_of(hand: Hand, final: State) -> list[int]:
    """The positions whose actions a hand tells in full: with their cards, and what came of it."""
    if _payoffs_of(hand, final) is None:
        return []
    return [who for who, hole in enumerate(hand.holes) if hole]


def _payoffs_of(hand: Hand, final: State) -> Sequence[float] | None:
    """Net chips by position: by the rules where the cards are known, or else as the source states them."""
    try:
        return final.payoffs()
    except CardError:
        return hand.payoffs


def _cases_of_hand(
    hand: Hand,
    final: State,
    whose: Sequence[int],
    session: int,
    reads: Reads,
    schemas: Sequence[Schema],
    revise: str,
    streets: Container[int],
) -> Iterator[Step]:
    pending = {who: Pending(SignedCost() if revise == "cost" else Expected()) for who in whose}
    stakes: dict[int, list[Stake]] = {who: [] for who in whose}
    number = hand.id if isinstance(hand.id, int) else 0
    for state, act in zip(states(hand), final.acts, strict=False):
        if act.seat not in pending or act.street not in streets:
            continue
        seen = state.observe(act.seat, hand.players, number)
        beliefs = read_all(reads, seen) if seen.street or revise in BELIEVED else {}
        situation = situation_of(seen, beliefs, schemas=schemas)
        schema = schemas[situation.street]
        case = Case(schema.situation(situation.values), act.action.name, 0.0, provenance(seen, session))
        pending[act.seat].add(schema.name, case, act.paid / hand.variant.small_bet)
        stakes[act.seat].append(Stake(seen, act, {who: belief.weights for who, belief in beliefs.items()}))
    payoffs = _payoffs_of(hand, final)
    assert payoffs is not None
    for who, waiting in pending.items():
        won = who in final.seats_in and payoffs[who] + final.committed[who] > 0
        yield from waiting.settle(won, worths(stakes[who], revise, payoffs[who], dict(enumerate(hand.holes))))
