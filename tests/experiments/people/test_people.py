"""Predicted actions of players with known frequencies, beside the entropy of their policies."""

import json

import numpy as np
import pytest

from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from experiments.__main__ import main
from experiments.people.people import calibration_error, judge_people
from experiments.people.rows import people_rows

GAME = Variant.ring(3)
POLICIES = {"Ann": (0.6, 0.1, 0.2), "Bob": (0.1, 0.3, 0.7), "Cem": (0.3, 0.6, 0.4)}
"""Of each player: the probabilities of a fold, of a raise where chips are owed, of a bet."""


@pytest.fixture(scope="module")
def log():
    specs = tuple(f"frequency(fold={f}, raises={r}, bet={b})" for f, r, b in POLICIES.values())
    return play_session(Table(GAME, tuple(POLICIES), specs, 1), 3, 1000).log


@pytest.fixture(scope="module")
def hands(log):
    return [parse_state(line, GAME) for line in log]


@pytest.fixture(scope="module")
def found(hands):
    return {each.name: each for each in judge_people(people_rows(hands), rival=False)}


def entropy(hands):
    """Nats of the actions, by the policies that made them."""
    total = []
    for hand in hands:
        bets = {0: 1}  # the big blind counts as the first bet before the flop
        for act in replay(hand).acts:
            fold, raises, bet = POLICIES[hand.players[act.seat]]
            name = act.action.name
            owed = name in ("fold", "call") or (name == "raise" and act.paid > 0 and act.owed > 0)
            bold = (raises if owed else bet) * (bets.get(act.street, 0) < 4)
            chances = {"fold": fold, "bet": bold, "raise": bold}
            rest = 1 - (fold if owed else 0) - bold
            total.append(-np.log(chances.get(name, rest)))
            if name in ("bet", "raise"):
                bets[act.street] = bets.get(act.street, 0) + 1
    return float(np.mean(total))


@pytest.mark.slow
def test_the_loss_of_known_players_is_near_the_entropy_of_their_policies(hands, found):
    bound = entropy(hands[800:])
    assert bound - 0.02 < found["players known"].loss[0] < bound + 0.04
    for name in ("effects of players", "both"):
        assert bound - 0.02 < found[name].loss[0] < bound + 0.04
    assert found["players unknown"].loss[0] > found["players known"].loss[0] + 0.03


def test_probabilities_are_calibrated(found):
    assert found["players known"].calibration < 0.03


def test_a_table_gains_nothing_over_itself(found):
    assert found["table of situations"].gain[0] == 0


def test_calibration_error_of_a_constant_is_its_distance():
    chances = np.tile([0.25, 0.0, 0.75], (400, 1))
    choices = np.array([0] * 200 + [2] * 200)
    assert calibration_error(chances, choices) == pytest.approx((0.25 + 0 + 0.25) / 3)
    assert calibration_error(np.eye(3)[choices], choices) == 0


def test_few_hands_are_refused(hands):
    with pytest.raises(ArgumentError, match="at least 5"):
        judge_people(people_rows(hands[:4]), rival=False)


def test_the_command_prints_every_model(log, tmp_path, capsys):
    path = tmp_path / "hands.log"
    path.write_text("".join(line + "\n" for line in log[:40]))
    words = ["predict", "--people", str(path), "--game", "holdem.limit.3p", "--no-rival"]
    assert main(words) == 0
    assert "40 hands" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found][:1] == ["table of situations"]
    assert all(0 < each["loss"][0] < 2 for each in found)


def test_the_rival_is_scored_beside(hands):
    pytest.importorskip("sklearn")
    scored = [each.name for each in judge_people(people_rows(hands[:40]))]
    assert scored[-2:] == ["scikit-learn, unknown", "scikit-learn, known"]
