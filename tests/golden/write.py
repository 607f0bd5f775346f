"""Whole hands as text, as OpenSpiel keeps its playthroughs, and the signature beside them.

    PYTHONPATH=tests python -m golden.write

writes the hands anew; ``python -m experiments signature > tests/golden/signature.txt`` the
signature. A commit that
changes one of these files says what has changed in play, and why.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.game.action import ACTIONS
from baycarp.game.notation.acpc import format_matchstate
from baycarp.game.pots import pots
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal
from experiments.signature.figures import by_kind

FOLDER = Path(__file__).parent
BUDGET = Budget(playouts=120)


@dataclass(frozen=True)
class Session:
    """Some hands in a row: the game, an agent a seat, the seed of decks and draws."""

    game: Variant
    specs: tuple[str, ...]
    hands: int
    seed: int = 14


SESSIONS = {
    "limit-2p": Session(Variant.load("holdem.limit.2p.reverse_blinds"), ("baycarp", "responder"), 6),
    "limit-6p": Session(
        Variant.load("holdem.limit.6p"), ("baycarp1", "karma", "baycarp2", "rule", "absinthe", "network"), 3
    ),
    "no-limit-3p": Session(
        Variant.ring(3, 100, betting="no-limit", stacks=(450, 2_000, 900)), ("raise", "call", "raise"), 2
    ),
}


def playthrough(session):
    """A session as text: states, legal actions, what the seat to act sees, its choice; the payoffs."""
    game, seats = session.game, session.game.seats
    agents = [load(spec) for spec in session.specs]
    for seat, agent in enumerate(agents):
        agent.sit(seat, game, session.seed + seat)
    lines = [f"game: {game.name}", f"agents: {', '.join(session.specs)}"]
    for hand in range(session.hands):
        order = [(hand + 1 + position) % seats for position in range(seats)]
        names = tuple(session.specs[seat] for seat in order)
        lines += ["", f"# hand {hand}", f"positions: {', '.join(names)}"]
        turns = partial(_turn, lines, names, hand)
        deck = deal(session.seed, 0, hand, 2 * seats + 5)
        over = play_hand(State(game, deck=deck), [agents[seat] for seat in order], names, hand, BUDGET, turns)
        lines += ["", *_state(over), f"payoffs: {' '.join(map(str, over.payoffs()))}"]
    return "".join(f"{line}\n" for line in lines)


def _turn(lines, names, hand, state, decision):
    seat = state.to_act
    policy = zip(ACTIONS, by_kind(decision.policy), strict=True)
    lines += [
        "",
        *_state(state),
        f"to act: {seat}, {names[seat]}",
        f"legal: {', '.join(map(str, state.legal_actions()))}",
        f"observation: {format_matchstate(state.observe(seat, names, hand))}",
        f"policy: {', '.join(f'{kind} {share:.6f}' for kind, share in policy if share)}",
        f"action: {decision.action}",
    ]


def _state(state):
    layers = "; ".join(f"{pot.chips} for {' '.join(map(str, pot.contenders))}" for pot in pots(state))
    return [f"state: {state}", f"pots: {layers}"]


def main():
    """Write every session's hands."""
    for name, session in SESSIONS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(session), "utf-8")


if __name__ == "__main__":
    main()
