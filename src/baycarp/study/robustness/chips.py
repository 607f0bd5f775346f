"""Chips are neither made nor lost: random hands of every kind of game.

Their payoffs sum to 0, and are those of a second calculator; other hands are played beside pokerkit.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random

from baycarp.errors import VariantError
from baycarp.game.state import State
from baycarp.kernels.game import random_hands
from baycarp.kernels.hands import rank
from baycarp.study.robustness.clone import from_tests
from baycarp.study.robustness.game_files import KINDS, random_game, random_hand
from baycarp.study.robustness.gate import Result, Share

__all__ = ["beside_pokerkit", "conserve", "pots_agree", "settled"]

HANDS = 1000
"""Compiled hands of one random game."""


def conserve(kind: str, share: Share) -> Result:
    """Compiled hands of one kind of game, whose payoffs must sum to 0; the first fault ends a game."""
    result = Result()
    for number, hands in share.blocks(HANDS):
        seed = f"{share.seed} {number}"
        try:
            random_hands(random_game(kind, seed), hands, Random(seed).getrandbits(63))
            result.done += hands
        except VariantError as error:
            hand = re.search(r"hand (\d+)", str(error))
            result.done += int(hand[1]) + 1 if hand else 1
            result.find("losses", f"game {seed!r}: {error}")
    return result


def pots_agree(share: Share) -> Result:
    """Hands of all kinds of games in turn, played in Python; payoffs must be those of ``settled``."""
    result, kinds = Result(), list(KINDS)
    for number in share:
        kind, seed = kinds[number % len(kinds)], f"{share.seed} {number}"
        state = random_hand(Random(seed), random_game(kind, seed))
        result.done += 1
        result.counts[f"of {kind!r}"] += 1
        ours, expected = state.payoffs(), settled(state)
        if sum(ours):
            result.find("losses", f"{kind}, hand {number}: payoffs {ours}, expected {expected}")
        elif ours != expected:
            result.find("other", f"{kind}, hand {number}: payoffs {ours}, expected {expected}")
    return result


def beside_pokerkit(share: Share) -> Result:
    """A share of hands beside pokerkit; a difference in the rules that the tests do not list is a finding."""
    referee = from_tests("reference.referee")
    result = Result()
    result.counts.update(dict.fromkeys(referee.DIFFERENCES, 0))
    for number in share:
        result.done += 1
        try:
            referee.referee_hand(Random(f"{share.seed} {number}"), result.counts)
        except AssertionError as error:
            result.find("other", f"hand {number}: {str(error).splitlines()[:1]}")
    return result


def settled(state: State) -> tuple[int, ...]:
    """Net chips by position, from the acts alone: layer by layer, odd chips to the first position.

    What was put in above the last layer that a remaining player reached goes to the last pot.
    """
    game = state.variant
    stacks = game.stacks or (1 << 40,) * game.seats
    antes = [min(ante, stack) for ante, stack in zip(game.antes, stacks, strict=True)]
    bets = [min(blind, stack - ante) for blind, stack, ante in zip(game.blinds, stacks, antes, strict=True)]
    folded = set()
    for act in state.acts:
        bets[act.seat] += act.paid
        if act.action.name == "fold":
            folded.add(act.seat)
    players = [seat for seat in range(game.seats) if seat not in folded]
    paid = [ante + bet for ante, bet in zip(antes, bets, strict=True)]
    dead = len(set(game.antes)) > 1
    matched = bets if dead else paid
    pots = [(sum(antes) if dead else 0, players)]
    levels = sorted(set(matched))
    for least, most in zip([0, *levels], levels, strict=False):
        inside = [seat for seat in players if matched[seat] >= most] or pots[-1][1]
        chips = sum(min(bet, most) - min(bet, least) for bet in matched)
        if inside == pots[-1][1]:
            pots[-1] = (pots[-1][0] + chips, inside)
        else:
            pots.append((chips, inside))
    return _divided(paid, pots, state)


def _divided(paid: Sequence[int], pots: Iterable[tuple[int, list[int]]], state: State) -> tuple[int, ...]:
    """Each pot to the best hands of its contenders."""
    net = [-chips for chips in paid]
    for chips, inside in pots:
        ranks = [int(rank(state.holes[seat] + state.board)) if len(inside) > 1 else 0 for seat in inside]
        winners = [seat for seat, held in zip(inside, ranks, strict=True) if held == max(ranks)]
        for seat in winners:
            net[seat] += chips // len(winners)
        net[winners[0]] += chips % len(winners)
    return tuple(net)
