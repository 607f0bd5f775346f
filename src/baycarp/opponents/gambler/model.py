"""Gambler's reading as an opponent model, with tables of each opponent and the bias of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.card import blocked_by, holding_index
from baycarp.game import Act, Acted, Event, Observation
from baycarp.game.action import STREETS
from baycarp.opponents.acts import ActsModel
from baycarp.opponents.belief import Belief, belief_of, short_digest
from baycarp.opponents.gambler.learning import Experience, learned
from baycarp.opponents.gambler.reading import HandReading, NetworkPlayer, ReadAct
from baycarp.opponents.gambler.reverse import Form, Networks
from baycarp.opponents.gambler.tables import ACTIONS, BIASES
from baycarp.opponents.model import OpponentModelSpec
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["ByGambler", "GamblerModel", "Profile"]

Array = NDArray[np.float64]

BIAS_PRIOR = (0.1, 0.8, 0.1)
"""Of loose, normal and tight, for a table and for each player (our choice)."""

FIRST_SHOWN = 16
"""Shown holdings after which a player's own tables are made; again whenever their number has doubled."""

MEMORY = 2000
"""The number of actions whose evidence on the bias is kept: older evidence fades, so that a change shows."""


@dataclass(frozen=True, slots=True)
class ByGambler(OpponentModelSpec):
    """The opponent model of Gambler, as a specification.

    Parameters
    ----------
    form
        Of the post-flop network.
    adaptive
        Whether it learns from finished hands; otherwise every player remains a new one.
    """

    form: Form = "independent"
    adaptive: bool = True
    kind: ClassVar[str] = "gambler"
    needs_network: ClassVar[bool] = False

    def new(self, inference: Inference | None) -> "GamblerModel":
        """An opponent model that has observed nothing yet."""
        return GamblerModel(Networks.ours(self.form), self.adaptive)

    def digest(self, network: Network | None) -> str:
        """The first digits of a digest of the tables."""
        return short_digest(Networks.ours(self.form).digest)


@dataclass
class Profile:
    """What was observed of a table or of one player.

    Parameters
    ----------
    log_bias
        float64, shape (3,): the log-probability of each bias, up to a constant.
    experience
        Of its moves, with the holdings that it showed, the others unknown.
    shown
        Number of holdings that it showed.
    networks
        Its own tables; None = those of all players.
    """

    log_bias: Array = field(default_factory=lambda: np.log(BIAS_PRIOR))
    experience: Experience = field(default_factory=Experience)
    shown: int = 0
    networks: Networks | None = None

    @property
    def bias(self) -> int:
        """The code of the likeliest bias."""
        return int(np.argmax(self.log_bias))

    def observe(self, evidence: Array) -> None:
        """Update the bias by the log-likelihood of an action under each."""
        prior = np.log(BIAS_PRIOR)
        self.log_bias = prior + (1 - 1 / MEMORY) * (self.log_bias - prior) + evidence


class GamblerModel(ActsModel):
    """One seat's reading of all players.

    Parameters
    ----------
    networks
        The networks that every player is taken to play by, until its own tables are learned.
    adaptive
        Whether the bias of the table and of each player, and the tables of each, are learned.
    """

    choices: ClassVar[tuple[str, ...]] = ACTIONS[1:]

    def __init__(self, networks: Networks, adaptive: bool = True) -> None:
        self.networks = networks
        self.adaptive = adaptive
        self.table = Profile()
        self.profiles: dict[str, Profile] = {}
        self._reading: HandReading | None = None
        self._hand: tuple[object, ...] = ()

    def player(self, name: str) -> NetworkPlayer:
        """How a player is read: by its own tables and bias, or as all at the table."""
        profile = self.profiles.get(name)
        if profile is None:
            return NetworkPlayer(self.networks, self.table.bias)
        return NetworkPlayer(profile.networks or self.networks, profile.bias)

    def reading(self, observation: Observation, acts: Sequence[Act] | None = None) -> HandReading:
        """The reading of the hand up to the observation, or up to further acts."""
        hand = observation.variant, observation.hand, observation.players
        reading = self._reading
        if reading is None or hand != self._hand or not reading.follows(observation):
            names = observation.players
            seats = range(observation.variant.seats)
            players = [self.player(names[seat] if names else "") for seat in seats]
            reading = self._reading = HandReading(observation.variant, players.__getitem__)
            self._hand = hand
        reading.follow(observation.acts if acts is None else acts, observation.board)
        return reading

    def posterior(self, observation: Observation, position: int) -> Array:
        """The probability of each holding of a player, given all actions; float64, shape (1326,)."""
        return self.reading(observation).weights(position, observation.hole)

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        reading = self.reading(observation)
        own = [move for move in reading.moves if move.act.seat == position]
        weights = reading.weights(position, observation.hole)
        return belief_of((position, player), _evidence(own), weights, observation.board)

    def supposed(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Array:
        """Weights of the holdings if the acts were those of the evidence."""
        own = [move for move in self.reading(observation).moves if move.act.seat == position]
        weights = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        for move, (act, done) in zip(own, _evidence(own).items(), strict=True):
            if act in evidence:
                same = evidence[act] == done
                action = move.evidence if same else np.eye(3)[ACTIONS.index(evidence[act])]
                weights = weights * move.turn.likelihood(action)
        return weights

    def learn(self, event: Event) -> None:
        """Read every action; after a hand, learn from the actions and from the holdings shown."""
        if event.observation.variant.betting != "limit":
            return
        if isinstance(event, Acted):
            self.reading(event.observation, (*event.observation.acts, event.act))
        elif self.adaptive and event.observation.players:
            self._learn(event.observation)

    def _learn(self, observation: Observation) -> None:
        moves = self.reading(observation).moves
        names = observation.players
        profiles = {name: self.profiles.setdefault(name, Profile()) for name in names}
        for move in moves:
            if move.turn.win is None:
                evidence = _bias_evidence(self.networks, move)
                for profile in (self.table, profiles[names[move.act.seat]]):
                    profile.observe(evidence)
        for seat, name in enumerate(names):
            hole = observation.state.hole_of(seat)
            if own := [move for move in moves if move.act.seat == seat]:
                _study(profiles[name], own, holding_index(*hole) if hole else -1, self.networks)


def _study(profile: Profile, moves: Sequence[ReadAct], holding: int, prior: Networks) -> None:
    """Count a player's moves in a hand; ``holding`` is -1 if unknown.

    Its tables are made anew whenever the number of shown holdings has doubled. Moves with unknown holdings
    count, since shown ones alone are those that did not fold.
    """
    for move in moves:
        profile.experience.add(move, profile.bias, holding)
    profile.shown += holding >= 0
    if holding >= 0 and profile.shown >= FIRST_SHOWN and profile.shown.bit_count() == 1:
        profile.networks = learned(prior, profile.experience)


def _bias_evidence(networks: Networks, move: ReadAct) -> Array:
    """The log-likelihood of an action before the flop under each bias; shape (3,)."""
    hole = networks.preflop.cpt("hole")
    place, early, mid = move.turn.key
    biases = range(len(BIASES))
    chances = [hole @ networks.preflop_choices(place, early, mid, bias) @ move.evidence for bias in biases]
    return np.log(chances)


def _evidence(moves: Sequence[ReadAct]) -> dict[str, str]:
    """A player's moves, for the record: number, street and bets faced, and the action."""
    return {
        f"{number}. {STREETS[move.act.street]}, facing {move.turn.spot.price or 'no'} bets": _done(move.act)
        for number, move in enumerate(moves, start=1)
    }


def _done(act: Act) -> str:
    return ACTIONS[FOLD_CALL_RAISE[act.action.name]]
