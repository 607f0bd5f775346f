"""The public features of ``rules.features`` from a state, by their definitions."""

from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np

from baycarp.game.state import SHOWN
from baycarp.rules.betting.sizes import KLEIJ, bets, hard
from baycarp.rules.features import NAMES

_CODE = {"check": 1, "call": 2, "bet": 3, "raise": 3 + len(KLEIJ.letters)}
_CATEGORY = {"check": 1, "call": 2, "bet": 3, "raise": 4}


def features(state):
    """The features of the player to act; hole cards are not used."""
    seat = state.to_act
    found = _players(state, seat) | _own(state, seat) | _betting(state, seat) | _board(state)
    if state.owed:
        found |= _price(state, seat)
    return np.array([float(found.get(name, 0.0)) for name in NAMES])


def _order(variant, seat):
    """The place of a position in the order of play after the flop."""
    return (seat - variant.first[1]) % variant.seats


def _raises(acts):
    return [act for act in acts if act.action.name in ("bet", "raise")]


def _players(state, seat):
    others = [other for other in state.seats_in if other != seat]
    after = sum(_order(state.variant, other) > _order(state.variant, seat) for other in others)
    acted = {act.seat for act in state.acts if act.street == state.street}
    level = state.bets[seat] + _full_price(state, seat)
    left = [o for o in others if state.stacks[o] and (state.bets[o] < level or o not in acted)]
    big = state.variant.big_blind
    return {
        "ActivePlayers": len(others) + 1,
        "ActiveToTotalPlayersRatio": (len(others) + 1) / state.variant.seats,
        "OffTheButton": after,
        "InPositionVersusActivePlayers": not after,
        "PlayersLeftToAct": len(left),
        "EffectiveStackVersusActivePlayers": max(min(state.stacks[seat], state.stacks[o]) for o in others)
        / big,
        "PotSize": state.pot / big,
        "StackSize": state.stacks[seat] / big,
    }


def _full_price(state, seat):
    """The chips from a player's bet up to the bet to match: the big blind, or the last bet or raise."""
    raised = _raises([act for act in state.acts if act.street == state.street])
    level = raised[-1].action.amount if raised else (0 if state.street else state.variant.big_blind)
    return level - state.bets[seat]


def _own(state, seat):
    acts = [act for act in state.acts if act.seat == seat]
    found = {f"WasAggressor{name}": False for name in ("Preflop", "Flop", "Turn")[: state.street]}
    for street, name in enumerate(found):
        raised = _raises([act for act in state.acts if act.street == street])
        found[name] = bool(raised) and raised[-1].seat == seat
    if not acts:
        return dict(found)
    name = acts[-1].action.name
    code = _CODE[name]
    if name in ("bet", "raise") and state.variant.betting == "no-limit":
        act, legal = [each for each in bets(state) if each[0].seat == seat][-1]
        code += KLEIJ.letters.index(next(iter(KLEIJ.shares(legal.proportion(act.action), legal, hard))))
    return {**found, "OwnPreviousAction": code, "OwnPreviousActionCategory": _CATEGORY[name]}


def _betting(state, seat):
    found: dict[str, float] = {}
    for street, name in enumerate(("Preflop", "Flop", "Turn", "River")[: state.street + 1]):
        counts = Counter(act.action.name for act in state.acts if act.street == street)
        aggressive = counts["bet"] + counts["raise"]
        found[f"NumberOfBets{name}"] = aggressive
        found[f"AggressiveToPassiveRatio{name}"] = aggressive / max(counts["check"] + counts["call"], 1)
    since: list[str] = []
    for act in state.acts:
        if act.street == state.street:
            since = [] if act.action.name in ("bet", "raise") else [*since, act.action.name]
    return {**found, "CallersSinceLastRaise": since.count("call"), "PlayersActed": len(since)}


def _price(state, seat):
    raised = _raises([act for act in state.acts if act.street == state.street])
    blinds = state.variant.blinds
    largest = max(position for position, blind in enumerate(blinds) if blind == max(blinds))
    aggressor = raised[-1].seat if raised else largest
    owed, effective = state.owed, min(state.stacks[seat], state.stacks[aggressor])
    big = state.variant.big_blind
    return {
        "AllInWithCall": owed >= state.stacks[seat],
        "AmountToCall": owed / big,
        "PotOdds": owed / (owed + state.pot),
        "ImpliedOddsVersusAggressor": owed / (owed + state.pot + effective),
        "EffectiveStackVersusAggressor": effective / big,
        "InPositionVersusAggressor": _order(state.variant, seat) > _order(state.variant, aggressor),
    }


def _board(state):
    board = state.board
    if not board:
        return {}
    ranks = [card // 4 for card in board]
    found: dict[str, float] = {
        "AverageRank": sum(ranks) / len(ranks),
        "MaxCardsOfSameRank": max(Counter(ranks).values()),
        "NumberOfDifferentHighCards": len({rank for rank in ranks if rank >= 9}),
    }
    for shown, name in zip(SHOWN[1:], ("Flop", "Turn", "River"), strict=True):
        if shown <= len(board):
            found[f"HighestCardOnBoard{name}"] = max(ranks[:shown])
            found[f"MaxCardsFromSameSuit{name}"] = max(Counter(card % 4 for card in board[:shown]).values())
            found[f"StraightPossibilities{name}"] = _straights(board[:shown])
    return found


@lru_cache(maxsize=1024)
def _straights(board):
    holdings = list(combinations(sorted(set(range(52)) - set(board)), 2))
    rows = [{12, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]
    shown = {card // 4 for card in board}
    made = sum(any(row <= shown | {a // 4, b // 4} for row in rows) for a, b in holdings)
    return made / len(holdings)
