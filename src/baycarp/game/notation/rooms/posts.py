"""From what was posted to the game: live blinds, dead money, the big blind, the order of play."""

from collections.abc import Iterator
from functools import lru_cache

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.variant import DEEP, Variant

__all__ = ["game_of", "positions", "readings"]

MOST_SEATS = 10


def readings(deal: Deal) -> Iterator[Deal]:
    """A deal, and what else its text can mean where rooms differ.

    A second small blind is dead money, or counts as a bet; a player that checks before the flop, where a call costs
    chips, has posted without a line: the big blind, or both.
    """
    yield deal
    smalls = [post for post in deal.posts if post[1] == "small"]
    if len(smalls) > 1:
        yield deal.with_posts([post if post not in smalls[1:] else (post[0], "live", post[2]) for post in deal.posts])
        yield deal.with_posts([post if post not in smalls[:-1] else (post[0], "live", post[2]) for post in deal.posts])
    posted = {player for player, *_ in deal.posts}
    firsts = {player: (verb, cards) for player, verb, _, cards in reversed(deal.acts)}
    silent = [player for player in firsts if player not in posted and firsts[player] == ("check", 0)]
    blinds = [max((chips for _, kind, chips in deal.posts if kind == name), default=0) for name in ("big", "small")]
    if silent and all(blinds):
        live = [(player, "live", blinds[0]) for player in silent]
        yield deal.with_posts([*deal.posts, *live])
        yield deal.with_posts([*deal.posts, *live, *((player, "dead", blinds[1]) for player in silent)])


def positions(deal: Deal) -> list[int]:
    """The players that were dealt in, by position: clockwise from the first left of the button's seat.

    Those were dealt in that posted, acted, showed or won; who sits out does none of it.
    """
    if not deal.names:
        raise Refused("cut off", "no line of a seat")
    inside = {player for player, *_ in (*deal.posts, *deal.acts)} | deal.holes.keys() | deal.mucked
    inside |= {deal.names[name] for name, _ in deal.collected if name in deal.names}
    inside -= deal.absent
    inside.discard(-1)
    if not 2 <= len(inside) <= MOST_SEATS:
        raise Refused("wrong number of players", f"{len(inside)} dealt in: expected 2 to {MOST_SEATS}")
    if deal.ranks:
        return sorted(inside, key=deal.ranks.__getitem__)
    around = sorted(inside, key=deal.numbers.__getitem__)
    button = deal.button if deal.button is not None else _seat_before_blinds(deal, around)
    return [p for p in around if deal.numbers[p] > button] + [p for p in around if deal.numbers[p] <= button]


def _seat_before_blinds(deal: Deal, around: list[int]) -> int:
    """The seat that must have the button by the blinds, where the text does not name it."""
    for kind in ("small", "big"):
        for player, posted, _ in deal.posts:
            if posted == kind:
                heads_up = len(around) == 2 and kind == "small"
                return deal.numbers[player] if heads_up else deal.numbers[around[around.index(player) - 1]]
    raise Refused("no button", "expected the seat that has it, or blinds")


def game_of(deal: Deal, order: list[int], chip: int) -> tuple[Variant, tuple[int, ...]]:
    """The game of a deal, and the stacks by position, in chips of so many parts."""
    place = {player: position for position, player in enumerate(order)}
    stacks = [DEEP if (stack := deal.stacks[player]) is None else stack // chip for player in order]
    posts = [(place[p], kind, amount // chip) for p, kind, amount in deal.posts if p in place]
    small, big = _posters(posts, len(order))
    big_blind = _big_blind(deal, posts, big, stacks, chip)
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
        deal.betting,
        blinds,
        tuple(map(sum, zip(_whole_antes(antes, live, stacks), dead, strict=True))),
        big_blind,
        first,
        deal.betting == "limit" and _is_capped(deal),
    )
    return variant, tuple(stacks)


def _posters(posts: list[tuple[int, str, int]], seats: int) -> tuple[int | None, int | None]:
    """The positions of the small and the big blind; who else posts one is a newcomer, or missed it."""
    bigs = [seat for seat, kind, _ in posts if kind == "big"]
    big = min(bigs, default=None)
    smalls = [seat for seat, kind, _ in posts if kind == "small"]
    before = [seat for seat in smalls if big is not None and (seat + 1) % seats == big]
    return (before or smalls[:1] or [None])[0], big


def _big_blind(
    deal: Deal, posts: list[tuple[int, str, int]], big: int | None, stacks: list[int], chip: int
) -> int:
    """What a call costs before any raise: as posted, or by the header where the poster was short."""
    posted = max((amount for seat, kind, amount in posts if kind == "big" and seat == big), default=0)
    short = big is not None and sum(amount for seat, _, amount in posts if seat == big) >= stacks[big]
    if posted and not short:
        return posted
    stated = deal.big_blind // chip
    others = [amount for _, kind, amount in posts if kind in ("big", "live")]
    small = max((amount for _, kind, amount in posts if kind == "small"), default=0)
    return max(posted, stated or max([*others, 2 * small], default=0)) or 1


def _whole_antes(antes: list[int], live: list[int], stacks: list[int]) -> list[int]:
    """Antes, with those of stacks that had no more made whole: the rules put these all-in."""
    whole = max(antes)
    short = [a + b >= stack for a, b, stack in zip(antes, live, stacks, strict=True)]
    equal = all(paid == whole or (paid and less) for paid, less in zip(antes, short, strict=True))
    return [whole] * len(antes) if equal else antes


def _is_capped(deal: Deal) -> bool:
    """Whether the usual cap, a bet and three raises a street, holds for all that was done."""
    made = [0] * 6
    for _, verb, _, cards in deal.acts:
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
