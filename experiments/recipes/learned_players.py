"""Make ``data/models/mcts-learned.npz``: ``python -m experiments.recipes.learned_players FILE``.

Members of the no-limit population are watched, and of their cards only showdowns are seen. As van der Kleij
(2010, sections 5.4 to 5.6): ten clusters by K-models, buckets of E[HS^2], EM from what showdowns leave over.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from baycarp.arena.workers import Workers
from baycarp.opponents.moves.buckets import SQUARES
from baycarp.opponents.moves.players import save_players
from baycarp.training.hidden_trees import fit_spectated, spectated
from baycarp.training.player_models import SEATS, watched
from baycarp.training.sizers import PROBE, Sizers

__all__ = ["main"]

CLUSTERS = 10
"""Of section 4.5."""


def main(argv: Sequence[str] | None = None) -> None:
    """Watch the population, learn the models, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sessions"), help="where sessions are kept")
    given = parser.parse_args(argv)
    tables = Sizers(SEATS, given.seed, ())
    hands = watched(tables, given.hands, given.folder, Workers(given.workers))
    seen = spectated(hands, without=PROBE, kind=SQUARES)
    fitted = fit_spectated(seen, CLUSTERS, given.seed, start="leftover")
    options = f"--hands {given.hands} --seed {given.seed}"
    command = f"python -m experiments.recipes.learned_players {given.file.name} {options}"
    save_players(fitted.players, given.file, command)
    print(f"log loss by cluster, by one model: {fitted.losses}; growth {fitted.growth}")


if __name__ == "__main__":
    main()
