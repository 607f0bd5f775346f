"""Held-out decisions beside a model of one case a street, whose predictions are known in closed form."""

from math import log

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.cases import Case, CaseBase
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import states
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import GAME, SARTRE2011
from baycarp.strategies.sartre_nl import GAME as NO_LIMIT
from baycarp.strategies.sartre_nl import SARTRENL2011
from baycarp.training.agreement import HeldOut, Prediction, agreement

CARDS = {False: {"hole": 20.0}, True: {"strength": 20.0, "texture": "A"}}
BETTING = {
    "sartre": {"sequence": ("x", "y", "z")},
    "sartrenl": {"sequence": "x", "commitment": 1.0},
}


def always_call(strategy, solution):
    """A model that holds one case on each street."""
    bases = {}
    for street, (name, schema) in enumerate(strategy.bases.items()):
        bases[name] = CaseBase(schema)
        values = CARDS[street > 0] | BETTING[strategy.name]
        bases[name].append(Case(schema.situation(values), solution, 0.0))
    return Model(strategy, None, bases)


def played(game, players):
    variant = Variant.load(game)
    log_of = play_session(Table(variant, ("Ann", "Bob"), players, seed=5), 0, hands=60).log
    return [parse_state(line, variant) for line in log_of]


@pytest.mark.parametrize(
    ("strategy", "game", "players", "call"),
    [
        (SARTRE2011, GAME, ("rule", "jag"), "call"),
        (SARTRENL2011, NO_LIMIT, ("sizer(number=3)", "sizer(number=7)"), "c"),
    ],
)
def test_hits_and_losses_of_a_model_that_always_calls(strategy, game, players, call):
    hands = played(game, players)
    found = agreement(hands, always_call(strategy, call), ("Ann",))
    seated = strategy.at_table(strategy, 0) if strategy.at_table else strategy
    decisions = calls = 0
    loss = 0.0
    for hand in hands:
        for state in states(hand):
            if state.is_over or hand.players[state.to_act] != "Ann":
                continue
            observation = state.observe(state.to_act, hand=hand.id)
            legal = set(seated.choices(observation, strategy.schemas[0]).legal)
            done = hand.actions[len(state.acts)]
            called = done.name in ("check", "call")
            number = len(legal | {strategy.solution(done, observation)})
            loss -= log((called + 1 / number) / 2)
            decisions, calls = decisions + 1, calls + called
    assert sum(count for (_, same), count in found.agreement.items() if same) == calls > 10
    assert found.agreement.total() == found.prediction.decisions == decisions > calls + 10
    assert found.prediction.loss == pytest.approx(loss)
    assert found.prediction.loss_of_frequencies == pytest.approx(loss)
    assert found.prediction.hits_of_frequencies == calls


def test_sessions_are_added():
    one, other = Prediction(2, 1.0, 1.5, 1), Prediction(3, 0.5, 2.0, 0)
    assert one + other == Prediction(5, 1.5, 3.5, 1)
    assert HeldOut() + HeldOut(prediction=one) == HeldOut(prediction=one)
