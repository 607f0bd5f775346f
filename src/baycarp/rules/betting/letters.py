"""No-limit betting sequences: a letter for each bet, and the share of the stack that is committed.

Logs are read by hard translation. At the table the bets of others are translated softly; a draw depends on
the session's seed, the hand and the number of the act alone, so a bet stays what it was when it was first
translated. A player's own bets are the letters that it chose: of the same draw, the one that gave its chips.

Source: Rubin and Watson (2012), sections 6.3.2 and 6.3.3.
"""

from dataclasses import dataclass
from functools import lru_cache

from baycarp.game import Act, Action, Observation
from baycarp.kernels.arguments import seeded
from baycarp.rules.betting.sequence import ROUND
from baycarp.rules.betting.sizes import CALL, FOLD, BetRange, Sizes, bets, hard, soft

__all__ = ["PARTS", "SessionDraws", "act_letter", "bet_of", "commitment", "letter_of", "lettered", "shares"]

PARTS = 4
"""Equal parts of the starting stack (section 6.3.3)."""


@dataclass(frozen=True, slots=True)
class SessionDraws:
    """The draws of one session.

    Parameters
    ----------
    seed
        Of the session, 0 or more.
    jitter
        The greatest change of an own bet, as a share of it, 0 to below 1 (``Sizes.chips``).
    """

    seed: int
    jitter: float

    def uniform(self, hand: int, act: int) -> float:
        """The number 0..1 that belongs to an act of a hand, counted from 0."""
        return _uniform(self.seed, hand, act)


@lru_cache(maxsize=1 << 12)
def _uniform(seed: int, hand: int, act: int) -> float:
    return float(seeded(seed, abs(hand), act).random())


def commitment(observation: Observation, parts: int = PARTS) -> int:
    """The part of the starting stack up to which the player to act has paid, 1 to ``parts``.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> state = State(Variant.load("holdem.nolimit.2p.reverse_blinds"))  # 20,000 chips
    >>> _ = state.apply(Action("raise", 5000)), state.apply(Action("raise", 10000))
    >>> commitment(state.observe(state.to_act))
    2
    """
    state, seat = observation.state, observation.seat
    assert seat is not None
    paid = state.committed[seat]
    return min(parts * paid // (paid + state.stacks[seat]) + 1, parts)


def bet_of(
    letter: str, legal: BetRange, sizes: Sizes, observation: Observation, draws: SessionDraws | None
) -> Action:
    """The bet that a letter stands for now: reverse translation, without jitter where nothing is drawn."""
    if draws is None:
        return legal.action(sizes.chips(letter, legal))
    uniform = draws.uniform(observation.hand, len(observation.acts))
    return legal.action(sizes.chips(letter, legal, draws.jitter, uniform))


def shares(action: Action, legal: BetRange, sizes: Sizes) -> dict[str, float]:
    """The probability of each letter of an opponent's bet, by soft translation."""
    return sizes.shares(legal.proportion(action), legal, soft)


def letter_of(
    action: Action, legal: BetRange, sizes: Sizes, draws: SessionDraws | None = None, uniform: float = 0.5
) -> str:
    """The letter of a bet that the player itself made.

    Parameters
    ----------
    action, legal
        The bet, and the bets that were legal.
    sizes
        The letters.
    draws
        Of the session in which the player chose a letter; None = the bet is of a log.
    uniform
        The number that was drawn for the act.

    Returns
    -------
    str
        The letter that gives these chips by the same draw; of several the nearest by ratio, if it is one of
        them; the nearest where there is none.
    """
    proportion = legal.proportion(action)
    nearest = next(iter(sizes.shares(proportion, legal, hard)))
    if draws is None:
        return nearest
    made = [
        letter
        for letter in sizes.at(legal)
        if legal.action(sizes.chips(letter, legal, draws.jitter, uniform)) == action
    ]
    return made[0] if made and nearest not in made else nearest


def lettered(
    observation: Observation, sizes: Sizes, draws: SessionDraws | None = None, translated: bool = True
) -> str:
    """The betting of a no-limit hand so far, in letters; a hyphen ends each round.

    Parameters
    ----------
    observation, sizes
        The hand, as the position to act observes it; the letters.
    draws
        Of the session; None = hard translation of all bets, as for logs.
    translated
        Whether the bets of others are translated softly; else by hard translation, as the version of 2010.

    Raises
    ------
    VariantError
        A fixed-limit game.

    Examples
    --------
    >>> from baycarp.game import State, Variant
    >>> from baycarp.rules.betting.sizes import SARTRE_NL
    >>> state = State(Variant.load("holdem.nolimit.2p.reverse_blinds"))  # blinds 50 and 100
    >>> for action in (Action("raise", 300), Action("call", 200)):
    ...     _ = state.apply(action)
    >>> lettered(state.observe(state.to_act), SARTRE_NL)
    'pc-'
    """
    ranges, text, street = bets(observation.state), "", 0
    for number, act in enumerate(observation.acts):
        text += ROUND * (act.street - street)
        street = act.street
        if act.action.name not in ("bet", "raise"):
            text += FOLD if act.action.name == "fold" else CALL
            continue
        _, legal = next(ranges)
        text += act_letter(act, legal, sizes, observation, (draws, number, translated))
    return text + ROUND * (observation.street - street)


def act_letter(
    act: Act,
    legal: BetRange,
    sizes: Sizes,
    observation: Observation,
    how: tuple[SessionDraws | None, int, bool],
) -> str:
    """The letter that a bet of the hand counts as.

    Parameters
    ----------
    act, legal
        The bet, and the bets that were legal.
    sizes, observation
        As of ``lettered``.
    how
        The draws, the number of the act in the hand, and whether the bets of others are translated softly.
    """
    draws, number, translated = how
    uniform = draws.uniform(observation.hand, number) if draws else 0.5
    if draws is None or act.seat == observation.seat or not translated:
        own = draws if act.seat == observation.seat else None
        return letter_of(act.action, legal, sizes, own, uniform)
    known = list(shares(act.action, legal, sizes).items())
    return known[0][0] if uniform < known[0][1] else known[-1][0]
