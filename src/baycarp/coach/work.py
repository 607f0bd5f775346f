"""The valuation of kept hands, in a process of its own, so that the table goes on."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace

from baycarp.arena.workers import Workers, processes
from baycarp.coach.kept import KeptHand, Place
from baycarp.coach.review import Review, review_of, reviewed_player
from baycarp.coach.valuation import Judge, JudgedDecision, judged

__all__ = ["ReviewedHands", "reviewed", "value_hands"]


@dataclass(frozen=True, slots=True)
class ReviewedHands:
    """A review, the place of each of its hands, and its decisions by place and action."""

    review: Review
    places: Sequence[Place]
    decisions: Mapping[tuple[Place, int], JudgedDecision]


def value_hands(
    hands: Mapping[Place, KeptHand], known: Mapping[Place, object], judge: Judge
) -> Generator[tuple[Place, list[JudgedDecision]], None, None]:
    """Value the hands without values, session by session; the agent observes those of a session in order.

    Parameters
    ----------
    hands
        By place. Marked ones have no decisions.
    known
        Those that have values.
    judge
        The agent.
    """
    with processes(1) as pool:
        for session in dict.fromkeys(session for session, _ in hands):
            places = sorted(place for place in hands if place[0] == session)
            yield from _values([(place, hands[place]) for place in places], known, judge, pool)


def _values(
    rows: Sequence[tuple[Place, KeptHand]], known: Mapping[Place, object], judge: Judge, pool: Executor
) -> Iterator[tuple[Place, list[JudgedDecision]]]:
    left_out = {at for at, (place, kept) in enumerate(rows) if kept.marked or place in known}
    if len(left_out) == len(rows):
        return
    log, done = [kept.hand for _, kept in rows], 0
    with closing(judged(log, reviewed_player(log), judge, left_out, Workers(1, pool))) as results:
        for count, found in results:
            for at in sorted({*range(done, count)} - left_out):
                place = rows[at][0]
                yield place, [replace(each, hand=place[1]) for each in found if each.hand == at]
            done = count


def reviewed(
    hands: Mapping[Place, KeptHand], values: Mapping[Place, Sequence[JudgedDecision]]
) -> ReviewedHands:
    """The review of hands that are valued."""
    places = sorted(hands)
    log = [hands[place].hand for place in places]
    marked = [at for at, place in enumerate(places) if hands[place].marked or place not in values]
    found = [
        replace(each, hand=at)
        for at, place in enumerate(places)
        if at not in marked
        for each in values[place]
    ]
    review = review_of(log, reviewed_player(log), found, marked)
    return ReviewedHands(review, places, {(places[each.hand], each.act): each for each in found})
