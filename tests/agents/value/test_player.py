"""The default agent: every game, its tiers, the blueprint without evidence, the model with it."""

import pytest

import baycarp
from baycarp.agents.cases.stages import RetrievalStage
from baycarp.agents.resolve.solve import TurnSolve
from baycarp.agents.trace import TierStage, stage_of
from baycarp.agents.value import resolving
from baycarp.agents.value.player import CASES, LOOK_AHEAD, RE_SOLVE, RESTRICTED
from baycarp.agents.value.stages import ValueStage
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.budget import Budget
from baycarp.game import HandOver, State, Variant
from baycarp.game.notation.observe import observe

HEADS_UP = "holdem.limit.2p.reverse_blinds"
FEW = Budget(playouts=20)
NAMES = ("Ann", "Bob")


@pytest.fixture(scope="module")
def agent():
    return baycarp.load("baycarp")


def line(betting, hole="AhKd|", board="Ks7d2c/9h/3s"):
    cards = "/".join(["", *board.split("/")][: betting.count("/") + 1])
    return f"MATCHSTATE:0:0:{betting}:{hole}{cards}"


def spot(betting, game=HEADS_UP, names=NAMES):
    return observe(line(betting), game=game)._replace(players=names)


def taught(spec, opponent, hands):
    """A player that has watched an opponent of its own."""
    player, others = baycarp.load(spec), [baycarp.load("rule"), baycarp.load(opponent)]
    game = Variant.load(HEADS_UP)
    player.sit(0, game, 1)
    for seat, other in enumerate(others):
        other.sit(seat, game, seat)
    for dealt in deals(NAMES, 3, 0, hands):
        state = State(game, None, dealt.deck)
        play_hand(state, [*dealt.by_position(others)], dealt.names, dealt.hand)
        player.learn(HandOver(state.observe(None, dealt.names, dealt.hand), state.payoffs()))
    return player


GAMES = [
    Variant.ring(2),
    Variant.ring(6),
    Variant.ring(10),
    Variant.ring(3, 100, betting="no-limit", stacks=(900, 20_000, 5_000)),
    Variant.ring(2, 2, betting="no-limit", stacks=(200, 200)),
    Variant.ring(2, 2, betting="no-limit", stacks=(20, 200)),
    Variant.ring(10, 2, betting="no-limit", stacks=(60,) * 10),
    Variant.ring(4, 2, betting="pot-limit", stacks=(100, 40, 100, 100)),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name} {game.stacks}")
def test_every_game_is_played(game):
    players = [baycarp.load("baycarp") for _ in range(2)]
    players += [baycarp.load("call" if game.betting != "pot-limit" else "baycarp")] * (game.seats - 2)
    for seat, player in enumerate(players):
        player.sit(seat, game, seat)
    decisions = []
    for dealt in deals(tuple(map(str, range(game.seats))), 5, 0, 2):
        state = State(game, None, dealt.deck)
        watch = lambda state, decision: decisions.append((state.copy(), decision))  # noqa: E731
        play_hand(state, [*dealt.by_position(players)], dealt.names, dealt.hand, FEW, watch)
    assert decisions
    for state, decision in decisions:
        assert all(state.can(action) for action in decision.policy)
        assert sum(decision.policy.values()) == pytest.approx(1)
        stage = stage_of(decision.trace, ValueStage)
        if stage:
            assert {value.action.name for value in stage.values} == {a.name for a in state.legal_actions()}
            assert not {a for a in stage.removed if decision.policy.get(a)}


@pytest.mark.parametrize(
    ("betting", "time", "tiers"),
    [
        ("rc/", None, [CASES]),
        ("rc/", 1.0, [CASES]),
        ("rc/cc/", None, [CASES]),
        ("rc/cc/", 1.0, [CASES, RE_SOLVE]),
        ("rc/cc/cc/", None, [RE_SOLVE]),
        ("rc/cc/cc/", 1.0, [CASES, RE_SOLVE]),
    ],
)
def test_the_tiers_heads_up_without_evidence(agent, betting, time, tiers):
    assert list(agent._tiers(spot(betting), Budget(time=time))) == tiers


@pytest.mark.parametrize("betting", ["rc/cc/", "rc/cc/cc/"])
def test_a_short_limit_never_begins_a_re_solve(betting):
    agent = baycarp.load("baycarp")
    for _ in range(30):  # what is left out is forgotten slowly, also before its first run
        stage = stage_of(agent.decide(spot(betting), time_limit=0.005).trace, ValueStage)
        assert stage is None or stage.method == "equity"


class Clock:
    """A running budget whose time passes by what is done: 30 ms the cases, 0.1 s what is promised."""

    def __init__(self, seconds):
        self.time, self.playouts, self.now = seconds, None, 0.0
        self.budget = self

    def start(self):
        return self

    def spent(self):
        return self.now

    worked = spent

    def left(self):
        return self.time - self.now

    def reached(self, step, answer):
        self.now += 0.03 * (step == CASES)


@pytest.fixture
def paced(monkeypatch):
    """A clock on which a round of the turn takes 22 ms, and what follows the rounds 100 ms."""

    def decide(agent, seconds, round_seconds=0.022, begin_seconds=0.1):
        clock, rounds = Clock(seconds), []

        class Paced(TurnSolve):
            def __init__(self, *given, **named):
                super().__init__(*given, **named)
                clock.now += begin_seconds

            def round(self):
                rounds.append(clock.now)
                clock.now += round_seconds
                return super().round()

            def found(self):
                clock.now += 4.5 * round_seconds
                return super().found()

        monkeypatch.setattr(resolving, "TurnSolve", Paced)
        found = agent.decide(spot("rc/cc/"), budget=clock)
        assert clock.left() >= 0
        return found, rounds

    return decide


def test_the_turn_is_re_solved_safely_within_500_ms(paced):
    agent = baycarp.load("baycarp")
    found, rounds = paced(agent, 0.5)
    stage = stage_of(found.trace, ValueStage)
    assert (stage.method, stage.safe) == (RE_SOLVE, True)
    assert len(rounds) == 11
    _, rounds = paced(agent, 0.2)  # its cost is known now
    assert rounds == []


def test_a_turn_that_is_not_solved_in_time_is_left_to_the_blueprint(paced):
    agent = baycarp.load("baycarp")
    found, rounds = paced(agent, 0.4, 0.15)
    assert len(rounds) == 1
    assert stage_of(found.trace, ValueStage).method == "equity"
    assert found.policy == baycarp.load("equilibrium").decide(spot("rc/cc/")).policy
    assert [stage.done for stage in found.trace if isinstance(stage, TierStage)] == [True, True, False]


def test_a_turn_that_took_half_of_the_time_to_pose_is_not_solved(paced):
    """What follows takes as long: the decision would be late."""
    found, rounds = paced(baycarp.load("baycarp"), 0.5, begin_seconds=0.25)
    assert rounds == []
    assert stage_of(found.trace, ValueStage).method == "equity"


def test_a_known_opponent_costs_the_turn_more(agent):
    player = taught("baycarp", "call", 60)
    tiers = {time: list(player._tiers(spot("rc/cc/"), Budget(time=time))) for time in (0.5, 5.0)}
    assert tiers == {0.5: [CASES, LOOK_AHEAD], 5.0: [CASES, LOOK_AHEAD, RESTRICTED]}
    assert list(player._tiers(spot("rc/cc/cc/"), Budget(time=0.5))) == [CASES, RESTRICTED]
    late = player.decide(spot("rc/cc/"), time_limit=0.5)
    assert stage_of(late.trace, ValueStage).method == "look-ahead"


@pytest.mark.parametrize(("time", "tiers"), [(None, [LOOK_AHEAD]), (1.0, [CASES, LOOK_AHEAD])])
def test_the_tiers_of_several_and_of_games_that_are_not_solved(time, tiers):
    agent = taught("baycarp", "call", 5)
    three = observe("MATCHSTATE:0:0:ccc/:AhKd||/Ks7d2c", game="holdem.limit.3p")._replace(
        players=("Ann", "Bob", "Cy")
    )
    shallow = State(Variant.ring(2, 2, betting="no-limit", stacks=(20, 20)))
    shallow.deal({shallow.to_act: "AhKd"})
    for observation in (three, shallow.observe(shallow.to_act, NAMES)):
        assert list(agent._tiers(observation, Budget(time=time))) == tiers
        strangers = observation._replace(players=("X", "Y", "Z")[: observation.variant.seats])
        assert list(agent._tiers(strangers, Budget(time=time))) == [CASES]


@pytest.mark.parametrize("risk", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("betting", ["r", "rc/", "rc/cr", "rc/cc/"])
def test_without_evidence_every_risk_plays_the_blueprint(risk, betting):
    observation = spot(betting)
    found = baycarp.load(f"baycarp(risk={risk})").decide(observation, budget=FEW)
    blueprint = baycarp.load("equilibrium").decide(observation)
    assert found.policy == pytest.approx(blueprint.policy)
    assert stage_of(found.trace, ValueStage).trust == 0


@pytest.mark.parametrize("hole", ["AhKd", "5h4h", "QdQc"])
def test_a_raise_that_the_solved_opponent_hardly_makes_is_not_folded_to_with_every_holding(agent, hole):
    """Against the few holdings that make it there, a call loses; a fold of all others would invite it."""
    state = f"MATCHSTATE:1:0:rrc/rc/rrc/crr:|{hole}/7s6cTs/8c/9s"
    found = agent.decide(observe(state, game=HEADS_UP)._replace(players=NAMES))
    stage = stage_of(found.trace, ValueStage)
    assert stage.method == "re-solve"
    (call,) = (value for value in stage.values if value.action.name == "call")
    assert call.chips < -10
    assert found.policy_by_kind()["fold"] < 0.3


def test_evidence_and_risk_make_the_weight_of_the_best_answer():
    observation = spot("rc/cc/cc/")
    for risk in (0.0, 0.5, 1.0):
        player = taught(f"baycarp(risk={risk})", "call", 60)
        decision = player.decide(observation, budget=Budget(playouts=300))
        trust = stage_of(decision.trace, ValueStage).trust
        assert trust == pytest.approx(risk * player._evidence.earned("Bob"))
        assert trust == 0 or trust > 0.8 * risk
        bets = decision.policy_by_kind()["bet"]
        if risk:  # top pair against a player that calls everything
            assert bets > 0.9
        else:
            unknown = taught("baycarp(risk=0.0)", "call", 0)
            plain = unknown.decide(observation, budget=Budget(playouts=300))
            assert bets == pytest.approx(plain.policy_by_kind()["bet"], abs=0.05)
            assert bets < 0.6


@pytest.mark.parametrize("betting", ["rc/", "rc/cc/cc/"])
def test_the_same_seed_makes_the_same_decision(betting):
    first, second = (taught("baycarp", "call", 8).decide(spot(betting), budget=FEW) for _ in range(2))
    assert (first.action, first.policy) == (second.action, second.policy)
    assert stage_of(first.trace, ValueStage).values == stage_of(second.trace, ValueStage).values


@pytest.mark.parametrize("betting", ["r", "rc/", "rc/cc/", "rc/cc/cc/"])
def test_every_decision_retrieves_and_values(agent, betting):
    decision = agent.decide(spot(betting), budget=FEW)
    stage, retrieved = stage_of(decision.trace, ValueStage), stage_of(decision.trace, RetrievalStage)
    assert retrieved is not None
    assert retrieved.cases > 0
    assert stage.opponent == "Bob"
    assert stage.to_come == 5 - len(spot(betting).board)
    assert decision.reason.startswith("You ")


def test_the_vote_is_kept_by_name(agent):
    observation = spot("rc/")
    vote = baycarp.load("baycarp2(opponents='styles')").decide(observation)
    assert stage_of(vote.trace, ValueStage) is None
    assert "similar cases" in vote.reason


def test_a_supposed_range_is_valued_by_equity():
    player = baycarp.load("baycarp")
    observation = spot("rc/cc/cr")
    for text, action in (("AA, KK", "fold"), ("QJs", "call")):
        player.suppose({1: baycarp.Range(text).without((*observation.hole, *observation.board)).weights})
        decision = player.decide(observation)
        stage = stage_of(decision.trace, ValueStage)
        assert stage.method == "equity"
        assert (stage.share > 0.9) == (action == "call")


def test_nothing_better_is_folded(agent):
    """The best possible hand, where the models hold nothing of it."""
    river = observe("MATCHSTATE:0:0:rc/crc/crc/cr:JhJd|/Js6c4c/3h/Jc", game=HEADS_UP)
    assert agent.decide(river, budget=FEW).policy_by_kind()["fold"] == 0
