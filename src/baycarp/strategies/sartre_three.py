"""Sartre3P (Rubin and Watson 2012, section 7): three-player fixed limit, learned from experts' hands.

There are two sets of case-bases, each trained on hands of its own game (section 7.3): ``3p-*`` by three
players, ``2p-*`` heads-up. Cases and similarity are those of ``strategies.sartre``; with three players the
raises of those still in are compared. Once a player has folded and the betting is mapped to a heads-up
sequence (``rules.betting.switching``), a heads-up base is searched; without a mapping the three-player one is
(section 7.1).

Our choices, beside those of ``strategies.sartre`` and ``rules.betting.switching``: at a table of two the
heads-up bases alone decide; all agreeing heads-up sequences are equally similar, by 0.9.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from baycarp.cases import Schema
from baycarp.game import Observation
from baycarp.game.action import STREETS
from baycarp.game.plays import Plays
from baycarp.rules.betting.sequence import betting_sequence, sequence_keys
from baycarp.rules.betting.switching import heads_up_keys, three_player_keys
from baycarp.strategies.by_seats import HEADS_UP, BySeats
from baycarp.strategies.sartre import SARTRE2011, Strengths, schemas
from baycarp.strategies.spec import Beliefs, Strategy

__all__ = ["GAME", "SARTRE3P", "Sequenced", "switched"]

GAME = "holdem.limit.3p"

THREE = "3p-"
"""The prefix of the case-bases of three players; a street follows."""

TRAINED = BySeats(THREE)
"""The case-base of the game that is played: a decision of a log teaches this one."""

CARDS = Strengths()
"""Of the features of the cards, which are those of two players."""


def switched(observation: Observation) -> str:
    """The case-base that answers a decision: a heads-up one wherever the betting is mapped."""
    if observation.variant.seats > 2 and heads_up_keys(betting_sequence(observation.state)):
        return HEADS_UP + STREETS[observation.street]
    return TRAINED(observation)


@dataclass(frozen=True)
class Sequenced:
    """Describes a decision of Sartre3P, in the terms of the case-base that is searched."""

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The features of the decision; beliefs are not used."""
        number = CARDS.class_of(observation.hole, observation.board)
        sequence = betting_sequence(observation.state)
        if observation.variant.seats == 2:
            keys = sequence_keys(sequence)
        else:
            mapped = heads_up_keys(sequence) if schema.name.startswith(HEADS_UP) else None
            keys = mapped or three_player_keys(sequence)
        return {**CARDS.features(number, observation.street), "sequence": keys}


def _at_table(strategy: Strategy, seed: int) -> Strategy:
    """The strategy of a session: it switches, whereas logs teach by the number of seats."""
    return replace(strategy, key=switched)


SARTRE3P = replace(
    SARTRE2011,
    name="sartre3p",
    bases={
        prefix + name: replace(schema, name=prefix + name)
        for prefix in (THREE, HEADS_UP)
        for name, schema in schemas().items()
    },
    describe=Sequenced(),
    key=TRAINED,
    game=GAME,
    plays=Plays(frozenset({"limit"}), 2, 3),
    at_table=_at_table,
)
"""With strategy switching, max-frequency (section 7.2)."""
