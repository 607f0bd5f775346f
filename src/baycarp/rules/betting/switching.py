"""Three-player betting sequences, and the heads-up sequences that they are mapped to once a player folded.

Of the two players left, the one that acts last after the flop is the dealer (D) of the heads-up game, the
other one the non-dealer (ND): so the small blind is ND, the big blind ND if the small blind folded and D if
the dealer did. A heads-up sequence agrees if in every earlier round both have made as many bets and raises
as those they stand for, and if the round in play is the same.

Source: Rubin and Watson (2012), sections 7.1 and 7.2, figure 9: they map a fold before the flop. Folds on
later rounds by the same rule are our choice; so is that the folded player's raises are left out, and that a
round in which the fold was made is the same if the two left have made the same actions in the same order,
and the same one is to act. At most four bets a round; the big blind is the first.
"""

from functools import lru_cache
from itertools import product

from baycarp.rules.betting.sequence import ROUND, raises, turns

__all__ = ["heads_up", "heads_up_keys", "left_in", "three_player_keys"]

MOST_RAISES = (3, 4, 4, 4)
"""By round, of fixed limit heads-up."""

SEATS = 3
"""Positions: 0 small blind, 1 big blind, 2 dealer; heads-up 0 is the non-dealer, 1 the dealer."""


def left_in(sequence: str) -> tuple[int, ...]:
    """The positions of the three that have not folded, ascending.

    Examples
    --------
    >>> left_in("frc-r")
    (0, 1)
    """
    folded = {position for _, position, letter in turns(sequence, SEATS) if letter == "f"}
    return tuple(position for position in range(SEATS) if position not in folded)


@lru_cache(maxsize=1 << 16)
def three_player_keys(sequence: str) -> tuple[str, str, str]:
    """As ``sequence.sequence_keys``, of three players: raises of players that folded are not compared.

    Examples
    --------
    >>> three_player_keys("frc-r")
    ('frc-r', 'r 1,0,-', 'r 1,0,-')
    """
    active, still = sequence.rpartition(ROUND)[2], left_in(sequence)
    earlier = raises(sequence, SEATS)[:-1]
    total = [sum(made) for made in zip(*earlier, strict=True)] or [0] * SEATS
    each = " ".join(_text(made, still) for made in earlier)
    return sequence, f"{active} {each}", f"{active} {_text(total, still)}"


def heads_up(sequence: str) -> tuple[str, ...]:
    """The legal heads-up sequences that agree with one of three players, sorted; none = no mapping.

    Parameters
    ----------
    sequence
        Betting of three players from the first action on.

    Examples
    --------
    >>> heads_up("frc-r"), heads_up("rrfc-")
    (('crc-r',), ('crrc-', 'rrc-'))
    """
    active = _active(sequence)
    if active is None:
        return ()
    rounds = [_rounds(street).get(made, ()) for street, made in enumerate(_raises_of_two(sequence))]
    return tuple(sorted(ROUND.join((*each, active)) for each in product(*rounds)))


@lru_cache(maxsize=1 << 16)
def heads_up_keys(sequence: str) -> tuple[str, str, str] | None:
    """The keys by which a three-player sequence is compared with heads-up ones; None = no mapping.

    All sequences of ``heads_up`` have the second key in common, as ``sequence.sequence_keys`` makes it, and
    no other legal sequence has it. The first and the third are the three-player sequence: heads-up no player
    acts after a fold, so that nothing heads-up is similar by them.

    Examples
    --------
    >>> heads_up_keys("frc-r"), heads_up_keys("ccc-r")
    (('frc-r', 'r 1,0', 'frc-r'), None)
    """
    found = heads_up(sequence)
    if not found:
        return None
    each = " ".join(",".join(map(str, made)) for made in _raises_of_two(sequence))
    return sequence, f"{found[0].rpartition(ROUND)[2]} {each}", sequence


def _raises_of_two(sequence: str) -> list[tuple[int, ...]]:
    """By earlier round, the raises of the non-dealer and the dealer."""
    still = left_in(sequence)
    return [tuple(made[position] for position in still) for made in raises(sequence, SEATS)[:-1]]


def _active(sequence: str) -> str | None:
    """The round in play as of the two players left; None where heads-up it is another player's turn."""
    still, street = left_in(sequence), sequence.count(ROUND)
    if len(still) != 2:
        return None
    done = "".join(
        letter for at, position, letter in turns(sequence, SEATS) if at == street and position in still
    )
    *_, (_, mine, _) = turns(sequence + "c", SEATS)
    first = 0 if street else 1
    unfinished = done.removeprefix("c").strip("r") == "" and done.count("r") <= MOST_RAISES[street]
    return done if unfinished and still.index(mine) == (first + len(done)) % 2 else None


@lru_cache(maxsize=2)
def _rounds_after(first: int, most: int) -> dict[tuple[int, ...], tuple[str, ...]]:
    """The finished heads-up rounds without a fold, by the raises of the non-dealer and the dealer."""
    found: dict[tuple[int, ...], tuple[str, ...]] = {}
    for check, count in product((0, 1), range(most + 1)):
        letters = "c" * check + "r" * count + "c" * (1 if count or check else 2)
        made = [0, 0]
        for place, letter in enumerate(letters):
            made[(first + place) % 2] += letter == "r"
        key = tuple(made)
        found[key] = tuple(sorted({*found.get(key, ()), letters}))
    return found


def _rounds(street: int) -> dict[tuple[int, ...], tuple[str, ...]]:
    return _rounds_after(0 if street else 1, MOST_RAISES[street])


def _text(made: list[int] | tuple[int, ...], still: tuple[int, ...]) -> str:
    return ",".join(str(count) if position in still else "-" for position, count in enumerate(made))
