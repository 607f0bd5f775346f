"""Processor time of an exact best response on one flop, and that of all flops by projection.

    python -m experiments.solvers.best_response_flop AGENT...

Both positions, every turn and river of a flop without pairs or suits in common; an agent answers as a table.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from time import process_time

from baycarp.api.exploit import GAME
from baycarp.card import as_cards, text
from baycarp.responses.bounds import Flop
from baycarp.responses.flops_run import prepared, value_flop
from baycarp.responses.suits import fixing, flops, next_cards

FLOP = tuple(as_cards("Qs7d2c").tolist())


def boards(flop: Flop) -> int:
    """Boards of five cards of a flop, dealt in order, that differ by more than suits."""
    rest = [card for card in range(52) if card not in flop]
    return sum(
        len(next_cards([card for card in rest if card != turn.card], fixing(flop, [turn.card])))
        for turn in next_cards(rest, fixing(flop))
    )


def lines(agents: Sequence[str], flop: Flop, every: Iterable[Flop]) -> Iterator[str]:
    """A line about the boards of a flop and of every flop, and a line about the time of each agent."""
    some, all_boards = boards(flop), sum(map(boards, every))
    yield f"{text(flop)}: {some:,} of {all_boards:,} boards"
    for agent in agents:
        prepared(agent, GAME)
        began = process_time()
        value_flop(agent, GAME, flop)
        seconds = process_time() - began
        yield f"{agent}: {seconds:.1f} s, {seconds * all_boards / some / 3600:.1f} h for all flops"


if __name__ == "__main__":
    for line in lines(sys.argv[1:], FLOP, flops()):
        print(line, flush=True)
