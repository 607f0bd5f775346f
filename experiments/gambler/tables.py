"""Tables learned from shown hands (Matthews 2005, section 7), judged on the hands that follow them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baycarp.card import holding_index
from baycarp.errors import ModelError
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.gambler.learning import Experience, learned
from baycarp.opponents.gambler.reading import HandReading, NetworkPlayer
from baycarp.opponents.gambler.reverse import Networks
from experiments.beliefs.gambler import SeatedGambler
from experiments.beliefs.intervals import Figure, mean
from experiments.beliefs.measure import judge_session
from experiments.beliefs.moments import Judged

__all__ = ["TableGain", "observe", "table_gain"]


@dataclass(frozen=True)
class TableGain:
    """Log losses of the true holding on held-out hands, in nats.

    Parameters
    ----------
    shown, hands
        The holdings that were learned from, and the hands that showed them.
    queries
        Held-out decision points with known cards.
    losses
        Of the cards dealt, of our tables, of the tables learned from all; the last two also with the bias and
        the tables of each player, learned as the held-out hands are played.
    gain
        The loss of our tables less that of the learned ones, with its 95 % interval over hands.
    """

    shown: int
    hands: int
    queries: int
    losses: dict[str, float]
    gain: Figure


def observe(experience: Experience, hand: Hand, networks: Networks) -> int:
    """Count the moves of a hand, of all players; return the number of holdings that were shown.

    The moves of players that did not show theirs count with the holding unknown: shown holdings alone are
    those that did not fold.
    """
    state, player = replay(hand), NetworkPlayer(networks)
    reading = HandReading(hand.variant, lambda seat: player)
    reading.follow(state.acts, tuple(state.board))
    shown = [seat for seat in sorted(reading.inside) if hand.holes[seat]] if len(reading.inside) > 1 else []
    held = {seat: holding_index(*hand.holes[seat]) for seat in shown}
    for move in reading.moves:
        experience.add(move, player.bias, held.get(move.act.seat, -1))
    return len(shown)


def table_gain(sessions: Sequence[Sequence[Hand]], wanted: int, judged: int) -> TableGain:
    """Learn from the first ``wanted`` shown holdings of a record, judge on the next ``judged`` sessions.

    Raises
    ------
    ModelError
        A record with too few shown holdings, or without hands after them.
    """
    ours, experience, shown, number = Networks.ours(), Experience(), 0, 0
    left = iter(sessions)
    for session in left:
        for hand in session:
            shown += observe(experience, hand, ours)
            number += 1
        if shown >= wanted:
            break
    held_out = [session for session, _ in zip(left, range(judged), strict=False)]
    if shown < wanted or not held_out:
        raise ModelError(f"{shown:,} shown holdings: expected {wanted:,}, and hands after them")
    tables = learned(ours, experience)
    models = {
        "our tables": SeatedGambler(ours, learning=False),
        "learned": SeatedGambler(tables, learning=False),
        "our tables, by player": SeatedGambler(ours),
        "learned, by player": SeatedGambler(tables),
    }
    found = Judged.joined([judge_session(session, models) for session in held_out])
    losses = {name: found.scores[name]["loss"] for name in models}
    return TableGain(
        shown,
        number,
        len(found.moments),
        {"cards dealt": float(found.deal.mean())}
        | {name: float(np.mean(each)) for name, each in losses.items()},
        mean(losses["our tables"] - losses["learned"], found.moments.hand),
    )
