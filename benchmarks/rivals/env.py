"""Environments beside a loop over OpenSpiel's ``universal_poker``: the same game, choices and opponent."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from typing import Any

from baycarp.env.spiel import game_text
from baycarp.game import Variant
from benchmarks.parts.clock import medians
from benchmarks.parts.env import BATCH, GAME, STEPS, together
from benchmarks.parts.goal import Goal, at_least

TIMES = 1.4
"""Times as many decisions a second, at least."""

ROUND = 2_000
"""Decisions of OpenSpiel's that are timed at once."""


def goals() -> Iterator[Goal]:
    """Time both in turn."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return
    game = pyspiel.load_game(game_text(Variant.load(GAME), "fcpa"))
    ours, theirs = medians(together(), lambda: _decide(game, ROUND), rounds=5)
    ours, theirs = ours / (BATCH * STEPS), theirs / ROUND
    yield Goal("a loop over OpenSpiel", 1 / theirs, "decisions/s")
    yield at_least("hands together", TIMES, theirs / ours, f"times OpenSpiel {version('open_spiel')}")


def _decide(game: Any, decisions: int) -> None:
    """Decisions of player 0 against a caller: observation, mask, a draw from it; hand after hand."""
    rng, state = random.Random(1), game.new_initial_state()
    while decisions:
        if state.is_terminal():
            state.returns()
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        elif state.current_player() == 1:
            state.apply_action(1)
        else:
            state.observation_tensor(0)
            mask = state.legal_actions_mask()
            state.apply_action(rng.choice([number for number, legal in enumerate(mask) if legal]))
            decisions -= 1
