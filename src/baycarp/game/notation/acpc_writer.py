"""Hands of any source as a log of one game of the ACPC, as far as its notation expresses them."""

from collections.abc import Iterator
from dataclasses import replace

from baycarp.errors import BaycarpError
from baycarp.game.notation.acpc import format_state, parse_state
from baycarp.game.notation.hand import Hand, Refused
from baycarp.game.variant import Variant, shipped

__all__ = ["LogOfOneGame", "game_file"]

AS_DEEP_AS_NEEDED = 10**11
"""Chips of a player where stacks differ; no hand of the log puts it all-in."""


class LogOfOneGame:
    """A log that is written a hand at a time; its game is that of its first hand.

    Parameters
    ----------
    name
        Of the game file that stands beside the log, where the game does not ship.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.game: Variant | None = None

    @property
    def head(self) -> str:
        """The comment that names the game."""
        assert self.game is not None
        return f"# name/game/hands/seed converted {self.game.name}.game 0 0\n"

    def line(self, hand: Hand) -> str:
        """A hand's line.

        Raises
        ------
        Refused
            The log, or any, cannot express the hand: it has posts, antes, other blinds, or a stack that
            matters.
        """
        game = self.game or _game(hand, self.name)
        try:
            line = format_state(replace(hand, variant=game, stacks=None))
            again = parse_state(line, game)
        except BaycarpError as error:
            raise Refused("not for this ACPC log", f"hand {hand.id}: {str(error)[:200]}") from error
        fits = (again.actions, again.holes, again.payoffs) == (hand.actions, hand.holes, hand.payoffs)
        same = _rules(game) == _rules(hand.variant)
        if not same or not (fits or (hand.payoffs is None and again.actions == hand.actions)):
            what = "an all-in, or shown cards that the line cannot hold" if same else hand.variant.name
            raise Refused("not for this ACPC log", f"hand {hand.id}: {what}: expected {game.name}")
        self.game = game
        return line + "\n"


def _rules(game: Variant) -> tuple[object, ...]:
    plain = (game.betting, game.blinds, game.raise_sizes, game.antes, game.first)
    return *plain, game.max_raises, game.big_blind


def _game(hand: Hand, name: str) -> Variant:
    variant, stacks = hand.variant, hand.stacks or hand.variant.stacks
    if variant.betting == "limit":
        stacks = None
    elif stacks is None or len(set(stacks)) > 1:
        stacks = (AS_DEEP_AS_NEEDED,) * variant.seats
    wanted = replace(variant, stacks=stacks)
    for each in map(Variant.load, shipped()):
        if _rules(each) == _rules(wanted) and (each.stacks == stacks or variant.betting == "limit"):
            return each
    if any(variant.antes) or variant.least_bet or min(variant.first) < 0 or variant.betting == "pot-limit":
        reason = "antes, a straddle, a post or pot-limit"
        raise Refused("not for an ACPC log", f"hand {hand.id}: {reason}: a game file has none")
    return replace(wanted, name=name)


def game_file(game: Variant) -> str:
    """The text of a game file, which ``Variant.parse`` reads.

    Examples
    --------
    >>> game = Variant.ring(3)
    >>> Variant.parse(game_file(game), game.name) == game
    True
    """
    return "\n".join(_file_lines(game)) + "\n"


def _file_lines(game: Variant) -> Iterator[str]:
    yield "GAMEDEF"
    yield "limit" if game.betting == "limit" else "nolimit"
    yield f"numPlayers = {game.seats}"
    yield "numRounds = 4"
    rows = {
        "stack": game.stacks,
        "blind": game.blinds,
        "raiseSize": game.raise_sizes,
        "firstPlayer": [position + 1 for position in game.first],
        "maxRaises": [255 if most is None else most for most in game.max_raises],
    }
    for name, numbers in rows.items():
        if numbers:
            yield f"{name} = {' '.join(map(str, numbers))}"
    yield from ("numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1", "END GAMEDEF")
