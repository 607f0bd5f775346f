"""What couplings learn from cases: the network of actions, posteriors of cases, exemplars, calibration."""

from itertools import combinations

import numpy as np
import pytest

from baycarp.agents.couplings import parallel
from baycarp.agents.couplings.discretised import ACTION, action_network, discretised
from baycarp.agents.couplings.exemplars import EXEMPLARS, summary
from baycarp.agents.couplings.parallel import calibrated
from baycarp.agents.couplings.posterior import ByPosterior, log_lift
from baycarp.cases.schema import Situation
from baycarp.strategies.model import load_model


@pytest.fixture(scope="module", params=["preflop", "flop"])
def base(request, coupled_models):
    return load_model(coupled_models / "network").casebases[request.param]


def query(base, row):
    now = base.snapshot()
    numbers, codes = (np.ascontiguousarray(each[:, row]) for each in (now.numbers, now.codes))
    return Situation(numbers, codes, np.ones(len(codes)))


def test_each_feature_has_the_action_and_at_most_one_other_above_it(base):
    structure = action_network(base).network.structure
    above = {name: structure.parents[name] for name in base.schema.columns}
    assert all(parents[0] == ACTION and len(parents) <= 2 for parents in above.values())
    assert sum(len(parents) == 1 for parents in above.values()) == 1


def test_the_tree_is_the_best_of_all_exchanges(base):
    """No arc that joins the two parts which another leaves is worth more."""
    cut, columns = discretised(base)

    def worth(one, other):
        total = 0.0
        for action in np.unique(columns[ACTION]):
            of = columns[ACTION] == action
            pairs = list(zip(columns[one][of].tolist(), columns[other][of].tolist(), strict=True))
            n = len(pairs)
            for x, y in set(pairs):
                both, first, second = pairs.count((x, y)), [p[0] for p in pairs], [p[1] for p in pairs]
                total += both * np.log(both * n / (first.count(x) * second.count(y)))
        return total

    names = list(cut.schema.columns)[:6]
    parents = action_network(base).network.structure.parents
    arcs = {frozenset((name, parents[name][1])) for name in names if len(parents[name]) > 1}
    weakest = min((worth(*arc) for arc in arcs if arc <= set(names)), default=0.0)
    joined = {frozenset(pair) for pair in combinations(names, 2)} - arcs
    strongest = max(worth(*pair) for pair in joined)
    assert max(worth(*arc) for arc in arcs if arc <= set(names)) >= strongest >= 0
    assert weakest >= 0


def test_its_chances_are_the_product_of_its_tables(base):
    network = action_network(base)
    structure, situation = network.network.structure, query(base, 7)
    codes = network.cut.of(situation)
    expected = []
    for action in range(len(base.schema.solutions)):
        chance = network.network.cpt(ACTION)[action]
        for name in base.schema.columns:
            at = tuple({ACTION: action, **codes}[parent] for parent in structure.parents[name])
            chance *= network.network.cpt(name)[(*at, codes[name])]
        expected.append(chance)
    assert list(network.chances(situation).values()) == pytest.approx(np.array(expected) / sum(expected))


def test_a_case_is_as_probable_as_its_own_state_allows(base):
    """No case is likelier on than one with every state of the query, and these are found first."""
    cut, columns = discretised(base)
    situation = query(base, 11)
    lift = log_lift(base, situation)
    codes = cut.of(situation)
    alike = np.all([columns[name] == code for name, code in codes.items()], axis=0)
    assert alike[11]
    assert np.isclose(lift[alike], lift.max()).all()
    found = ByPosterior().similar(base, situation)
    assert set(np.flatnonzero(alike)) == set(found.ids[: alike.sum()].tolist())
    assert np.all(np.diff(found.similarities) <= 0)
    assert np.allclose(np.exp(lift[found.ids] - lift.max()), found.similarities)


def test_further_states_are_less_probable(base):
    situation = query(base, 11)
    cut, columns = discretised(base)
    name = max(base.schema.columns[: len(base.schema.numbers)], key=lambda each: len(cut.states[each]))
    code, lift = cut.of(situation)[name], log_lift(base, situation)
    others = [each for each in columns if each not in (name, ACTION)]
    for row in range(len(base)):
        same = np.all([columns[each] == columns[each][row] for each in others], axis=0)
        near, far = abs(columns[name][row] - code), np.abs(columns[name] - code)
        assert np.all(lift[same & (far > near)] < lift[row])


def test_exemplars_stand_for_all_cases_of_their_category(base):
    known, solutions = summary(base), base.columns()["solutions"]
    for category in np.unique(solutions):
        of = known.category == category
        assert known.cases[of].sum() == (solutions == category).sum()
        assert of.sum() <= EXEMPLARS
        assert (solutions[base.snapshot().rows(known.ids[of])] == category).all()


def test_the_frequencies_of_an_exemplar_sum_to_one(base):
    for logs in summary(base).logs.values():
        assert np.exp(logs).sum(axis=1) == pytest.approx(1)


def test_the_first_exemplar_is_the_most_typical_of_its_category(base):
    known = summary(base)
    for category in np.unique(known.category):
        typical = known.prototypicality[known.category == category]
        assert typical[0] == typical.max()


def test_a_greater_margin_is_as_often_right(base):
    sides = calibrated(base)
    for side in sides:
        assert np.all(np.diff(side.right) >= 0)
        assert side(1.0) == side.right[-1]
        assert 0 < side(0.0) <= side(0.95) < 1


def test_the_network_is_calibrated_by_hands_that_it_has_not_seen(base, monkeypatch):
    """Each hand is left out as a whole, once, and its cases are judged by the network without it."""
    left, judged, real = [], [], parallel.network_of

    def network_of(casebase, rows):
        network, place = real(casebase, rows), len(left)
        left.append(~rows)
        chances = network.chances
        network.chances = lambda situation: judged.append(place) or chances(situation)
        return network

    monkeypatch.setattr(parallel, "network_of", network_of)
    parallel.calibrated.__wrapped__(base)
    assert (np.sum(left, axis=0) == 1).all()
    origin = base.snapshot().provenance
    hands = list(zip(origin["session"].tolist(), origin["hand"].tolist(), strict=True))
    for out in left:
        assert not {hands[row] for row in np.flatnonzero(out)} & {hands[row] for row in np.flatnonzero(~out)}
    rows = range(0, len(base), max(1, len(base) // parallel.SAMPLE))
    assert all(left[place][row] for place, row in zip(judged, rows, strict=True))
