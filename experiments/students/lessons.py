"""A lesson: a student plays a session, is advised, and is measured with and without the advice.

All arms have the same number of spots, and each is studied twice. The coach's are the spots of its drill.
Random ones are decisions of the same session, valued alike. The vote advises by the majority of retrieved
cases at the coach's spots.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import Any

import numpy as np

from baycarp.agents.registry import load_for
from baycarp.api.exploit import GAME
from baycarp.arena.decks import PLAYED, STUDIED
from baycarp.coach.advice import Advice
from baycarp.coach.review import advise, review_of
from baycarp.coach.themes import THEMES, Occasion
from baycarp.coach.valuation import Judge, JudgedDecision, judged
from baycarp.game import Acted, HandOver, Observation, Variant
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.seats import seat_names
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from experiments.students.mistakes import MISTAKES, Mistaken, tables_of
from experiments.students.sessions import STUDENT, played, won
from experiments.students.student import Student

__all__ = ["ARMS", "VOTE", "lesson", "planted", "taught", "voted"]

ARMS = ("coach", "random", "vote")
"""Kinds of advice."""

VOTE = "baycarp2(opponents='styles')"
"""The adviser of the last arm."""

TIMES = 2
"""Every spot is studied."""


def lesson(seed: int, hands: int, deals: int, playouts: int, unit: tuple[str, int]) -> dict[str, Any]:
    """The record of a student.

    Parameters
    ----------
    seed
        Of all students.
    hands, deals
        Of the reviewed session, and of each measurement.
    playouts
        Of the coach's valuation, for each decision.
    unit
        The mistake, "" = none; and the student's number.

    Returns
    -------
    dict
        ``named``: the themes that the coach names; ``remarks`` and ``spots``: how many; ``won``: small bets a
        hand by table and arm, "none" without advice.
    """
    name, number = unit
    tables = tables_of(name)
    session = tuple(each[2] for each in played(Mistaken(name), tables[0], (seed, STUDIED + number, hands)))
    decisions = [
        *chain.from_iterable(found for _, found in judged(session, STUDENT, Judge(playouts=playouts)))
    ]
    review = review_of(session, STUDENT, decisions)
    own = np.random.SeedSequence((seed, number)).generate_state(2)
    spots: Mapping[str, Sequence[Advice]] = {
        "coach": review.spots,
        "random": _random(session, decisions, len(review.spots), int(own[0])),
        "vote": voted(session, review.spots),
    }
    students = {"none": taught(name, (), 0)} | {arm: taught(name, spots[arm], int(own[1])) for arm in ARMS}
    return {
        "named": [each.name for each in review.named],
        "remarks": len(review.remarks),
        "spots": len(review.spots),
        "won": [
            {arm: won(each, table, (seed, PLAYED + number, deals)) for arm, each in students.items()}
            for table in tables
        ],
    }


def taught(mistake: str, spots: Sequence[Advice], seed: int) -> Student:
    """A student with a mistake that has studied some spots."""
    student = Student(Mistaken(mistake), seed)
    for spot in (*spots,) * TIMES:
        student.study(spot)
    return student


def _random(
    hands: Sequence[Hand], decisions: Sequence[JudgedDecision], count: int, seed: int
) -> tuple[Advice, ...]:
    """Advice at decisions drawn without regard to anything."""
    places = np.random.default_rng(seed).permutation(len(decisions))[:count]
    drawn = [decisions[place] for place in places]
    return tuple(advise(each, _observed(hands[each.hand], each.act, each.hand)) for each in drawn)


def _observed(hand: Hand, act: int, number: int) -> Observation:
    state = list(states(hand))[act]
    return state.observe(hand.players.index(STUDENT), hand.players, number)


def voted(hands: Sequence[Hand], spots: Sequence[Advice]) -> tuple[Advice, ...]:
    """The same spots, with the action of the majority of retrieved cases; it has watched the hands before."""
    wanted = {(each.observation.hand, len(each.observation.acts)): each for each in spots}
    game = Variant.load(GAME)
    agent = load_for(game, VOTE)
    agent.sit(0, game, 0)
    found: dict[tuple[int, int], Advice] = {}
    for number, hand in enumerate(hands):
        final = replay(hand)
        for at, (state, act) in enumerate(zip(states(hand), final.acts, strict=False)):
            if spot := wanted.get((number, at)):
                decision = agent.decide(spot.observation)
                best = max(decision.policy, key=decision.policy.__getitem__)
                found[number, at] = replace(spot, best=(best,), sentence=decision.reason, values=())
            agent.learn(Acted(state.observe(None, hand.players, number), act))
        agent.learn(HandOver(final.observe(None, hand.players, number), final.payoffs()))
    return tuple(found[place] for place in wanted)


def planted(mistake: str) -> frozenset[str]:
    """The names of the coach's themes that a mistake makes: in its spots, its action for the sound ones."""
    shifts = MISTAKES[mistake].shifts if mistake else ()
    return frozenset(
        theme.name
        for theme, shift, at in product(THEMES, shifts, _occasions())
        if at.street in shift.streets
        and at.owes == shift.owing
        and theme.occasion(at)
        and shift.target in _columns(theme.wrong)
        and _columns(theme.right) & set(shift.sources)
    )


def _columns(kinds: frozenset[str]) -> set[int]:
    return {FOLD_CALL_RAISE[kind] for kind in kinds}


def _occasions() -> Iterator[Occasion]:
    """Every kind of decision heads-up."""
    yes = (False, True)
    seats = seat_names(Variant.load(GAME))
    for street, owes, raised, seat, led, strong in product(range(4), yes, yes, seats, yes, yes):
        yield Occasion(street, owes, raised, seat, led, strong)
