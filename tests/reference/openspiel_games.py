"""Kuhn and Leduc of OpenSpiel beside ours: the two are walked together, and strategies are converted."""

from dataclasses import dataclass
from typing import Any

import pytest

from baycarp.solvers import CHANCE, END

NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker(suit_isomorphism=True)"}
MOVES = {
    "kuhn": {"check": 0, "bet": 1, "fold": 0, "call": 1},
    "leduc": {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2},
}


@dataclass
class Peer:
    """OpenSpiel's game, and (player, our information set) -> the name of it there."""

    pyspiel: Any
    game: Any
    ours: Any
    names: dict

    @classmethod
    def of(cls, tree):
        """The same game there; the test is skipped where OpenSpiel is not installed."""
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        game, pairs = pyspiel.load_game(NAMES[tree.game.name]), set()
        _pair_up(tree.game, tree.game.root(), game.new_initial_state(), pairs)
        names = {(player, ours): theirs for player, ours, theirs in pairs}
        assert len(names) == len(pairs) == len(set(names.values()))  # the same information sets
        keys = {(player, key) for player, side in enumerate(tree.sides) for key in side.informations}
        assert names.keys() == keys
        return cls(pyspiel, game, tree.game, names)

    def policy(self, strategy):
        """Our strategy as a policy there."""
        tables, moves = strategy.tables(), MOVES[self.ours.name]
        return self.pyspiel.TabularPolicy(
            {
                theirs: [(moves[action], chance) for action, chance in tables[player][key].items()]
                for (player, key), theirs in self.names.items()
            }
        )


def _pair_up(ours, state, theirs, pairs):
    """Walk both, verify chance, turns and payoffs, and collect the names of information sets."""
    turn = ours.turn(state)
    if turn == END:
        assert theirs.is_terminal()
        assert theirs.returns() == list(ours.returns(state))
        return
    if turn == CHANCE:
        outcomes = theirs.chance_outcomes()
        assert [chance for _, chance in outcomes] == pytest.approx(ours.probabilities(state))
        moves = [move for move, _ in outcomes]
    else:
        assert theirs.current_player() == turn
        moves = theirs.legal_actions()
        assert [MOVES[ours.name][action] for action in ours.actions(state)] == moves
        pairs.add((turn, ours.information(state), theirs.information_state_string()))
    for number, move in enumerate(moves):
        _pair_up(ours, ours.play(state, number), theirs.child(move), pairs)
