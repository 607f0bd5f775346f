"""Evidence against the blueprint: earned against others, not by luck against itself."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.value.evidence import Evidence
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.game import State, Variant

GAME, NAMES = Variant.ring(2), ("Ann", "Bob")
HELD = np.full(1326, 1 / 1326)


def earned(first, second, hands, seed, lessons=0):
    """What a watching player earns against the second by hand; after lessons that one plays the blueprint."""
    watcher = baycarp.load("baycarp")
    watcher.sit(0, GAME, seed)
    players = [baycarp.load(first), baycarp.load(second)]
    changed = [players[0], baycarp.load("equilibrium")]
    for seat, player in enumerate((*players, changed[1])):
        player.sit(min(seat, 1), GAME, seed + seat)
    found = []
    for dealt in deals(NAMES, seed, 0, hands):
        state = State(GAME, None, dealt.deck)
        seats = [*dealt.by_position(changed if lessons and dealt.hand >= lessons else players)]
        play_hand(state, seats, dealt.names, dealt.hand)
        watcher.learn(baycarp.game.HandOver(state.observe(None, dealt.names, dealt.hand), state.payoffs()))
        found.append(watcher._evidence.earned(NAMES[1]))
    return found


@pytest.mark.parametrize("player", ["call", "raise", "station"])
def test_others_are_found_within_thirty_hands(player):
    found = earned("equilibrium", player, 30, seed=2)
    assert found[-1] > 0.8


@pytest.mark.parametrize("player", ["call", "raise", "station", "folder"])
def test_what_was_earned_is_lost_within_ten_hands_of_the_blueprint(player):
    found = earned("equilibrium", player, 210, seed=3, lessons=200)
    assert found[199] > 0.95
    assert found[-1] < 0.5


def test_the_blueprint_earns_nothing_by_luck():
    assert max(earned("equilibrium", "equilibrium", 100, seed=5)) < 0.1


@pytest.mark.slow
def test_the_blueprint_earns_nothing_by_luck_in_long_sessions():
    for seed in range(4):
        assert max(earned("equilibrium", "equilibrium", 2000, seed)) < 0.1


def test_without_evidence_nothing_is_earned():
    evidence = Evidence()
    assert evidence.earned("Ann") == 0
    evidence.learn("Ann", np.full(1326, 0.3), np.full(1326, 0.3), HELD)
    assert evidence.earned("Ann") == pytest.approx(0, abs=1e-12)


def test_a_martingale_does_not_rise():
    """Acts drawn by the blueprint: the mean of the probability of the other model stays near its prior."""
    rng, ends = np.random.default_rng(7), []
    for _ in range(200):
        evidence = Evidence()
        for _ in range(50):
            blueprint, model = (0.6, 0.5) if rng.random() < 0.6 else (0.4, 0.5)
            evidence.learn("Ann", np.full(1326, blueprint), np.full(1326, model), HELD)
        ends.append(evidence.earned("Ann"))
    assert np.mean(ends) < 0.05


def test_a_change_is_noticed():
    """After a long time as the blueprint the same player earns soon."""
    evidence = Evidence()
    for _ in range(500):
        evidence.learn("Ann", np.full(1326, 0.5), np.full(1326, 0.1), HELD)
    for _ in range(20):
        evidence.learn("Ann", np.full(1326, 0.1), np.full(1326, 0.5), HELD)
    assert evidence.earned("Ann") > 0.8
