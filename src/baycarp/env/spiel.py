"""Hold'em here and OpenSpiel's ``universal_poker``: games, hands and actions, both ways.

OpenSpiel plays by the code of the ACPC, whose rules differ from ours at some all-ins. A raise that nobody
can call is a call here; a raise below the least one here is the least; a check that decides nothing is left
out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from baycarp.errors import VariantError, brief
from baycarp.files import parse_json
from baycarp.game import Action, State, Variant
from baycarp.game.notation.acpc import earlier_chips
from baycarp.rules.betting.sizes import FCPA, BetRange, hard

__all__ = ["SpielHand", "action_of", "choose", "game_text", "hand_of", "number_of", "variant_of_game"]

ENDLESS = 1 << 30
"""Chips from which on a stack of OpenSpiel's is without bound; fixed limit has no other there."""

_KEYS = ("numPlayers", "numRounds", "blind", "firstPlayer")
_CARDS = ("numSuits", "numRanks", "numHoleCards", "numBoardCards")


def game_text(variant: Variant, abstraction: str = "fullgame") -> str:
    """The game as OpenSpiel loads it: ``pyspiel.load_game(game_text(...))``.

    Parameters
    ----------
    variant
        Without antes.
    abstraction
        Of no-limit: ``"fullgame"``, any size, or ``"fcpa"``, fold, call, pot, all-in.

    Raises
    ------
    VariantError
        A game with antes, which OpenSpiel does not have.

    Examples
    --------
    >>> game_text(Variant.load("holdem.nolimit.2p.reverse_blinds"), "fcpa")[:65]
    'universal_poker(betting=nolimit,bettingAbstraction=fcpa,numPlayer'
    """
    if any(variant.antes):
        raise VariantError(f"game {variant.name!r}: expected no antes, which universal_poker does not have")
    limit = variant.betting == "limit"
    words: dict[str, object] = {
        "betting": variant.betting.replace("-", ""),
        "bettingAbstraction": "fcpa" if limit else abstraction,
        "numPlayers": variant.seats,
        "numRounds": 4,
        "blind": _row(variant.blinds),
        "stack": _row(variant.stacks or (ENDLESS,) * variant.seats),
        "firstPlayer": _row([seat + 1 for seat in variant.first]),
        "maxRaises": _row([255 if most is None else most for most in variant.max_raises]),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if limit:
        words["raiseSize"] = _row(variant.raise_sizes)
    return f"universal_poker({','.join(f'{name}={word}' for name, word in words.items())})"


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def variant_of_game(game: Any) -> Variant:
    """The rules of a ``universal_poker``, or of the one inside a ``repeated_poker``.

    Raises
    ------
    VariantError
        Another game, or one that is not hold'em.
    """
    name, words = game.get_type().short_name, game.get_parameters()
    if name == "repeated_poker":
        words = words["universal_poker_game_string"]
    elif name != "universal_poker":
        raise VariantError(f"game {brief(name)}: expected universal_poker or repeated_poker")
    limit = words["betting"] == "limit"
    keys = [*_KEYS, *_CARDS, "raiseSize" if limit else "stack", "maxRaises"]
    lines = [f"{key} = {words[key]}" for key in keys if words.get(key)]
    return Variant.parse("\n".join(("GAMEDEF", words["betting"], *lines, "END GAMEDEF")), name)


class SpielHand(NamedTuple):
    """A hand of OpenSpiel: as a state of ours, with every card that was dealt; who sits where; its number.

    ``players`` are theirs by position. The number is 0 outside ``repeated_poker``.
    """

    state: State
    players: tuple[int, ...]
    number: int


def hand_of(state: Any, variant: Variant, previous: bool = False) -> SpielHand:
    """The hand of a state; of ``repeated_poker`` the current one, or the one before it.

    Raises
    ------
    VariantError
        A state of another game.
    """
    record, number, dealer = parse_json(state.to_json()), 0, variant.seats - 1
    if "hand_number" in record:
        number, dealer = record["hand_number"], record["dealer"]
        if previous:
            moved = state.get_game().get_parameters()["rotate_dealer"]
            number, dealer = number - 1, (dealer - moved) % variant.seats
        key = "prev_universal_poker_json" if previous else "current_universal_poker_json"
        record = parse_json(record[key])
    if len(record["blinds"]) != variant.seats:
        raise VariantError(f"a hand of {len(record['blinds'])} players: expected {variant.seats}")
    order = [(dealer + 1 + position) % variant.seats for position in range(variant.seats)]
    blinds, stacks = (tuple(record[key][seat] for seat in order) for key in ("blinds", "starting_stacks"))
    hand = State(replace(variant, blinds=blinds, stacks=None if min(stacks) >= ENDLESS else stacks))
    betting, cards = record["acpc_state"].split("\n")[0].split(":")[2:4]
    holes, *board = cards.split("/")
    dealt = holes.split("|")
    _replay(hand, betting)
    hand.deal({position: dealt[seat] for position, seat in enumerate(order)}, "".join(board))
    return SpielHand(hand, tuple(order), number)


def _replay(hand: State, betting: str) -> None:
    """Apply the betting of an ACPC state."""
    for street in betting.split("/"):
        for act in street.replace("r", " r").replace("c", " c").replace("f", " f").split():
            if hand.to_act is None:
                return  # a check that decides nothing
            raised = 2 if hand.variant.betting == "limit" else int(act[1:] or 0)
            hand.apply(action_of(hand, {"f": 0, "c": 1}.get(act[0], raised)))


def action_of(hand: State, number: int) -> Action:
    """Our action of a number: 0 fold, 1 check or call, else a raise to so many chips over the hand.

    A raise that is none here is a call, a total beyond the bounds is the nearest, and a free fold is a check.
    Fixed limit has one size.
    """
    _, least, most, made = hand.bounds()
    if number > 1 and least:
        return Action("raise" if made else "bet", min(max(number - earlier_chips(hand), least), most))
    if number == 0 and hand.owed:
        return hand.named("fold")
    return hand.named("call" if hand.owed else "check")


def number_of(hand: State, action: Action) -> int:
    """OpenSpiel's number of an action with any size: 0 fold, 1 check or call, else the total over the hand.

    In fixed limit a bet or raise is 2.
    """
    if action.name not in ("bet", "raise"):
        return int(action.name != "fold")
    return 2 if hand.variant.betting == "limit" else action.amount + earlier_chips(hand)


def choose(state: Any, hand: State, action: Action, pots: bool) -> int:
    """The legal number of a state that an action of ours is, or comes nearest to.

    Parameters
    ----------
    state
        OpenSpiel's.
    hand
        The same hand here.
    action
        Ours.
    pots
        Whether 2 is a pot and 3 all-in; the nearer by ratio is taken (Rubin and Watson 2012, equation 3).
    """
    legal: list[int] = state.legal_actions()
    number = number_of(hand, action)
    bets = [each for each in legal if each > 1]
    if number < 2:
        return number if number in legal else 1
    if not bets:
        return 1
    if pots and (span := BetRange.of(hand)):
        number = {"p": 2, "a": 3}[next(iter(FCPA.shares(span.proportion(action), span, hard)))]
    return min(bets, key=lambda each: abs(each - number))
