"""Betting sequences as texts, and how many bets and raises of each player they have.

A sequence has one letter an action; a hyphen ends each round, and stands as soon as the next one begins:
``crrc-crrc-cc-``. In fixed limit the letters are ``f``, ``c`` (check or call) and ``r`` (bet or raise); every
letter other than ``f`` and ``c`` counts as a bet or raise, so that no-limit may name sizes by others.

Before the flop the button acts first heads-up, and the position after the big blind at larger tables;
after the flop position 0, or the first player still in behind it. Whose turn it is follows from the sequence.

Source: Rubin and Watson (2012), sections 5.3.1 and 5.3.2. Of its two examples of similar sequences, one is
no legal sequence (``crcc``), and both have the raises of different players: ``crrc-crrrrc-cr`` beside
``rrc-rrrrc-cr``, and ``cc-rc-crc-rrr`` beside ``rrc-cc-cc-rrr``, agree with the definition and with the text.
"""

from collections.abc import Iterator
from functools import lru_cache

from baycarp.game import State

__all__ = ["ROUND", "betting_sequence", "raises", "sequence_keys", "turns"]

ROUND = "-"
"""Ends a round."""


def betting_sequence(state: State) -> str:
    """The betting of a fixed-limit hand so far.

    Parameters
    ----------
    state
        The hand.

    Examples
    --------
    >>> from baycarp.game.variant import Variant
    >>> state = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    >>> for name in ("raise", "call"):
    ...     _ = state.apply(state.named(name))
    >>> betting_sequence(state)
    'rc-'
    """
    return state.betting.replace("/", ROUND)


def raises(sequence: str, seats: int = 2) -> tuple[tuple[int, ...], ...]:
    """The bets and raises of each position, by round.

    Parameters
    ----------
    sequence
        Betting from the first action on.
    seats
        Of the table, at least 2.

    Returns
    -------
    By round of the sequence, the one in play included, one number for each position.

    Examples
    --------
    >>> raises("crrc-crrrrc-cr")  # position 1 is the button
    ((1, 1), (2, 2), (0, 1))
    """
    counts = [[0] * seats for _ in sequence.split(ROUND)]
    for street, position, letter in turns(sequence, seats):
        counts[street][position] += letter not in "fc"
    return tuple(map(tuple, counts))


def turns(sequence: str, seats: int = 2) -> Iterator[tuple[int, int, str]]:
    """Round, position and letter of each action; the parameters are those of ``raises``.

    Examples
    --------
    >>> [position for _, position, _ in turns("frc-r", 3)]  # 0 small blind, 1 big blind, 2 button
    [2, 0, 1, 0]
    """
    folded, first = set[int](), 1 if seats == 2 else 2 % seats
    for street, letters in enumerate(sequence.split(ROUND)):
        position = 0 if street else first
        for letter in letters:
            while position in folded and len(folded) < seats:
                position = (position + 1) % seats
            if letter == "f":
                folded.add(position)
            yield street, position, letter
            position = (position + 1) % seats


@lru_cache(maxsize=1 << 16)
def sequence_keys(sequence: str, seats: int = 2) -> tuple[str, str, str]:
    """What two sequences must have in common to be similar, from fine to coarse.

    The keys of a ``cases.Nested`` of three levels: the sequence; the round in play, and the raises of each
    position in every earlier round; the round in play, and the raises of each position in all of them. The
    parameters are those of ``raises``.

    Examples
    --------
    >>> sequence_keys("rrc-rrrrc-cr")
    ('rrc-rrrrc-cr', 'cr 1,1 2,2', 'cr 3,3')
    """
    active = sequence.rpartition(ROUND)[2]
    earlier = raises(sequence, seats)[:-1]
    each = " ".join(",".join(map(str, made)) for made in earlier)
    total = ",".join(str(sum(made)) for made in zip(*earlier, strict=True))
    return sequence, f"{active} {each}", f"{active} {total}"
