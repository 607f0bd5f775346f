"""Random games of every kind that a game file can describe."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from baycarp.game.variant import Variant
from baycarp.study.robustness.game_files import game_file

__all__ = ["KINDS", "random_game"]


def _usual(draw: Random) -> Variant:
    """Limit hold'em with deep stacks, and any number of raises allowed."""
    caps = draw.choice(((3, 4, 4, 4), (None,) * 4, (1, 2, 3, 0)))
    return replace(Variant.ring(draw.randint(2, 10), draw.choice((2, 4, 10))), max_raises=caps)


def _no_limit(draw: Random) -> Variant:
    seats, big = draw.randint(2, 10), draw.choice((2, 4, 10))
    return Variant.ring(seats, big, betting="no-limit", stacks=(big * draw.choice((3, 20, 200)),) * seats)


def _either(draw: Random) -> Variant:
    return draw.choice((_usual, _no_limit))(draw)


def _short(draw: Random, game: Variant) -> Variant:
    """Stacks from one chip on, all different."""
    most = game.big_blind * draw.choice((2, 5, 20, 100))
    return replace(game, stacks=tuple(draw.randint(1, most) for _ in range(game.seats)))


def _equal_antes(draw: Random) -> Variant:
    game = _either(draw)
    return _short(draw, replace(game, antes=(draw.randint(1, game.big_blind),) * game.seats))


def _unequal_antes(draw: Random) -> Variant:
    game = _either(draw)
    return _short(draw, replace(game, antes=tuple(draw.randint(0, game.big_blind) for _ in game.blinds)))


def _straddle(draw: Random) -> Variant:
    """A third blind of twice the big one, by the next seat, who acts last."""
    game = _either(draw)
    if game.seats == 2:
        return _short(draw, game)
    blinds = (*game.blinds[:2], 2 * game.big_blind, *game.blinds[3:])
    return _short(draw, replace(game, blinds=blinds, first=(3 % game.seats, 0, 0, 0)))


def _any_blinds(draw: Random) -> Variant:
    """Blinds of any size in any seats."""
    game = _either(draw)
    blinds = [draw.choice((0, 1, 2, 5, 10)) for _ in range(game.seats)]
    blinds[draw.randrange(game.seats)] = 10
    return _short(draw, replace(game, blinds=tuple(blinds)))


def _no_first_player(draw: Random) -> Variant:
    """As a game file without ``firstPlayer`` is read: position 0 acts first on every street."""
    return _short(draw, replace(_either(draw), first=(0, 0, 0, 0)))


KINDS: Mapping[str, Callable[[Random], Variant]] = {
    "limit": _usual,
    "no-limit": _no_limit,
    "limit, short stacks": lambda draw: _short(draw, _usual(draw)),
    "no-limit, short stacks": lambda draw: _short(draw, _no_limit(draw)),
    "equal antes": _equal_antes,
    "unequal antes": _unequal_antes,
    "straddle": _straddle,
    "any blinds": _any_blinds,
    "no first player": _no_first_player,
    "any game file": game_file,
}
"""What draws a game of a kind."""


def random_game(kind: str, seed: str) -> Variant:
    """A game of a kind of ``KINDS``."""
    return KINDS[kind](Random(f"{kind} {seed}"))
