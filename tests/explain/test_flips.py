"""The smallest change that flips an action, against trying everything in plain loops."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from reference.players import case_player
from reference.spots import spots

from baycarp.agents import flips
from baycarp.cases import POLICIES, BestOutcome, Case, CaseBase, Majority, retrieve
from baycarp.errors import ModelError
from baycarp.explain.counterfactual import Counterfactual
from baycarp.explain.flips import Change, Flip, flip
from baycarp.game.variant import Variant
from baycarp.opponents.actions import sensible as start
from baycarp.opponents.belief import LEAST, Belief, suppose
from baycarp.opponents.buckets import buckets
from baycarp.opponents.moves import income_groups, moves
from baycarp.opponents.styles import Styles
from baycarp.rules.hand import TYPES, hand_types
from baycarp.rules.income import IncomeGroup
from baycarp.strategies.baycarp import LARGEST, REPAIR
from baycarp.strategies.model import load_model

STYLES = Styles((start(),), (1.0,))

MEASURED = ("hand_rank", "hand_strength", "positive_potential", "negative_potential")


@pytest.fixture(scope="module")
def model(small_model):
    return load_model(small_model)


def views(seats, hands, seed):
    for number, state in enumerate(spots(Variant.ring(seats), hands, seed)):
        yield state.observe(state.to_act, tuple(f"p{seat}" for seat in range(seats)), number)


def asked(agent, seen):
    return Counterfactual(agent, seen, agent.decide(seen))


def unlike(schema, query, values):
    """1 less the similarity that retrieval finds, where the changed situation is the only case."""
    base = CaseBase(replace(schema, provenance=()))
    base.append(Case(schema.situation(values), schema.solutions[0]))
    return 1 - retrieve(base, query, at_least=0).similarities[0]


def action(if_not, values):
    """What the agent's policy does there; None where no case reaches the threshold."""
    found = retrieve(if_not.casebase, values, fallback=0)
    return if_not.agent.policy(found, if_not.casebase, if_not.legal, REPAIR).choice


def grid(stored, now, step):
    """From the bottom of what is stored to the top, in steps from our own value."""
    now, values, k = float(now), [], 0
    while now - step * (k + 1) >= stored.min():
        k += 1
    for i in range(-k, 10_000):
        value = np.float32(now + step * i)
        if now + step * i > stored.max():
            break
        values.append(value)
    return values


def every_feature(if_not, changed):
    """All that may be tried, as (size, action), by loops over the stored cases."""
    schema, query = if_not.schema, if_not.query
    names = [feature.name for feature in schema.numbers]
    stored = dict(zip(names, if_not.casebase.columns()["numbers"], strict=True))
    ours = dict(zip(names, query.numbers, strict=True))
    shown = [name for name in names if name in LARGEST and name != "hand_rank"]
    measured = [name for name in names if name in MEASURED]
    tables = {tuple(ours[name] for name in shown)}
    for i in range(len(if_not.casebase)):
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
                there |= {k: v for k, v in if_not.values.items() if k not in names}
                done = action(if_not, there)
                if done not in (None, if_not.decision.action.name):
                    found.append((unlike(schema, query, there), done))
    return found


def test_the_smallest_flip_of_features_is_that_of_trying_all(model):
    met = set()
    for policy in (Majority(), BestOutcome()):
        agent = case_player(model, policy)
        for seen in list(views(3, 6, seed=3))[::4]:
            if_not, told = asked(agent, seen), None
            told = flip(if_not, "features")
            single = every_feature(if_not, 1)
            if single:
                assert told is not None
                assert len(told.changes) == 1
                assert told.size == pytest.approx(min(size for size, _ in single), abs=1e-9)
                assert told.action in {done for size, done in single if size < told.size + 1e-9}
            elif told is not None:
                assert len(told.changes) == 2
            met.add((bool(seen.street), len(told.changes) if told else 0))
    assert {(False, 1), (True, 1)} <= met


def test_pairs_of_features_are_tried_where_no_single_one_does(model, monkeypatch):
    monkeypatch.setattr(flips, "STEPS", (0.4, 0.2))  # so coarse that single ones may fail
    agent, pairs = case_player(model, Majority()), 0
    for seen in views(2, 14, seed=9):
        if_not = asked(agent, seen)
        if not seen.street or every_feature(if_not, 1):
            continue
        told, expected = flip(if_not, "features"), every_feature(if_not, 2)
        assert (told is None) == (not expected)
        if told is not None:
            assert told.size == pytest.approx(min(size for size, _ in expected), abs=1e-9)
            pairs += 1
    assert pairs


def every_piece(if_not):
    """Each piece of evidence that may be another, by the probability of all of it over that of the rest."""
    network, plan = if_not.agent.model.network, if_not.agent.inference.plan
    for who, seen in if_not.evidence.items():
        nodes = [n for n in network.structure.nodes if n in ("VPIP", "PFR") or (n in seen and "Action" in n)]
        for node in nodes:
            rest = {other: state for other, state in seen.items() if other != node}
            base = plan(rest, ["HandGroup"]).probability(rest)
            for state in network.structure.states[node]:
                there = rest | {node: state}
                chance = plan(there, ["HandGroup"]).probability(there) / base
                if chance >= LEAST and seen.get(node) != state and sensible(there):
                    yield who, node, state
            if node in seen and node in ("VPIP", "PFR"):
                yield who, node, None


def every_act(if_not):
    """Each act of an opponent who is read by his acts, and what else he might have done, by his tables."""
    for who, told in if_not.evidence.items():
        his, model, table = acts_of(if_not, who)
        for number, (act, move) in enumerate(zip(told, his, strict=True)):
            board = if_not.seen.board[: move.street + 2] if move.street else ()
            held = model.posterior(
                his[:number] + his[number + 1 :], if_not.seen.board, table, if_not.seen.hole
            )
            bucket = buckets(tuple(board), table)
            chances = sum(
                p * model.tables[move.street][move.situation][bucket[h]] for h, p in enumerate(held) if p
            )
            for choice, name in ((1, "checks or calls"), (2, "bets or raises")):
                if chances[choice] >= LEAST and name != told[act]:
                    yield who, act, name


def acts_of(if_not, who):
    """His moves, the tables that are known of him, and which income rates order his holdings."""
    his = [move for move in moves(if_not.seen.acts, if_not.seen.variant) if move.seat == who]
    table = income_groups(if_not.seen.acts, if_not.seen.variant).get(who, IncomeGroup.IR2)
    return his, if_not.agent.reads.of(if_not.players[who]).model, table


def by_acts(if_not, who, told):
    """What is believed of him had he done what is told."""
    his, model, table = acts_of(if_not, who)
    names, acts = ("folds", "checks or calls", "bets or raises"), list(if_not.evidence[who])
    done = [m._replace(choice=names.index(told[a])) for a, m in zip(acts, his, strict=True) if a in told]
    held = model.posterior(done, if_not.seen.board, table, if_not.seen.hole)
    kinds, shares = hand_types(if_not.seen.board), dict.fromkeys(TYPES, 0.0)
    for holding in np.flatnonzero(held):
        shares[TYPES[kinds[holding]]] += held[holding]
    return Belief(who, "", {}, {}, shares, held)


def by_network(if_not, who, told):
    return suppose(if_not.agent.inference, told, if_not.seen, if_not.agent.rule, who)


def sensible(seen):
    """Nobody raises in more hands than he plays."""
    played, raised = seen.get("VPIP", "a0_100"), seen.get("PFR", "a0_100")
    return int(raised[1:].split("_")[0]) < int(played.split("_")[1])


def every_evidence(if_not, changed, every, believe):
    agent, seen, found = if_not.agent, if_not.seen, []
    for pieces in combinations(list(every(if_not)), changed):
        if len({piece[:2] for piece in pieces}) < changed:
            continue
        evidence = {who: dict(told) for who, told in if_not.evidence.items()}
        for who, node, state in pieces:
            evidence[who] = {k: v for k, v in (evidence[who] | {node: state}).items() if v is not None}
        if not all(map(sensible, evidence.values())):
            continue
        beliefs = {who: believe(if_not, who, told) for who, told in evidence.items()}
        values = situation_of(seen, beliefs).values
        told = retrieve(if_not.casebase, values)
        done = agent.policy(told, if_not.casebase, if_not.legal, REPAIR).choice
        if done != if_not.decision.action.name:
            found.append((unlike(if_not.schema, if_not.query, values), done))
    return found


@pytest.mark.parametrize(
    ("styles", "every", "believe"),
    [(None, every_piece, by_network), (STYLES, every_act, by_acts)],
    ids=["network", "acts"],
)
def test_the_smallest_flip_of_evidence_is_that_of_trying_all(model, styles, every, believe):
    agent, met = case_player(model, Majority(), styles=styles), set()
    for seen in views(2, 12, seed=5):
        if_not = asked(agent, seen)
        told = flip(if_not, "evidence")
        if not seen.street:
            assert told is None
            continue
        for changed in (1, 2):
            expected = every_evidence(if_not, changed, every, believe)
            if expected:
                assert told is not None
                assert len(told.changes) == changed
                assert told.size == pytest.approx(min(size for size, _ in expected), abs=1e-9)
                break
        else:
            assert told is None
        met.add(len(told.changes) if told else 0)
        if met == {0, 1, 2}:
            return
    raise AssertionError(f"met {met}")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_flip_flips(model, policy):
    agent = case_player(model, POLICIES[policy], experts=(model,))
    for seen in list(views(3, 3, seed=7)):
        if_not = asked(agent, seen)
        told = flip(if_not, "features")
        if told is not None:
            changed = if_not.values | {change.what: change.then for change in told.changes}
            there = if_not.schema.situation(changed)
            assert if_not.action(if_not.at(there)) == told.action != if_not.decision.action.name
            assert all(if_not.values[c.what] == pytest.approx(c.now) for c in told.changes)


def test_in_words():
    one = Change("Bob's VPIP", None, "a20_30")
    assert str(Flip((one,), 0.1, "bet")) == "bet, were Bob's VPIP a20_30 rather than unknown"
    two = Change("hand_strength", 0.5, 0.625)
    assert str(Flip((two, one), 0.1, "fold")) == (
        "fold, were hand_strength 0.625 rather than 0.5 and Bob's VPIP a20_30 rather than unknown"
    )


def test_who_plans_is_asked_as_he_weighs_until_he_keeps_to_a_plan(model):
    agent, names = case_player(model, Majority(), plans=True), ("p0", "p1", "p2")
    count = 0
    for number, state in enumerate(spots(Variant.ring(3), 8, seed=2)):
        seen = state.observe(state.to_act, names, number)
        decision = agent.decide(seen)
        if_not = Counterfactual(agent, seen, decision)
        assert if_not.at(if_not.query).probabilities == decision.policy_by_kind()
        plan = next(stage.said for stage in decision.trace if stage.name == "plan")
        trace = [
            replace(s, told={**plan, "kept": "check"}) if s.name == "plan" else s for s in decision.trace
        ]
        with pytest.raises(ModelError, match="kept no plan"):
            Counterfactual(agent, seen, replace(decision, trace=tuple(trace)))
        count += 1
    assert count > 50


def test_a_decision_without_precedents_cannot_be_asked(model):
    seen = next(v for v in views(3, 5, seed=1) if v.street)
    agent = case_player(model, Majority())
    with pytest.raises(ModelError, match="asked precedents"):
        Counterfactual(agent, seen, agent.decide(seen, time_limit=0))
