"""Hands replayed act by act: those of a file, of a link, and of the session."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

from baycarp.agents.registry import load_for
from baycarp.arena.recorded import sit_through
from baycarp.errors import NotationError, TableError
from baycarp.game import STREETS, Variant
from baycarp.game.notation import door
from baycarp.game.notation.acpc import format_state, parse_state
from baycarp.game.notation.hand import Hand, Refusal, replay, states
from baycarp.game.seats import seat_names
from baycarp.web.frames import Frame, frame, holdings, payoffs_of, settle
from baycarp.web.panels import decide

__all__ = ["MOST", "PAGE", "advice", "parse", "read", "steps", "summaries"]

MOST = 2000
"""Hands of a file that are read."""

PAGE = 200
"""Hands of which the page gets a line each at a time."""

BEFORE = 50
"""Earlier hands of the log that an adviser observes before it decides."""


def read(path: Path, game: str | None = None, refusal: Refusal | None = None) -> list[Hand]:
    """The first hands of a log of any format; ``game`` is that of an ACPC log.

    Raises
    ------
    NotationError
        No hand, or without ``refusal`` one that cannot be read.
    """
    hands = list(islice(door.read(path, refusal, game), MOST))
    if not hands:
        raise NotationError(f"{path}: expected at least one hand")
    return hands


def parse(line: str, game: str) -> Hand:
    """The hand of a link: a line of an ACPC log, by the rules of a shipped game.

    Raises
    ------
    NotationError, VariantError
        Another text, or no such game.
    """
    if not all(letter.isalnum() or letter in "._" for letter in game):
        raise NotationError(f"game {game[:40]!r}: expected the name of a shipped game")
    return parse_state(line, Variant.load(game))


def steps(hand: Hand) -> Frame:
    """Every state of a recorded hand, with the cards of the record, and its line.

    Raises
    ------
    NotationError
        A hand that the rules forbid.
    """
    frames, final = [], None
    for final in states(hand):
        record = frame(final.observe(None, hand.players))
        for position, player in enumerate(record["players"]):
            player |= holdings(final.observe(position))[position]
        frames.append(record)
    assert final is not None
    if hand.payoffs:
        frames[-1] = settle(frames[-1], hand.payoffs)
    try:
        line = format_state(hand)
    except NotationError:
        line = ""
    return {"id": str(hand.id), "game": hand.variant.name, "frames": frames, "line": line}


def summaries(hands: list[Hand]) -> list[Frame]:
    """Hands as a list shows them: what each player won and where, the pot, and how far the hand went.

    Amounts are big blinds. A hand that the rules forbid, or whose cards are not all known, has no results.
    """
    return [_summary(hand) for hand in hands]


def _summary(hand: Hand) -> Frame:
    unit, seats = hand.variant.big_blind, seat_names(hand.variant)
    found: Frame = {"id": str(hand.id), "players": hand.players or seats, "seats": seats}
    try:
        final = replay(hand)
        payoffs = list(hand.payoffs) if hand.payoffs else payoffs_of(final)
    except NotationError:
        return found | {"street": "", "pot": None, "won": None}
    won = payoffs and [round(chips / unit, 2) for chips in payoffs]
    return found | {"street": STREETS[final.street], "pot": round(final.pot / unit, 2), "won": won}


def advice(hands: list[Hand], number: int, act: int, adviser: str) -> Frame:
    """An adviser's decision in place of a player of a recorded hand, from what that player observed.

    Parameters
    ----------
    hands
        Of the log.
    number, act
        Of the hand and of its action, from 0. The adviser observes up to ``BEFORE`` hands of the log first.
    adviser
        Specification of the agent.

    Raises
    ------
    TableError
        No such action, or the adviser does not play the game.
    CardError
        The player's cards are not recorded.
    """
    if not (0 <= number < len(hands) and 0 <= act < len(hands[number].actions)):
        raise TableError(f"hand {number}, act {act}: no decision to open")
    hand = hands[number]
    state = next(islice(states(hand), act, None))
    assert state.to_act is not None
    observation = state.observe(state.to_act, hand.players, number)
    agent = load_for(observation.variant, adviser)
    agent.plays.verify_turn(observation)
    fitting = [each for each in hands[max(0, number - BEFORE) : number] if each.players]
    sit_through(agent, [*fitting, hand], observation, decides=False)
    panel = replace(decide(agent, observation), taken=hand.actions[act], agent=adviser)
    return panel.to_dict(advice=True) | {"hand": number, "act": act}
