"""Train a responder: watch a player heads-up, cards and all, and fit its actions by its holdings."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from baycarp.game.notation.hand import Hand
from baycarp.opponents.actions import ActionModel
from baycarp.opponents.styles import Styles, save_styles
from baycarp.train.actions import fit
from baycarp.train.cells import hand_rows, stack

__all__ = ["respond"]


def respond(hands: Iterable[Hand], player: str, path: Path, command: str) -> ActionModel:
    """Fit the model of a player to hands with all cards, and keep it for ``agents.responder``.

    Parameters
    ----------
    hands
        Finished, of two players.
    player
        The player of the acts.
    path
        Where the model goes.
    command
        What made it, for the file.
    """
    rows = stack(row for row in hand_rows(hands) if row.player == player and row.holding >= 0)
    model = fit(rows, np.ones(len(rows), np.bool_), rounds=1, stay=0.0).model
    save_styles(Styles((model,), (1.0,)), path, command)
    return model
