"""Solutions: what is read from them, locks, files, memory, play."""

import json
import re
import tracemalloc
import xml.etree.ElementTree as ET
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

import baycarp
from baycarp.api.solve_spot import restricted_curve
from baycarp.card import CLASS_OF, CLASSES, HOLDINGS, as_cards, holding_index
from baycarp.errors import ArgumentError, BaycarpError, IllegalAction, ModelError
from baycarp.evaluation import equity
from baycarp.solvers.spots import memory
from baycarp.solvers.spots.equity import holding_equities
from baycarp.solvers.spots.locks import Follow, Lock, RangeFrequency, Restricted
from baycarp.solvers.spots.play import SpotTable
from baycarp.solvers.spots.spot import Spot
from experiments.gates import forge

RIVER = Spot("Td9d6hQc2s", 200, 900, oop="QQ,TT,A9s,87s,AJo,54s", ip="QQ,JJ,99,KTs,J8s,AQs", raises="2.5x")
TURN = Spot("Td9d6hQc", 100, 150, oop="QQ,A9s", ip="JJ,KTs", sizes="50%, a", raises="a")
RAKED = Spot("Td9d6hQc2s", 200, 300, "QQ,54s", "TT", sizes="60%", raises="a", rake=0.05, cap=20)


@pytest.fixture(scope="module")
def river():
    return baycarp.solve(RIVER, target=0.2)


@pytest.fixture(scope="module")
def turn():
    return baycarp.solve(TURN, target=100, iterations=10)


def test_values_are_those_of_every_node(river):
    """EVs of both sum to the pot, at every node; a node's EV is that of its actions by the strategy."""
    for line in ("", "check", "check, bet 60%", "bet 60%", "bet 60%, raise 2.5x"):
        view = river.at(line)
        means = [view.mean(view.ev(player), player) for player in ("oop", "ip")]
        assert sum(means) == pytest.approx(view.pot, abs=1e-4)
        mixed = np.nansum(view.strategy * view.action_ev, axis=0)
        known = ~np.isnan(view.ev(view.player))
        np.testing.assert_allclose(mixed[known], view.ev(view.player)[known], atol=1e-3)
        np.testing.assert_allclose(view.strategy[:, ~np.isnan(view.strategy[0])].sum(axis=0), 1, atol=1e-6)
        shares = [view.mean(view.equity(player), player) for player in ("oop", "ip")]
        assert sum(shares) == pytest.approx(1)
    assert river.values == pytest.approx(tuple(river.at().mean(river.at().ev(p), p) for p in ("oop", "ip")))
    assert river.exploitability <= 0.2


def test_a_fold_has_no_value_from_here_on(river):
    view = river.at("bet 60%")
    held = ~np.isnan(view.action_ev[0])
    assert view.actions[0] == "fold"
    np.testing.assert_allclose(view.action_ev[0, held], 0, atol=1e-6)


def test_ranges_shrink_by_the_strategy(river):
    root, after = river.at(), river.at("bet 60%")
    bet = root.actions.index("bet 120")
    expected = root.range("oop") * np.nan_to_num(root.strategy[bet])
    np.testing.assert_allclose(after.range("oop"), expected, atol=1e-6)
    np.testing.assert_allclose(after.range("ip"), root.range("ip"), atol=1e-6)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc"])
def test_equity_of_a_holding_is_that_of_its_showdowns(board):
    weights = np.random.default_rng(1).uniform(0, 1, 1326) ** 3
    found = holding_equities(weights, as_cards(board).tolist())
    for hole in ("AhAs", "8c7c", "QdQs"):
        index = holding_index(*as_cards(hole))
        assert found[index] == pytest.approx(equity(hole, weights, board), abs=1e-9)
    assert np.isnan(found[holding_index(*as_cards("TdAs"))])


def test_a_view_is_a_table_a_drawing_and_a_file(river, tmp_path):
    view = river.at("check")
    frame = view.to_frame()
    assert len(frame) == len(RIVER.holdings(1))
    assert frame["bet 120"].to_numpy() == pytest.approx([each["bet 120"] for each in view.to_records()])
    drawn = river.draw("check").splitlines()
    assert drawn[0].split() == list("AKQJT98765432")
    river.draw("check", tmp_path / "grid.svg")
    cells = {
        group.find("{*}title").text.split(":")[0]: group.findall("{*}rect")[1:]
        for group in ET.parse(tmp_path / "grid.svg").getroot().findall("{*}g")
    }
    assert set(cells) == set(CLASSES)
    for name in ("JJ", "KTs", "AA"):
        cell = CLASSES.index(name)
        weights = view.range("ip") * (cell == CLASS_OF)
        shares = [np.nansum(row * weights) / max(weights.sum(), 1e-9) for row in view.strategy]
        widths = [float(rect.get("width")) / 45 for rect in cells[name]]
        assert widths == pytest.approx([share for share in shares if share > 0], abs=0.01)
    river.save(tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_text("utf-8").startswith("line,board,player,holding,class,weight")
    with pytest.raises(BaycarpError):
        river.draw("check", tmp_path / "grid.png")


def test_lines_are_played_as_often_as_they_say(river):
    records = river.lines()
    ends = [record for record in records if "player" not in record]
    assert sum(record["chance"] for record in ends) == pytest.approx(1)
    assert {record["line"] for record in ends} == set(river.tree.lines())
    assert json.dumps(river.to_dict())


def test_a_summary_has_every_card(turn):
    records = turn.summary()
    assert len(records) == 48
    assert sum(record["chance"] for record in records) == pytest.approx(1)
    after = turn.at("check, check")
    mean = sum(record["chance"] * record["ev oop"] for record in records)
    assert mean == pytest.approx(after.mean(after.ev("oop"), "oop"), abs=1e-3)
    equities = sum(record["chance"] * record["equity oop"] for record in records)
    assert equities == pytest.approx(after.mean(after.equity("oop"), "oop"), abs=1e-3)
    with pytest.raises(ArgumentError):
        turn.summary("flop")


def test_cards_that_leave_a_player_nothing_are_no_part_of_a_summary():
    solution = baycarp.solve(Spot("Td9d6hQc", 10, 10, "AhKh", "QsQh", sizes="a", raises=""), target=5)
    records = solution.summary()
    assert {record["river"] for record in records}.isdisjoint({"Ah", "Kh", "Qs", "Qh"})
    assert len(records) == 44
    with pytest.raises(ArgumentError, match="leave"):
        solution.at("check, check, Ah")


@pytest.mark.parametrize(
    "line", ["check, check, check", "bet 61%", "2s", "check, check, Td", "check, check, 2s, 3s"]
)
def test_a_line_that_leads_nowhere_is_refused(turn, line):
    with pytest.raises(BaycarpError):
        turn.at(line)


@pytest.mark.parametrize("spot", [RIVER, TURN, RAKED])
def test_a_saved_solution_continues_to_the_same_values(tmp_path, spot):
    one = baycarp.solve(spot, target=0, iterations=20, locks=[Lock("", {"check": 0.3}, "QQ")])
    one.save(tmp_path / "spot.npz")
    other = baycarp.Solution.load(tmp_path / "spot.npz")
    assert (other.iterations, other.exploitability) == (20, one.exploitability)
    assert other.values == one.values
    assert str(other) == str(one)
    one.more(iterations=40)
    other.more(iterations=40)
    assert other.iterations == 40
    assert other.values == one.values
    assert [point.iterations for point in other.points] == [10, 20, 30, 40]


def test_a_tree_of_ones_own_is_saved(tmp_path):
    tree = RIVER.build_tree()
    tree.add("check", "bet 77c")
    tree.remove("bet 60%")
    spot = Spot("Td9d6hQc2s", 200, 900, oop="QQ,54s", ip="TT", raises="2.5x", tree=tree)
    baycarp.solve(spot, iterations=5, target=0).save(tmp_path / "own.npz")
    assert baycarp.Solution.load(tmp_path / "own.npz").tree.lines() == tree.lines()


def test_a_file_that_is_no_solution_is_refused(tmp_path):
    path = tmp_path / "spot.npz"
    with pytest.raises(ModelError):
        baycarp.Solution.load(path)
    np.savez(path, head=np.array("{}"))
    with pytest.raises(ModelError):
        baycarp.Solution.load(path)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda head, arrays: head["spot"].update(line=5), "not a readable"),
        (lambda head, arrays: head["spot"].update(cap=10**400), "not a readable"),
        (lambda head, arrays: head["settings"].update(discount=[]), "not a readable"),
        (lambda head, arrays: head["settings"].update(discount=[1e9, 0, 4, 0]), "discount"),
        (lambda head, arrays: head["settings"].update(discount=[1.5, 0, 2, 4.0]), "discount"),
        (lambda head, arrays: head["settings"].update(discount=[1.5, 0, 2, -1]), "discount"),
        (lambda head, arrays: head["spot"].update(pot="20"), "spot: pot '20': expected "),
        (lambda head, arrays: head["spot"].update(cap="2"), "spot: cap '2': expected 2.0"),
        (
            lambda head, arrays: head["spot"]["thresholds"].update(add=True),
            "thresholds: add True: expected 1.0",
        ),
        (lambda head, arrays: head["points"][-1].update(iterations=4.5), "iterations"),
        (lambda head, arrays: head["points"][-1].update(exploitability=None), "exploitability"),
        (lambda head, arrays: head["points"][-1].update(frequencies="ab"), "frequencies"),
        (lambda head, arrays: arrays["state.sums"].__imul__(-1), r"'state\.sums': .* expected 0 to 11"),
    ],
    ids=[
        "line",
        "cap",
        "discount",
        "power",
        "restart",
        "negative restart",
        "pot",
        "text for a cap",
        "truth",
        "points",
        "exploitability",
        "frequencies",
        "sums",
    ],
)
def test_hostile_content_of_a_solution_is_refused(change, expected, tmp_path):
    path = tmp_path / "spot.npz"
    baycarp.solve(RIVER, iterations=5, target=0).save(path)
    with np.load(path) as saved:
        arrays = dict(saved)
    head = json.loads(arrays["head"].item())
    change(head, arrays)
    np.savez(path, **{**arrays, "head": np.array(json.dumps(head))})
    with pytest.raises(ModelError, match=expected):
        baycarp.Solution.load(path)


@pytest.mark.parametrize(
    "discount",
    [None, 5, (1, 2, 3), (nan, 0, 2, 0), (1, 0, -1, 0), (1e9, 0, 2, 0), (1, 0, 2, 1.5), (10**400, 0, 2, 0)],
)
def test_weights_of_iterations_are_exponents_and_a_restart(discount):
    with pytest.raises(ArgumentError, match="discount"):
        baycarp.solve(RIVER, iterations=5, discount=discount)


@pytest.mark.parametrize("discount", ["cfr+", (inf, -inf, 2, 0), (1.5, 0, 2.5, 4)])
def test_weights_of_iterations_are_kept(discount, tmp_path):
    baycarp.solve(RIVER, iterations=5, target=0, discount=discount).save(tmp_path / "spot.npz")
    again = baycarp.Solution.load(tmp_path / "spot.npz", iterations=9, target=0).more()
    assert again.values == baycarp.solve(RIVER, iterations=9, target=0, discount=discount).values


@pytest.mark.parametrize("tiny", [1e-45, 1e-44, 2e-39])
def test_regrets_with_an_infinite_inverse_go_on_as_equal_shares(tiny, tmp_path):
    """They became NaN; zeros are their exact reference."""
    path, values = tmp_path / "spot.npz", []
    baycarp.solve(RIVER, iterations=5, target=0).save(path)
    with np.load(path) as saved:
        arrays = dict(saved)
    for number in (tiny, 0):
        np.savez(path, **{**arrays, "state.regret": np.full_like(arrays["state.regret"], number)})
        values.append(baycarp.Solution.load(path, iterations=40, target=0).more().values)
    assert np.isfinite(values).all()
    assert values[0] == pytest.approx(values[1], abs=1e-4)


@pytest.fixture
def forged(tmp_path):
    """Writes a good solution with other arrays."""

    def write(**arrays):
        content = forge._read(forge.made("solution of a spot")[0])
        path = tmp_path / "forged.npz"
        path.write_bytes(forge.written(replace(content, arrays={**content.arrays, **arrays})))
        return path

    return write


@pytest.mark.parametrize(
    ("name", "number"),
    [("regret", 3e38), ("regret", -3e38), ("regret", 1e6), ("sums", 3e38), ("sums", 100), ("sums", -0.5)],
)
def test_tables_that_no_solve_can_have_are_refused(name, number, forged):
    own = forge._read(forge.made("solution of a spot")[0]).arrays[f"state.{name}"]
    with pytest.raises(ModelError, match=rf"forged\.npz: .*'state\.{name}': .* expected"):
        baycarp.Solution.load(forged(**{f"state.{name}": np.full_like(own, number)}))


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("state.zzz", (1 << 24,), r"'state\.zzz': expected state\.regret, state\.sums"),
        ("fixed.zzz", (1 << 24,), r"'fixed\.zzz': expected fixed\.0"),
        ("state.regret", (1 << 24,), r"'state\.regret': float32, shape \(16777216,\): expected .*\(320,\)"),
        ("fixed.0", (3, 1 << 22), r"'fixed\.0': float32, shape \(3, 4194304\): expected .*\(3, 3\)"),
    ],
)
def test_what_the_spot_has_no_place_for_is_not_inflated(name, shape, expected, forged):
    path = forged(**{name: np.zeros(shape, np.float32)})
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=rf"forged\.npz: .*{expected}"):
            baycarp.Solution.load(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_a_table_that_is_longer_than_its_header_says_is_not_inflated(tmp_path):
    content, path = forge._read(forge.made("solution of a spot")[0]), tmp_path / "forged.npz"
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (320,), }"
    longer = forge.npy(np.zeros(1 << 24, np.float32), header)
    members = [(f"{name}.npy", forge.npy(each)) for name, each in content.arrays.items()]
    members = [(name, longer if name == "state.sums.npy" else each) for name, each in members]
    path.write_bytes(forge.npz([("head.npy", forge.npy(np.array(json.dumps(content.head)))), *members]))
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=r"forged\.npz: .*'state\.sums': 671089.. bytes: expected 14.."):
            baycarp.Solution.load(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_a_missing_table_is_named(tmp_path):
    content, path = forge._read(forge.made("solution of a spot")[0]), tmp_path / "forged.npz"
    del content.arrays["state.sums"]
    path.write_bytes(forge.written(content))
    with pytest.raises(ModelError, match=r"forged\.npz: .*'state\.sums': missing"):
        baycarp.Solution.load(path)


@pytest.mark.parametrize(
    "settings",
    [
        {"bits": 16},
        {"discount": "cfr"},
        {"discount": (1.5, 0.0, 0.0, 0)},
        {"locks": [Lock("", {"check": 0.3}, "QQ")]},
    ],
    ids=["16 bits", "cfr", "sums without a discount", "lock"],
)
@pytest.mark.parametrize("iterations", [1, 100])
def test_a_solve_stays_within_what_its_file_may_hold_and_goes_on_bit_for_bit(settings, iterations, tmp_path):
    one = baycarp.solve(RIVER, target=0, iterations=iterations, **settings)
    one.save(tmp_path / "spot.npz")
    other = baycarp.Solution.load(tmp_path / "spot.npz")
    one.more(iterations=iterations + 7)
    other.more(iterations=iterations + 7)
    for name, array in one.solver.engine.state().items():
        assert array.tobytes() == other.solver.engine.state()[name].tobytes(), name


def test_bonuses_that_no_solve_can_have_are_refused(tmp_path):
    path = tmp_path / "spot.npz"
    one = baycarp.solve(RIVER, target=1, locks=[RangeFrequency("", "check", 0.9)])
    one.save(path)
    assert baycarp.Solution.load(path).values == one.values
    with np.load(path) as saved:
        arrays = dict(saved)
    np.savez(path, **{**arrays, "bonuses": np.full(1, 1e12)})
    with pytest.raises(ModelError, match=r"spot\.npz: .*bonuses .*1\.e\+12.*: expected"):
        baycarp.Solution.load(path)


def test_a_fixed_mix_is_played_and_the_rest_is_free():
    free = baycarp.solve(RIVER, target=0.2)
    locked = baycarp.solve(RIVER, target=0.2, locks=[Lock("", {"bet 60%": 0.2}, "QQ,54s")])
    view = locked.at()
    chosen = np.isin(CLASS_OF, [CLASSES.index("QQ"), CLASSES.index("54s")]) & ~np.isnan(view.strategy[0])
    np.testing.assert_allclose(view.strategy[1, chosen], 0.2, atol=1e-6)
    assert locked.exploitability <= 0.2
    assert locked.free_exploitability > locked.exploitability
    assert locked.values[0] < free.values[0]


def test_locks_that_do_not_sum_to_one_are_refused():
    for shares in (
        {"check": 0.5, "bet 60%": 0.4, "a": 0.2},
        {"check": 0.5, "bet 60%": 0.2, "a": 0.2},
        {"check": 1.2},
    ):
        with pytest.raises(ArgumentError, match=r"sum|shares"):
            baycarp.solve(RIVER, locks=[Lock("", shares)])
    with pytest.raises(ArgumentError, match="once"):
        baycarp.solve(RIVER, locks=[Lock("", {"check": 0.5}), Lock("", {"check": 0.4})])
    with pytest.raises(ArgumentError):
        baycarp.solve(RIVER, locks=[Lock("", np.full((2, 1326), 0.5))])


def callers(decision):
    """Checks and calls with everything."""
    at = [step.name for step in decision.node.steps].index("call" if decision.node.now.owed else "check")
    return np.tile(np.eye(len(decision.node.steps))[at][:, None], 1326)


def test_a_player_that_is_locked_everywhere_is_answered_in_one_pass():
    """Against a caller every holding that is ahead bets all-in, the others check."""
    found = baycarp.solve(RIVER, locks=[Follow("ip", callers)])
    assert found.iterations == 0
    assert found.exploitability == pytest.approx(0, abs=1e-4)
    view = found.at()
    ahead = view.equity("oop") > 0.5
    known = ~np.isnan(view.equity("oop")) & (np.abs(view.equity("oop") - 0.5) > 1e-9)
    np.testing.assert_allclose(view.strategy[2, known], ahead[known], atol=1e-6)


def test_a_model_of_one_player_may_depend_on_the_cards():
    seen = []

    def scared(decision):
        seen.append((decision.line, decision.board))
        return callers(decision)

    found = baycarp.solve(TURN, locks=[Follow("ip", scared)])
    rivers = [board for _, board in seen if len(board) == 5]
    assert len({*rivers}) == 48
    assert found.exploitability == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_a_frequency_of_a_range_is_reached(share):
    found = baycarp.solve(RIVER, target=0.5, locks=[RangeFrequency("", "bet 60%", share)])
    assert found.at().frequencies()["bet 120"] == pytest.approx(share, abs=0.005)
    assert found.frequency_errors == pytest.approx([found.at().frequencies()["bet 120"] - share], abs=1e-6)
    assert found.exploitability <= 0.5
    assert sum(found.values) == pytest.approx(200, abs=1e-4)


def test_a_frequency_that_cannot_be_had_is_refused():
    locks = [RangeFrequency("", "bet 60%", 0.9), Lock("", {"bet 60%": 0.1})]
    with pytest.raises(ArgumentError, match="expected 90"):
        baycarp.solve(RIVER, target=0.5, iterations=100, locks=locks)
    with pytest.raises(ArgumentError, match="first street"):
        baycarp.solve(TURN, locks=[RangeFrequency("check, check, 2s", "check", 0.5)])


def test_a_restricted_answer_wins_more_from_the_model_and_risks_more():
    records = restricted_curve(RIVER, Follow("ip", callers), "ip", (0.0, 0.5, 1.0), target=0.2)
    best = baycarp.solve(RIVER, locks=[Follow("ip", callers)])
    assert records[0]["model"] < records[1]["model"] <= records[2]["model"] + 0.5
    assert records[0]["worst"] > records[1]["worst"]
    assert records[0]["worst"] > records[2]["worst"]
    assert records[2]["model"] == pytest.approx(best.values[0], abs=1e-3)
    plain = baycarp.solve(RIVER, target=0.2)
    assert records[0]["worst"] == pytest.approx(plain.values[0], abs=0.01 * 200)
    half = baycarp.solve(RIVER, target=0.2, restricted=Restricted(Follow("ip", callers), "ip", 0.5))
    assert sum(half.values) == pytest.approx(200, abs=1e-4)


def test_rake_is_taken_from_both():
    found = baycarp.solve(RAKED, target=0.1)
    assert 180 <= sum(found.values) < 200
    assert found.exploitability <= 0.1
    with pytest.raises(ArgumentError):
        restricted_curve(RAKED, Follow("ip", callers), "ip")


def test_a_solve_ends_at_its_limits():
    assert baycarp.solve(RIVER, target=0, iterations=13).iterations == 13
    assert baycarp.solve(RIVER, target=0, time=0.0).iterations == 0
    seen = []
    found = baycarp.solve(RIVER, target=0, stop=lambda: len(seen) >= 2, report=seen.append)
    assert [point.iterations for point in seen] == [10, 20] == [point.iterations for point in found.points]


def test_what_does_not_fit_in_memory_is_refused_with_sizes_that_do():
    spot = Spot("Td9d6hQc2s", 200, 900, sizes="33%, 60%, 100%, a", raises="2.5x, a")
    full = baycarp.solve(spot, target=0, iterations=1).solver.bytes
    with pytest.raises(ArgumentError, match="expected at most") as refused:
        baycarp.solve(spot, memory=full - 1)
    assert "bits=16" in str(refused.value)
    with pytest.raises(ArgumentError, match="expected at most") as refused:
        baycarp.solve(spot, memory=0.49 * full)
    sizes, raises = re.search("sizes='(.*?)', raises='(.*?)' take", str(refused.value)).groups()
    smaller = replace(spot, sizes=sizes, raises=raises)
    assert 0 < baycarp.solve(smaller, target=0, iterations=1, memory=0.49 * full).solver.bytes <= 0.49 * full


@pytest.mark.parametrize(
    "given", [{"target": -1}, {"bits": 8}, {"threads": 0}, {"discount": "fast"}, {"memory": "lots"}]
)
def test_a_setting_out_of_its_range_is_refused(given):
    with pytest.raises(BaycarpError):
        baycarp.solve(RIVER, **given)
    with pytest.raises(ArgumentError, match="sped"):
        baycarp.solve(RIVER, sped=3)


def test_the_memory_of_a_control_group_is_read(tmp_path):
    own = tmp_path / "cgroup"
    own.write_text("0::/a/b\n", "utf-8")
    for folder, limit, used in (("", "max", "0"), ("a", "4000", "1000"), ("a/b", "max", "600")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "memory.max").write_text(limit, "utf-8")
        (tmp_path / folder / "memory.current").write_text(used, "utf-8")
    assert memory._of_the_group(tmp_path, own) == 3000
    (tmp_path / "a" / "memory.stat").write_text("anon 5\ninactive_file 400\n", "utf-8")
    assert memory._of_the_group(tmp_path, own) == 3400


def test_several_spots_are_solved_one_by_one():
    found = [each.spot for each in baycarp.solve_many([RIVER, RAKED], target=1)]
    assert found == [RIVER, RAKED]


def test_play_against_a_solution_counts_what_steps_lose(turn):
    draw = np.random.default_rng(4)
    table = SpotTable(turn, "ip", seed=3)
    for _ in range(30):
        hand = table.deal()
        while not hand.is_over:
            step = hand.act(str(draw.choice(hand.actions)))
            assert step.loss >= 0
        cards = {*as_cards(hand.hole).tolist()} | {*as_cards(hand.shown).tolist()}
        assert len(cards) == 4
        assert -150 <= hand.won <= 250
        with pytest.raises(IllegalAction):
            hand.act("check")
    assert table.loss > 0


def test_best_play_against_a_solution_loses_nothing(turn):
    table = SpotTable(turn, "ip", seed=5)
    for _ in range(10):
        hand = table.deal()
        while not hand.is_over:
            own = holding_index(*as_cards(hand.hole))
            hand.act(hand.actions[int(np.argmax(hand.view.action_ev[:, own]))])
    assert table.loss == 0
    assert {*HOLDINGS[TURN.holdings(1)].ravel().tolist()} >= {*as_cards(table.hands[0].hole).tolist()}
