"""The action-conditioned model of all opponents: one a player, kept between hands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.card import holding_index
from baycarp.game import Action, Event, HandOver, Observation, State
from baycarp.game.action import STREETS
from baycarp.kernels.evidence import by_holding, sum_by_label
from baycarp.opponents.actions.adapt import PlayerModel, TableShifts
from baycarp.opponents.actions.hand_actions import normalized
from baycarp.opponents.actions.situations import PRICE_OF, CodedAct, hand_moves, to_move
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.acts import CHOICES, ActsModel
from baycarp.opponents.belief import NONE, Belief
from baycarp.opponents.model import OpponentModelSpec
from baycarp.opponents.reliance import USUAL, Confidence
from baycarp.opponents.table_prior import TablePrior
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.rules.hand import GROUP_OF, GROUPS, TYPES, hand_types
from baycarp.rules.income import IncomeGroup

__all__ = ["ByActions", "PlayerModels"]

FACING = ("no bet", "a bet", "a raise", "a reraise", "the cap")
"""``PRICES`` in a sentence."""


@dataclass(frozen=True, slots=True)
class ByActions(OpponentModelSpec):
    """The action-conditioned model: styles, powers of each kind of action and blindness of each opponent.

    Parameters
    ----------
    styles
        The styles.
    adaptive
        Whether it learns from finished hands; otherwise every player remains a new one.
    """

    styles: Styles
    adaptive: bool = True
    kind: ClassVar[str] = "styles"
    needs_network: ClassVar[bool] = False

    @property
    def files(self) -> tuple[str, ...]:
        """The styles."""
        return (f"styles {self.styles.digest}",)

    def new(self, inference: Inference | None) -> "PlayerModels":
        """An opponent model that has observed nothing yet."""
        return PlayerModels(self.styles, adaptive=self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of the digest of the styles."""
        return self.styles.digest[:16]


class PlayerModels(ActsModel):
    """A model of each opponent of one player, by name; what the others are like is part of a player's prior.

    Parameters
    ----------
    styles, confidence
        As for ``adapt.PlayerModel``.
    adaptive
        Whether it learns from finished hands.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> from baycarp.opponents.actions.hand_actions import sensible
    >>> known = PlayerModels(Styles((sensible(),), (1.0,)), Confidence(blind=0.0))
    >>> observation = observe("MATCHSTATE:0:0:rc/r:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> weights = known.believe(observation, 1, "").weights  # it has raised before the flop
    >>> bool(weights[holding_index(51, 49)] > 5 * weights[holding_index(23, 2)])  # AsAd, 7s2h
    True
    """

    def __init__(self, styles: Styles, confidence: Confidence = USUAL, adaptive: bool = True) -> None:
        self.styles = styles
        self.confidence = confidence
        self.adaptive = adaptive
        self._of: dict[str, PlayerModel] = {}
        self._shifts = TableShifts()
        self._new_player = self._new()
        self._table = TablePrior(confidence)

    def _new(self) -> PlayerModel:
        return PlayerModel(self.styles, self.confidence, self._shifts)

    def of(self, player: str) -> PlayerModel:
        """The model of a player; a player without a name has the new player's model."""
        return self._of.get(player, self._new_player)

    def posterior(self, observation: Observation, position: int, player: str) -> NDArray[np.float64]:
        """The probability of each holding, given all its actions in this hand; see ``believe``."""
        return np.asarray(self._posteriors(observation, _opponents(observation, {position: player}))[0])

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The range of an opponent, its hand groups and hand types; see ``model.OpponentModel``."""
        return self.believe_all(observation, {position: player})[position]

    def believe_all(self, observation: Observation, opponents: Mapping[int, str]) -> dict[int, Belief]:
        """The same for several opponents at once."""
        found = _opponents(observation, opponents)
        return self._beliefs(observation, found, [_evidence(each.moves) for each in found])

    def suppose(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Belief:
        """The same for other actions: those that ``believe`` reports, some left out or replaced."""
        (opponent,) = _opponents(observation, {position: player})
        supposed = opponent._replace(moves=_acted(opponent.moves, evidence))
        return self._beliefs(observation, [supposed], [dict(evidence)])[position]

    def supposed(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> NDArray[np.float64]:
        """The probability of the acts of the evidence, given each holding."""
        (opponent,) = _opponents(observation, {position: player})
        acts = _acted(opponent.moves, evidence)
        hole, board = observation.hole, observation.board
        return self.of(player).likelihood(acts, board, opponent.income_group, hole)

    def shares(self, state: State, actions: Sequence[Action], player: str = "") -> NDArray[np.float64]:
        """The probability of actions of the player to act, given each holding and its acts so far.

        Parameters
        ----------
        state
            The hand; the board of its street is known.
        actions
            Legal ones.
        player
            The name of the player to act.

        Returns
        -------
        float64 array, shape (actions, 1326)
            Holdings that the board blocks have no meaning.
        """
        seat = state.to_act
        assert seat is not None
        _, by_seat, groups = hand_moves(state.acts, state.variant)
        moves, group = by_seat.get(seat, ()), groups.get(seat, IncomeGroup.IR2)
        found = self.of(player).shares(moves, to_move(state.observe(seat)), state.board, group)
        return found[[FOLD_CALL_RAISE[action.name] for action in actions]]

    def _posteriors(self, observation: Observation, opponents: Sequence["_Opponent"]) -> NDArray[np.float64]:
        """The probability of each holding of some players: float64, shape (players, 1326)."""
        board = observation.board
        seen = [
            self.of(player).seen(own_moves, board, income_group)
            for _, player, own_moves, income_group in opponents
        ]
        return normalized(by_holding(seen, (*observation.hole, *board)))

    def _beliefs(
        self, observation: Observation, opponents: Sequence["_Opponent"], evidence: Sequence[dict[str, str]]
    ) -> dict[int, Belief]:
        if not opponents:
            return {}
        held = self._posteriors(observation, opponents)
        weights = held / held.max(axis=1, keepdims=True)
        groups = sum_by_label(held, GROUP_OF, len(GROUPS))
        board = observation.board
        types = sum_by_label(held, hand_types(board), len(TYPES)) if board else [NONE] * len(opponents)
        return {
            each.position: Belief(each.position, each.player, *figures)
            for each, *figures in zip(opponents, evidence, groups, types, weights, strict=True)
        }

    def learn(self, event: Event) -> None:
        """Update the models with a finished hand and the cards shown; other events are ignored."""
        if not self.adaptive or not isinstance(event, HandOver) or not event.observation.players:
            return
        observation = event.observation
        _, by_seat, groups = hand_moves(observation.acts, observation.variant)
        expected = []
        for position, own_moves in by_seat.items():
            player = observation.players[position]
            if player not in self._of:
                self._of[player] = self._new()
            board = tuple(observation.board[: own_moves[-1].street + 2]) if own_moves[-1].street else ()
            shown = observation.state.hole_of(position)
            holding = holding_index(*shown) if shown else -1
            expected += self._of[player].learn(own_moves, board, groups[position], holding)
        self._shifts.count(expected)
        self._compare(observation)

    def _compare(self, observation: Observation) -> None:
        """Adjust the priors of a hand's players to one another; the observer itself does not count."""
        known = {name: self._of[name] for name in observation.players if name in self._of}
        for at, name in enumerate(observation.players):
            if name in known and at != observation.seat:
                self._table.count(name, known[name].reliance)
        for name, model in {**known, "": self._new_player}.items():
            model.adjust(*self._table.prior_of(name))


class _Opponent(NamedTuple):
    """An opponent: its moves in the hand, and the income rates that order its holdings.

    A player without an action needs none.
    """

    position: int
    player: str
    moves: Sequence[CodedAct]
    income_group: IncomeGroup


def _opponents(observation: Observation, opponents: Mapping[int, str]) -> list[_Opponent]:
    _, by_seat, groups = hand_moves(observation.acts, observation.variant)
    return [
        _Opponent(position, player, by_seat.get(position, ()), groups.get(position, IncomeGroup.IR2))
        for position, player in opponents.items()
    ]


def _evidence(own_moves: Sequence[CodedAct]) -> dict[str, str]:
    """Its moves, for the record: street, price and choice."""
    return {
        f"{number}. {STREETS[street]}, facing {FACING[PRICE_OF[street][situation]]}": CHOICES[choice]
        for number, (_, street, situation, choice) in enumerate(own_moves, start=1)
    }


def _acted(own_moves: Sequence[CodedAct], evidence: Mapping[str, str]) -> list[CodedAct]:
    """The player's moves as the evidence has them, without those that it leaves out."""
    return [
        move._replace(choice=CHOICES.index(evidence[act]))
        for act, move in zip(_evidence(own_moves), own_moves, strict=True)
        if act in evidence
    ]
