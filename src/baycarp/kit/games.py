"""Random games of every kind that a game file can state, random actions, and random hands.

Everything comes from one ``random.Random``: the same seed gives the same games. Amounts are small, so that
stacks are often shorter than a blind, and pots often odd.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from baycarp.game.action import Action
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["KINDS", "game_file", "random_action", "random_deck", "random_hand"]


def game_file(
    draw: random.Random, betting: str = "", blind: str = "", ante: str = "", opener: float = 0.7
) -> Variant:
    """A game read from a random game file, with random antes, which such a file cannot state.

    Two to ten seats, limit and no-limit; usual blinds, straddles, and blinds of any size in any position;
    blinds and antes that a stack cannot pay; equal, unequal and (limit) missing stacks; ``firstPlayer`` and
    ``maxRaises`` usual, odd or missing.

    Parameters
    ----------
    draw
        Source of the random numbers.
    betting, blind, ante
        Kinds of betting, blinds and antes; empty = random.
    opener
        Probability of a ``firstPlayer``.
    """
    seats, big, limit = draw.randint(2, 10), draw.choice((1, 2, 3, 10)), draw.random() < 0.5
    limit = betting == "limit" if betting else limit
    blinds = _blinds(draw, seats, big, blind)
    settings = {"numPlayers": [seats], "numRounds": [4], "blind": blinds, "numSuits": [4], "numRanks": [13]}
    settings |= {"numHoleCards": [2], "numBoardCards": [0, 3, 1, 1]}
    if limit:
        usual = [big, big, 2 * big, 2 * big]
        settings["raiseSize"] = draw.choice((usual, draw.choices(range(1, 3 * big + 1), k=4)))
    if not limit or draw.random() < 0.7:
        settings["stack"] = _stacks(draw, seats, big)
    if draw.random() < opener:
        usual = [(blinds.index(max(blinds)) + 1) % seats + 1, 1, 1, 1]
        settings["firstPlayer"] = draw.choice((usual, draw.choices(range(1, seats + 1), k=4)))
    if draw.random() < 0.7:
        settings["maxRaises"] = draw.choice(([3, 4, 4, 4], draw.choices((0, 1, 2, 5, 254, 255), k=4)))
    lines = [f"{key} = {' '.join(map(str, values))}" for key, values in settings.items()]
    lines.append("limit" if limit else "nolimit")
    draw.shuffle(lines)
    game = Variant.parse("\n".join(("GAMEDEF", *lines, "END GAMEDEF")), "random")
    return replace(game, antes=_antes(draw, blinds, ante))


def random_action(draw: random.Random, state: State) -> Action:
    """A legal action, folds rare; of no-limit's bets the least, the greatest, or any between them."""
    action = draw.choice(state.legal_actions()[draw.random() < 0.7 and state.owed > 0 :])
    _, least, most, _ = state.bounds()
    if action.name in ("bet", "raise") and draw.random() < 0.5:
        return Action(action.name, min(most, least + int(draw.expovariate(1 / (least + 1)))))
    return action


def random_deck(draw: random.Random, game: Variant) -> list[int]:
    """The cards of a hand: two for each position, and five of the board."""
    return draw.sample(range(52), 2 * game.seats + 5)


def random_hand(draw: random.Random, game: Variant) -> State:
    """The end of a hand with random cards and actions."""
    state = State(game, deck=random_deck(draw, game))
    while not state.is_over:
        state.apply(random_action(draw, state))
    return state


def _blinds(draw: random.Random, seats: int, big: int, kind: str) -> list[int]:
    """Blinds by position, at least one of them above 0."""
    kind = kind or draw.choice(("usual", "straddles", "one", "any"))
    if kind == "one":
        return draw.sample([big] + [0] * (seats - 1), seats)
    if kind == "any":
        return draw.sample([big, *draw.choices(range(2 * big + 1), k=seats - 1)], seats)
    straddles = [big << n for n in range(draw.randint(1, seats - 1) if kind == "straddles" else 1)]
    blinds = [big // 2, *straddles] + [0] * (seats - 1 - len(straddles))
    return blinds[::-1] if seats == 2 else blinds


def _stacks(draw: random.Random, seats: int, big: int) -> list[int]:
    """Equal ones, or any from a single chip on."""
    depth = draw.choice((1, 3, 10, 30, 100)) * big
    return [depth] * seats if draw.random() < 0.3 else [draw.randint(1, depth) for _ in range(seats)]


def _antes(draw: random.Random, blinds: Sequence[int], kind: str) -> tuple[int, ...]:
    """None, equal ones, the big blind's alone, or any."""
    big, kind = max(blinds), kind or draw.choice(("none", "none", "equal", "big blind", "any"))
    if kind == "equal":
        return (draw.randint(1, big),) * len(blinds)
    if kind == "any":
        return tuple(draw.randint(0, big) for _ in blinds)
    return tuple(big * (kind == "big blind" and blind == big) for blind in blinds)


KINDS: Mapping[str, Callable[[random.Random], Variant]] = {
    "limit": partial(game_file, betting="limit", blind="usual", ante="none"),
    "no-limit": partial(game_file, betting="no-limit", blind="usual", ante="none"),
    "equal antes": partial(game_file, ante="equal"),
    "unequal antes": partial(game_file, ante="any"),
    "straddles": partial(game_file, blind="straddles"),
    "any blinds": partial(game_file, blind="any"),
    "no first player": partial(game_file, opener=0),
    "any game file": game_file,
}
"""Generators of the games of a kind, by its name."""
