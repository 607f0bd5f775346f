"""Strategies on disk: what is written is read; whatever is damaged or of another game is refused."""

import json

import numpy as np
import pytest
from reference.small_games import KUHN, LEDUC, random_strategy

from baycarp.errors import ModelError
from baycarp.solvers import SolvedBy, load_strategy, save_strategy

ORIGIN = SolvedBy("cfr+", 120, 3, 0.25)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "kuhn.npz"
    save_strategy(random_strategy(KUHN, 4), ORIGIN, path)
    return path


def rewritten(path, change):
    """The file with a changed JSON, and its arrays as they are."""
    with np.load(path) as file:
        arrays = dict(file)
    head = json.loads(str(arrays["head"]))
    change(head, arrays)
    arrays["head"] = np.array(json.dumps(head))
    np.savez(path, **arrays)


@pytest.mark.parametrize("tree", [KUHN, LEDUC], ids=lambda tree: tree.game.name)
def test_what_is_written_is_read(tree, tmp_path):
    strategy = random_strategy(tree, 4)
    digest = save_strategy(strategy, ORIGIN, tmp_path / "it.npz")
    read = load_strategy(tmp_path / "it.npz", tree)
    assert read.strategy.tables() == strategy.tables()
    assert (read.origin, read.digest) == (ORIGIN, digest)


def test_the_digest_is_of_the_content(tmp_path):
    def digest(seed, origin):
        return save_strategy(random_strategy(KUHN, seed), origin, tmp_path / "it.npz")

    assert digest(1, ORIGIN) == digest(1, ORIGIN)
    assert len({digest(1, ORIGIN), digest(2, ORIGIN), digest(1, SolvedBy("cfr+", 121, 3, 0.25))}) == 3


def swap(head, arrays):
    arrays["first"] = arrays["second"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            lambda head, arrays: head.update(format="baycarp.network"),
            "expected 'baycarp.small-game-strategy'",
        ),
        (lambda head, arrays: head.update(version=1), "version: 1: expected 2"),
        (lambda head, arrays: head.update(game="leduc"), "game 'leduc', expected 'kuhn'"),
        (lambda head, arrays: head["players"][0].pop(), "players"),
        (lambda head, arrays: head["origin"].update(iterations=10**6), "digest"),
        (lambda head, arrays: head.pop("origin"), "origin"),
        (lambda head, arrays: arrays.pop("second"), "second"),
        (swap, "digest"),
        (lambda head, arrays: arrays.update(first=arrays["first"][:-1]), "shape"),
        (lambda head, arrays: arrays.update(first=arrays["first"] / 2), "expected probabilities"),
        (lambda head, arrays: arrays.update(first=arrays["first"].astype("f4")), "float64"),
    ],
)
def test_other_content_is_refused(path, change, named):
    rewritten(path, change)
    with pytest.raises(ModelError, match=named):
        load_strategy(path, KUHN)


def test_a_strategy_of_another_game_is_refused(path):
    with pytest.raises(ModelError, match="expected 'leduc'"):
        load_strategy(path, LEDUC)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ModelError, match="nothing"):
        load_strategy(tmp_path / "nothing.npz", KUHN)
