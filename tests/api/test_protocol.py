"""Matches by the protocol of a benchmark: what it fixes, its unit, and what contradicts it."""

import json

import numpy as np
import pytest

import baycarp
from baycarp.api.match import MatchPlan, MatchSettings
from baycarp.arena.protocol import PROTOCOLS
from baycarp.arena.variance import ESTIMATORS
from baycarp.cli import main
from baycarp.errors import TableError

NAME = "nolimit-200bb"


def test_the_protocol_is_that_of_the_publications():
    """200 big blinds, 50/100, heads-up, reset each hand, both seatings, an estimator that judges."""
    plan = MatchPlan.of(["call", "random"], "", 10, MatchSettings(protocol=NAME))
    table = plan.match.table
    assert (table.variant.betting, table.variant.seats) == ("no-limit", 2)
    assert sorted(table.variant.blinds) == [50, 100]
    assert table.variant.stacks == (20_000, 20_000)
    assert table.variant.antes == (0, 0)
    assert table.stacks == "reset"
    assert plan.match.seatings == ((0, 1), (1, 0))
    assert table.estimators == ("control",)
    assert PROTOCOLS[NAME].estimator in ESTIMATORS


def test_rates_are_big_blinds_in_a_hundred_hands():
    """The same hands as a match without the protocol, in another unit: a tenth of its milli-blinds a hand."""
    found = baycarp.match(["call", "raise"], deals=30, seed=4, protocol=NAME)
    plain = baycarp.match(
        ["call", "raise"], "holdem.nolimit.2p.reverse_blinds", deals=30, seed=4, estimators=["control"]
    )
    for estimator in ("net", "control"):
        one, other = (result.rate("call", estimator) for result in (found, plain))
        assert one.unit == "bb/100"
        assert (one.mean, one.margin) == pytest.approx((other.mean / 10, other.margin / 10))
    assert found.judge == "control"
    assert np.std(found.scores.won("call", "control")) > 0


def test_the_command_prints_the_unit(tmp_path, capsys):
    words = ["match", "call", "raise", "--deals", "6", "--protocol", NAME, "--workers", "1"]
    assert main([*words, "--out", str(tmp_path / "a"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["unit"], record["judge"], record["seatings"]) == ("bb/100", "control", 2)
    assert main([*words, "--out", str(tmp_path / "b")]) == 0
    assert "6 deals in 2 seatings: 12 hands; bb/100, 95 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agents", "game", "settings", "text"),
    [
        (["call", "raise"], "", {"protocol": "nolimit"}, "protocol 'nolimit': expected one of nolimit-200bb"),
        (["call", "raise"], "holdem.limit.2p", {"protocol": NAME}, "fixes game"),
        (
            ["call", "raise"],
            "",
            {"protocol": NAME, "estimators": ("all-in",), "stacks": "carried"},
            "fixes estimators and stacks",
        ),
        (["call", "raise", "random"], "", {"protocol": NAME}, "seats 2"),
        (["call", "rule"], "", {"protocol": NAME}, "cannot play"),
    ],
)
def test_what_contradicts_the_protocol_is_refused(agents, game, settings, text):
    with pytest.raises(TableError, match=text):
        baycarp.match(agents, game, deals=1, **settings)
