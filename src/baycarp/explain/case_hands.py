"""The hand of a case, put together from the cases of all its decisions.

A model of watched hands has a case for every action of every player. Their order and the rules give the
betting back, and their provenance the cards. Where a decision has no case, the hand is not known.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.cases import CaseBase
from baycarp.errors import BaycarpError
from baycarp.game import State, Variant
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand
from baycarp.game.seats import seat_names

__all__ = ["UNDEALT", "CaseHand", "hand_of_case"]

UNDEALT = 255
"""A card of the provenance that was not dealt yet."""

Key = tuple[str, int]
"""A case-base and the id of a case."""


@dataclass(frozen=True, slots=True)
class CaseHand:
    """The hand of a case; ``act`` is the number of the case's action in it. Players are named by position."""

    hand: Hand
    act: int


def hand_of_case(player: CasePlayer, base: str, case: int) -> CaseHand | None:
    """The hand of a case of fixed limit, where the case-bases have all of its decisions; else None.

    Parameters
    ----------
    player
        Whose case-bases they are.
    base, case
        The name of the case-base, and the id of the case.
    """
    start = base.removesuffix(base.rpartition("-")[2])
    bases = {street: player.casebases.get(f"{start}{street}") for street in STREETS}
    casebases = {street: each for street, each in bases.items() if each is not None and _is_ordered(each)}
    known = player.casebases[base].case(case)["provenance"]
    if len(casebases) < len(STREETS) or known["session"] < 0:
        return None
    found = {
        (street, each): casebase.case(each)
        for street, casebase in casebases.items()
        for each in _cases_of(casebase, known)
    }
    try:
        return _played(found, str(player.model.manifest.get("game", "")), (base.removeprefix(start), case))
    except (BaycarpError, IndexError, StopIteration):  # a decision has no case, or they are of several hands
        return None


def _is_ordered(casebase: CaseBase) -> bool:
    """Whether each action is a case of its own, with its hand."""
    names = {name for name, _, _ in casebase.schema.provenance}
    return {"session", "hand", "player", "board", "hole"} <= names and "counts" not in casebase.columns()


def _cases_of(casebase: CaseBase, known: Mapping[str, int]) -> list[int]:
    """The ids of the cases of a hand, in their order."""
    columns = casebase.columns()
    origin = columns["provenance"]
    of_hand = (origin["session"] == known["session"]) & (origin["hand"] == known["hand"])
    return [int(each) for each in columns["ids"][of_hand]]


def _played(found: Mapping[Key, Mapping[str, Any]], game: str, wanted: Key) -> CaseHand | None:
    """Play the hand again: the player to act takes its next action of the street."""
    waiting: defaultdict[tuple[str, int], list[Key]] = defaultdict(list)
    for key, case in found.items():
        waiting[key[0], case["provenance"]["player"]].append(key)
    origins = [case["provenance"] for case in found.values()]
    seats = 1 + max(each["player"] for each in origins)  # the last position acts in every hand
    holes = {each["player"]: tuple(each["hole"]) for each in origins}
    board = max((tuple(each["board"]) for each in origins), key=lambda cards: -cards.count(UNDEALT))
    variant = Variant.ring(max(2, seats)) if game == "holdem.limit" else Variant.load(game)
    if variant.betting != "limit":
        return None
    state, at = State(variant), None
    while not state.is_over:
        key = waiting[STREETS[state.street], int(state.to_act or 0)].pop(0)
        if key == wanted:
            at = len(state.acts)
        state.apply(next(each for each in state.legal_actions() if each.name == found[key]["solution"]))
    if at is None or any(waiting.values()):
        return None
    hand = Hand(
        variant,
        tuple(act.action for act in state.acts),
        tuple(holes.get(position, ()) for position in range(variant.seats)),
        tuple(card for card in board if card != UNDEALT),
        players=seat_names(variant),
        id=origins[0]["hand"],
    )
    return CaseHand(hand, at)
