"""The posterior of an opponent's style from the hands played with it: a Bayesian network of each hand.

The nodes of a hand are the style, the cards, and each action of the opponent given its style, its card, the
public card and the actions before it. Hands are independent given the style, so a posterior is the prior of
the next hand. The card of the opponent is observed after a showdown; otherwise the network sums over it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Inference, Network, Structure
from baycarp.solvers import StrategyProfile
from experiments.leduc.hands import Observed

__all__ = ["StyleNetwork"]

RANKS, COPIES = "JQK", 2
LETTERS = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}


class StyleNetwork:
    """The styles of one opponent, and what a hand says of them.

    Parameters
    ----------
    styles
        The strategy of each style, by name.
    """

    def __init__(self, styles: Mapping[str, StrategyProfile]) -> None:
        self.styles = styles
        self._inference = cache(lambda rounds, player: Inference(self.network(rounds, player)))

    def network(self, rounds: Sequence[str], player: int) -> Network:
        """The network of hands with these actions of each round, as a player observes them.

        The prior of the styles is uniform. ``own``, ``card`` and ``public`` are the cards of the player, of
        its opponent, and of both; ``act 1`` is the opponent's first action.
        """
        deals = ["own", "card", "public"][: 1 + len(rounds)]
        states: dict[str, Iterable[str]] = {"style": tuple(self.styles)} | dict.fromkeys(deals, RANKS)
        parents = {deal: deals[:at] for at, deal in enumerate(deals)}
        tables: dict[str, Any] = {"style": np.full(len(self.styles), 1 / len(self.styles))}
        tables |= {deal: _deal(at) for at, deal in enumerate(deals)}
        for number, known in enumerate(_decisions(rounds, 1 - player), 1):
            given = ["card", "public"][: len(known)]
            actions, table = self._policies(known, 1 - player)
            states[f"act {number}"], parents[f"act {number}"] = actions, ["style", *given]
            tables[f"act {number}"] = table
        return Network(Structure(states, parents), tables)

    def _policies(self, known: Sequence[str], opponent: int) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """The legal actions, and their probabilities by style and cards, where these actions are known."""
        rows = [
            style.at(opponent, f"{''.join(cards)}:{'/'.join(known)}")
            for style in self.styles.values()
            for cards in product(RANKS, repeat=len(known))
        ]
        shape = (len(self.styles), *[len(RANKS)] * len(known), -1)
        return tuple(rows[0]), np.array([list(row.values()) for row in rows]).reshape(shape)

    def likelihood(self, hand: Observed, player: int) -> NDArray[np.float64]:
        """The likelihood of a hand for each style, up to a factor that all share; float64, sum 1."""
        inference = self._inference(hand.rounds, player)
        structure = inference.network.structure
        cards = {"own": hand.own, "card": hand.card, "public": hand.public}
        evidence = {node: card for node, card in cards.items() if card}
        for number, known in enumerate(_decisions(hand.rounds, 1 - player), 1):
            letter = hand.rounds[len(known) - 1][len(known[-1])]
            (done,) = set(LETTERS[letter]) & set(structure.states[f"act {number}"])
            evidence[f"act {number}"] = done
        return inference.posterior(evidence, ["style"])["style"]


def _deal(before: int) -> NDArray[np.float64]:
    """The probability of a card given those dealt before it."""
    shape = (len(RANKS),) * before
    table = np.empty((*shape, len(RANKS)))
    for dealt in np.ndindex(*shape):
        left = np.array([max(COPIES - dealt.count(rank), 0) for rank in range(len(RANKS))])
        table[dealt] = left / left.sum()
    return table


def _decisions(rounds: Sequence[str], player: int) -> list[tuple[str, ...]]:
    """The actions of each round before each decision of a player, the current round's last."""
    return [
        (*rounds[:number], acts[:at])
        for number, acts in enumerate(rounds)
        for at in range(len(acts))
        if at % 2 == player
    ]
