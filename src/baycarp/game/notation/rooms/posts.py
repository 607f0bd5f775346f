"""From what was posted to the game: live blinds, dead money, the big blind, the order of play."""

from collections.abc import Iterator
from functools import lru_cache

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.statement import Statement
from baycarp.game.variant import DEEP, Variant

__all__ = ["game_of", "positions", "readings"]

MOST_SEATS = 10


def readings(stated: Statement) -> Iterator[Statement]:
    """A stated, and what else its text can mean where rooms differ.

    A second small blind is dead money, or counts as a bet. A player that checks before the flop, where a call
    costs chips, has posted without a line: the big blind, or both.
    """
    yield stated
    smalls = [post for post in stated.posts if post[1] == "small"]
    if len(smalls) > 1:
        yield stated.with_posts(
            [post if post not in smalls[1:] else (post[0], "live", post[2]) for post in stated.posts]
        )
        yield stated.with_posts(
            [post if post not in smalls[:-1] else (post[0], "live", post[2]) for post in stated.posts]
        )
    posted = {player for player, *_ in stated.posts}
    firsts = {player: (verb, cards) for player, verb, _, cards in reversed(stated.acts)}
    silent = [player for player in firsts if player not in posted and firsts[player] == ("check", 0)]
    blinds = [
        max((chips for _, kind, chips in stated.posts if kind == name), default=0)
        for name in ("big", "small")
    ]
    if silent and all(blinds):
        live = [(player, "live", blinds[0]) for player in silent]
        yield stated.with_posts([*stated.posts, *live])
        yield stated.with_posts([*stated.posts, *live, *((player, "dead", blinds[1]) for player in silent)])


def positions(stated: Statement) -> list[int]:
    """The players that were dealt in, by position: clockwise from the first left of the button's seat.

    Those were dealt in that posted, acted, showed or won; who sits out does none of it.
    """
    if not stated.names:
        raise Refused("cut off", "no line of a seat")
    inside = {row[0] for row in stated.posts} | {row[0] for row in stated.acts}
    inside |= stated.holes.keys() | stated.mucked
    inside |= {stated.names[name] for name, _ in stated.collected if name in stated.names}
    inside -= stated.absent
    inside.discard(-1)
    if not 2 <= len(inside) <= MOST_SEATS:
        raise Refused("wrong number of players", f"{len(inside)} dealt in: expected 2 to {MOST_SEATS}")
    if stated.ranks:
        return sorted(inside, key=stated.ranks.__getitem__)
    around = sorted(inside, key=stated.numbers.__getitem__)
    button = stated.button if stated.button is not None else _seat_before_blinds(stated, around)
    left = sum(stated.numbers[player] <= button for player in around)
    return around[left:] + around[:left]


def _seat_before_blinds(stated: Statement, around: list[int]) -> int:
    """The seat that must have the button by the blinds, where the text does not name it."""
    for kind in ("small", "big"):
        for player, posted, _ in stated.posts:
            if posted == kind:
                heads_up = len(around) == 2 and kind == "small"
                return (
                    stated.numbers[player] if heads_up else stated.numbers[around[around.index(player) - 1]]
                )
    raise Refused("no button", "expected the seat that has it, or blinds")


def game_of(stated: Statement, order: list[int], chip: int) -> tuple[Variant, tuple[int, ...]]:
    """The game of a stated, and the stacks by position, in chips of so many parts."""
    place = {player: position for position, player in enumerate(order)}
    stacks = [DEEP if (stack := stated.stacks[player]) is None else stack // chip for player in order]
    posts = [(place[p], kind, amount // chip) for p, kind, amount in stated.posts if p in place]
    small, big = _posters(posts, len(order))
    big_blind = _big_blind(stated, posts, big, stacks, chip)
    live, dead = [0] * len(order), [0] * len(order)
    antes = [0] * len(order)
    straddler = None
    for seat, kind, amount in posts:
        if kind in ("ante", "bomb"):
            antes[seat] += amount
        elif kind == "dead" or (kind == "small" and seat != small):
            dead[seat] += amount
        elif kind == "both":
            live[seat] += min(amount, big_blind)
            dead[seat] += max(amount - big_blind, 0)
        else:
            live[seat] += amount
            straddler = seat if kind == "straddle" else straddler
    for seat, stack in enumerate(stacks):
        if seat == big and live[seat] + dead[seat] + antes[seat] >= stack:
            live[seat] = max(live[seat], big_blind)
    blinds = tuple(live)
    opener = straddler if straddler is not None else big if big is not None else small
    first = 0 if opener is None else (opener + 1) % len(order)
    if any(kind == "bomb" for _, kind, _ in posts):
        first = -1
    variant = _variant(
        stated.betting,
        blinds,
        tuple(map(sum, zip(_whole_antes(antes, live, stacks), dead, strict=True))),
        big_blind,
        first,
        stated.betting == "limit" and _is_capped(stated),
    )
    return variant, tuple(stacks)


def _posters(posts: list[tuple[int, str, int]], seats: int) -> tuple[int | None, int | None]:
    """The positions of the small and the big blind; who else posts one is a newcomer, or missed it."""
    bigs = [seat for seat, kind, _ in posts if kind == "big"]
    big = min(bigs, default=None)
    smalls = [seat for seat, kind, _ in posts if kind == "small"]
    before = [seat for seat in smalls if big is not None and (seat + 1) % seats == big]
    return next(iter(before or smalls), None), big


def _big_blind(
    stated: Statement, posts: list[tuple[int, str, int]], big: int | None, stacks: list[int], chip: int
) -> int:
    """What a call costs before any raise: as posted, or by the header where the poster was short."""
    posted = max((amount for seat, kind, amount in posts if kind == "big" and seat == big), default=0)
    short = big is not None and sum(amount for seat, _, amount in posts if seat == big) >= stacks[big]
    if posted and not short:
        return posted
    by_header = stated.big_blind // chip
    others = [amount for _, kind, amount in posts if kind in ("big", "live")]
    small = max((amount for _, kind, amount in posts if kind == "small"), default=0)
    return max(posted, by_header or _first_call(stated, chip) or max([*others, 2 * small], default=0)) or 1


def _first_call(stated: Statement, chip: int) -> int:
    """What the first caller before any raise puts in, if it had posted nothing; 0 = there is none."""
    posted = {player for player, *_ in stated.posts}
    for player, verb, amount, cards in stated.acts:
        if cards or verb not in ("fold", "call"):
            break
        if verb == "call" and player not in posted and amount != stated.stacks[player]:
            return amount // chip
    return 0


def _whole_antes(antes: list[int], live: list[int], stacks: list[int]) -> list[int]:
    """Antes, with those of stacks that had no more made whole: the rules put these all-in."""
    whole = max(antes)
    short = [a + b >= stack for a, b, stack in zip(antes, live, stacks, strict=True)]
    equal = all(paid == whole or (paid and less) for paid, less in zip(antes, short, strict=True))
    return [whole] * len(antes) if equal else antes


def _is_capped(stated: Statement) -> bool:
    """Whether the usual cap, a bet and three raises a street, holds for all that was done."""
    made = [0] * 6
    for _, verb, _, cards in stated.acts:
        made[cards] += verb in ("bet", "to", "by", "all-in")
    return made[0] <= 3 and max(made) <= 4


@lru_cache(maxsize=4096)
def _variant(
    betting: str,
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    big_blind: int,
    first: int,
    capped: bool,
) -> Variant:
    return Variant(
        name=f"{betting} {len(blinds)}",
        betting=betting,
        seats=len(blinds),
        blinds=blinds,
        antes=antes,
        stacks=None,
        raise_sizes=(big_blind, big_blind, 2 * big_blind, 2 * big_blind) if betting == "limit" else (),
        max_raises=(3, 4, 4, 4) if capped else (None,) * 4,
        first=(first, 0, 0, 0),
        least_bet=0 if big_blind == max(blinds) else big_blind,
    )
