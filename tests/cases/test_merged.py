"""Merged cases: fewer cases with equal sums; they can be extended, saved, exported and stored."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from baycarp.cases import (
    POLICIES,
    Case,
    CaseBase,
    CaseStore,
    Feature,
    Linear,
    Majority,
    Nested,
    PredictedStates,
    Schema,
    competence,
    explain,
    export_csv,
    forget,
    import_csv,
    influences,
    local_similarities,
    merge,
    retrieve,
    spreads,
    tally,
    without,
)
from baycarp.cases.plans import Plans
from baycarp.errors import SchemaError

ALL = ("fold", "call", "raise")
STATES = tuple("abcdef")
PLAIN = Schema(
    "coarse",
    (
        Feature("x", 3, Linear(max=4)),
        Feature("y", 1, Linear(max=2)),
        Feature("type", 1, PredictedStates(STATES, 2)),
    ),
    ALL,
    threshold=0.8,
    provenance=(("hand", "i4", 1),),
)
SYMBOLS = replace(PLAIN, features=(*PLAIN.features, Feature("way", 2, Nested((1.0, 0.5)))))


def situations(schema, count, seed):
    """Coarse values, so that many situations occur repeatedly."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        likely = chance.permutation(STATES[:4])[:2]
        values = {
            "x": float(chance.integers(5)) * chance.choice([1.0, -0.0, 0.0]),
            "y": float(chance.integers(3)),
            "type": dict(zip(likely.tolist(), (0.5, 0.25), strict=True)),
            "way": (f"w{chance.integers(4)}", f"v{chance.integers(2)}"),
        }
        yield {feature.name: values[feature.name] for feature in schema.features}


def cases(schema, count, seed):
    chance = np.random.default_rng(seed + 100)
    for i, values in enumerate(situations(schema, count, seed)):
        outcome = float(chance.integers(-6, 7)) / 2
        yield Case(schema.situation(values), ALL[chance.integers(3)], outcome, {"hand": i})


@pytest.fixture(scope="module", params=[PLAIN, SYMBOLS], ids=["plain", "symbols"])
def single(request):
    casebase = CaseBase(request.param)
    casebase.extend(cases(request.param, 3000, 2))
    return casebase


def situation(casebase, row):
    """The situation of a case; -0.0 is 0.0."""
    columns = casebase.columns()
    numbers = (columns["numbers"][:, row] + np.float32(0)).tolist()
    symbols = columns["symbols"][:, row].tolist() if "symbols" in columns else []
    return (*numbers, *columns["codes"][:, row].tolist(), *symbols)


def by_situation(casebase):
    """Counts and sums of every situation, by a plain loop over the cases."""
    columns, sums = casebase.columns(), {}
    for row in range(len(casebase)):
        counts, outcomes = sums.setdefault(situation(casebase, row), ([0] * 3, [0.0] * 3))
        if "counts" in columns:
            for code in range(3):
                counts[code] += int(columns["counts"][code, row])
                outcomes[code] += float(columns["sums"][code, row])
        else:
            counts[columns["solutions"][row]] += 1
            outcomes[columns["solutions"][row]] += float(columns["outcomes"][row])
    return sums


def equal(one, other):
    mine, theirs = one.columns(), other.columns()
    assert set(mine) == set(theirs)
    for name, column in mine.items():
        assert column.tolist() == theirs[name].tolist(), name


def test_every_situation_occurs_exactly_once(single):
    merged = merge(single)
    assert merged.schema == replace(single.schema, merged=True)
    assert len(merged) < 2000 < len(single)
    assert len(by_situation(merged)) == len(merged)
    assert by_situation(merged) == by_situation(single)
    first = [next(r for r in range(3000) if situation(single, r) == situation(merged, row)) for row in (0, 7)]
    ids = merged.columns()["ids"][[0, 7]]
    assert ids.tolist() == first  # a merged case has the id and place of the first case of its situation
    assert merged.columns()["provenance"]["hand"][[0, 7]].tolist() == first


@pytest.mark.parametrize("at_least", [0.999, 0.9, 0.8, 0.5])
def test_sums_and_policies_are_those_of_the_single_cases(single, at_least):
    merged = merge(single)
    for values in situations(single.schema, 40, 3):
        one, other = (retrieve(base, values, at_least, fallback=0) for base in (single, merged))
        assert len(other) <= len(one)
        mine, theirs = tally(other, merged, ALL), tally(one, single, ALL)
        assert (mine.votes, mine.outcomes) == (theirs.votes, theirs.outcomes)
        assert mine.similarities == pytest.approx(theirs.similarities)
        for policy in POLICIES.values():
            assert policy(other, merged, ALL).probabilities == policy(one, single, ALL).probabilities


@pytest.mark.slow
def test_the_nearest_merged_case_counts_all_cases_of_its_situation(single):
    """Rubin and Watson (2012), section 5.2.4: one case is retrieved."""
    merged = merge(single)
    for values in situations(single.schema, 10, 4):
        nearest = retrieve(merged, values, at_least=0.0, at_most=1)
        row = int(merged.snapshot().rows(nearest.ids)[0])
        counts, _ = by_situation(single)[situation(merged, row)]
        assert list(tally(nearest, merged, ALL).votes.values()) == counts


@pytest.mark.parametrize("batch", [1, 7, 3000])
def test_retaining_in_batches_equals_merging(single, batch):
    learned, columns = CaseBase(replace(single.schema, merged=True)), single.columns()
    count = 300 if batch == 1 else 3000
    where = []
    for start in range(0, count, batch):
        stop = min(start + batch, count)
        part = {name: column[..., start:stop] for name, column in columns.items() if name != "ids"}
        where += learned.extend_columns(part).tolist()
    fewer = CaseBase(single.schema)
    fewer.extend_columns({name: column[..., :count] for name, column in columns.items()})
    expected = merge(fewer)
    mine, theirs = learned.columns(), expected.columns()
    for name in set(mine) - {"ids"}:
        assert mine[name].tolist() == theirs[name].tolist()
    assert mine["ids"].tolist() == list(range(len(learned)))
    for row in range(0, count, 37):  # each case has the id of its situation
        assert situation(learned, where[row]) == situation(single, row)


def test_retained_cases_are_retrieved_at_once_and_a_snapshot_does_not_change(single):
    merged = merge(single)
    merged.fold_in()
    case = next(cases(single.schema, 1, 50))
    before = merged.snapshot()
    counts, sums = before.counts[:, : before.count].copy(), before.sums[:, : before.count].copy()
    old = tally(retrieve(merged, case.situation, 1.0, fallback=0), merged, ALL)
    id = merged.append(case)
    new = tally(retrieve(merged, case.situation, 1.0, fallback=0), merged, ALL)
    assert new.votes == {name: old.votes[name] + (name == case.solution) for name in ALL}
    assert new.outcomes == {
        name: old.outcomes[name] + (case.outcome if name == case.solution else 0.0) for name in ALL
    }
    assert merged.append(case) == id
    unseen = {feature.name: 1.0 for feature in single.schema.numbers} | {"x": 3.25, "type": {}, "way": "z|z"}
    situation = single.schema.situation({f.name: unseen[f.name] for f in single.schema.features})
    last = int(merged.columns()["ids"][-1])
    assert merged.append(Case(situation, "raise", 2.0, {"hand": 9})) == last + 1
    assert np.array_equal(before.counts[:, : before.count], counts)
    assert np.array_equal(before.sums[:, : before.count], sums)
    assert merged.case(last + 1)["counts"] == {"fold": 0, "call": 0, "raise": 1}


def test_forks_are_independent(single):
    merged = merge(single)
    fork, case = merged.fork(), next(cases(single.schema, 1, 51))
    before = by_situation(merged)
    fork.append(case)
    assert by_situation(merged) == before != by_situation(fork)
    lighter = replace(merged.schema, threshold=0.1)
    assert by_situation(fork.under(lighter)) == by_situation(fork)
    with pytest.raises(SchemaError, match="same layout"):
        merged.under(single.schema)


def test_readers_see_complete_cases_while_another_thread_retains(single):
    merged = CaseBase(replace(single.schema, merged=True))
    columns = {name: column for name, column in single.columns().items() if name != "ids"}

    def learn():
        for start in range(0, 3000, 5):
            merged.extend_columns({name: column[..., start : start + 5] for name, column in columns.items()})

    writer = threading.Thread(target=learn)
    writer.start()
    observation = []
    while writer.is_alive():
        now = merged.snapshot()
        observation.append(int(now.counts[:, : now.count].sum()))
    writer.join()
    assert all(count % 5 == 0 for count in observation)
    assert observation == sorted(observation)
    assert by_situation(merged) == by_situation(single)


def test_merged_cases_are_saved_and_loaded(single, tmp_path):
    merged = merge(single)
    for name in ("a.npz", "b.npz"):
        merged.save(tmp_path / name)
    again = CaseBase.load(tmp_path / "a.npz", merged.schema)
    equal(merged, again)
    again.save(tmp_path / "c.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "c.npz").read_bytes()
    for base in (merged, again):
        base.extend(cases(single.schema, 50, 60))
    equal(merged, again)


def test_merged_cases_are_exported_and_imported(single, tmp_path):
    merged = merge(single)
    assert export_csv(merged, tmp_path / "merged.csv") == len(merged)
    equal(merged, import_csv(tmp_path / "merged.csv", merged.schema))
    header = (tmp_path / "merged.csv").read_text().splitlines()[0]
    assert header.endswith("fold cases,fold outcomes,call cases,call outcomes,raise cases,raise outcomes")
    lines = (tmp_path / "merged.csv").read_text().splitlines()
    for bad in ("-1,0.0", "0,2.0", "x,0.0"):
        (tmp_path / "bad.csv").write_text("\n".join([lines[0], lines[1].rsplit(",", 6)[0] + f",{bad}" * 3]))
        with pytest.raises(SchemaError):
            import_csv(tmp_path / "bad.csv", merged.schema)


def test_a_store_merges_cases_as_in_memory(single, tmp_path):
    path, schema = tmp_path / "cases.sqlite", replace(single.schema, merged=True)
    few = forget(single, 200)
    merged = merge(few)
    with CaseStore.create(path, [merged]) as store:
        equal(merged, store.load(schema.name))
        new = list(cases(schema, 400, 70))
        tickets = [store.retain(schema.name, case) for case in new]
        ids = merged.extend(new)
        assert [ticket.result(30) for ticket in tickets] == ids.tolist()
    with CaseStore(path, [schema]) as store:
        again = store.load(schema.name)
        equal(merged, again)
        gone = merged.columns()["ids"][[0, 3, 5]]
        assert store.forget(schema.name, gone).result(30) == 3
        left = store.load(schema.name).columns()
        assert left["ids"].tolist() == [id for id in merged.columns()["ids"].tolist() if id not in gone]
        assert left["counts"].sum() == merged.columns()["counts"].sum() - merged.tried(gone)[0].sum()
        for ticket in store.retain_all(merge(single)):
            ticket.result(60)
        every = by_situation(store.load(schema.name))
    assert {key: every[key][0] for key in by_situation(single)}.keys() <= every.keys()
    expected = left["counts"].sum() + 3000
    assert sum(sum(counts) for counts, _ in every.values()) == expected


def test_coverage_equals_that_of_the_single_cases(single):
    few = forget(single, 250, seed=3)
    one, other = competence(few), competence(merge(few))
    assert (other.cases, other.situations) == (len(merge(few)), one.situations)
    assert replace(other, cases=one.cases) == one


def test_spread_equals_that_of_the_single_cases(single):
    merged = merge(single)
    alone = {spread.column: spread for spread in spreads(single.schema, [single.columns()])}
    for spread in spreads(merged.schema, [merged.columns()]):
        if spread.column == "outcome":
            assert spread.counts.sum() == 3000
        else:
            assert (spread.bins, spread.counts.tolist()) == (
                alone[spread.column].bins,
                alone[spread.column].counts.tolist(),
            )


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_influence_is_the_change_of_the_lead(single, policy):
    merged = merge(forget(single, 400))
    values = next(situations(single.schema, 1, 8))
    found = retrieve(merged, values, 0.6)
    assert len(found) > 10
    weighed = policy(found, merged, ALL)
    worth = policy.worth(weighed)
    chosen, rival = sorted(worth, key=lambda name: (worth[name], weighed.similarities[name]))[:-3:-1]
    lost = influences(policy, found, merged, weighed, chosen)
    checked = 0
    for id, influence in zip(found.ids.tolist(), lost.tolist(), strict=True):
        left = policy.worth(policy(without(merged, values, found, np.array([id])), merged, ALL))
        if chosen in left and rival in left:
            checked += 1
            lead = left[chosen] - left[rival]
            assert worth[chosen] - worth[rival] - lead == pytest.approx(influence, abs=1e-9)
        else:
            assert influence == np.inf if chosen not in left else -np.inf
    assert checked


def test_the_text_of_a_merged_case_and_its_explanation(single):
    merged = merge(single)
    values = next(situations(single.schema, 1, 2))
    found = retrieve(merged, values, 0.0, 3)
    for id, similarity in zip(found.ids.tolist(), found.similarities.tolist(), strict=True):
        words = merged.case(id)
        most = max(ALL, key=words["counts"].get)
        assert words["solution"] == most
        assert words["outcome"] == words["outcomes"][most] / words["counts"][most]
        matches = explain(merged, values, id)
        assert [match.case for match in matches] == list(words["situation"].values())
        total = weights = 0.0
        for match in matches:
            total += match.weight * match.similarity
            weights += match.weight
        assert total / weights == similarity
        query = single.schema.situation(values)
        columns = local_similarities(merged, query, np.array([id]))[:, 0]
        assert columns.tolist() == [match.similarity for match in matches]


def test_forgetting_keeps_counts(single):
    merged = merge(single)
    fewer = forget(merged, 100, seed=1)
    assert len(fewer) == 100
    every = by_situation(merged)
    assert all(every[key] == held for key, held in by_situation(fewer).items())


def test_near_duplicates_of_merged_cases_are_merged(single):
    merged = merge(single, 0.9)
    assert len(merged) < len(merge(single))
    assert merged.columns()["counts"].sum() == 3000
    assert merged.columns()["sums"].sum() == pytest.approx(single.columns()["outcomes"].sum())
    again = merge(merged, 0.9)  # merged cases can be merged again
    assert again.columns()["counts"].sum() == 3000


@pytest.mark.parametrize(
    "change",
    [
        {"counts": np.zeros((3, 2), np.int64)},
        {"counts": np.array([[1, 2], [0, 0], [0, -1]])},
        {"counts": np.ones((3, 2))},
        {"sums": np.full((3, 2), np.nan)},
        {"sums": np.array([[1.0, 1.0], [0.0, 0.5], [0.0, 0.0]])},
        {"counts": None},
    ],
)
def test_counts_out_of_range_are_refused(change):
    base = CaseBase(replace(PLAIN, merged=True))
    new = {
        "numbers": np.zeros((2, 2), np.float32),
        "codes": np.zeros((2, 2), np.uint8),
        "solutions": np.zeros(2, np.uint8),
        "outcomes": np.zeros(2),
        "provenance": np.zeros(2, PLAIN.origin),
        "counts": np.array([[1, 2], [0, 0], [0, 0]]),
        "sums": np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]),
    }
    columns = {name: column for name, column in (new | change).items() if column is not None}
    with pytest.raises(SchemaError):
        base.extend_columns(columns)
    assert len(base) == 0
    assert base.extend_columns(new).tolist() == [0, 0]
    assert base.columns()["counts"].tolist() == [[3], [0], [0]]


def test_plans_are_refused(single):
    with pytest.raises(SchemaError, match="not merged"):
        Plans(merge(single))


def test_an_empty_case_base_is_merged_to_an_empty_one():
    merged = merge(CaseBase(PLAIN))
    assert len(merged) == 0
    assert len(retrieve(merged, next(situations(PLAIN, 1, 1)))) == 0
    assert not Majority()(retrieve(merged, next(situations(PLAIN, 1, 1))), merged, ALL)
