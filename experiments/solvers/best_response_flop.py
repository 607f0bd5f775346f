"""Processor time of an exact best response on one flop, and that of all flops by projection.

    python experiments/solvers/best_response_flop.py AGENT...

Both positions, every turn and river of a flop without pairs or suits in common; an agent answers as a table.
"""

import sys
from time import process_time

from baycarp.responses.run import prepared, value_flop

from baycarp.card import as_cards, text
from baycarp.responses.suits import fixing, next_cards
from baycarp.solvers.buckets.boards import canonical_boards

GAME = "holdem.limit.2p.reverse_blinds"
FLOP = tuple(as_cards("Qs7d2c").tolist())


def boards(flop: tuple[int, ...]) -> int:
    """Boards of five cards of a flop, dealt in order, that differ by more than suits."""
    rest = [card for card in range(52) if card not in flop]
    return sum(
        len(next_cards([card for card in rest if card != turn.card], fixing(flop, [turn.card])))
        for turn in next_cards(rest, fixing(flop))
    )


def main(agents: list[str]) -> None:
    """Print a line for each agent."""
    some, every = boards(FLOP), sum(boards(tuple(flop)) for flop in canonical_boards(3).tolist())
    print(f"{text(FLOP)}: {some:,} of {every:,} boards")
    for agent in agents:
        prepared(agent, GAME)
        began = process_time()
        value_flop(agent, GAME, FLOP)
        seconds = process_time() - began
        print(f"{agent}: {seconds:.1f} s, {seconds * every / some / 3600:.1f} h for all flops", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
