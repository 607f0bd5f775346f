"""A seated player's ``hand -> action`` models of all players, kept between hands."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import holding_index
from baycarp.game import Act, Event, HandOver, Observation, Variant
from baycarp.game.action import STREETS
from baycarp.opponents.adapt import PlayerModel
from baycarp.opponents.belief import LEAST, Belief
from baycarp.opponents.hypotheses import USUAL, Confidence
from baycarp.opponents.moves import PRICE_OF, Move, income_groups, moves
from baycarp.opponents.styles import Styles
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types
from baycarp.rules.income import IncomeGroup

__all__ = ["PlayerModels"]

CHOICES = ("folds", "checks or calls", "bets or raises")
FACING = ("no bet", "a bet", "a raise", "a reraise", "the cap")
"""``PRICES`` in a sentence."""


class PlayerModels:
    """A model of each opponent of one player, by name.

    Parameters
    ----------
    styles, confidence
        As for ``adapt.PlayerModel``.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> from baycarp.opponents.actions import sensible
    >>> known = PlayerModels(Styles((sensible(),), (1.0,)), Confidence(((1.0, 1.0),)))
    >>> observation = observe("MATCHSTATE:0:0:rc/r:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> weights = known.believe(observation, 1, "").weights  # it has raised before the flop
    >>> bool(weights[holding_index(51, 49)] > 5 * weights[holding_index(23, 2)])  # AsAd, 7s2h
    True
    """

    def __init__(self, styles: Styles, confidence: Confidence = USUAL) -> None:
        self.styles, self.confidence = styles, confidence
        self._of: dict[str, PlayerModel] = {}
        self._new_player = PlayerModel(styles, confidence)

    def of(self, player: str) -> PlayerModel:
        """The model of a player; a player without a name has the new player's model."""
        return self._of.get(player, self._new_player)

    def posterior(self, observation: Observation, position: int, player: str) -> NDArray[np.float64]:
        """The probability of each holding, given all its actions in this hand; see ``believe``."""
        return self.of(player).posterior(
            _own_moves(observation, position),
            observation.board,
            _income_group(observation, position),
            observation.hole,
        )

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The range of an opponent, its hand groups and hand types; see ``model.OpponentModel``."""
        own_moves = _own_moves(observation, position)
        return self._belief(observation, position, player, own_moves, _evidence(own_moves))

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The same for other actions: those that ``believe`` reports, some left out or replaced."""
        return self._belief(
            observation, position, player, _acted(_own_moves(observation, position), evidence), dict(evidence)
        )

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """Other acts that its model holds possible: a player still in has not folded."""
        own_moves, group = _own_moves(observation, position), _income_group(observation, position)
        for act, done in evidence.items():
            alternatives = (_acted(own_moves, {**evidence, act: choice}) for choice in CHOICES)
            masses = [
                self.of(player).likelihood(each, observation.board, group, observation.hole).sum()
                for each in alternatives
            ]
            for choice, mass in list(zip(CHOICES, masses, strict=True))[1:]:
                if choice != done and mass >= LEAST * sum(masses):
                    yield act, choice

    def _belief(
        self,
        observation: Observation,
        position: int,
        player: str,
        own_moves: Sequence[Move],
        evidence: dict[str, str],
    ) -> Belief:
        held = self.of(player).posterior(
            own_moves, observation.board, _income_group(observation, position), observation.hole
        )
        groups = dict(zip(GROUPS, np.bincount(GROUP_OF, held, minlength=len(GROUPS)).tolist(), strict=True))
        types: dict[str, float] = {}
        if observation.board:
            free = held > 0
            shares = np.bincount(hand_types(observation.board)[free], held[free], minlength=len(TYPES))
            types = dict(zip(TYPES, shares.tolist(), strict=True))
        return Belief(position, player, evidence, groups, types, held / held.max())

    def learn(self, event: Event) -> None:
        """Update the models with a finished hand and the cards shown; other events are ignored."""
        if not isinstance(event, HandOver) or not event.observation.players:
            return
        observation, done = event.observation, dict[int, list[Move]]()
        all_moves, groups = _hand(observation.acts, observation.variant)
        for move in all_moves:
            done.setdefault(move.seat, []).append(move)
        for position, own_moves in done.items():
            known = self._of.setdefault(
                observation.players[position], PlayerModel(self.styles, self.confidence)
            )
            board = tuple(observation.board[: own_moves[-1].street + 2]) if own_moves[-1].street else ()
            shown = observation.state.hole_of(position)
            known.learn(own_moves, board, groups[position], holding_index(*shown) if shown else -1)


def _own_moves(observation: Observation, position: int) -> list[Move]:
    return [move for move in _hand(observation.acts, observation.variant)[0] if move.seat == position]


def _income_group(observation: Observation, position: int) -> IncomeGroup:
    """The income rates that order its holdings; a player without an action needs none."""
    return _hand(observation.acts, observation.variant)[1].get(position, IncomeGroup.IR2)


@lru_cache(maxsize=16)
def _hand(acts: tuple[Act, ...], variant: Variant) -> tuple[tuple[Move, ...], dict[int, IncomeGroup]]:
    """All moves, and which income rates order each player's holdings: every opponent's belief needs them."""
    return tuple(moves(acts, variant)), income_groups(acts, variant)


def _evidence(own_moves: Sequence[Move]) -> dict[str, str]:
    """Its moves, for the record: street, price and choice."""
    return {
        f"{number}. {STREETS[street]}, facing {FACING[PRICE_OF[street][situation]]}": CHOICES[choice]
        for number, (_, street, situation, choice) in enumerate(own_moves, start=1)
    }


def _acted(own_moves: Sequence[Move], evidence: Mapping[str, str]) -> list[Move]:
    """The player's moves as the evidence has them, without those that it leaves out."""
    return [
        move._replace(choice=CHOICES.index(evidence[act]))
        for act, move in zip(_evidence(own_moves), own_moves, strict=True)
        if act in evidence
    ]
