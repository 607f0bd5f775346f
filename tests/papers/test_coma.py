"""Gambler's Coma network (seed 003: Matthews 2005, figure 1, section 6): every exact figure that it prints.

The paper cuts its percentages after four digits, so each must lie within 1e-4 percentage points.
"""

import pytest

from baycarp.bn import Inference, Network, Structure

STATES = ("T", "F")
COMA = Network(
    Structure(dict.fromkeys("abcde", STATES), {"b": "a", "c": "a", "d": "bc", "e": "c"}),
    {
        "a": [0.2, 0.8],
        "b": [[0.8, 0.2], [0.2, 0.8]],
        "c": [[0.2, 0.8], [0.05, 0.95]],
        "d": [[[0.8, 0.2], [0.8, 0.2]], [[0.8, 0.2], [0.05, 0.95]]],
        "e": [[0.8, 0.2], [0.6, 0.4]],
    },
)

# Evidence -> percent of T, in the order of the paper.
FIGURES = {
    "": {"a": 20, "b": 32, "c": 8, "d": 32, "e": 61.6},
    "a=T": {"d": 68, "e": 64},
    "a=F": {"d": 23, "e": 61},
    "d=T e=T": {"a": 42.9688},
    "d=T e=F": {"a": 41.6667},
    "d=F e=T": {"a": 9.7276},
    "d=F e=F": {"a": 8.9286},
    "b=T c=T": {"a": 80, "d": 80, "e": 80},
    "b=T c=F": {"a": 45.7143, "d": 80, "e": 60},
    "b=F c=T": {"a": 20, "d": 80, "e": 80},
    "b=F c=F": {"a": 5, "d": 5, "e": 60},
    "a=T d=T e=T": {"b": 93.0909, "c": 29.0909},
    "a=T d=T e=F": {"b": 96, "c": 13.3333},
    "a=T d=F e=T": {"b": 51.2, "c": 16},
    "a=T d=F e=F": {"b": 48, "c": 6.6667},
    "a=F d=T e=T": {"b": 66.8493, "c": 21.9178},
    "a=F d=T e=F": {"b": 74.2857, "c": 9.5238},
    "a=F d=F e=T": {"b": 5.2586, "c": 1.7241},
    "a=F d=F e=F": {"b": 5.0980, "c": 0.6535},
    # The bucket trees: d given e, and e given d.
    "a=T e=T": {"d": 68.75},
    "a=T e=F": {"d": 66.6667},
    "a=T d=T": {"e": 64.7059},
    "a=T d=F": {"e": 62.5},
    "a=F e=T": {"d": 23.9344},
    "a=F e=F": {"d": 21.5385},
    "a=F d=T": {"e": 63.4783},
    "a=F d=F": {"e": 60.2597},
}

# a -> percent of each (d, e), given a.
JOINT = {
    "T": {"TT": 44, "TF": 24, "FT": 20, "FF": 12},
    "F": {"TT": 14.6, "TF": 8.4, "FT": 46.4, "FF": 30.6},
}


def within(percent):
    return pytest.approx(percent, rel=0, abs=1e-4)


@pytest.mark.parametrize("given", FIGURES)
def test_exact_posteriors(given):
    evidence = dict(fact.split("=") for fact in given.split())
    found = Inference(COMA).posterior(evidence, FIGURES[given])
    for node, percent in FIGURES[given].items():
        assert 100 * found[node][0] == within(percent)
        assert found[node].sum() == pytest.approx(1)


@pytest.mark.parametrize("a", STATES)
def test_bucket_tree_joints(a):
    whole = Inference(COMA).plan(["a", "d", "e"], ())
    alone = Inference(COMA).plan(["a"], ())
    for (d, e), percent in JOINT[a].items():
        given = whole.probability({"a": a, "d": d, "e": e}) / alone.probability({"a": a})
        assert 100 * given == within(percent)
