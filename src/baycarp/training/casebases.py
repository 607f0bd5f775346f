"""From watched hands to cases: every action of every player, also folds (Unger 2011, section 6.1.2)."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from baycarp.bn import Inference, Network
from baycarp.cases import Settled
from baycarp.cases.columns import Columns, stack
from baycarp.errors import CardError
from baycarp.game import HandOver, State
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.opponents.model import OpponentModel, believe_all
from baycarp.opponents.uniform import new_opponent_model
from baycarp.rules.outcome import BY_RANGES, HandResult, street_results
from baycarp.strategies.episode import Episode, decision_point
from baycarp.strategies.spec import Strategy

__all__ = ["cases_of_session", "columns_of_session", "is_of", "positions_with_cases"]


def cases_of_session(
    hands: Iterable[Hand],
    session: int,
    strategy: Strategy,
    network: Network | None = None,
    players: Container[str] | None = None,
    streets: Container[int] = range(4),
) -> Iterator[Settled]:
    """Every action of a session as a settled case, described as its player observed it.

    Cases are in the order of hands, and of positions in a hand. A hand without the player's cards or without
    a recorded winner gives no cases; the opponent models observe it too.

    Parameters
    ----------
    hands
        Finished; unknown cards are left out.
    session
        Its number, for the cases' provenance.
    strategy
        Describes the cases and gives their outcomes. In hindsight all recorded cards are known.
    network
        Fitted, for a strategy whose opponent model needs one.
    players
        The players of the actions; None = all.
    streets
        The streets of the actions, 0..3.
    """
    model = new_opponent_model(strategy.opponents, Inference(network) if network else None)
    for hand in hands:
        final = replay(hand)
        positions = [at for at in positions_with_cases(hand, final) if is_of(hand, at, players)]
        episodes = {position: Episode(strategy, session) for position in positions}
        yield from _cases_of_hand(hand, final, episodes, strategy, model, streets)
        model.learn(HandOver(final.observe(None, hand.players), ()))


def columns_of_session(
    hands: Iterable[Hand],
    session: int,
    strategy: Strategy,
    network: Network | None = None,
    players: Container[str] | None = None,
) -> dict[str, Columns]:
    """The cases of a session by case-base, as columns; parameters are those of ``cases_of_session``."""
    settled = list(cases_of_session(hands, session, strategy, network, players))
    return {
        name: stack(schema, (each.case for each in settled if each.base == name))
        for name, schema in strategy.bases.items()
    }


def is_of(hand: Hand, position: int, players: Container[str] | None) -> bool:
    """Whether a position is one of these players'; None = every player's is."""
    return players is None or (bool(hand.players) and hand.players[position] in players)


def positions_with_cases(hand: Hand, final: State) -> list[int]:
    """The positions whose actions a hand records in full: with their cards, and the result."""
    complete = _payoffs_of(hand, final) is not None
    return [position for position, hole in enumerate(hand.holes) if hole and complete]


def _payoffs_of(hand: Hand, final: State) -> Sequence[float] | None:
    """Net chips by position: by the rules if the cards are known, or else from the source."""
    try:
        return final.payoffs()
    except CardError:
        return hand.payoffs


def _cases_of_hand(
    hand: Hand,
    final: State,
    episodes: Mapping[int, Episode],
    strategy: Strategy,
    model: OpponentModel,
    streets: Container[int],
) -> Iterator[Settled]:
    number = hand.id if isinstance(hand.id, int) else 0
    for state, act in zip(states(hand), final.acts, strict=False) if episodes else ():
        if act.seat in episodes and act.street in streets:
            observation = state.observe(act.seat, hand.players, number)
            wanted = act.street in strategy.believed or strategy.outcome in BY_RANGES
            beliefs = believe_all(model, observation) if wanted else {}
            episodes[act.seat].act(decision_point(strategy, observation, beliefs), act)
    payoffs = _payoffs_of(hand, final) or ()
    for position, episode in episodes.items():
        payoff = payoffs[position]
        won = position in final.seats_in and payoff + final.committed[position] > 0
        brought = street_results(final, position, payoff)
        yield from episode.settle(HandResult(payoff, won, dict(enumerate(hand.holes)), brought))
