"""Symbols: similarities of two and of many; growing vocabularies."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from reference.retrieval import of_symbols

from baycarp.cases import (
    Aligned,
    Case,
    CaseBase,
    CaseStore,
    Feature,
    Linear,
    Matrix,
    Nested,
    Schema,
    competence,
    drift,
    explain,
    export_csv,
    forget,
    import_csv,
    retrieve,
    spreads,
    utility,
)
from baycarp.cases.plans import Plans
from baycarp.cases.vocabulary import TAIL, Vocabulary
from baycarp.errors import SchemaError, StoreError

STEPPED = Nested((1.0, 0.9, 0.8))
LETTERS = Aligned("qhipdvt", 0.05)
COLOURS = Matrix(("red", "orange", "blue"), ((1, 0.7, 0), (0.7, 1, 0.1), (0, 0.25, 1)))


def test_a_matrix_is_indexed_by_query_and_case():
    assert COLOURS("orange", "blue") == 0.1
    assert COLOURS("blue", "orange") == 0.25


def test_the_first_equal_level_decides():
    same, near, far, other = "a|p|x", "b|p|x", "b|q|x", "b|q|y"
    assert [STEPPED(same, symbol) for symbol in (same, near, far, other)] == [1.0, 0.9, 0.8, 0.0]
    assert STEPPED("a|p|x", "a|q|y") == 1.0  # equal finer keys are sufficient


def test_aligned_letters():
    # Rubin and Watson (2012), section 6.3.4: 0.85; the ends of their scale are 6 apart.
    assert LETTERS("ihpc", "dqpc") == 0.85
    assert LETTERS("q", "t") == pytest.approx(0.7)
    assert LETTERS("qc-q", "tc-t") == pytest.approx(0.4)
    assert LETTERS("qqqqqq", "tttttt") == 0.0  # not below
    assert [LETTERS("pc", other) for other in ("p", "pa", "pcc", "cp", "ca")] == [0.0] * 5
    assert LETTERS("", "") == 1.0


def symbols_of(comparison, n, rng):
    """Symbols of which many are similar."""
    if isinstance(comparison, Matrix):
        return rng.choice(comparison.symbols, n).tolist()
    if isinstance(comparison, Nested):
        keys = rng.integers(0, (40, 12, 4), (n, 3))
        return ["|".join(f"k{key}" for key in row) for row in keys.tolist()]
    lengths = rng.integers(0, 6, n)
    return ["".join(rng.choice(list("qhipdvtc-"), size)) for size in lengths]


@pytest.mark.parametrize("comparison", [COLOURS, STEPPED, LETTERS])
def test_many_comparisons_equal_single_ones_bit_for_bit(comparison):
    rng = np.random.default_rng(1)
    symbols = list(dict.fromkeys(symbols_of(comparison, 3000, rng)))
    compare = comparison.index(symbols)
    for x in symbols_of(comparison, 60, rng):
        row = compare(x)
        assert row.dtype == np.float64
        assert row.tolist() == [comparison(x, y) for y in symbols]
        assert row.tolist() == [of_symbols(comparison, x, y) for y in symbols]


@pytest.mark.parametrize("comparison", [STEPPED, LETTERS])
def test_a_growing_vocabulary_keeps_its_codes_and_compares_all(comparison):
    rng = np.random.default_rng(2)
    vocabulary, stored = Vocabulary(comparison), []
    asked = symbols_of(comparison, 5, rng)
    for size in (1, 3, TAIL + 1, 1, 700, TAIL, 5):
        more = symbols_of(comparison, size, rng)
        codes = vocabulary.codes(np.array(more))
        stored += [symbol for symbol in dict.fromkeys(more) if symbol not in stored]
        assert [stored[code] for code in codes] == more
        assert vocabulary.symbols(codes).tolist() == more
        for x in (*asked, more[0]):
            assert vocabulary.similarities(x).tolist() == [comparison(x, y) for y in stored]
    assert len(vocabulary) == len(stored)


@pytest.mark.slow
def test_a_hundred_thousand_symbols_are_compared():
    rng, vocabulary = np.random.default_rng(3), Vocabulary(LETTERS)
    texts = ["".join(row) for row in rng.choice(list("qhipdvtc-"), (120_000, 9)).tolist()]
    vocabulary.codes(np.array(texts))
    assert len(vocabulary) > 100_000
    row = vocabulary.similarities(texts[7])
    stored = list(dict.fromkeys(texts))
    assert [row[i] for i in range(0, len(stored), 97)] == [LETTERS(texts[7], s) for s in stored[::97]]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Matrix((), ()),
        lambda: Matrix(("a", "a"), ((1, 1), (1, 1))),
        lambda: Matrix(("a", "b"), ((1, 0),)),
        lambda: Matrix(("a", "b"), ((1, 0), (0, 1.1))),
        lambda: Matrix(("a", "b"), ((1, 0), (0, float("nan")))),
        lambda: Matrix(("a\n",), ((1,),)),
        lambda: Nested(()),
        lambda: Nested((0.8, 0.9)),
        lambda: Nested((1.0, 0.0)),
        lambda: Nested((1.5, 1.0)),
        lambda: Aligned("", 0.1),
        lambda: Aligned("aa", 0.1),
        lambda: Aligned("ab", 0.0),
        lambda: COLOURS.text("green"),
        lambda: STEPPED.text("a|b"),
        lambda: STEPPED.text(("a", "b|c", "d")),
        lambda: STEPPED.text(("a", "b", 3)),
        lambda: STEPPED.text("a|b\0|c"),
        lambda: LETTERS.text(7),
        lambda: LETTERS.text("q\nc"),
    ],
)
def test_contradictory_settings_are_refused(make):
    with pytest.raises(SchemaError, match="expected"):
        make()


FEATURES = (
    Feature("x", 1, Linear(max=10)),
    Feature("colour", 2, COLOURS),
    Feature("steps", 3, STEPPED),
    Feature("letters", 0.5, LETTERS),
)
SCHEMA = Schema("symbols", FEATURES, ("no", "yes"), threshold=0.8)


def test_a_schema_with_symbols_survives_json():
    again = Schema.from_dict(json.loads(json.dumps(SCHEMA.to_dict())))
    assert again == SCHEMA
    assert (again.digest, again.layout) == (SCHEMA.digest, SCHEMA.layout)
    assert SCHEMA.columns == ("x", "colour", "steps", "letters")
    assert SCHEMA.weights == (1, 2, 3, 0.5)


def other(**change):
    features = (*FEATURES[:1], *(Feature(f.name, 1, change.get(f.name, f.similarity)) for f in FEATURES[1:]))
    return Schema("symbols", features, ("no", "yes"), threshold=0.5)


def test_tables_and_steps_may_change_for_the_same_cases_but_not_the_form_of_symbols():
    flat = Matrix(COLOURS.symbols, ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    same = other(colour=flat, steps=Nested((1.0, 0.5, 0.1)), letters=Aligned("qh", 0.1))
    assert same.layout == SCHEMA.layout
    fewer = Matrix(("red", "blue"), ((1, 0), (0, 1)))
    for change in ({"colour": fewer}, {"steps": Nested((1.0, 0.9))}, {"letters": COLOURS}):
        assert other(**change).layout != SCHEMA.layout
    base = CaseBase(SCHEMA)
    values = {"x": 3, "colour": "red", "steps": ("a", "b", "c"), "letters": "qc"}
    base.append(Case(SCHEMA.situation(values), "yes"))
    asked = values | {"colour": "orange", "steps": "z|z|c", "letters": "hc"}
    for schema, steps, letters, colour in ((SCHEMA, 0.8, 0.95, 0.7), (same, 0.1, 0.9, 0.0)):
        matches = explain(base.under(schema), asked, 0)
        assert [match.similarity for match in matches] == [1.0, colour, steps, letters]
        assert [match.case for match in matches] == [3.0, "red", "a|b|c", "qc"]
        assert [match.query for match in matches] == [3.0, "orange", "z|z|c", "hc"]


def test_forks_with_symbols_are_independent():
    base, values = CaseBase(SCHEMA), {"x": 3, "colour": "red", "steps": "a|b|c", "letters": "q"}
    base.append(Case(SCHEMA.situation(values), "yes"))
    fork = base.fork()
    fork.append(Case(SCHEMA.situation(values | {"letters": "t"}), "no"))
    base.append(Case(SCHEMA.situation(values | {"letters": "v"}), "no"))
    assert [casebase.case(1)["situation"]["letters"] for casebase in (base, fork)] == ["v", "t"]
    assert retrieve(fork, values | {"letters": "t"}, at_least=1.0).ids.tolist() == [1]


def test_a_situation_without_its_symbols_is_refused():
    with pytest.raises(SchemaError, match="missing \\['letters'\\]"):
        SCHEMA.situation({"x": 3, "colour": "red", "steps": "a|b|c"})
    plain = Schema("plain", FEATURES[:1], ("no", "yes"), threshold=0.8)
    for schema, situation in ((SCHEMA, plain.situation({"x": 1})),):
        with pytest.raises(SchemaError, match="not encoded"):
            CaseBase(schema).append(Case(situation, "yes"))
        with pytest.raises(SchemaError, match="not encoded"):
            retrieve(CaseBase(schema), situation)


def test_texts_in_columns_are_checked():
    base = CaseBase(SCHEMA)
    values = {"x": 3, "colour": "red", "steps": "a|b|c", "letters": "q"}
    base.append(Case(SCHEMA.situation(values), "yes"))
    columns = {name: column for name, column in base.columns().items() if name != "ids"}
    for row, text in ((0, "green"), (1, "a|b"), (2, "\n")):
        symbols = columns["symbols"].astype("U9")
        symbols[row] = text
        with pytest.raises(SchemaError, match="symbol"):
            base.extend_columns(columns | {"symbols": symbols})
    with pytest.raises(SchemaError, match="symbols"):
        base.extend_columns(columns | {"symbols": np.zeros((3, 1), np.uint32)})
    assert len(base) == 1


def learned(n, seed=1, schema=SCHEMA):
    """A case-base of cases with symbols, and the cases."""
    rng, base = np.random.default_rng(seed), CaseBase(schema)
    columns = [symbols_of(comparison, n, rng) for comparison in schema.comparisons]
    cases = [
        Case(
            schema.situation({"x": float(rng.integers(9)), "colour": c, "steps": s, "letters": a}),
            schema.solutions[rng.integers(2)],
            float(rng.integers(-3, 4)),
            {name: i for name, _, _ in schema.provenance},
        )
        for i, (c, s, a) in enumerate(zip(*columns, strict=True))
    ]
    base.extend(cases)
    return base, cases


def equal(one, other):
    mine, theirs = one.columns(), other.columns()
    assert {name: column.tolist() for name, column in mine.items()} == {
        name: column.tolist() for name, column in theirs.items()
    }


def test_cases_with_symbols_are_saved_exported_and_stored(tmp_path):
    base, _ = learned(400)
    base.save(tmp_path / "a.npz")
    again = CaseBase.load(tmp_path / "a.npz", SCHEMA)
    equal(base, again)
    again.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    export_csv(base, tmp_path / "a.csv")
    equal(base, import_csv(tmp_path / "a.csv", SCHEMA))
    with CaseStore.create(tmp_path / "a.sqlite", [base]) as store:
        equal(base, store.load("symbols"))
    with CaseStore(tmp_path / "a.sqlite", [SCHEMA]) as one, CaseStore(tmp_path / "a.sqlite", [SCHEMA]) as two:
        _, more = learned(60, seed=2)
        tickets = [(one, two)[i % 2].retain("symbols", case) for i, case in enumerate(more)]
        order = sorted(range(60), key=lambda i: tickets[i].result(30))
        base.extend(more[i] for i in order)
        equal(base, two.load("symbols"))
        assert one.forget("symbols", range(0, 450, 2)).result(30) == 225
        left = two.load("symbols")
    assert (
        left.columns()["symbols"].tolist()
        == np.delete(base.columns()["symbols"], np.arange(0, 450, 2), axis=1).tolist()
    )


def test_a_store_has_each_symbol_once(tmp_path):
    base, _ = learned(400)
    with CaseStore.create(tmp_path / "a.sqlite", [base]):
        pass
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        kept = connection.execute("SELECT feature, symbol FROM symbols ORDER BY feature, code").fetchall()
    columns = base.columns()["symbols"].tolist()
    assert kept == [(row, text) for row, texts in enumerate(columns) for text in dict.fromkeys(texts)]


def test_a_stored_code_without_its_symbol_is_a_typed_error(tmp_path):
    base, _ = learned(10)
    with CaseStore.create(tmp_path / "a.sqlite", [base]) as store:
        with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection, connection:
            connection.execute("DELETE FROM symbols WHERE feature = 1 AND code = 3")
            connection.execute("UPDATE symbols SET symbol = 'a|b' WHERE feature = 1 AND code = 1")
        with pytest.raises(StoreError, match="damaged: case-base 'symbols'"):
            store.load("symbols")


def test_csv_with_an_invalid_symbol_is_refused(tmp_path):
    base, _ = learned(5)
    export_csv(base, tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_text()
    (tmp_path / "a.csv").write_text(text.replace(",k", ",k|k", 1))
    with pytest.raises(SchemaError, match="3 keys"):
        import_csv(tmp_path / "a.csv", SCHEMA)


def test_spreads_count_every_case_in_the_most_frequent_symbols_or_the_others():
    base, _ = learned(500)
    one, other = {name: c[..., :300] for name, c in base.columns().items()}, base.columns()
    for spread in spreads(SCHEMA, [one, other], bins=6):
        assert spread.counts.sum(1).tolist() == [300, 500]
        assert drift(spread).divergence >= 0
        if spread.column == "steps":
            texts, counts = np.unique(other["symbols"][1], return_counts=True)
            assert spread.bins[-1] == "others"
            assert len(spread.bins) == 6
            # By frequency over both parts together.
            both = counts + [(one["symbols"][1] == text).sum() for text in texts]
            best = [str(texts[i]) for i in np.argsort(-both, kind="stable")[:5]]
            assert list(spread.bins[:-1]) == best
            held = dict(zip(texts.tolist(), counts.tolist(), strict=True))
            assert spread.counts[1, :5].tolist() == [held[text] for text in best]
        if spread.column == "colour":
            assert set(spread.bins) == set(COLOURS.symbols)


def test_maintenance_equals_its_definitions():
    plain = Matrix(COLOURS.symbols, ((1, 0.7, 0), (0.7, 1, 0.1), (0, 0.1, 1)))
    schema = other(colour=plain)
    base, _ = learned(120, schema=schema)
    alike = np.zeros((120, 120))
    for row in range(120):
        words = base.case(row)["situation"]
        for match in retrieve(base, {"x": words.pop("x")} | words, at_least=0.0).ids.tolist():
            matches = explain(base, base.case(row)["situation"], match)
            alike[row, match] = sum(m.weight * m.similarity for m in matches) / sum(m.weight for m in matches)
    solutions = base.columns()["solutions"]
    near = (alike >= 0.5 - 1e-12) & ~np.eye(120, dtype=bool)
    result = competence(base)
    assert result.covered == pytest.approx(near.any(axis=1).mean())
    assert result.neighbours == np.median(near.sum(axis=1))
    votes = np.stack([(near & (solutions == code)).sum(axis=1) for code in range(2)])
    assert result.solved == pytest.approx((near.any(axis=1) & (votes.argmax(axis=0) == solutions)).mean())
    worth = utility(base)
    for row in range(110, 119):  # few cases are newer, so the nearest newer one may be beyond the 16
        newer = alike[row, row + 1 :].max()
        assert worth[row] <= 1 - newer + 1e-12
    assert worth.min() >= 0
    fewer = forget(base, 50, seed=1)
    assert len(fewer) == 50
    for id in fewer.columns()["ids"].tolist():
        assert fewer.case(id) == base.case(id)


def test_cases_with_symbols_have_plans():
    schema = Schema("symbols", FEATURES, ("no", "yes"), 0.8, provenance=(("hand", "i4", 1),))
    base, _ = learned(30, schema=schema)
    columns = {name: column.copy() for name, column in base.columns().items() if name != "ids"}
    columns["provenance"]["hand"] //= 2
    pairs = CaseBase(schema)
    pairs.extend_columns(columns)
    plans = Plans(pairs)
    for id in range(30):
        assert plans.case(id)["situation"] == base.case(id)["situation"]
    first, second = (base.case(id)["solution"] for id in (0, 1))
    assert plans.case(0)["solution"] == f"{first}-{second}"
