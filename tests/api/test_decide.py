"""``baycarp.decide`` and ``baycarp.versus``: spots and ranges as people describe them."""

from decimal import Decimal
from itertools import count

import numpy as np
import pytest

import baycarp
from baycarp.api.decide import drawn_line
from baycarp.errors import ArgumentError, RangeError, TableError
from baycarp.game import Action
from baycarp.ranges import Range


def test_a_spot_is_decided_in_its_own_units():
    found = baycarp.decide("AhKd", "Kc7d2c", pot=7, agent="sizer", seed=3)
    assert found.unit == 100
    assert found.amount() == found.action.amount / 100
    assert sum(row["probability"] for row in found.to_records()) == pytest.approx(1)
    text = str(found)
    assert text.startswith(
        "the shortest hand that leads there; 100 chips are 1 big blind\nholdem.nolimit.2p, flop: Kc 7d 2c"
    )
    assert "> BB   Ah Kd" in text


def test_the_action_stands_in_chips_too_where_the_reasons_do():
    found = next(
        found
        for hole in ("AhKd", "KhKs", "7h7s")
        if (found := baycarp.decide(hole, "Kc7d2c", pot=7, agent="sizer", seed=3)).action.amount
    )
    assert f" {found.amount():.4g} ({found.action.amount} chips)\n" in str(found)
    assert float(found.amount()) * 100 == found.action.amount


def test_chips_are_of_the_given_amounts_where_those_are_no_big_blinds():
    found = baycarp.decide("AhKd", "Kc7d2c", pot=8, blinds=(1, 2), agent="sizer")
    assert f"; {found.unit} chips are 1 of the given amounts\n" in str(found)


def test_a_drawn_action_is_called_so():
    bet, check = Action("bet", 267), Action("check")
    mixed = baycarp.Decision(bet, {check: 0.6832, bet: 0.1868, Action("bet", 600): 0.13})
    assert drawn_line(mixed) == "bet 267 was drawn from the policy, where it has 19%"
    assert not drawn_line(baycarp.Decision(check, {check: 1.0, bet: 0.0}))
    found = baycarp.decide("AhKd", "Kc7d2c", pot=7, agent="sizer", seed=3)
    assert max(found.decision.policy.values()) < 0.9
    assert " was drawn from the policy" in str(found)


@pytest.mark.parametrize("agent", ["sizer", "mcts(playouts=2000, explore=60)"])
def test_a_range_replaces_the_belief(agent):
    """Top pair against sets, and against draws and worse pairs."""
    against = {
        villain: baycarp.decide("AhKd", "Kc7d2c", agent, pot=20, to_call=15, villain=villain)
        for villain in ("77,22,KcKs", "QJ,QT,JT,K9s")
    }
    folds = {villain: found.decision.policy_by_kind().get("fold", 0) for villain, found in against.items()}
    assert folds["77,22,KcKs"] > 0.5 > folds["QJ,QT,JT,K9s"]


def test_the_belief_of_a_case_player_is_the_range():
    villain = Range("QQ, 77, AcKc:0.5")
    found = baycarp.decide("AhKd", "Ks8d3c", pot=4, game="holdem.limit.2p", villain=villain)
    (belief,) = found.decision.beliefs
    assert belief.player == "BTN"
    alone = baycarp.decide("AhKd", "Ks8d3c", pot=4, game="holdem.limit.2p")
    assert belief.groups != alone.decision.beliefs[0].groups
    left = villain.without("AhKdKs8d3c")
    best = belief.groups["HandGroup1"]
    assert best == pytest.approx(Range("QQ, AcKc:0.5").total / left.total)  # QQ and AKs, of 77 too


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"villain": ["QQ", "77"]}, ArgumentError, "2 ranges: expected one, or one for each of BTN"),
        ({"villain": "QQQ"}, RangeError, "'QQQ'"),
        ({"villain": "AhAd"}, RangeError, "no holding of the range is left"),
        ({"villain": "QQ", "agent": "call"}, ArgumentError, "a range: expected an agent that has beliefs"),
        ({"agent": "rule"}, TableError, "agent 'rule' cannot play"),
        ({"pots": 3}, ArgumentError, "setting 'pots': expected one of pot, to_call"),
        ({"stack": "much"}, ArgumentError, "stack 'much': expected a number"),
    ],
)
def test_wrong_options_are_named(more, error, says):
    with pytest.raises(error, match=says):
        baycarp.decide("AhKd", "Ks8d3c", **({"pot": 4} | more))


def test_ranges_against_ranges_have_a_map(tmp_path):
    found = baycarp.versus("AhKd, QQ", "77+", board="Qs7d2c")
    assert found.shares[0] == baycarp.equity("AhKd, QQ", "77+", "Qs7d2c")
    rows = {row["holding"]: row for row in found.to_records() if row["side"] == "AhKd, QQ"}
    assert set(rows) == {"AhKd", "QhQd", "QhQc", "QdQc"}
    assert rows["AhKd"]["equity"] == baycarp.equity("AhKd", "77+", "Qs7d2c")
    weights = np.array([row["weight"] for row in rows.values()])
    assert weights.sum() == 4
    found.draw(tmp_path / "ranges.png")
    assert (tmp_path / "ranges.png").stat().st_size > 10_000
    assert "in tenths" in str(found)
    three = baycarp.versus("AhKd", "QQ", "random", budget=baycarp.Budget(playouts=2000), seed=1)
    assert len(three.to_records()) == 3
    with pytest.raises(RangeError, match="3 sides"):
        _ = three.maps


TOO_LARGE = (
    "1e999999999",
    "1e-999999999",
    "1e\u0669\u0669\u0669\u0669\u0669",
    "1e400",
    "1e5000",
    10**400,
    10**5000,
    "1e-400",
)


@pytest.mark.parametrize("amount", TOO_LARGE, ids=range(len(TOO_LARGE)))
@pytest.mark.parametrize("name", ["pot", "to_call", "stack", "blinds"])
def test_an_amount_beyond_all_chips_is_refused_at_once(name, amount):
    given = (amount, amount) if name == "blinds" else amount
    with pytest.raises(ArgumentError, match=r"expected (at most|a number|less)"):
        baycarp.decide("AhKd", "Qs7d2c", agent="sizer", **({"pot": 40} | {name: given}))


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"seed": -1}, ArgumentError, "seed: expected 0.."),
        ({"seed": 2**64}, ArgumentError, "seed: expected 0.."),
        ({"seed": "1_0"}, TypeError, "seed: expected a whole number"),
        ({"seed": b"1"}, TypeError, "seed: expected a whole number"),
        ({"seed": [1]}, TypeError, "seed: expected a whole number"),
        ({"position": 3}, TypeError, "position: expected a str"),
        ({"blinds": "1/2"}, TypeError, "blinds: expected the small and the big one"),
        ({"blinds": (1, 2, 3)}, ArgumentError, "expected the small and the big one"),
        ({"blinds": count()}, ArgumentError, "expected the small and the big one"),
        ({"opponents": np.float64(1)}, TypeError, "opponents: expected a whole number"),
        ({"opponents": Decimal("NaN")}, TypeError, "opponents: expected a whole number"),
        ({"opponents": 10**5000}, ArgumentError, "opponents: expected 1..8"),
        ({"villain": range(10**12)}, ArgumentError, "ranges: expected one"),
    ],
)
def test_options_of_another_type_or_range_are_named(more, error, says):
    with pytest.raises(error, match=says):
        baycarp.decide("AhKd", "Qs7d2c", agent="sizer", **({"pot": 40} | more))


def test_numbers_of_numpy_are_options_too():
    kinds = {"pot": "40", "to_call": np.float64(10), "seed": np.int64(3), "opponents": np.int64(1)}
    plain = baycarp.decide("AhKd", "Qs7d2c", agent="sizer", pot=40, to_call=10, seed=3)
    assert baycarp.decide("AhKd", "Qs7d2c", agent="sizer", **kinds).observation == plain.observation
