"""Predictability and exploitability of players for which both are known."""

import json
import math

import numpy as np
import pytest

from baycarp.arena.decks import PLAYED, STUDIED
from baycarp.card import holding_index
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.actions.buckets import buckets
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.situations import moves
from baycarp.rules.income import IncomeGroup
from experiments.__main__ import main
from experiments.people.deception import HEADS_UP, Plan, measure, respond
from experiments.people.predict import FEATURES, PublicDecision, predict, public_decisions

pytest.importorskip("sklearn")

GAME = Variant.load(HEADS_UP)


def made(choose, n=800, seed=1):
    """Decisions between a check and a bet, in 160 hands."""
    rng = np.random.default_rng(seed)
    for number in range(n):
        features = (*rng.integers(0, 4, len(FEATURES)).tolist(),)
        yield PublicDecision(number // 5, features, 0, choose(features, rng))


def sessions(path):
    """The sessions in the journal of a series."""
    lines = path.read_text().splitlines()[1:]
    return {json.loads(line.partition(" ")[2])[0][1] for line in lines}


def test_a_player_that_acts_on_public_features_is_predicted():
    predicted = predict(list(made(lambda features, rng: 2 if features[3] > 1 else 1)))
    assert predicted.decisions == 800
    assert predicted.loss[0] < 0.05  # the rest is the floor of every probability
    assert predicted.by_price[0] == pytest.approx(math.log(2), abs=0.02)
    assert predicted.right[0] > 0.99
    assert predicted.gain[0] == pytest.approx(predicted.by_price[0] - predicted.loss[0])


def test_a_random_player_is_not_predicted():
    predicted = predict(list(made(lambda features, rng: 1 + rng.integers(2))))
    assert predicted.loss[0] == pytest.approx(math.log(2), abs=0.08)
    assert predicted.loss[0] >= predicted.by_price[0] - predicted.by_price[1]


def test_decisions_have_public_features_only():
    hand = parse_state("STATE:7:rc/crc/cc/cc:AhKd|7h3c/Qs7d2c/8c/9d:-4|4:Ann|Bob", GAME)
    ann = list(public_decisions([hand], "Ann"))
    bob = list(public_decisions([hand], "Bob"))
    assert len(ann) + len(bob) == 9
    assert {query.hand for query in ann} == {7}
    flop = [dict(zip(FEATURES, query.features, strict=True)) for query in ann + bob if query.features[0] == 1]
    assert {features["highest card"] for features in flop} == {10}  # a queen; hole cards are not used
    assert sorted(features["checked"] for features in flop) == [False, False, True]
    assert list(public_decisions([hand], "Cleo")) == []
    hidden = parse_state("STATE:7:rc/crc/cc/cc:4h4d|9h9c/Qs7d2c/8c/9d:-4|4:Ann|Bob", GAME)
    assert list(public_decisions([hidden], "Ann")) == ann  # whatever the hole cards


def test_the_responder_learns_the_actions(tmp_path):
    hands = [parse_state(f"STATE:{number}:rf:7h2c|AhKd:-10|10:Ann|Bob", GAME) for number in range(200)]
    model = respond(hands, "Ann", tmp_path / "model.npz", "the test")
    faced = next(move.situation for move in moves(replay(hands[0]).acts, GAME) if move.choice == 0)
    bucket = buckets((), IncomeGroup.IR2)[holding_index(*hands[0].holes[0])]
    weakest, strongest = model.tables[0][faced, bucket, 0], -1
    assert weakest > 0.95 > sensible().tables[0][faced, 0, 0]
    assert model.tables[0][faced, strongest, 0] == pytest.approx(sensible().tables[0][faced, -1, 0], abs=0.02)


@pytest.mark.slow
def test_a_calling_player_is_predictable_and_loses(tmp_path):
    plan = Plan(("call", "random"), tmp_path, deals=5, watched=40, answered=60)
    call, random = measure(plan)
    assert call.predicted.right[0] == 1
    assert call.predicted.loss[0] < 0.05 < random.predicted.loss[0]
    assert call.more.cell() == "+0.000 ± -"
    assert call.lost.mean - call.lost.margin > 0
    assert random.lost.mean - random.lost.margin > 0
    journals = {"table": PLAYED, "watched": STUDIED, "answered": PLAYED}
    assert {name: sessions(tmp_path / f"{name}.journal") for name in journals} == {
        name: {first} for name, first in journals.items()
    }
    again = measure(plan)  # from the journals
    assert [each.lost for each in again] == [call.lost, random.lost]
    assert str(again[0].predicted) == str(call.predicted)  # nan is not nan


def test_too_few_hands_are_refused(tmp_path, capsys):
    words = ["predictability", "call", "--deals", "1", "--answered", "0", "--workers", "1"]
    assert main([*words, "--out", str(tmp_path)]) == 1
    assert "--deals 1: expected at least 5" in capsys.readouterr().err


def test_the_command_prints_a_row_for_each_agent(tmp_path, capsys):
    words = ["predictability", "Rob=call", "--deals", "5", "--answered", "0", "--workers", "1"]
    assert main([*words, "--out", str(tmp_path / "p"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [(each["agent"], each["lost"]) for each in record] == [("Rob", None)]
    assert record[0]["more"]["margin"] is None  # compared with itself, on five deals
    assert main([*words, "--out", str(tmp_path / "p")]) == 0
    assert "Rob" in capsys.readouterr().out
