"""Planted mistakes: where they change a policy, and that nothing else is changed."""

import pytest

import experiments.students.costs
from baycarp.agents.registry import load
from baycarp.api.exploit import GAME
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import THIS_PROCESS
from baycarp.errors import ModelError
from baycarp.game import Observation, Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import states
from experiments.students.costs import costs
from experiments.students.mistakes import (
    BASE,
    BUILDING,
    MISTAKES,
    REPORTED,
    Mistaken,
    Shift,
    own_strength,
    player,
)

FOLDS, CALLS, RAISES = {"fold"}, {"check", "call"}, {"bet", "raise"}

DIRECTIONS = {
    "calls after the flop": (FOLDS, CALLS),
    "folds late": (CALLS | RAISES, FOLDS),
    "bets and raises": (CALLS, RAISES),
    "bluff-raises": (FOLDS, RAISES),
    "tight pre-flop": (CALLS | RAISES, FOLDS),
    "folds the flop": (CALLS | RAISES, FOLDS),
    "folds after the flop": (CALLS | RAISES, FOLDS),
    "raises late": (FOLDS | CALLS, RAISES),
    "checks and calls": (RAISES, CALLS),
    "gives up": (CALLS | RAISES, FOLDS | CALLS),
    "never folds": (FOLDS, CALLS),
    "raises early": (FOLDS | CALLS, RAISES),
}
"""The kinds of actions that a mistake takes from, and adds to: written down apart from its shifts."""

SPOTS = {"tight pre-flop": {0}, "folds the flop": {1}, "raises early": {1, 2}, "never folds": {0, 1, 2, 3}}
"""Streets on which it is made; of the others the later ones."""


@pytest.fixture(scope="module")
def decisions() -> list[Observation]:
    """The observations of both players in some hands of random play."""
    game = Variant.load(GAME)
    log = play_session(Table(game, ("Ann", "Bob"), ("random", "station"), 7), 0, 150).log
    steps = [state for line in log for state in states(parse_state(line, game)) if state.to_act is not None]
    return [state.observe(state.to_act) for state in steps]


def changes(name, decisions):
    """The decisions in which a mistake changes the policy, with the change by action."""
    agent, sound = Mistaken(name), load(BASE)
    for each in (agent, sound):
        each.sit(0, Variant.load(GAME), 1)
    for observation in decisions:
        ours, base = agent.decide(observation).policy, sound.decide(observation).policy
        assert sum(ours.values()) == pytest.approx(1)
        assert min(ours.values()) >= 0
        more = {action: ours[action] - base[action] for action in base}
        if any(abs(change) > 1e-12 for change in more.values()):
            yield observation, {action: change for action, change in more.items() if abs(change) > 1e-12}


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.slow
def test_a_mistake_moves_probability_one_way_on_its_streets(name, decisions):
    losing, winning = DIRECTIONS[name]
    found = list(changes(name, decisions))
    assert len(found) >= 10
    assert {observation.street for observation, _ in found} <= SPOTS.get(name, {1, 2, 3})
    for _, change in found:
        assert {action.name for action, more in change.items() if more < 0} <= losing
        assert {action.name for action, more in change.items() if more > 0} <= winning


def test_mistakes_of_both_sets_differ_and_have_an_unmet_table():
    assert len(BUILDING) == len(REPORTED) == 6
    assert len({mistake.shifts for mistake in MISTAKES.values()}) == 12
    for mistake in MISTAKES.values():
        assert mistake.tables[0] != mistake.tables[1]


def test_strong_hands_are_played_as_they_should(decisions):
    changed = [observation for observation, _ in changes("folds the flop", decisions)]
    assert changed
    assert max(map(own_strength, changed)) <= 0.9


def test_a_share_moves_that_part(decisions):
    half, whole = (Shift((1, 2, 3), True, (0,), 1, share) for share in (0.5, 1.0))
    sound = load(BASE)
    sound.sit(0, Variant.load(GAME), 1)
    applied = [observation for observation in decisions if half.applies(observation)]
    assert applied
    for observation in applied:
        policy = sound.decide(observation).policy
        fold, call, *_ = policy
        assert half.changed(policy)[fold] == pytest.approx(policy[fold] / 2)
        assert whole.changed(policy)[call] == pytest.approx(policy[fold] + policy[call])


def test_without_a_mistake_the_sound_player_is_played(decisions):
    assert player("") == BASE
    assert not list(changes("", decisions))


def test_an_unknown_mistake_is_refused():
    with pytest.raises(ModelError, match="mistake 'sings'"):
        load(player("sings"))


def test_a_cost_is_measured_against_the_sound_player(tmp_path, monkeypatch):
    """Folding nine hands of ten pre-flop costs about 0.3 small bets a hand; 400 hands show that it costs."""
    monkeypatch.setattr(experiments.students.costs, "DEFAULT", BASE)
    found = costs("rule", 0.2).run(tmp_path, THIS_PROCESS, lambda count: None)
    cost = found.cost["tight pre-flop"]
    assert cost.mean > cost.margin > 0
    assert found.ceiling == found.cost  # the adviser is the sound player here
    assert found.cost[""].mean == 0
    assert found.sound.n == 400
