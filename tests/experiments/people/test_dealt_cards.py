"""Hidden cards of players whose policies depend on their cards: by all cards, by showdowns, by none."""

import json

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from experiments.__main__ import main
from experiments.people.dealt_cards import judge_dealt
from experiments.people.dealt_rows import DealtRows

GAME = Variant.ring(3)


@pytest.fixture(scope="module")
def log():
    return play_session(Table(GAME, ("Ann", "Bob", "Cem"), ("rule", "rule", "rule"), 1), 3, 120).log


@pytest.fixture(scope="module")
def found(log):
    data = DealtRows.of([parse_state(line, GAME) for line in log])
    return {each.name: each for each in judge_dealt(data, rival=False)}


def test_cards_are_found_from_actions_whether_all_or_few_are_shown(found):
    losses = {name: each.loss[0] for name, each in found.items()}
    assert max(losses["all cards"], losses["showdowns and folds"]) < losses["deal"] - 0.5
    assert max(losses["all cards"], losses["showdowns and folds"]) < losses["street and position"] - 0.5


def test_the_deal_ranks_no_holding(found):
    assert found["deal"].among[1][0] == pytest.approx(50 / 1326, rel=0.3)
    assert found["all cards"].among[1][0] > found["deal"].among[1][0]
    assert found["all cards"].reciprocal[0] > found["deal"].reciprocal[0]


def test_few_hands_are_refused(log):
    with pytest.raises(ArgumentError, match="at least 5"):
        judge_dealt(DealtRows.of([parse_state(line, GAME) for line in log[:3]]), rival=False)


def test_the_command_prints_every_model(log, tmp_path, capsys):
    path = tmp_path / "hands.log"
    path.write_text("".join(line + "\n" for line in log[:60]))
    words = [
        "predict",
        "--people",
        str(path),
        "--game",
        "holdem.limit.3p",
        "--hidden",
        "--no-rival",
        "--json",
    ]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found] == [
        "deal",
        "street and position",
        "showdowns and folds",
        "all cards",
    ]
