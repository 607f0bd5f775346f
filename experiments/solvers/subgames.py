"""What a best response gains from the blueprint and from its re-solves, exactly, in subgames of played hands.

Hands are dealt, and both positions play the blueprint. Where a hand comes to a turn or a river, the rest of
it is re-solved for one position. The other one holds what the blueprint would bring there; what its best
response gains from each strategy is exact, holding by holding.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from baycarp.agents.resolve.blueprint import LimitTables
from baycarp.agents.resolve.own import OwnRange
from baycarp.agents.resolve.promises import Promises, promises
from baycarp.agents.resolve.solve import Resolved, TurnSolve, solve
from baycarp.agents.resolve.subgame import Subgame
from baycarp.agents.solved.equilibrium import Equilibrium
from baycarp.card import holding_index
from baycarp.game import State, Variant
from baycarp.game.state import SHOWN

__all__ = ["GAME", "Gains", "gains"]

GAME = "holdem.limit.2p.reverse_blinds"

IN_TIME = 9
"""Rounds of a turn that 500 ms have time for."""

FORMS = {2: ("safe", "unsafe", "in time"), 3: ("safe", "unsafe")}
"""By street."""


@dataclass(frozen=True, slots=True)
class Gains:
    """What best responses gain in the subgames of a street.

    Parameters
    ----------
    street
        2 turn, 3 river.
    form
        ``"safe"``, ``"unsafe"`` or, on the turn, ``"in time"``: safe, in 500 ms.
    subgames
        Their number; in time, those that are not left to the blueprint.
    more
        What a best response gains from the re-solve beyond what it gains from the blueprint, in the mean over
        the believed holdings: a share of the pot, the mean of the subgames and the worst of them.
    holding
        The same of the worst holding, the mean of the subgames.
    hand
        The mean by hand dealt, in thousandths of a big blind: of an opponent that plays the blueprint to the
        root, and its best response from there on.
    gap
        The mean of ``Resolved.gap``.
    """

    street: int
    form: str
    subgames: int
    more: tuple[float, float]
    holding: float
    hand: float
    gap: float


def gains(spots: int, seed: int, tick: Callable[[int], None] = lambda done: None) -> list[Gains]:
    """All forms in as many subgames of the turn and of the river."""
    found = []
    for street in (2, 3):
        rows: dict[str, list[tuple[float, ...]]] = {form: [] for form in FORMS[street]}
        dealt = 0
        for number, (state, hands) in enumerate(_roots(street, spots, seed)):
            dealt = hands
            for form, measured in _measured(state, number % 2):
                rows[form].append(measured)
            tick(1)
        blind = Variant.load(GAME).big_blind
        for form, each in rows.items():
            if not each:
                continue
            pots, chips, worst, gap = np.array(each).T
            shares = chips / pots
            hand = 1000 * float(chips.sum()) / dealt / blind
            found.append(
                Gains(
                    street,
                    form,
                    len(each),
                    (float(shares.mean()), float(shares.max())),
                    float((worst / pots).mean()),
                    hand,
                    float(gap.mean()),
                )
            )
    return found


def _roots(street: int, spots: int, seed: int) -> Iterator[tuple[State, int]]:
    """Hands of the blueprint at their first decision of a street, with the number of hands dealt so far."""
    player, draw, made, dealt = Equilibrium(), np.random.default_rng((seed, street)), 0, 0
    while made < spots:
        dealt += 1
        deck = draw.permutation(52)[:9].astype(np.uint8)
        state = State(Variant.load(GAME))
        while not state.is_over and state.street < street:
            state.deal(board=deck[4 : 4 + SHOWN[state.street]])
            seat = state.to_act
            assert seat is not None
            own = holding_index(*deck[2 * seat : 2 * seat + 2].tolist())
            chances = np.cumsum(player.policies(state)[own])
            column = int(np.searchsorted(chances, draw.random() * chances[-1], side="right"))
            name = (("fold",), ("check", "call"), ("bet", "raise"))[column]
            state.apply(next(action for action in state.legal_actions() if action.name in name))
        if not state.is_over:
            state.deal(board=deck[4 : 4 + SHOWN[street]])
            made += 1
            yield state, dealt


def _measured(state: State, player: int) -> Iterator[tuple[str, tuple[float, ...]]]:
    """By form: the pot; what is gained beyond the promises in the mean, and by the worst holding; the gap."""
    tables = LimitTables(Equilibrium())
    subgame = Subgame.of(state)
    carried = OwnRange(tables.chance)
    seat = subgame.seats[player]
    own, other = carried.at(state, seat), carried.at(state, 1 - seat)
    promised = promises(subgame, tables, player, own)
    for form in FORMS[state.street]:
        solved = _solved(form, subgame, player, (own, other), promised)
        if solved is None:
            continue
        beyond = solved.beyond(promised)[subgame.held]
        known = ~np.isnan(beyond)
        weights = other[subgame.held][known]
        mean = float(beyond[known] @ weights / weights.sum())
        yield form, (float(state.pot), mean, float(beyond[known].max()), solved.gap)


def _solved(
    form: str, subgame: Subgame, player: int, ranges: tuple[np.ndarray, np.ndarray], promised: Promises
) -> Resolved | None:
    if form != "in time":
        return solve(subgame, player, ranges, promised=promised if form == "safe" else None)
    turn = TurnSolve(subgame, player, ranges, promised=promised)
    for _ in range(IN_TIME):
        turn.round()
    return turn.found()
