"""Random small spots, from one ``numpy`` generator."""

import numpy as np

from baycarp.card import text
from baycarp.ranges import Range
from baycarp.solvers.spots.spot import Spot

SIZES = ("60%", "33%, 100%", "e", "a", "50c, a", "2e, 150%", "")
RAISES = ("", "2.5x", "a", "60%", "3x, a")


def random_spot(rng, cards=None, holdings=6):
    """A river or turn spot of a few weighted holdings each; some have rake, some begin after a bet."""
    cards = cards or int(rng.choice([5] * 7 + [4]))
    holdings = holdings if cards == 5 else 3
    while True:
        board = rng.choice(52, cards, replace=False)
        ranges = []
        for _ in range(2):
            weights = np.zeros(1326)
            weights[rng.choice(1326, int(rng.integers(2, holdings + 1)), replace=False)] = rng.uniform(0.1, 1)
            ranges.append(Range(weights * rng.uniform(0.2, 1, 1326)))
        pot = float(rng.choice([2, 10, 37.5, 200]))
        stack = pot * float(rng.choice([0.3, 1, 3, 8]))
        settings = {
            "sizes": str(rng.choice(SIZES)),
            "raises": str(rng.choice(RAISES)),
            "rake": float(rng.choice([0, 0, 0.05])),
            "cap": float(rng.choice([0.1, 1])) * pot,
        }
        if rng.random() < 0.2:
            settings["line"] = str(rng.choice(["check", f"bet {pot / 4}", f"check, bet {pot / 5}"]))
        try:
            return Spot(text(board), pot, stack, *ranges, **settings)
        except ValueError:  # ranges that the board empties, or that never meet
            continue


def random_shares(rng, actions, rows):
    """A mixture of actions a row."""
    shares = rng.dirichlet(np.full(actions, 0.7), rows).T
    return shares / shares.sum(axis=0)
