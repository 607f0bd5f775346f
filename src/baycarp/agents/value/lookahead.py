"""What each action is worth against the opponents' models: hands played out from here, all actions alike.

Every playout draws what the opponents are and hold, given their acts, and the board to come, and plays the
hand out once after each action (``csrc/include/baycarp/lookahead.h``). The player's own later decisions
follow what earlier playouts have shown to win, by public situation and own bucket: it never decides by cards
that it would not see. It begins with what such situations have shown in other hands (``continuations``).
Cards of folded players are not drawn; they are more likely low ones.

In fixed limit the models are those of ``opponents.actions``, in no-limit those of ``opponents.moves``.
"""

from collections.abc import Sequence

import numpy as np

from baycarp.agents.searching import SearchTurn
from baycarp.agents.value.continuations import load_continuations
from baycarp.agents.value.stages import ActionValue
from baycarp.errors import ArgumentError
from baycarp.game import Observation
from baycarp.kernels.lookahead import Continuations, Learned
from baycarp.kernels.lookahead import LookAhead as Kernel
from baycarp.opponents.actions.buckets import DRAW as APART
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styled import LATER_EDGES, buckets_now, styled
from baycarp.opponents.moves.buckets import OUTS
from baycarp.opponents.moves.reading import Reader

__all__ = ["LookAhead", "look_ahead"]


def look_ahead(
    observation: Observation,
    model: PlayerModels | Reader,
    playouts: int,
    seed: int,
    prior: Sequence[ActionValue] | None = None,
) -> tuple[ActionValue, ...]:
    """The value of every legal action of the abstraction, in chips from here on.

    Parameters
    ----------
    observation
        Of the player to act.
    model
        What was learned of the opponents: ``PlayerModels`` in fixed limit, ``Reader`` in no-limit.
    playouts
        How many, at least 2.
    seed
        0 .. 2^64 - 1.
    prior
        Values known beforehand, with errors above 0: each is averaged with the look-ahead's by precision.

    Returns
    -------
    tuple of ActionValue
        A fold is 0, exactly.

    Raises
    ------
    ArgumentError
        Fewer playouts, or a model of the other betting.
    EvidenceError
        Acts that no holding of a model makes.

    Examples
    --------
    >>> from baycarp.game.notation.observe import observe
    >>> from baycarp.opponents.actions.styles import load_styles
    >>> known = PlayerModels(load_styles())
    >>> observation = observe("MATCHSTATE:0:0:rc/cr:AhAd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    >>> fold, call, bet = look_ahead(observation, known, playouts=500, seed=1)
    >>> fold.chips < call.chips
    True
    """
    if playouts < 2:
        raise ArgumentError(f"playouts {playouts}: expected at least 2")
    found = LookAhead(observation, model, seed, prior)
    found.run(playouts)
    return found.values()


class LookAhead:
    """A look-ahead that can be continued; parameters are those of ``look_ahead``.

    ``known`` is what it begins with; None = what ships.
    """

    def __init__(
        self,
        observation: Observation,
        model: PlayerModels | Reader,
        seed: int,
        prior: Sequence[ActionValue] | None = None,
        known: Continuations | None = None,
    ) -> None:
        self._turn = SearchTurn.of(observation)
        self._prior = {value.action: value for value in prior or ()}
        betting = "limit" if isinstance(model, PlayerModels) else "no-limit"
        if observation.variant.betting != betting:
            raise ArgumentError(
                f"a model of {betting} betting: expected one of {observation.variant.betting}"
            )
        if known is None:
            known = load_continuations()[betting]
        if isinstance(model, PlayerModels):
            self._kernel = self._styled(model, seed, known)
        else:
            self._kernel = self._read(model, seed, known)

    def _styled(self, model: PlayerModels, seed: int, known: Continuations) -> Kernel:
        turn, found = self._turn, styled(model, self._turn.observation)
        return Kernel(
            turn.observation.state,
            turn.observation.hole,
            turn.observation.board,
            found.holdings,
            found.players,
            buckets_now(turn.observation.board),
            LATER_EDGES,
            apart=APART,
            acts=turn.acts,
            seed=seed,
            known=known,
        )

    def _read(self, model: Reader, seed: int, known: Continuations) -> Kernel:
        turn = self._turn
        return Kernel(
            turn.observation.state,
            turn.observation.hole,
            turn.observation.board,
            model.joint(turn.observation),
            model.policies(turn.observation),
            turn.buckets,
            OUTS.edges,
            draw=OUTS.draw,
            acts=turn.acts,
            sizes=turn.sizes,
            seed=seed,
            known=known,
        )

    @property
    def playouts(self) -> int:
        """How many were made."""
        return self._kernel.playouts

    def run(self, playouts: int) -> None:
        """More playouts; n and then m give the same bits as n + m."""
        self._kernel.run(playouts)

    def learned(self) -> Learned:
        """What is known of coarse situations, what it began with included."""
        return self._kernel.learned()

    def values(self) -> tuple[ActionValue, ...]:
        """The value of every action so far; without a counted playout nan, with an infinite error."""
        return tuple(
            self._pooled(ActionValue(self._turn.action(kind, amount), value, error))
            for kind, amount, value, error in self._kernel.values()
        )

    def difference_error(self, one: int, other: int) -> float:
        """The standard error of the difference of two actions' values, by their places, without the prior.

        Both were played with the same cards, so it is smaller than their errors are together.
        """
        return float(self._kernel.differences()[one, other])

    def _pooled(self, value: ActionValue) -> ActionValue:
        prior = self._prior.get(value.action)
        if prior is None or value.error == 0:
            return value
        if not np.isfinite(value.error):
            return prior
        own, given = value.error**-2, prior.error**-2
        chips = (own * value.chips + given * prior.chips) / (own + given)
        return ActionValue(value.action, chips, float((own + given) ** -0.5))
