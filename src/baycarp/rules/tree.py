"""The public tree of a limit game: every betting sequence, without cards."""

from collections.abc import Iterator

from baycarp.game import State, Variant

__all__ = ["decisions"]


def decisions(variant: Variant) -> Iterator[State]:
    """Every state in which a player is to act; no card is known in it.

    Heads-up fixed limit has 6,378 of them, three players have nine million.

    Examples
    --------
    >>> from collections import Counter
    >>> game = Variant.load("holdem.limit.2p.reverse_blinds")
    >>> sorted(Counter(state.street for state in decisions(game)).items())
    [(0, 8), (1, 70), (2, 630), (3, 5670)]
    """
    waiting = [State(variant)]
    while waiting:
        state = waiting.pop()
        yield state
        for action in reversed(state.legal_actions()):
            after = state.copy()
            after.apply(action)
            if not after.is_over:
                waiting.append(after)
