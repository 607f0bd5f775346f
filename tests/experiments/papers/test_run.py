"""Sessions of a measurement outlive an interruption."""

import numpy as np
import pytest

from baycarp.arena.session import Table
from baycarp.game.variant import Variant
from experiments.papers import run as papers_run
from experiments.papers.run import Run, fresh

TABLE = Table(Variant.ring(2), ("one", "other"), ("rule", "random"), 3)


def test_finished_sessions_are_kept_and_not_played_again(tmp_path, monkeypatch):
    played, play = [], papers_run.play_unit

    def interrupted(match, unit, tick):
        if len(played) == 1:
            raise KeyboardInterrupt
        played.append(unit)
        return play(match, unit, tick)

    monkeypatch.setattr(papers_run, "play_unit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fresh(TABLE, 0, (2, 4), Run(folder=tmp_path))
    played.clear()
    found = fresh(TABLE, 0, (2, 4), Run(folder=tmp_path))
    assert played == [(1, 0)]
    monkeypatch.setattr(papers_run, "play_unit", play)
    for one, other in zip(found, fresh(TABLE, 0, (2, 4), Run()), strict=True):
        assert np.array_equal(one.net, other.net)


def test_each_table_has_its_own_sessions(tmp_path):
    others = Table(TABLE.variant, TABLE.players, TABLE.specs[::-1], TABLE.seed)
    for table in (TABLE, others):
        fresh(table, 0, (1, 4), Run(folder=tmp_path))
    assert len(list(tmp_path.glob("*.journal"))) == 2
