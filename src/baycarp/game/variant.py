"""A game of hold'em as data: kind of betting, seats, blinds, stacks, limits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Integral
from os import PathLike
from pathlib import Path

from baycarp.errors import VariantError, brief, one_of, reason
from baycarp.files import packaged, packaged_names, read_text
from baycarp.kernels.game import DEEP, Rules

__all__ = ["DEEP", "Variant", "shipped"]

LONGEST = 65536
"""Greatest length of a game file, in characters."""

_KEYS = ("numplayers", "numrounds", "stack", "blind", "raisesize", "firstplayer", "maxraises")
_HOLDEM = {"numrounds": (4,), "numsuits": (4,), "numranks": (13,), "numholecards": (2,)}


@dataclass(frozen=True, slots=True)
class Variant:
    """A game: kind of betting, seats, and what it costs. All amounts are whole chips.

    Position 0 is the first left of the button, ``seats - 1`` the button. Heads-up the button (position 1)
    posts the small blind and acts first pre-flop, so position 0 is the big blind.

    Parameters
    ----------
    name
        The game's name, for messages.
    betting
        ``"limit"``, ``"no-limit"`` or ``"pot-limit"``.
    seats
        2 to 10.
    blinds
        Live chips by position before the cards: the blinds, straddles, and the posts of newcomers and of
        players that missed their blinds. All 0 (with ``least_bet``): a game of antes alone.
    antes
        Chips by position that are no bet. Equal antes are matched like bets; unequal ones (a big-blind or
        button ante, a dead post) are dead money in the main pot.
    stacks
        Chips at the start of a hand by position; None = as deep as needed (fixed limit only).
    raise_sizes
        By street, fixed limit; ``()`` in no-limit.
    max_raises
        Bets and raises allowed by street, the big blind not counted; None = any number.
    first
        The position first to act, by street; -1 pre-flop = no betting there (a bomb pot).
    least_bet
        The big blind, where it is not the largest of ``blinds``: with a straddle, or where nobody posts it.
        0 = the largest blind. Pre-flop all must match the largest blind, and this at least, if anybody
        posts one.

    Raises
    ------
    VariantError
        All contradictions, in one message.

    Examples
    --------
    >>> game = Variant.load("holdem.limit.2p.reverse_blinds")
    >>> game.blinds, game.small_bet, game.big_bet, game.button
    ((10, 5), 10, 20, 1)
    """

    name: str
    betting: str
    seats: int
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    stacks: tuple[int, ...] | None
    raise_sizes: tuple[int, ...]
    max_raises: tuple[int | None, ...]
    first: tuple[int, ...]
    least_bet: int = 0
    rules: Rules = field(init=False, repr=False, compare=False)
    """The same, compiled."""

    def __post_init__(self) -> None:
        if wrong := list(_faults(self)):
            raise VariantError(f"game {self.name!r}: " + "; ".join(wrong))
        bets = self.big_blind, self.raise_sizes, self.max_raises
        rules = Rules(self.betting, self.blinds, self.antes, *bets, self.first)
        object.__setattr__(self, "rules", rules)

    @property
    def button(self) -> int:
        """The button's position."""
        return self.seats - 1

    @property
    def big_blind(self) -> int:
        """The big blind, in chips: ``least_bet``, or else the largest blind."""
        return self.least_bet or max(self.blinds)

    @property
    def small_bet(self) -> int:
        """The unit of "bets": the first street's raise, in no-limit the big blind."""
        return self.raise_sizes[0] if self.raise_sizes else self.big_blind

    @property
    def big_bet(self) -> int:
        """The last street's raise, in no-limit the big blind."""
        return self.raise_sizes[-1] if self.raise_sizes else self.big_blind

    @staticmethod
    def ring(
        seats: int,
        small_bet: int = 2,
        *,
        betting: str = "limit",
        stacks: tuple[int, ...] | None = None,
        ante: int = 0,
        bets: int = 4,
    ) -> "Variant":
        """The usual game: a small blind of half a bet, bets that double on the turn.

        Parameters
        ----------
        seats, betting, stacks
            As of the class.
        small_bet
            Chips of the bet before the turn, in no-limit of the big blind; even.
        ante
            Chips that every seat pays before the cards are dealt.
        bets
            Bets a street, fixed limit, at least 1; the big blind counts as the first one pre-flop. Four is
            usual; Rubin and Watson (2007), section 3, play five (big blind included: our choice).

        Raises
        ------
        VariantError
            A number out of its range.

        Examples
        --------
        >>> Variant.ring(8).blinds
        (1, 2, 0, 0, 0, 0, 0, 0)
        >>> Variant.ring(9, bets=5).max_raises
        (4, 5, 5, 5)
        """
        if not 2 <= seats <= 10:
            raise VariantError(f"seats {brief(seats)}: expected 2 to 10")
        limit = betting == "limit"
        blinds = (small_bet // 2, small_bet) + (0,) * (seats - 2)
        cap = f".{bets}bets" if limit and bets != 4 else ""
        return Variant(
            name=f"holdem.{betting.replace('-', '')}.{seats}p{cap}",
            betting=betting,
            seats=seats,
            blinds=blinds[::-1] if seats == 2 else blinds,
            antes=(ante,) * seats,
            stacks=stacks,
            raise_sizes=(small_bet, small_bet, 2 * small_bet, 2 * small_bet) if limit else (),
            max_raises=(bets - 1, bets, bets, bets) if limit else (None,) * 4,
            first=(1 if seats == 2 else 2 % seats, 0, 0, 0),
        )

    @staticmethod
    def load(name: str | Path) -> "Variant":
        """A game that ships with the package, by its name, or any ACPC game file, by its path.

        ``holdem.limit.2p`` is ``Variant.ring(2)``.

        Raises
        ------
        VariantError
            No such game, or its rules contradict themselves.
        TypeError
            Neither a name nor a path.
        """
        if not isinstance(name, str | PathLike):
            raise TypeError(f"game: expected a name or a path, got {brief(name)}")
        return _load(str(name))

    @staticmethod
    def parse(text: str, name: str = "holdem") -> "Variant":
        """Read an ACPC game file: ``keyword = values`` lines between ``GAMEDEF`` and ``END GAMEDEF``.

        Without ``firstPlayer`` the first position left of the button opens every street, and without
        ``maxRaises`` raises are not capped, as in the competition's own reader (``readGame`` of
        ``project_acpc_server/game.c``). That reader refuses a blind greater than its player's stack; here
        it puts the player all-in.

        Raises
        ------
        VariantError
            A line that is not understood, a game that is not hold'em, or rules that contradict themselves.
        """
        return _parse(text, name)


def shipped() -> dict[str, str]:
    """The game files that come with the package: name -> text."""
    games = packaged_names("data", "games")
    return {name.removesuffix(".game"): packaged("data", "games", name).decode() for name in games}


@lru_cache(maxsize=64)
def _load(name: str) -> Variant:
    games, heads_up = shipped(), Variant.ring(2)
    if name == heads_up.name:  # of a match of two where no game is named
        return heads_up
    if name in games:
        return _parse(games[name], name)
    path = Path(name)
    try:
        if path.is_file():
            text = read_text(path, LONGEST, errors="replace")
            return _parse(text, path.name.removesuffix(".game"))
    except VariantError as error:
        raise VariantError(f"{path}: {error}") from error
    except (OSError, ValueError) as error:
        raise VariantError(f"game {name[:80]!r}: {reason(error)}") from error
    raise VariantError(f"game {brief(name, 90)}: {one_of(name, games)} (or a .game file)")


def _parse(text: str, name: str) -> Variant:
    if len(text) > LONGEST:
        raise VariantError(f"game {name!r}: expected at most {LONGEST} characters")
    betting, settings = None, {}
    lines = [line for line in (raw.split("#")[0].strip() for raw in text.splitlines()) if line]
    if not lines or lines[0].upper() != "GAMEDEF" or lines[-1].upper() != "END GAMEDEF":
        raise VariantError(f"game {name!r}: expected lines between GAMEDEF and END GAMEDEF")
    for line in lines[1:-1]:
        if line.lower() in ("limit", "nolimit"):
            betting = {"limit": "limit", "nolimit": "no-limit"}[line.lower()]
        elif match := re.fullmatch(r"(\w+)\s*=\s*([0-9]{1,12}(?:\s+[0-9]{1,12})*)", line):
            settings[match[1].lower()] = tuple(int(word) for word in match[2].split())
        else:
            raise VariantError(f"game {name!r}: line {line!r}: expected 'keyword = whole numbers'")
    return _from_file(name, betting, settings)


def _from_file(name: str, betting: str | None, settings: dict[str, tuple[int, ...]]) -> Variant:
    known = {*_KEYS, *_HOLDEM, "numboardcards"}
    for key in settings.keys() - known:
        raise VariantError(f"game {name!r}: keyword {key!r}: expected one of {', '.join(sorted(known))}")
    for key, expected in (_HOLDEM | {"numboardcards": (0, 3, 1, 1)}).items():
        if settings.get(key) != expected:
            raise VariantError(f"game {name!r}: {key} {settings.get(key)}: expected {expected}, hold'em's")
    if betting is None:
        raise VariantError(f"game {name!r}: expected a line 'limit' or 'nolimit'")
    players = settings.get("numplayers")
    if players is None or len(players) != 1:
        raise VariantError(f"game {name!r}: numPlayers {players}: expected one number")
    openers = settings.get("firstplayer", (1,) * 4)
    if 0 in openers:
        raise VariantError(f"game {name!r}: first player {openers}: expected positions from 1 up")
    return Variant(
        name=name,
        betting=betting,
        seats=players[0],
        blinds=settings.get("blind", ()),
        antes=(0,) * min(players[0], 10),
        stacks=settings.get("stack"),
        raise_sizes=settings.get("raisesize", ()) if betting == "limit" else (),
        max_raises=tuple(None if n >= 255 else n for n in settings.get("maxraises", (255,) * 4)),
        first=tuple(n - 1 for n in openers),
    )


def _faults(game: Variant) -> list[str]:
    wrong = []
    seats = game.seats
    if game.betting not in ("limit", "no-limit", "pot-limit"):
        wrong.append(f"betting {brief(game.betting)}: expected 'limit', 'no-limit' or 'pot-limit'")
    if not 2 <= seats <= 10:
        return [*wrong, f"seats {brief(seats)}: expected 2 to 10"]
    chips = {"blinds": game.blinds, "antes": game.antes, "stacks": game.stacks or (1,) * seats}
    for what, amounts in chips.items():
        least = int(what == "stacks")
        if len(amounts) != seats or not _within(amounts, least, DEEP):
            wrong.append(f"{what} {brief(amounts)}: expected {seats} amounts from {least} to {DEEP} chips")
    if not any(game.blinds) and not game.least_bet:
        wrong.append(f"blinds {brief(game.blinds)}: expected a big blind")
    if not _within((game.least_bet,), 0, DEEP):
        wrong.append(f"least_bet {brief(game.least_bet)}: expected 0 to {DEEP} chips")
    streets = 4 if game.betting == "limit" else 0
    if len(game.raise_sizes) != streets or not _within(game.raise_sizes, 1, DEEP):
        wrong.append(f"raise_sizes {brief(game.raise_sizes)}: expected {streets} amounts of at least 1 chip")
    if len(game.max_raises) != 4 or not _within([n or 0 for n in game.max_raises], 0, 254):
        wrong.append(f"max_raises {brief(game.max_raises)}: expected 4 numbers below 255, or None")
    opener = _within(game.first[:1], -1, seats - 1)
    if len(game.first) != 4 or not opener or not _within(game.first[1:], 0, seats - 1):
        wrong.append(f"first {brief(game.first)}: expected 4 positions below {seats}")
    elif game.first[0] < 0 and any(game.blinds):
        wrong.append(f"blinds {brief(game.blinds)}: expected none where nobody acts before the flop")
    return wrong


def _within(numbers: Sequence[int], least: int, most: int) -> bool:
    """Whether all are whole numbers of a range."""
    return all(isinstance(n, Integral) and least <= n <= most for n in numbers)
