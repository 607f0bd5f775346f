"""Symbols: what two are to each other; that many at once are compared alike; vocabularies that grow."""

import json

import numpy as np
import pytest
from reference.retrieval import of_symbols

from baycarp.cases import Aligned, Case, CaseBase, Feature, Linear, Matrix, Nested, Schema, explain, retrieve
from baycarp.cases.vocabulary import TAIL, Vocabulary
from baycarp.errors import SchemaError

STEPPED = Nested((1.0, 0.9, 0.8))
LETTERS = Aligned("qhipdvt", 0.05)
COLOURS = Matrix(("red", "orange", "blue"), ((1, 0.7, 0), (0.7, 1, 0.1), (0, 0.25, 1)))


def test_a_matrix_is_read_by_query_and_case():
    assert COLOURS("orange", "blue") == 0.1
    assert COLOURS("blue", "orange") == 0.25


def test_the_first_equal_level_counts():
    same, near, far, other = "a|p|x", "b|p|x", "b|q|x", "b|q|y"
    assert [STEPPED(same, symbol) for symbol in (same, near, far, other)] == [1.0, 0.9, 0.8, 0.0]
    assert STEPPED("a|p|x", "a|q|y") == 1.0  # finer keys that are equal decide alone


def test_aligned_letters():
    # Rubin and Watson (2012), section 6.3.4: 0.85; the ends of their scale are 6 apart.
    assert LETTERS("ihpc", "dqpc") == 0.85
    assert LETTERS("q", "t") == pytest.approx(0.7)
    assert LETTERS("qc-q", "tc-t") == pytest.approx(0.4)
    assert LETTERS("qqqqqq", "tttttt") == 0.0  # not below
    assert [LETTERS("pc", other) for other in ("p", "pa", "pcc", "cp", "ca")] == [0.0] * 5
    assert LETTERS("", "") == 1.0


def symbols_of(comparison, n, rng):
    """Symbols of which many are alike."""
    if isinstance(comparison, Matrix):
        return rng.choice(comparison.symbols, n).tolist()
    if isinstance(comparison, Nested):
        keys = rng.integers(0, (40, 12, 4), (n, 3))
        return ["|".join(f"k{key}" for key in row) for row in keys.tolist()]
    lengths = rng.integers(0, 6, n)
    return ["".join(rng.choice(list("qhipdvtc-"), size)) for size in lengths]


@pytest.mark.parametrize("comparison", [COLOURS, STEPPED, LETTERS])
def test_many_at_once_are_compared_like_two_bit_for_bit(comparison):
    rng = np.random.default_rng(1)
    symbols = list(dict.fromkeys(symbols_of(comparison, 3000, rng)))
    compare = comparison.index(symbols)
    for x in symbols_of(comparison, 60, rng):
        row = compare(x)
        assert row.dtype == np.float64
        assert row.tolist() == [comparison(x, y) for y in symbols]
        assert row.tolist() == [of_symbols(comparison, x, y) for y in symbols]


@pytest.mark.parametrize("comparison", [STEPPED, LETTERS])
def test_a_vocabulary_that_grows_keeps_its_codes_and_compares_all(comparison):
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
def test_a_hundred_thousand_symbols():
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
def test_refuses_what_makes_no_sense(make):
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


def test_tables_and_steps_may_change_over_the_same_cases_and_what_symbols_look_like_may_not():
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


def test_forks_with_symbols_go_their_own_ways():
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
