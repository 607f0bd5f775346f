"""The local best response at no-limit, against players whose best responses are known."""

import numpy as np
import pytest

from baycarp.card import blocked_by, holding_index
from baycarp.errors import ModelError
from baycarp.evaluation import equity
from baycarp.game import Variant
from baycarp.kernels.game import deal
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.nolimit.betting import nolimit_betting
from baycarp.solvers.solution import SolvedStrategy, save_solution
from experiments.solvers.local_response_nolimit import lines

GAME = Variant.load("holdem.nolimit.2p.100bb")


def always(letter, path):
    """A player that takes one action wherever it exists, and else calls, or checks."""
    tree, abstraction = nolimit_betting(GAME), parse_buckets("p1,p1,p1", 1)
    rows = []
    for node, street in enumerate(tree.streets):
        known = list(tree.actions(node))
        row = np.array(known) == (letter if letter in known else "c")
        rows.append(np.tile(row, 1 if street else 169))
    policy = np.concatenate(rows).astype(np.float32)
    save_solution(SolvedStrategy.of(tree, abstraction, policy, {}), path)
    return f"equilibriumnl(strategy={str(path)!r})"


def last(found):
    return float([*found][-1].split()[2])


def test_a_player_that_folds_loses_its_blinds(tmp_path):
    """Half a big blind on the button, and one in the big blind after the raise of the responder."""
    assert last(lines(always("f", tmp_path / "folds.npz"), GAME.name, 8)) == 750


def test_from_a_player_that_calls_the_better_hands_win_all(tmp_path):
    """All-in with every hand that is ahead of a random one, and no chip more with the others."""
    expected = []
    for number in range(6):
        deck = np.frombuffer(deal(1, 0, number, 9), np.uint8)
        for position in (0, 1):
            own, random = np.zeros(1326), (~blocked_by(deck[2 * position : 2 * position + 2])).astype(float)
            own[holding_index(*deck[2 * position : 2 * position + 2])] = 1
            shares = [equity(own, random * ~blocked_by(deck[4:end]), deck[4:end]) for end in (4, 7, 8, 9)]
            ahead = [share for share in shares if share > 0.5]
            expected.append(200 * (ahead[0] - 0.5) if ahead else 2 * (shares[-1] - 0.5))
    assert last(lines(always("c", tmp_path / "calls.npz"), GAME.name, 12)) == pytest.approx(
        1000 * np.mean(expected), abs=1
    )


def test_other_agents_are_refused():
    with pytest.raises(ModelError, match="expected equilibriumnl"):
        next(lines("sizer", GAME.name, 10))
