"""Random games, stacks and players for the tests of the rules; everything from one ``random.Random``."""

from dataclasses import replace

from baycarp.game import Action, Variant


def random_game(rng, seats=None, betting=None, antes=True, caps=None):
    """A game of any kind, with small numbers so that stacks are often short and pots often odd."""
    seats = seats or rng.choice((2, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    betting = betting or rng.choice(("limit", "no-limit"))
    big = rng.choice((2, 3, 10))
    blinds = (big // 2, big) + (0,) * (seats - 2)
    ante = [0] * seats
    kind = rng.choice(("none", "none", "equal", "big blind", "any")) if antes else "none"
    if kind == "equal":
        ante = [rng.randint(1, big)] * seats
    elif kind == "big blind":
        ante[0 if seats == 2 else 1] = big
    elif kind == "any":
        ante = [rng.randint(0, big) for _ in range(seats)]
    limit = betting == "limit"
    return Variant(
        name=f"{betting} {seats}p, antes {kind}",
        betting=betting,
        seats=seats,
        blinds=blinds[::-1] if seats == 2 else blinds,
        antes=tuple(ante),
        stacks=None,
        raise_sizes=(big, big, 2 * big, 2 * big) if limit else (),
        max_raises=caps or rng.choice(((3, 4, 4, 4), (None,) * 4, (1, 2, 3, 0))),
        first=(1 if seats == 2 else 2 % seats, 0, 0, 0),
    )


def game_of_people(rng):
    """The same with a room's posts, straddles, missing blinds, bomb pots and pot-limit."""
    game = random_game(rng)
    big, blinds, first = game.big_blind, list(game.blinds), game.first
    kind = rng.choice(("post", "straddle", "no big blind", "bomb pot", "antes alone"))
    if kind == "post":
        blinds[rng.randrange(game.seats)] = big
    elif kind == "straddle":
        seat = rng.randrange(game.seats)
        blinds[seat] = rng.randint(big, 4 * big)
        first = ((seat + 1) % game.seats, *first[1:])
    elif kind == "no big blind":
        blinds[blinds.index(big)] = 0
    else:
        blinds = [0] * game.seats
        first = (-1 if kind == "bomb pot" else 0, *first[1:])
    betting = "pot-limit" if game.betting == "no-limit" and rng.random() < 0.5 else game.betting
    new = {"blinds": tuple(blinds), "first": first, "least_bet": big, "betting": betting}
    return replace(game, name=f"{game.name}, {kind}", **new)


def random_stacks(rng, game, least=1):
    """Deep, equal, short, or all different; from ``least`` chips on."""
    depth = rng.choice((3, 10, 30, 100)) * game.big_blind
    if rng.random() < 0.3:
        return (max(least, depth),) * game.seats
    return tuple(rng.randint(least, max(least, depth)) for _ in range(game.seats))


def random_action(rng, legal, least, most):
    """One of the legal actions, folds rare; of bets the least, the greatest, or any between."""
    action = rng.choice(legal)
    if action.name == "fold" and rng.random() < 0.6:
        action = rng.choice(legal)
    if action.name in ("bet", "raise") and most > least and rng.random() < 0.5:
        return Action(action.name, min(most, least + int(rng.expovariate(1 / (least + 1)))))
    return action


LIMIT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = {big} {small}
raiseSize = {big} {big} {double} {double}
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def limit_text(big):
    """A game file of heads-up limit, by its big blind."""
    return LIMIT.format(big=big, small=big // 2, double=2 * big)


def limit(big):
    return Variant.parse(limit_text(big), name="limit")
