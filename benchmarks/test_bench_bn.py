"""Inference and fitting beside pgmpy: one group a question, answers compared before any clock starts."""

import numpy as np
import pytest
from reference.joint import POKER, poker_network, random_evidence

from baycarp.bn import compile, fit
from baycarp.bn.learn import encode
from baycarp.bn.pgmpy import from_pgmpy
from benchmarks.rivals.bn import by_pgmpy, pgmpy_engine, pgmpy_fit

PREFLOP = ["VPIP", "PFR", "Position", "Action"]
FLOP = [*PREFLOP, "ActionFlop", "Board"]
TURN = [*FLOP, "ActionTurn", "BoardChangeTurn"]
RIVER = [*TURN, "ActionRiver", "BoardChangeRiver"]
QUESTIONS = {
    "preflop": (PREFLOP, "HandGroup"),
    "flop": (FLOP, "HandType"),
    "turn": (TURN, "HandTypeTurn"),
    "river": (RIVER, "HandTypeFinal"),
    "turn, new opponent": ([node for node in TURN if node not in ("VPIP", "PFR")], "HandTypeTurn"),
    "showdown": ([*RIVER, "HandTypeFinal"], "HandGroup"),
    "one action": (["ActionTurn"], "HandTypeTurn"),
    "nothing": ([], "HandTypeFinal"),
}
NETWORK = poker_network()


@pytest.fixture(scope="module")
def oracle():
    engine = pgmpy_engine(NETWORK)
    return lambda evidence, node: by_pgmpy(engine, node, evidence)


def rows(observed, n=20):
    rng = np.random.default_rng(1)
    return [
        {node: row[node] for node in observed} for row in (random_evidence(rng, NETWORK, 2) for _ in range(n))
    ]


@pytest.mark.parametrize("engine", ["baycarp", "pgmpy"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_one_query(benchmark, oracle, question, engine):
    observed, node = QUESTIONS[question]
    plan, evidence = compile(NETWORK, observed, [node]), rows(observed)
    for row in evidence:
        np.testing.assert_allclose(plan.posterior(row)[node], oracle(row, node), rtol=0, atol=1e-9)
    benchmark.group = f"20 queries: {question}"
    if engine == "baycarp":
        benchmark(lambda: [plan.posterior(row)[node] for row in evidence])
    else:
        benchmark(lambda: [oracle(row, node) for row in evidence])


@pytest.mark.parametrize("engine", ["baycarp", "pgmpy"])
def test_batch(benchmark, oracle, engine):
    plan, evidence = compile(NETWORK, RIVER, ["HandTypeFinal"]), rows(RIVER, 500)
    columns = encode(NETWORK.structure, evidence)
    codes = np.stack([columns[node] for node in RIVER], axis=1)
    found = plan.posteriors(codes)["HandTypeFinal"]
    for row in range(0, 500, 50):
        np.testing.assert_allclose(found[row], oracle(evidence[row], "HandTypeFinal"), rtol=0, atol=1e-9)
    benchmark.group = "500 river queries at once"
    if engine == "baycarp":
        benchmark(plan.posteriors, codes)
    else:
        benchmark.pedantic(lambda: [oracle(row, "HandTypeFinal") for row in evidence], rounds=3)


@pytest.mark.parametrize("engine", ["baycarp", "pgmpy"])
def test_fit(benchmark, engine):
    structure, rng = NETWORK.structure, np.random.default_rng(2)
    columns = {node: rng.integers(0, states, 20_000) for node, (states, _) in POKER.items()}
    fit_by_pgmpy = pgmpy_fit(structure, columns)
    ours, theirs = fit(structure, columns, 10), from_pgmpy(fit_by_pgmpy())
    for node in POKER:
        family = theirs.structure.family(node)
        table = theirs.cpt(node).transpose([family.index(member) for member in structure.family(node)])
        np.testing.assert_allclose(ours.cpt(node), table, rtol=0, atol=1e-12)
    benchmark.group = "fit 20,000 rows"
    benchmark.pedantic(fit_by_pgmpy if engine == "pgmpy" else lambda: fit(structure, columns, 10), rounds=3)
