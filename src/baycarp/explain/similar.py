"""The cases most similar to a decision, as hands: cards, action and result, beside the present situation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from baycarp.agents.base import Agent, Decision
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.stages import CaseStage, RetrievalStage
from baycarp.agents.terms import feature_words, value_words
from baycarp.agents.trace import stage_of
from baycarp.agents.value.player import ValuePlayer
from baycarp.cases import CaseBase
from baycarp.errors import SchemaError
from baycarp.explain.case_hands import UNDEALT, hand_of_case
from baycarp.game.notation.acpc import format_state

__all__ = ["MOST", "SimilarHand", "similar_hands"]

MOST = 2
"""Hands that are shown."""


@dataclass(frozen=True, slots=True)
class SimilarHand:
    """A stored case, with the hand that it comes from.

    Parameters
    ----------
    similarity
        0..1.
    action
        That was taken.
    outcome
        What it won or lost, in small bets.
    hole, board
        Card ids; empty where the case-base has no provenance.
    origin
        Where the case comes from, in words; where its betting is not known, that too.
    line, game, act
        Its hand as an ACPC line, the game, and the number of its action; empty where they are not known.
    features
        Each in words: its name, its value then, and its value now.
    """

    similarity: float
    action: str
    outcome: float
    hole: tuple[int, ...]
    board: tuple[int, ...]
    origin: str
    features: tuple[tuple[str, str, str], ...]
    line: str = ""
    game: str = ""
    act: int = 0


def similar_hands(agent: Agent, decision: Decision) -> list[SimilarHand]:
    """The nearest of the retrieved cases, at most ``MOST``; none for an agent without cases.

    Parameters
    ----------
    agent
        That decided, with the same cases as then, and perhaps more.
    decision
        The decision.
    """
    player = agent.cases if isinstance(agent, ValuePlayer) else agent
    case, retrieval = stage_of(decision.trace, CaseStage), stage_of(decision.trace, RetrievalStage)
    if not isinstance(player, CasePlayer) or case is None or retrieval is None:
        return []
    casebase, found = player.casebases[case.base], list[SimilarHand]()
    for near in retrieval.nearest[:MOST]:
        try:
            stored = casebase.case(near.case)
        except SchemaError:  # it was forgotten since
            continue
        then, now = stored["situation"], case.values
        features = tuple(
            (feature_words(name), value_words(name, then[name]), value_words(name, value))
            for name, value in now.items()
            if isinstance(value, float | str) and name in then
        )
        known = stored["provenance"]
        of = hand_of_case(player, case.base, near.case) if "hand" in known else None
        hand = SimilarHand(
            near.similarity,
            near.solution,
            near.outcome,
            hole=_cards(known.get("hole", [])),
            board=_cards(known.get("board", [])),
            origin=_origin(casebase, known, of is not None),
            features=features,
            line=format_state(of.hand) if of else "",
            game=of.hand.variant.name if of else "",
            act=of.act if of else 0,
        )
        found.append(hand)
    return found


def _origin(casebase: CaseBase, provenance: Mapping[str, Any], is_known: bool) -> str:
    """The words for the provenance of a case, and whether its betting is known."""
    if "hand" not in provenance:
        return "A case without its hand: nothing of it is stored to be replayed."
    if provenance["session"] < 0:
        return "A case of its own play; its betting is not stored."
    hands = int(casebase.columns()["provenance"]["hand"].max()) + 1
    return f"A case of {hands:,} watched hands{'' if is_known else '; its betting is not stored'}."


def _cards(ids: list[int]) -> tuple[int, ...]:
    return tuple(card for card in ids if card != UNDEALT)
