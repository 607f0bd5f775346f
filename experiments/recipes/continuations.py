"""Make ``data/models/continuations.npz``: what own later moves win, which look-aheads begin with.

    python -m experiments.recipes.continuations src/baycarp/data/models/continuations.npz

Hands are played at tables of several sizes. At some decisions of each street a look-ahead against unknown
opponents is made, which begins with what the earlier ones have learned.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from baycarp.agents.registry import load_for
from baycarp.agents.value.continuations import MOVES, save_continuations
from baycarp.agents.value.lookahead import LookAhead
from baycarp.game import Observation, State, Variant
from baycarp.kernels.lookahead import Continuations, Learned
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.moves.players import load_players
from baycarp.opponents.moves.reading import Reader

__all__ = ["learn", "main"]

SEATS = (2, 3, 6, 9)

TABLES = {
    "limit": ("formula", [Variant.ring(seats) for seats in SEATS]),
    "no-limit": ("sizer", [Variant.load(f"holdem.nolimit.{seats}p.100bb") for seats in SEATS]),
}
"""Players and games by betting."""

PLAYOUTS = 1000
"""Of a look-ahead."""


def learn(betting: str, decisions: int, seed: int = 0) -> Learned:
    """What look-aheads learn at a number of decisions, in turn of every game and street."""
    spec, games = TABLES[betting]
    model = PlayerModels(load_styles()) if betting == "limit" else Reader(load_players())
    turns = [
        _decisions(game, spec, street, seed + place)
        for street in range(4)
        for place, game in enumerate(games)
    ]
    learned = Learned(
        np.empty(0, np.int64), np.empty((0, MOVES), np.float32), np.empty((0, MOVES), np.uint32)
    )
    for number in range(decisions):
        observation, known = next(turns[number % len(turns)]), Continuations(*learned)
        search = LookAhead(observation, model, seed + number, known=known)
        search.run(PLAYOUTS)
        learned = search.learned()
    return learned


def _decisions(game: Variant, spec: str, street: int, seed: int) -> Iterator[Observation]:
    """One decision of a street, drawn from each hand that has one."""
    rng = np.random.default_rng(seed)
    agents = [load_for(game, spec) for _ in range(game.seats)]
    players = tuple(f"p{seat}" for seat in range(game.seats))
    for seat, agent in enumerate(agents):
        agent.sit(seat, game, seed)
    hand = 0
    while True:
        state = State(game, deck=rng.permutation(52)[: 2 * game.seats + 5].tolist())
        seen = []
        while state.to_act is not None and state.street <= street:
            observation = state.observe(state.to_act, players, hand)
            if state.street == street:
                seen.append(observation)
            state.apply(agents[state.to_act].decide(observation).action)
        hand += 1
        if seen:
            yield seen[rng.integers(len(seen))]


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--decisions", type=int, default=1600, help="by betting")
    given = parser.parse_args(argv)
    command = f"python -m experiments.recipes.continuations {given.file.name} --decisions {given.decisions}"
    save_continuations({betting: learn(betting, given.decisions) for betting in TABLES}, given.file, command)


if __name__ == "__main__":
    main()
