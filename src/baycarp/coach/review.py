"""The review of a player's hands: what each theme costs, a few remarks, and the spots of the drill."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

from baycarp.agents.value.words import first_line
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.coach.advice import Advice
from baycarp.coach.findings import ThemeFinding, find_themes
from baycarp.coach.themes import THEMES, Occasion, Theme, theme_of
from baycarp.coach.valuation import MIXED, Judge, JudgedDecision, has_cards, judged
from baycarp.errors import NotationError
from baycarp.game import Observation
from baycarp.game.notation.hand import Hand, states

__all__ = ["Review", "advise", "advises", "review", "review_of", "reviewed_player"]

USUAL = Judge()
"""The default agent."""

BLOCK = 5
"""Hands of the player for which there is at most one remark."""

LEAST = 0.1
"""Big blinds that a mistake of a certain theme costs at least, to be remarked on and drilled; our choice."""

ALONE, SURE = 1.0, 4.0
"""Big blinds, and standard errors, that any other mistake costs at least; the agent hardly makes it."""

DRILL = 60
"""Mistakes of the drill; as many right decisions of the same themes stand between them."""


@dataclass(frozen=True, slots=True)
class Review:
    """A player's hands, reviewed.

    Parameters
    ----------
    player
        The name.
    hands, decisions
        How many of the player were valued.
    themes
        Every theme: the named ones first, then by cost.
    remarks
        The costliest decisions whose cost, or whose theme, is certain; costliest first, at most one for five
        hands.
    spots
        Of the drill: mistakes as certain as those of the remarks, costliest first, and between them right
        decisions of the same themes.
    """

    player: str
    hands: int
    decisions: int
    themes: tuple[ThemeFinding, ...]
    remarks: tuple[Advice, ...]
    spots: tuple[Advice, ...]

    @property
    def named(self) -> tuple[ThemeFinding, ...]:
        """The themes that are certain, costliest first."""
        return tuple(each for each in self.themes if each.named)


def review(
    hands: Sequence[Hand],
    player: str = "",
    judge: Judge = USUAL,
    left_out: Collection[int] = (),
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda done: None,
) -> Review:
    """Value every decision of a player, and find its themes, remarks and spots.

    Parameters
    ----------
    hands
        Of the log, in order.
    player
        The reviewed player's name; "" = the hero, or ``You``, as our table writes.
    judge
        The agent that values.
    left_out
        Indices of hands that count nowhere: those with a hint, opened cards or a repeated deck.
    workers
        Processes; the result does not depend on their number.
    tick
        Called with the number of hands that are done.

    Raises
    ------
    NotationError
        No hand has such a player with recorded cards.
    ArgumentError
        The agent values no actions.

    Examples
    --------
    >>> from baycarp.game.notation import door
    >>> line = "STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|Bob"
    >>> found = review([*door.read(line, game="holdem.limit.2p.reverse_blinds")], "Bob")
    >>> found.hands, found.decisions, len(found.named)
    (1, 4, 0)
    """
    name = reviewed_player(hands, player)
    decisions: list[JudgedDecision] = []
    with closing(judged(hands, name, judge, left_out, workers)) as results:
        for done, found in results:
            decisions += found
            tick(done)
    return review_of(hands, name, decisions, left_out)


def review_of(
    hands: Sequence[Hand],
    player: str,
    decisions: Iterable[JudgedDecision],
    left_out: Collection[int] = (),
) -> Review:
    """The review of decisions that were valued before."""
    rows = [(each, _observation(hands[each.hand], player, each)) for each in decisions]
    seen = [(each, observation, Occasion.of(observation, each.stage.share)) for each, observation in rows]
    count = sum(has_cards(hand, player) and at not in frozenset(left_out) for at, hand in enumerate(hands))
    themes = find_themes(((each, occasion) for each, _, occasion in seen), count)
    advices = [
        (advise(each, observation), each.probability(each.taken) < MIXED) for each, observation, _ in seen
    ]
    costly = sorted((row for row in advices if row[0].cost >= LEAST), key=lambda row: -row[0].cost)
    certain = {each.name for each in themes if each.named}
    sure = [
        advice
        for advice, is_foreign in costly
        if advice.theme in certain or (is_foreign and advice.cost >= max(ALONE, SURE * advice.error))
    ]
    return Review(player, count, len(rows), themes, tuple(sure[: count // BLOCK]), _drill(sure, seen))


def advises(hands: Sequence[Hand], player: str, judge: Judge = USUAL) -> list[Advice]:
    """Every decision of a player, judged, the right ones included; errors are those of ``review``."""
    rows = (each for _, found in judged(hands, player, judge) for each in found)
    return [advise(each, _observation(hands[each.hand], player, each)) for each in rows]


def advise(decision: JudgedDecision, observation: Observation) -> Advice:
    """What the page shows of a valued decision."""
    taken, best = decision.taken, decision.best.action
    cost = decision.cost(taken)
    occasion = Occasion.of(observation, decision.stage.share)
    theme = theme_of(occasion, taken.name, best.name) if cost else None
    return Advice(
        observation,
        taken,
        decision.right(),
        cost,
        decision.error(taken),
        first_line(decision.stage),
        theme.name if theme else "",
        tuple(decision.stage.values),
    )


def reviewed_player(hands: Sequence[Hand], name: str = "") -> str:
    """The name of the reviewed player: the given one, or the hero, or ``You``, as our table writes.

    Raises
    ------
    NotationError
        No hand has a player of that name.
    """
    names = {player for hand in hands for player in hand.players}
    wanted = name or _hero(hands)
    if wanted not in names:
        shown = ", ".join(repr(each[:40]) for each in sorted(names)[:10])
        raise NotationError(f"player {wanted[:40]!r}: expected one of {shown or 'no names'}")
    return wanted


def _hero(hands: Sequence[Hand]) -> str:
    """The player that most of the records were made for; ``You`` where no source states one."""
    heroes = Counter(
        hand.players[hand.origin.hero] for hand in hands if hand.origin.hero is not None and hand.players
    )
    return heroes.most_common(1)[0][0] if heroes else "You"


def _observation(hand: Hand, player: str, decision: JudgedDecision) -> Observation:
    """What the player observed at a decision."""
    state = next(islice(states(hand), decision.act, None))
    return state.observe(hand.players.index(player), hand.players, decision.hand)


def _drill(
    mistakes: Sequence[Advice], seen: Sequence[tuple[JudgedDecision, Observation, Occasion]]
) -> tuple[Advice, ...]:
    """The first mistakes, each before a right decision of its theme: else "not what I did" is right."""
    drilled = mistakes[:DRILL]
    contrasts = {name: _contrasts(name, seen) for name in {each.theme for each in drilled if each.theme}}
    found: dict[tuple[int, int], Advice] = {}
    for mistake in drilled:
        found[_place(mistake)] = mistake
        others = (each for each in contrasts.get(mistake.theme, ()) if _place(each) not in found)
        if contrast := next(others, None):
            found[_place(contrast)] = contrast
    return tuple(found.values())


def _place(advice: Advice) -> tuple[int, int]:
    return advice.observation.hand, len(advice.observation.acts)


def _contrasts(name: str, seen: Sequence[tuple[JudgedDecision, Observation, Occasion]]) -> Iterator[Advice]:
    """Decisions at which the action of a theme's mistake was right, in the order of play.

    Those come first at which it alone was. The closest ones, or the clearest, would teach another limit.
    """
    theme = next(each for each in THEMES if each.name == name)
    right = [
        (decision, observation)
        for decision, observation, occasion in seen
        if decision.taken.name in theme.wrong
        and theme.occasion(occasion)
        and decision.is_right(decision.taken)
    ]
    for decision, observation in sorted(right, key=lambda row: not _is_clear(row[0], theme)):
        yield replace(advise(decision, observation), theme=name)


def _is_clear(decision: JudgedDecision, theme: Theme) -> bool:
    """Whether none of a theme's right answers is right here."""
    return theme.right.isdisjoint(action.name for action in decision.right())
