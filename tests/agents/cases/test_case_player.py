"""The case player: its observations, records and learning."""

import math
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference.players import case_player, system
from reference.retrieval import retrieval
from reference.spots import redealt, spots

from baycarp.agents.cases.case_player import FAST, FULL
from baycarp.agents.cases.stages import BeliefStage, CaseStage, RetrievalStage, ReuseStage
from baycarp.agents.registry import load
from baycarp.agents.trace import TierStage, stage_of
from baycarp.arena.session import Table, play_session
from baycarp.bn.inference import Inference
from baycarp.bn.network import Network
from baycarp.budget import Budget
from baycarp.card import cards
from baycarp.cases import BestOutcome, Case, CaseBase, CaseStore, Majority, Proportional, explain
from baycarp.errors import CardError, EvidenceError, IllegalAction, ModelError, TableError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.replay import replay
from baycarp.game.event import Acted, HandOver
from baycarp.game.notation.hand import Hand
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.opponents.belief import mean_types
from baycarp.opponents.model import believe_all
from baycarp.opponents.network.model import NetworkModel
from baycarp.opponents.network.ranges import TopGroups
from baycarp.opponents.network.topology import STRUCTURE
from baycarp.rules.outcome import g_bucks, signed_cost
from baycarp.strategies.baycarp import BAYCARP1, BAYCARP2, SCHEMAS
from baycarp.strategies.episode import provenance
from baycarp.strategies.kinds import NEIGHBOURS
from baycarp.strategies.model import load_model
from baycarp.strategies.spec import STREETS
from baycarp.training.casebases import cases_of_session

SEATS = (2, 3, 5, 8)


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


@pytest.fixture
def agent(model):
    return case_player(model, Majority())


def own_view(state, hand=0):
    names = tuple(f"p{seat}" for seat in range(state.variant.seats))
    return state.observe(state.to_act, names, hand)


def record(decision):
    """All that a decision records but how long it took."""
    words = decision.to_dict()
    del words["elapsed"]
    for stage in words["trace"]:
        del stage["seconds"]
    return words


def stage(decision, kind):
    return stage_of(decision.trace, kind)


def timeless(decision, kind):
    """A stage but for the time that it took."""
    return replace(stage(decision, kind), seconds=0.0)


def situation_of(observation, beliefs):
    """The values of a situation, by feature."""
    return BAYCARP2.describe(observation, beliefs, SCHEMAS[observation.street])


def votes_of(decision):
    """The votes of all memories together, but for none."""
    total = Counter()
    for memory in stage(decision, ReuseStage).memories:
        total.update(memory.votes)
    return total


def tiers_of(decision):
    return [(stage.tier, stage.done) for stage in decision.trace if isinstance(stage, TierStage)]


# Deciding


@pytest.mark.parametrize("seats", SEATS)
def test_decisions_are_legal_and_complete(agent, seats):
    streets = Counter()
    for state in spots(Variant.ring(seats), 6, seed=seats):
        observation = own_view(state)
        decision = agent.decide(observation)
        assert state.can(decision.action)
        assert set(decision.policy) == set(observation.legal_actions())
        assert decision.policy[decision.action] == max(decision.policy.values())
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert decision.exact
        assert decision.reason
        streets[state.street] += 1
    assert len(streets) == 4


@pytest.mark.parametrize("seats", SEATS)
def test_unseen_cards_change_neither_decision_nor_trace(agent, seats):
    rng = np.random.default_rng(seats)
    for state in spots(Variant.ring(seats), 4, seed=10 + seats):
        other = redealt(state, state.to_act, rng)
        assert other.holes != state.holes
        assert record(agent.decide(own_view(other))) == record(agent.decide(own_view(state)))


def test_own_cards_and_the_board_do_matter(agent):
    variant = Variant.ring(2)
    rest = "2c2d AhAd"
    boards = ("AsAc7h 3d 3c", "KsQsJh 3d 3c")
    answers = []
    for board in boards:
        state = State(variant, deck=cards(f"{rest} {board}"))
        for name in ("call", "check"):
            state.apply(state.named(name))
        answers.append(stage(agent.decide(own_view(state)), CaseStage).values["hand_strength"])
    assert answers[0] != answers[1]


def test_decisions_repeat(model):
    twins = [case_player(model, Majority()) for _ in range(2)]
    for state in spots(Variant.ring(4), 6, seed=2):
        first, second = (record(twin.decide(own_view(state))) for twin in twins)
        assert first == second == record(twins[0].decide(own_view(state)))


@pytest.mark.parametrize("limit", [0, 0.001, 0.005, 0.05])
def test_any_time_limit_gives_a_legal_action_and_an_honest_receipt(model, limit):
    agent = case_player(model, Majority())
    for state in spots(Variant.ring(4), 6, seed=3):
        decision = agent.decide(own_view(state), time_limit=limit)
        assert state.can(decision.action)
        tiers = dict(tiers_of(decision))
        assert list(tiers) == ["rules", *[FAST] * (state.street == 1), FULL]
        assert decision.exact == all(tiers.values())
        reasons = [each.reason for each in decision.trace if not each.done]
        assert all("expected" in reason and "left" in reason for reason in reasons)
        if not limit:
            assert tiers["rules"]
            assert not tiers[FULL]
            assert decision.action.name in ("check", "fold")
            assert stage(decision, RetrievalStage) is None


def test_a_limit_that_is_never_reached_changes_nothing(model):
    agent, patient = case_player(model, Majority()), Budget(time=1e9)
    for state in spots(Variant.ring(3), 5, seed=4):
        free, timed = agent.decide(own_view(state)), agent.decide(own_view(state), budget=patient)
        assert timed.exact
        assert timed.action == free.action
        assert timeless(timed, RetrievalStage) == timeless(free, RetrievalStage)


def test_a_tier_that_was_done_is_expected_to_cost_as_much_again(model):
    agent = case_player(model, Majority())
    state = next(s for s in spots(Variant.ring(2), 5, seed=5) if s.street == 2)
    agent.decide(own_view(state))
    agent._anytime.record(FULL, 2, 100.0)
    assert not agent.decide(own_view(state), time_limit=1.0).exact


def test_impossible_evidence_is_an_error(model):
    never = model.network.cpt("Action").copy()
    never[STRUCTURE.states["Action"].index("Raise")] = 0
    cpts = {node: model.network.cpt(node) for node in STRUCTURE.nodes} | {"Action": never / never.sum()}
    agent = case_player(replace(model, network=Network(STRUCTURE, cpts)), Majority())
    state = State(Variant.ring(3), deck=range(11))
    state.apply(state.named("raise"))
    for limit in (None, 1e9):  # only lack of time leaves an earlier answer
        with pytest.raises(EvidenceError, match="Raise"):
            agent.decide(own_view(state), time_limit=limit)


def test_an_empty_case_base_is_an_error_where_nothing_is_learned(model):
    casebases = dict(model.casebases) | {"preflop": CaseBase(SCHEMAS[0])}
    agent = case_player(replace(model, casebases=casebases), Majority(), learning=False)
    with pytest.raises(ModelError, match="'preflop' holds no case: expected a trained model"):
        agent.decide(own_view(State(Variant.ring(3), deck=range(11))))


@pytest.mark.parametrize(
    ("observation", "error", "match"),
    [
        (
            State(Variant.ring(3), deck=range(11)).observe(0),
            IllegalAction,
            "SB cannot act: to act is BTN",
        ),
        (State(Variant.ring(3), deck=range(11)).observe(None), IllegalAction, "nobody cannot act"),
        (State(Variant.ring(3)).observe(2), CardError, "BTN: expected two"),
        (State(Variant.load("holdem.nolimit.2p.reverse_blinds")).observe(1), TableError, "no-limit"),
    ],
)
def test_observations_without_a_decision_are_refused(agent, observation, error, match):
    with pytest.raises(error, match=match):
        agent.decide(observation)


# The trace, against a plain scan


def slow_votes(schema, found, columns, legal):
    votes, outcomes = Counter(), Counter()
    for _, id in found:
        solution = schema.solutions[columns["solutions"][id]]
        name = next(name for name in (solution, *NEIGHBOURS[solution]) if name in legal)
        votes[name] += 1
        outcomes[name] += columns["outcomes"][id]
    return votes, outcomes


def test_the_trace_equals_a_plain_scan(model):
    one, two = case_player(model, BestOutcome()), case_player(model, Majority())
    opponent_model, met = NetworkModel(Inference(model.network), TopGroups(4)), Counter()
    for state in spots(Variant.ring(4), 8, seed=6):
        observation, schema = own_view(state), SCHEMAS[state.street]
        beliefs = believe_all(opponent_model, observation)
        values = situation_of(observation, beliefs)
        casebase = model.casebases[schema.name]
        columns = casebase.columns()
        found = retrieval(schema, values, columns, schema.threshold)
        fell_back = not found
        found = found or retrieval(schema, values, columns, 0.0, 20)
        decision = two.decide(observation)
        retrieved = stage(decision, RetrievalStage)
        sizes = (retrieved.cases, retrieved.stored, retrieved.fell_back)
        assert sizes == (len(found), len(casebase), fell_back)
        assert [near.case for near in retrieved.nearest] == [id for _, id in found[:5]]
        for near, (similarity, id) in zip(retrieved.nearest, found, strict=False):
            case = casebase.case(id)
            assert near.similarity == pytest.approx(similarity, abs=1e-12)
            assert (near.solution, near.outcome) == (case["solution"], case["outcome"])
            matches = explain(casebase, values, id)
            assert list(near.columns) == [match.column for match in matches]
            for match in matches:
                assert near.columns[match.column] == pytest.approx(match.similarity, abs=1e-12)
        legal = [action.name for action in observation.legal_actions()]
        votes, outcomes = slow_votes(schema, found, columns, legal)
        reuse = stage(decision, ReuseStage)
        assert reuse.legal == {action.name: action for action in observation.legal_actions()}
        (own,) = reuse.memories
        assert {name: n for name, n in own.votes.items() if n} == votes
        assert own.outcomes == pytest.approx({name: outcomes[name] for name in legal})
        assert votes[decision.action.name] == max(votes.values())
        best = one.decide(observation).action.name
        assert outcomes[best] == pytest.approx(max(outcomes[name] for name in votes))
        met[fell_back, state.street > 0] += 1
    assert len(met) >= 3


def test_versions_differ_in_the_policy_alone(small_model):
    one, two = (load(f"baycarp{n}(model={str(small_model)!r}, published=True)") for n in (1, 2))
    assert (one.strategy, two.strategy) == (BAYCARP1, BAYCARP2)
    assert (one.strategy.policy, two.strategy.policy) == (BestOutcome(), Majority())
    assert replace(one.strategy, policy=Majority()) == two.strategy
    differ = 0
    for state in spots(Variant.ring(4), 8, seed=7):
        first, second = one.decide(own_view(state)), two.decide(own_view(state))
        for part in (BeliefStage, CaseStage, RetrievalStage):
            assert timeless(first, part) == timeless(second, part)
        assert votes_of(first) == votes_of(second)
        differ += first.action != second.action
    assert differ


def test_a_situation_holds_the_mean_over_opponents(model):
    opponent_model, rng = NetworkModel(Inference(model.network), TopGroups(4)), np.random.default_rng(0)
    state = next(s for s in spots(Variant.ring(4), 9, 8) if s.street == 1 and len(s.seats_in) > 2)
    observation = own_view(redealt(state, state.to_act, rng))
    beliefs = believe_all(opponent_model, observation)
    assert set(beliefs) == set(state.seats_in) - {state.to_act}
    assert situation_of(observation, beliefs)["opponent_hand_type"] == mean_types(beliefs)


# Learning. Three at the table, the player on the button; every action is told.

DECK = "2c3d 4c5d AsAh AdKs7h 9c Js"
LOSING = "2c3d AsAh 4c5d AdKs7h 9c Js"
SPLIT = "2c2d AsKh AhKd AdKs7h 9c Js"


def through(agent, deck, actions, hand=0, asks=True, over=True):
    """Play a hand by its actions; the player on the button decides before its own and receives all events."""
    state, names = State(Variant.ring(3), deck=cards(deck)), ("sb", "bb", "hero")
    words = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise"}
    for name in actions.split():
        if state.to_act == 2 and asks:
            agent.decide(state.observe(2, names, hand))
        before = state.observe(None, names, hand)
        agent.learn(Acted(before, state.apply(state.named(words[name]))))
    if over:
        agent.learn(HandOver(state.observe(None, names, hand), state.payoffs()))
    return state


def learned(agent, model):
    """New cases: (street, solution, outcome, hand), in order."""
    for name in STREETS:
        for id in range(len(model.casebases[name]), len(agent.casebases[name])):
            case = agent.casebases[name].case(id)
            yield name, case["solution"], case["outcome"], case["provenance"]["hand"]


SHOWDOWN = "r f c  k b c  k k  k b c"


@pytest.mark.parametrize(
    ("deck", "actions", "outcomes"),
    [
        (DECK, SHOWDOWN, [2, 1, 0, 2]),
        (SPLIT, SHOWDOWN, [2, 1, 0, 2]),
        (LOSING, SHOWDOWN, [-2, -1, 0, -2]),
        (DECK, "r f c  k b r f", [-2, -1, 0]),  # folds to the check-raise: all of the hand turns negative
        (DECK, "r f f", [2]),
        (DECK, "f f", [0]),
    ],
)
def test_own_decisions_are_revised_and_retained(agent, model, deck, actions, outcomes):
    through(agent, deck, actions, hand=7)
    cases = list(learned(agent, model))
    assert [outcome for _, _, outcome, _ in cases] == outcomes
    assert {hand for *_, hand in cases} == {7}


def test_hands_are_retained_whatever_their_number(agent, model):
    through(agent, DECK, SHOWDOWN, hand=245_000_000_017)
    assert [hand for *_, hand in learned(agent, model)] == [0, 0, 0, 0]


@pytest.mark.parametrize("revise", ["net", "g-bucks", "hindsight"])
def test_own_cases_have_the_outcomes_of_the_trainer(model, revise):
    """Seated or watching: equal cases and outcomes, but the trainer has the cases of folded hands, too."""
    agent = case_player(model, Majority(), revise=revise)
    state = through(agent, DECK, SHOWDOWN, hand=7)
    hands = [Hand.of(state, ("sb", "bb", "hero"), 7)]
    steps = cases_of_session(hands, 0, agent.strategy, model.network, {"hero"})
    watched = [(step.base, step.case.solution, step.case.outcome, 7) for step in steps]
    folded = int(revise == "hindsight")  # before the flop one folds
    assert list(learned(agent, model))[folded:] == watched[folded:]
    if revise in ("net", "hindsight"):  # the river: 17 chips with the bet called, 4 paid, and the hand is won
        assert watched[-1][2] == (21 - 4) / 2
    else:  # aces full or a set: worth most against what was believed, whoever won
        losing = case_player(model, Majority(), revise=revise)
        through(losing, LOSING, SHOWDOWN, hand=7)
        assert watched[-1][2] > 0
        assert [step[:2] for step in learned(losing, model)] == [step[:2] for step in watched]


def test_a_model_names_the_outcome_rule_of_its_cases(small_model, model):
    spec = f"baycarp2(model={str(small_model)!r}"
    assert model.outcome == ""  # the strategy's
    assert load(f"{spec})").strategy.outcome == signed_cost
    own = system("baycarp2", model={"folder": small_model}, learning={"outcome": g_bucks})
    assert load(own).strategy.outcome == g_bucks
    with pytest.raises(ModelError, match="policy 'best': expected one of best outcome"):
        load(f"{spec}, policy='best')")


def test_a_mixed_strategy_draws_its_lots_under_the_seed(small_model):
    spec = f"baycarp2(model={str(small_model)!r}, policy='proportional')"
    state = State(Variant.ring(3), deck=cards(DECK))
    observation = state.observe(2, ("sb", "bb", "hero"), 0)
    drawn = []
    for seed in range(40):
        agent = load(spec)
        agent.sit(2, state.variant, seed)
        decision = agent.decide(observation)
        assert decision.action == agent.decide(observation).action
        drawn.append(decision.action.name)
    policy = decision.policy_by_kind()
    assert 0 < max(policy.values()) < 1
    assert set(drawn) <= {name for name, chance in policy.items() if chance}
    assert len(set(drawn)) > 1


def test_exploration_draws_with_the_policy_that_it_gives(model):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation, draws = state.observe(2, ("sb", "bb", "hero"), 0), 400
    drawn = Counter()
    for seed in range(draws):
        agent = case_player(model, Majority(), explore=0.3)
        agent.sit(2, state.variant, seed)
        decision = agent.decide(observation)
        drawn[decision.action.name] += 1
        assert replay(decision.trace) == decision.action
    best, others = case_player(model, Majority()).decide(observation).action.name, len(decision.policy) - 1
    share = 0.3 / len(decision.policy)
    assert sorted(decision.policy.values()) == pytest.approx([share] * others + [0.7 + share])
    assert decision.policy_by_kind()[best] == max(decision.policy.values())
    for name, propensity in decision.policy_by_kind().items():  # within five deviations of a binomial
        deviation = math.sqrt(draws * propensity * (1 - propensity))
        assert abs(drawn[name] - draws * propensity) < 5 * deviation


def test_without_exploration_nothing_changes(model):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation = state.observe(2, ("sb", "bb", "hero"), 0)
    plain, zero = (
        case_player(model, Majority(), **more).decide(observation) for more in ({}, {"explore": 0.0})
    )
    assert (plain.action, plain.policy, plain.reason) == (zero.action, zero.policy, zero.reason)
    with pytest.raises(ModelError, match=r"explore 1\.5"):
        case_player(model, Majority(), explore=1.5)


# Beginning with no case


@pytest.mark.parametrize("policy", [BestOutcome(), Majority(), Proportional()])
def test_a_player_that_learns_from_nothing_draws_any_legal_action(model, policy):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation, draws, drawn = state.observe(2, ("sb", "bb", "hero"), 0), 100, Counter()
    for seed in range(draws):
        agent = case_player(model.empty(), policy)
        agent.sit(2, state.variant, seed)
        decision = agent.decide(observation)
        drawn[decision.action.name] += 1
        assert replay(decision.trace) == decision.action
    assert decision.policy_by_kind() == {"fold": 1 / 3, "call": 1 / 3, "raise": 1 / 3}
    assert decision.reason == "0 cases to go by, too few: any legal action, drawn at random"
    retrieved, reuse = stage(decision, RetrievalStage), stage(decision, ReuseStage)
    assert (retrieved.cases, retrieved.stored, retrieved.fell_back) == (0, 0, True)
    assert (list(retrieved.nearest), list(reuse.cited)) == ([], [])
    assert reuse.explore == 1.0
    assert 0 <= reuse.draw < 1
    for name in decision.policy_by_kind():  # within five deviations of a binomial
        assert abs(drawn[name] - draws / 3) < 5 * math.sqrt(draws * 2 / 9)


def test_actions_drawn_from_nothing_are_retained(model, tmp_path):
    none = model.empty()
    with CaseStore.create(tmp_path / "cases.sqlite", none.casebases.values()) as store:
        agent = case_player(none, Majority(), store=store)
        through(agent, DECK, SHOWDOWN)
        store.flush()
        assert [len(store.load(name)) for name in STREETS] == [1] * 4
    assert [len(casebase) for casebase in none.casebases.values()] == [0] * 4  # the model's are its own


@pytest.mark.parametrize("more", [{}, {"explore": 0.2}])
def test_lots_are_drawn_until_the_fall_back_has_its_cases_or_one_is_near_enough(model, more):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation = state.observe(2, ("sb", "bb", "hero"), 0)
    values, folds = situation_of(observation, {}), {}
    near = SCHEMAS[0].situation(values)
    far = SCHEMAS[0].situation(dict.fromkeys(values, 0) | {"hand_rank": 169, "number_of_players": 10})
    for name, cases in {"19 far": [far] * 19, "20 far": [far] * 20, "1 near": [far] * 18 + [near]}.items():
        agent = case_player(model.empty(), Majority(), **more)
        base, origin = agent.casebases["preflop"], provenance(observation)
        stored = {column: origin[column] for column, _, _ in base.schema.provenance}
        base.extend(Case(query, "fold", 0.0, stored) for query in cases)
        folds[name] = agent.decide(observation).policy_by_kind()["fold"]
    kept = 1 - more.get("explore", 0.0) * 2 / 3
    assert folds == pytest.approx({"19 far": 1 / 3, "20 far": kept, "1 near": kept})


def test_experts_speak_where_there_is_no_case_of_ones_own(model):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation = state.observe(2, ("sb", "bb", "hero"), 0)
    trained, alone = case_player(model.empty(), Majority(), experts=[model]), case_player(model, Majority())
    assert trained.decide(observation).policy == alone.decide(observation).policy


def test_decisions_without_evidence_are_not_flipped(model):
    state = State(Variant.ring(3), deck=cards(DECK))
    observation, agent = state.observe(2, ("sb", "bb", "hero"), 0), case_player(model.empty(), Majority())
    decision = agent.decide(observation)
    counterfactual = Counterfactual(agent, observation, decision)
    assert counterfactual.action(counterfactual.at(counterfactual.situation)) == decision.action.name


@pytest.mark.parametrize(
    "parts",
    [{}, {"learning": {"explore": 0.1, "outcome": g_bucks}}, {"strategy": {"plans": "sum"}}],
    ids=["", "explores", "plans"],
)
def test_from_nothing_to_knowing_better(small_model, parts):
    spec = system("baycarp1", model={"folder": small_model, "empty": True}, **parts)
    played = play_session(Table(Variant.ring(3), ("We", "A", "B"), (spec, "rule", "jag"), seed=4), 0, 60)
    hero = played.tallies[0]
    assert hero.hands == 60
    assert 20 <= hero.fell_back[0] < hero.asked[0]  # at first nothing is near, then something is
    again = play_session(Table(Variant.ring(3), ("We", "A", "B"), (spec, "rule", "jag"), seed=4), 0, 60)
    assert again.log == played.log


def test_experts_are_heard_and_not_taught(model, styled_model):
    alone, received = case_player(model, Majority()), case_player(model, Majority(), experts=[model, model])
    for state in spots(Variant.ring(3), 6, seed=9):
        observation = own_view(state)
        one, three = alone.decide(observation), received.decide(observation)
        assert (one.action, one.policy) == (three.action, three.policy)
        assert len(stage(three, ReuseStage).memories) == 3
        assert votes_of(three) == {name: 3 * n for name, n in votes_of(one).items()}
    sizes = {name: len(casebase) for name, casebase in model.casebases.items()}
    through(received, DECK, SHOWDOWN)
    assert {name: len(casebase) for name, casebase in model.casebases.items()} == sizes
    spec = f"baycarp2(opponents='styles', model={str(styled_model)!r}, experts=[{str(styled_model)!r}])"
    assert len(load(spec).reuse.experts) == 1


def test_each_case_is_retained_on_its_street_with_its_provenance(agent, model):
    through(agent, DECK, SHOWDOWN, hand=7)
    assert [(street, solution) for street, solution, *_ in learned(agent, model)] == [
        ("preflop", "raise"), ("flop", "bet"), ("turn", "check"), ("river", "bet")
    ]  # fmt: skip
    turn = agent.casebases["turn"].case(len(model.casebases["turn"]))
    assert turn["provenance"] == {
        "session": -1,
        "hand": 7,
        "player": 2,
        "board": [*cards("AdKs7h 9c").tolist(), 255],
        "hole": cards("AsAh").tolist(),
    }
    state = State(Variant.ring(3), deck=cards(DECK))
    for name in ("raise", "fold", "call", "check"):
        state.apply(state.named(name))
    agent.sit(2, state.variant, 0)  # habits start afresh, as when the case was met
    nearest = stage(agent.decide(state.observe(2, ("sb", "bb", "hero"), 9)), RetrievalStage).nearest[0]
    assert (nearest.case, nearest.similarity) == (len(model.casebases["flop"]), 1.0)


def test_advice_is_not_learned(agent, model):
    state = State(Variant.ring(3), deck=cards(DECK))
    agent.decide(state.observe(2, ("sb", "bb", "hero"), 0))
    through(agent, DECK, SHOWDOWN, hand=1, asks=False)
    assert not list(learned(agent, model))


def test_the_fast_tier_decides_but_is_not_remembered(model):
    agent, names = case_player(model, Majority()), ("sb", "bb", "hero")
    agent._anytime.record(FULL, 1, 1e6)
    state = State(Variant.ring(3), deck=cards(DECK))
    for name in ("raise", "fold", "call", "check"):
        state.apply(state.named(name))
    decision = agent.decide(state.observe(2, names), time_limit=1e3)
    assert tiers_of(decision) == [("rules", True), (FAST, True), (FULL, False)]
    assert stage(decision, RetrievalStage).cases
    agent.learn(Acted(state.observe(None, names), state.apply(decision.action)))
    while not state.is_over:
        name = "call" if state.owed else "check"
        agent.learn(Acted(state.observe(None, names), state.apply(state.named(name))))
    agent.learn(HandOver(state.observe(None, names), state.payoffs()))
    assert not list(learned(agent, model))


def test_learning_can_be_switched_off(model):
    agent = case_player(model, Majority(), learning=False)
    through(agent, DECK, SHOWDOWN)
    assert not list(learned(agent, model))


def test_a_hand_that_never_ended_teaches_nothing(agent, model):
    through(agent, DECK, "r f c  k b", hand=1, over=False)
    through(agent, LOSING, "r f f", hand=2)
    assert list(learned(agent, model)) == [("preflop", "raise", 2.0, 2)]
    through(agent, DECK, "r f c  k b", hand=3, over=False)
    through(agent, DECK, SHOWDOWN, hand=4, asks=False)
    assert len(list(learned(agent, model))) == 1


def test_a_new_session_drops_pending_decisions_and_opponent_models(agent, model):
    through(agent, DECK, "r f c  k b", hand=1, over=False)
    agent.sit(2, Variant.ring(3), 0)
    through(agent, DECK, "r f f", hand=1, asks=False)
    assert not list(learned(agent, model))
    assert agent.full.opponents.statistics.of("hero").hands == 1


def test_habits_are_counted_by_name_over_hands_that_are_over(agent):
    through(agent, DECK, "r f c  k b f")
    through(agent, DECK, "r f f")
    names = ("bb", "hero", "sb")  # the button has moved
    state = State(Variant.ring(3), deck=cards(DECK))
    opponents = stage(agent.decide(state.observe(2, names, 2)), BeliefStage).opponents
    evidence = {belief.player: belief.evidence for belief in opponents}
    assert (evidence["bb"]["VPIP"], evidence["bb"]["PFR"]) == ("a50_60", "a0_5")
    assert (evidence["hero"]["VPIP"], evidence["hero"]["PFR"]) == ("a60_100", "a25_100")


def test_the_model_that_was_loaded_is_not_changed(small_model):
    model = load_model(small_model)
    sizes = {name: len(casebase) for name, casebase in model.casebases.items()}
    digests = {path: path.read_bytes() for path in small_model.glob("*.*")}
    agent = case_player(model, Majority())
    for hand in range(3):
        through(agent, DECK, SHOWDOWN, hand)
    assert len(agent.casebases["flop"]) == sizes["flop"] + 3
    assert {name: len(casebase) for name, casebase in model.casebases.items()} == sizes
    assert {path: path.read_bytes() for path in small_model.glob("*.*")} == digests
    assert len(case_player(model, Majority()).casebases["flop"]) == sizes["flop"]


REMEMBER = """
import sys
from baycarp.agents.registry import load
agent = load(f"baycarp2(model={sys.argv[1]!r}, memory='diary')")
print(len(agent.casebases["flop"]), agent.casebases["flop"].case(len(agent.casebases["flop"]) - 1)["outcome"])
"""


def test_a_memory_outlives_its_process(small_model, model, tmp_path, monkeypatch):
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))
    before = {path: path.read_bytes() for path in small_model.glob("*.*")}
    agent = load(f"baycarp2(model={str(small_model)!r}, memory='diary')")
    through(agent, LOSING, SHOWDOWN, hand=5)
    agent.store.close()
    command = [sys.executable, "-c", REMEMBER, str(small_model)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(model.casebases["flop"]) + 1), "-1.0"]
    assert {path: path.read_bytes() for path in small_model.glob("*.*")} == before
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["diary.sqlite"]
