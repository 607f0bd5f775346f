"""Strategies of hold'em as files: read as they were written, and refused where they are damaged."""

import json
from dataclasses import replace

import numpy as np
import pytest
from reference.limit_cfr import places

from baycarp.errors import ModelError, VariantError
from baycarp.files import read_arrays, write_arrays
from baycarp.game import Variant
from baycarp.kernels.cfr import Betting
from baycarp.kernels.mccfr import Sampling
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.buckets.boards import canonical_boards
from baycarp.solvers.limit.betting import limit_betting
from baycarp.solvers.solution import SHIPPED_LIMIT, SolvedStrategy, betting_of, load_solution, save_solution

ABSTRACTION = parse_buckets("p3,p2,p4", 1)
GAMES = ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.100bb")
LIMIT = limit_betting(Variant.load(GAMES[0]))


def policy_of(betting):
    """Any policy, by the cells of the game's own kernel."""
    if betting is LIMIT:
        kernel = Betting(betting.streets, ABSTRACTION.counts)
    else:
        kernel = Sampling(betting, ABSTRACTION.counts)
    return kernel.policy(np.random.default_rng(3).random(kernel.cells, np.float32))


@pytest.fixture(params=GAMES, scope="module")
def made(request):
    betting = betting_of(request.param)
    policy = policy_of(betting)
    return SolvedStrategy.of(betting, ABSTRACTION, policy, {"command": "-"}), policy


@pytest.fixture
def path(made, tmp_path):
    path = tmp_path / "solution.npz"
    save_solution(made[0], path)
    return path


def test_probabilities_are_kept_to_a_level(made):
    solution, policy = made
    assert np.abs(solution.policy() - policy).max() <= 1 / 85 + 1e-6


def test_the_cells_of_limit_are_those_of_its_kernel():
    """By its places: street, block, node, action, bucket, lane."""
    solution = SolvedStrategy.of(LIMIT, ABSTRACTION, policy_of(LIMIT), {})
    found, first, streets = places(LIMIT), 0, []
    for street, count in zip(LIMIT.streets, ABSTRACTION.counts, strict=True):
        shape = (len(street.entries), len(street.actors), 3, count, 8)
        streets.append(solution.policy()[first : first + int(np.prod(shape))].reshape(shape))
        first += int(np.prod(shape))
    assert first == len(solution.steps)
    assert len(found) == 8 + 70 + 630 + 5670
    for betting in list(found)[::37]:
        place, table = found[betting], solution.table(betting)
        expected = streets[place.street][place.block, place.node, :, :, place.lane].T
        np.testing.assert_allclose(table, expected, atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=1), 1)
        legal = np.array(LIMIT.streets[place.street].children[place.node]) != -1
        assert not table[:, ~legal].any()


def test_the_cells_of_no_limit_are_those_of_its_kernel():
    """By the rows of the walks."""
    betting = betting_of(GAMES[1])
    solution = SolvedStrategy.of(betting, ABSTRACTION, policy_of(betting), {})
    rows = Sampling(betting, ABSTRACTION.counts).rows
    firsts = np.concatenate([[0], np.cumsum(np.array(ABSTRACTION.counts)[betting.streets])])
    for letters, buckets in (("", 169), ("cc", 3), ("ccccc", 2), ("pcicc", 2)):
        table, node = solution.table(letters), betting.node(letters)
        assert table.shape == (buckets, len(betting.choices(letters)))
        np.testing.assert_allclose(table.sum(axis=1), 1)
        row = rows[firsts[node] + 1]
        np.testing.assert_allclose(table[1], solution.policy()[row : row + table.shape[1]], atol=1e-6)


@pytest.mark.parametrize("betting", ["f", "rrrrr", "cc", "rc/rc/x", "cc/cc/cc/cc/"])
def test_what_is_no_decision_is_refused(betting):
    with pytest.raises(VariantError, match="expected a decision"):
        LIMIT.place(betting)


def test_strategies_are_read_as_they_were_written(made, path):
    again = load_solution(path)
    assert (again.steps == made[0].steps).all()
    assert again.digest == made[0].digest
    assert again.origin == {"command": "-"}
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(ModelError, match="strategy"):
        load_solution(path)
    with pytest.raises(ModelError, match="expected a file of baycarp solve"):
        load_solution(path.parent / "none.npz")


def test_the_flops_of_a_file_are_read_and_those_of_a_stranger_refused(made, path):
    draw = np.random.default_rng(1)
    flops = draw.integers(ABSTRACTION.rules[0].count, size=(1755, 1326)).astype(np.uint16)
    save_solution(replace(made[0], flops=flops), path)
    again = load_solution(path)
    assert (again.flops == flops).all()
    assert again.digest == made[0].digest
    board = tuple(canonical_boards(3)[700])
    assert (again.tables.last(board) == flops[700]).all()
    for bad in (flops[:, :-1], flops.astype(np.int64), flops + np.uint16(ABSTRACTION.rules[0].count)):
        save_solution(replace(made[0], flops=bad), path)
        with pytest.raises(ModelError, match="flops"):
            load_solution(path)


@pytest.mark.parametrize("path", [SHIPPED_LIMIT])
def test_a_shipped_table_holds_what_the_rule_gives(path):
    solution = load_solution(path)
    for row in (3, 1203, 1751):
        form = tuple(canonical_boards(3)[row].tolist())
        own = np.maximum(solution.abstraction.rules[0].assign(form), 0)
        assert (solution.flops[row] == own).all()


@pytest.mark.parametrize(
    "change", [{"version": 1}, {"game": "holdem.nolimit.3p"}, {"abstraction": {}}, {"digest": "0"}]
)
def test_strategies_of_a_stranger_are_refused(path, change):
    arrays = read_arrays(path)
    head = json.loads(str(arrays["head"])) | change
    write_arrays(path, arrays | {"head": np.array(json.dumps(head))})
    with pytest.raises(ModelError, match=r"strateg|solution"):
        load_solution(path)


def test_rows_above_one_are_refused(path):
    arrays = read_arrays(path)
    for steps, reason in (
        (np.full_like(arrays["steps"], 255), "more than 1"),
        (arrays["steps"][1:], "uint8"),
    ):
        write_arrays(path, arrays | {"steps": steps})
        with pytest.raises(ModelError, match=reason):
            load_solution(path)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Variant.ring(3), "expected limit, 2 seats"),
        (Variant.ring(2, betting="no-limit", stacks=(200, 200)), "expected limit, 2 seats"),
        (Variant.ring(2, stacks=(40, 40)), "expected as deep as all bets"),
        (replace(Variant.ring(2), max_raises=(200,) * 4), "ways through the betting, got"),
    ],
)
def test_other_games_have_no_tree(game, reason):
    with pytest.raises(VariantError, match=reason):
        limit_betting(game)


def test_a_head_that_is_nested_too_deeply_is_refused(tmp_path):
    write_arrays(tmp_path / "deep.npz", {"head": np.array("[" * 200_000)})
    with pytest.raises(ModelError, match="nested too deeply"):
        load_solution(tmp_path / "deep.npz")
