"""Beliefs by hand -> action, and the events that a watcher receives."""

import numpy as np
import pytest

from baycarp.arena.session import Table
from baycarp.card import HOLDS
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.opponents.actions.model import PlayerModels
from baycarp.training.watch import hands_of, watch
from experiments.beliefs.acting import ACTING, read_acts
from experiments.beliefs.measure import judge_session
from experiments.beliefs.queries import queries_of_session
from experiments.recipes.action_cells import hand_rows

TABLE = Table(Variant.ring(3), ("Rule", "Jag", "Call"), ("rule", "jag", "call"), 1)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    logs = watch(TABLE, [0, 1], 60, tmp_path_factory.mktemp("acting"))
    return [list(hands_of(log, TABLE)) for log in logs]


@pytest.fixture(scope="module")
def models(sessions):
    return read_acts(list(hand_rows(sessions[0])))


class Spy:
    def __init__(self):
        self.observations, self.asked, self.sat = [], [], 0

    def sit(self):
        self.sat += 1

    def learn(self, event):
        self.observations.append(event.observation)

    def __call__(self, view, street):
        self.asked.append((view.observation.board, len(self.observations)))
        free = ~HOLDS[list(view.observation.board)].any(axis=0)
        return free / free.sum()


def test_a_watcher_receives_earlier_hands_with_shown_cards_only(sessions):
    spy, (_, hands) = Spy(), sessions
    judge_session(hands, {"spy": spy})
    assert spy.sat == 1
    assert [events for _, events in spy.asked] == [query.hand for query in queries_of_session(hands)]
    shown = hidden = 0
    for hand, observation in zip(hands, spy.observations, strict=False):
        inside = replay(hand).seats_in
        for position in range(3):
            if position in inside and len(inside) > 1:
                assert observation.state.hole_of(position) == hand.holes[position]
                shown += 1
            else:
                assert not observation.state.hole_of(position)
                hidden += 1
    assert min(shown, hidden) > 10


def test_every_belief_is_better_than_the_deal(sessions, models):
    assert tuple(models) == ACTING
    judged = judge_session(sessions[1], models)
    for name in ACTING:
        assert judged.scores[name]["loss"].mean() < judged.deal.mean() - 0.1
    every = judged.scores
    assert every[ACTING[3]]["loss"].mean() < every[ACTING[2]]["loss"].mean()  # three who are not alike


def test_a_model_of_each_player_is_that_of_a_seated_player(sessions, models):
    """The same beliefs as those of an agent at the table."""
    known = PlayerModels(models["its styles"].styles)
    judged = judge_session(sessions[1], {"styles": models["its styles"]})
    losses, shown = [], 0
    for query in queries_of_session(sessions[1]):
        for hand in sessions[1][shown : query.hand]:
            known.learn(HandOver(replay(hand).observe(None, hand.players), ()))
        shown = query.hand
        observation = query.view.observation
        weights = known.believe(
            observation, query.view.position, observation.players[query.view.position]
        ).weights
        losses.append(-np.log(weights[query.holding] / weights.sum()))
    assert judged.scores["styles"]["loss"] == pytest.approx(losses)
