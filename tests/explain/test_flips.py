"""The smallest change that flips an action, against exhaustive search in plain loops."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from reference.players import case_player
from reference.spots import spots

from baycarp.agents.cases.commitment import PlanStage
from baycarp.agents.cases.stages import CaseStage
from baycarp.agents.trace import stage_of
from baycarp.cases import POLICIES, BestOutcome, Case, CaseBase, Majority, retrieve
from baycarp.errors import ModelError
from baycarp.explain import flips
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.flips import Flip, ValueChange, flip
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import normalized
from baycarp.opponents.actions.hand_actions import sensible as start
from baycarp.opponents.actions.situations import hand_moves
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.belief import LEAST, NONE, Belief
from baycarp.opponents.network.model import NetworkModel
from baycarp.rules.hand import TYPES, hand_types
from baycarp.rules.income import IncomeGroup
from baycarp.strategies.baycarp import BAYCARP2, LARGEST
from baycarp.strategies.kinds import NEIGHBOURS
from baycarp.strategies.model import load_model

STYLES = Styles((start(),), (1.0,))

MEASURED = ("hand_rank", "hand_strength", "positive_potential", "negative_potential")


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


def views(seats, hands, seed):
    for number, state in enumerate(spots(Variant.ring(seats), hands, seed)):
        yield state.observe(state.to_act, tuple(f"p{seat}" for seat in range(seats)), number)


def asked(agent, observation):
    return Counterfactual(agent, observation, agent.decide(observation))


def legal_of(counterfactual):
    """The legal kinds."""
    return [action.name for action in counterfactual.observation.legal_actions()]


def repair_of(counterfactual):
    """The legal solution of every solution, from the table of neighbours."""
    legal = legal_of(counterfactual)
    return {
        name: next(each for each in (name, *others) if each in legal) for name, others in NEIGHBOURS.items()
    }


def values_of(counterfactual):
    """The values of the situation, by feature, as the trace has them."""
    return dict(stage_of(counterfactual.decision.trace, CaseStage).values)


def unlike(schema, query, values):
    """1 less the similarity of retrieval, with the changed situation as the only case."""
    base = CaseBase(replace(schema, provenance=()))
    base.append(Case(schema.situation(values), schema.solutions[0]))
    return 1 - retrieve(base, query, at_least=0).similarities[0]


def action(counterfactual, values):
    """The action of the agent's policy there; None if no case reaches the threshold."""
    found = retrieve(counterfactual.casebase, values, fallback=0)
    return chosen(counterfactual, found)


def chosen(counterfactual, found):
    """The solution that the agent's policy chooses by these cases."""
    policy, casebase = counterfactual.agent.strategy.policy, counterfactual.casebase
    return policy(found, casebase, legal_of(counterfactual), repair_of(counterfactual)).choice


def grid(stored, now, step):
    """From the least to the greatest stored value, in steps from the present value."""
    now, values, k = float(now), [], 0
    while now - step * (k + 1) >= stored.min():
        k += 1
    for i in range(-k, 10_000):
        value = np.float32(now + step * i)
        if now + step * i > stored.max():
            break
        values.append(value)
    return values


def every_feature(counterfactual, changed):
    """All possible changes, as (size, action), by loops over the stored cases."""
    schema, query = counterfactual.schema, counterfactual.situation
    names = [feature.name for feature in schema.numbers]
    stored = dict(zip(names, counterfactual.casebase.columns()["numbers"], strict=True))
    ours = dict(zip(names, query.numbers, strict=True))
    shown = [name for name in names if name in LARGEST and name != "hand_rank"]
    measured = [name for name in names if name in MEASURED]
    tables = {tuple(ours[name] for name in shown)}
    for i in range(len(counterfactual.casebase)):
        if (stored["bets_to_call"][i] > 0) == (ours["bets_to_call"] > 0):
            tables.add(tuple(stored[name][i] for name in shown))
    found = []
    for table in tables:
        changes = sum(value != ours[name] for name, value in zip(shown, table, strict=True))
        for moved in combinations(measured, max(changed - changes, 0)):
            if changes + len(moved) != changed:
                continue
            options = [
                sorted(set(stored[n]))
                if n == "hand_rank"
                else grid(stored[n], ours[n], flips.STEPS[changed - 1])
                for n in moved
            ]
            for values in product(*options):
                there = ours | dict(zip(shown, table, strict=True)) | dict(zip(moved, values, strict=True))
                if sum(there[name] != ours[name] for name in names) != changed:
                    continue
                there |= {k: v for k, v in values_of(counterfactual).items() if k not in names}
                done = action(counterfactual, there)
                if done not in (None, counterfactual.decision.action.name):
                    found.append((unlike(schema, query, there), done))
    return found


def test_the_smallest_flip_of_features_is_that_of_exhaustive_search(model):
    met = set()
    for policy in (Majority(), BestOutcome()):
        agent = case_player(model, policy)
        for observation in list(views(3, 6, seed=3))[::4]:
            counterfactual, smallest = asked(agent, observation), None
            smallest = flip(counterfactual, "features")
            single = every_feature(counterfactual, 1)
            if single:
                assert smallest is not None
                assert len(smallest.changes) == 1
                assert smallest.size == pytest.approx(min(size for size, _ in single), abs=1e-9)
                assert smallest.action in {done for size, done in single if size < smallest.size + 1e-9}
            elif smallest is not None:
                assert len(smallest.changes) == 2
            met.add((bool(observation.street), len(smallest.changes) if smallest else 0))
    assert {(False, 1), (True, 1)} <= met


def test_pairs_of_features_are_tried_if_no_single_one_flips(model, monkeypatch):
    monkeypatch.setattr(flips, "STEPS", (0.4, 0.2))  # so coarse that single ones may fail
    agent, pairs = case_player(model, Majority()), 0
    for observation in views(2, 14, seed=9):
        counterfactual = asked(agent, observation)
        if not observation.street or every_feature(counterfactual, 1):
            continue
        smallest, expected = flip(counterfactual, "features"), every_feature(counterfactual, 2)
        assert (smallest is None) == (not expected)
        if smallest is not None:
            assert smallest.size == pytest.approx(min(size for size, _ in expected), abs=1e-9)
            pairs += 1
    assert pairs


def every_piece(counterfactual):
    """Each possible change of evidence, by the probability of all evidence over that of the rest."""
    network, plan = counterfactual.agent.model.network, counterfactual.agent.inference.plan
    for position, evidence in counterfactual.evidence.items():
        nodes = [
            n for n in network.structure.nodes if n in ("VPIP", "PFR") or (n in evidence and "Action" in n)
        ]
        for node in nodes:
            rest = {other: state for other, state in evidence.items() if other != node}
            base = plan(rest, ["HandGroup"]).probability(rest)
            for state in network.structure.states[node]:
                there = rest | {node: state}
                chance = plan(there, ["HandGroup"]).probability(there) / base
                if chance >= LEAST and evidence.get(node) != state and sensible(there):
                    yield position, node, state
            if node in evidence and node in ("VPIP", "PFR"):
                yield position, node, None


def every_act(counterfactual):
    """Each action of an opponent with an action model, and its alternatives by the model."""
    observation = counterfactual.observation
    for position, evidence in counterfactual.evidence.items():
        own_moves, model, table = acts_of(counterfactual, position)
        for number, (act, move) in enumerate(zip(evidence, own_moves, strict=True)):
            changed = (
                [*own_moves[:number], move._replace(choice=k), *own_moves[number + 1 :]] for k in range(3)
            )
            masses = [
                model.likelihood(each, observation.board, table, observation.hole).sum() for each in changed
            ]
            chances = np.array(masses) / sum(masses)
            for choice, name in ((1, "checks or calls"), (2, "bets or raises")):
                if chances[choice] >= LEAST and name != evidence[act]:
                    yield position, act, name


def acts_of(counterfactual, position):
    """The opponent's moves, its tables, and the income rates that order its holdings."""
    acts, variant = counterfactual.observation.acts, counterfactual.observation.variant
    own_moves = [move for move in hand_moves(acts, variant).moves if move.seat == position]
    table = hand_moves(acts, variant).income_groups.get(position, IncomeGroup.IR2)
    return own_moves, counterfactual.agent.full.opponents.of(counterfactual.players[position]), table


def by_acts(counterfactual, position, evidence):
    """The belief about the opponent for the given actions."""
    own_moves, model, table = acts_of(counterfactual, position)
    names, acts = ("folds", "checks or calls", "bets or raises"), list(counterfactual.evidence[position])
    done = [
        m._replace(choice=names.index(evidence[a]))
        for a, m in zip(acts, own_moves, strict=True)
        if a in evidence
    ]
    observation = counterfactual.observation
    held = normalized(model.likelihood(done, observation.board, table, observation.hole))
    kinds, shares = hand_types(observation.board), np.zeros(len(TYPES))
    for holding in np.flatnonzero(held):
        shares[kinds[holding]] += held[holding]
    return Belief(position, "", {}, NONE, shares, held)


def by_network(counterfactual, position, evidence):
    agent = counterfactual.agent
    model = NetworkModel(agent.inference, agent.strategy.opponents.rule)
    return model.suppose(counterfactual.observation, position, "", evidence)


def sensible(observation):
    """No player raises in more hands than it plays."""
    played, raised = observation.get("VPIP", "a0_100"), observation.get("PFR", "a0_100")
    return int(raised[1:].split("_")[0]) < int(played.split("_")[1])


def every_evidence(counterfactual, changed, every, believe):
    nodes, found = counterfactual.observation, []
    for pieces in combinations(list(every(counterfactual)), changed):
        if len({piece[:2] for piece in pieces}) < changed:
            continue
        evidence = {position: dict(retrieved) for position, retrieved in counterfactual.evidence.items()}
        for position, node, state in pieces:
            evidence[position] = {
                k: v for k, v in (evidence[position] | {node: state}).items() if v is not None
            }
        if not all(map(sensible, evidence.values())):
            continue
        beliefs = {
            position: believe(counterfactual, position, retrieved) for position, retrieved in evidence.items()
        }
        values = BAYCARP2.describe(nodes, beliefs, counterfactual.schema)
        done = chosen(counterfactual, retrieve(counterfactual.casebase, values))
        if done != counterfactual.decision.action.name:
            found.append((unlike(counterfactual.schema, counterfactual.situation, values), done))
    return found


@pytest.mark.parametrize(
    ("styles", "every", "believe"),
    [(None, every_piece, by_network), (STYLES, every_act, by_acts)],
    ids=["network", "acts"],
)
def test_the_smallest_flip_of_evidence_is_that_of_exhaustive_search(
    model, styled_model, styles, every, believe
):
    described = load_model(styled_model) if styles else model
    agent, met = case_player(described, Majority(), styles=styles), set()
    for evidence in views(2, 12, seed=5):
        counterfactual = asked(agent, evidence)
        smallest = flip(counterfactual, "evidence")
        if not evidence.street:
            assert smallest is None
            continue
        for changed in (1, 2):
            expected = every_evidence(counterfactual, changed, every, believe)
            if expected:
                assert smallest is not None
                assert len(smallest.changes) == changed
                assert smallest.size == pytest.approx(min(size for size, _ in expected), abs=1e-9)
                break
        else:
            assert smallest is None
        met.add(len(smallest.changes) if smallest else 0)
        if met == {0, 1, 2}:
            return
    raise AssertionError(f"met {met}")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_flip_changes_the_action(model, policy):
    agent = case_player(model, POLICIES[policy], experts=(model,))
    for observation in list(views(3, 3, seed=7)):
        counterfactual = asked(agent, observation)
        smallest = flip(counterfactual, "features")
        if smallest is not None:
            changed = values_of(counterfactual) | {change.what: change.then for change in smallest.changes}
            there = counterfactual.schema.situation(changed)
            done = counterfactual.action(counterfactual.at(there))
            assert done == smallest.action != counterfactual.decision.action.name
            assert all(values_of(counterfactual)[c.what] == pytest.approx(c.now) for c in smallest.changes)


ACT = "5. river, facing no bet"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ValueChange("VPIP", None, "a20_30", "Bob"),
            "with Bob's hands played 20 to 30 % rather than unknown",
        ),
        (ValueChange("hand_strength", 0.5, 0.625), "with hand strength 62 % rather than 50 %"),
        (
            ValueChange("relative_position", 1.0, 0.0),
            "with place in the order of play first rather than last",
        ),
        (ValueChange("holding", "7h2d", "KsTd"), "with cards KsTd rather than 7h2d"),
        (
            ValueChange(ACT, "bets or raises", "checks or calls", "Bob"),
            "if Bob checks on the river rather than bets",
        ),
        (ValueChange(ACT, "bets or raises", None, "Bob"), "if it were not known that Bob bets on the river"),
        (
            ValueChange("Action", "CallHalf", "Raise", "Bob"),
            "with Bob's action before the flop raise rather than call half",
        ),
    ],
)
def test_in_words(change, words):
    assert str(Flip((change,), 0.1, "bet")) == f"bet, {words}"
    assert str(Flip((change, change), 0.1, "fold")) == f"fold, {words} and {words}"


def test_a_planning_player_has_flips_until_it_keeps_to_a_plan(model):
    agent, names = case_player(model, Majority(), plans=True), ("p0", "p1", "p2")
    count = 0
    for number, state in enumerate(spots(Variant.ring(3), 8, seed=2)):
        observation = state.observe(state.to_act, names, number)
        decision = agent.decide(observation)
        counterfactual = Counterfactual(agent, observation, decision)
        assert counterfactual.at(counterfactual.situation).probabilities == decision.policy_by_kind()
        trace = [
            replace(stage, kept=True) if isinstance(stage, PlanStage) else stage for stage in decision.trace
        ]
        with pytest.raises(ModelError, match="kept no plan"):
            Counterfactual(agent, observation, replace(decision, trace=tuple(trace)))
        count += 1
    assert count > 50


def test_a_decision_without_cases_is_refused(model):
    observation = next(v for v in views(3, 5, seed=1) if v.street)
    agent = case_player(model, Majority())
    with pytest.raises(ModelError, match="expected one by retrieved cases"):
        Counterfactual(agent, observation, agent.decide(observation, time_limit=0))
