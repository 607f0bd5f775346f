"""Cases exported as CSV are imported bit for bit; invalid lines are named."""

import csv
import os

import numpy as np
import pytest
from reference.retrieval import FLOP, casebase

from baycarp.cases import Case, CaseBase, Feature, Linear, Schema, export_csv, import_csv
from baycarp.cases.symbols import Matrix, Nested
from baycarp.errors import SchemaError


def test_exported_cases_are_imported_unchanged(tmp_path):
    before = casebase(500)
    assert export_csv(before, tmp_path / "flop.csv") == 500
    after = import_csv(tmp_path / "flop.csv", FLOP)
    for name, column in before.columns().items():
        assert column.tobytes() == after.columns()[name].tobytes()


def test_files_of_older_versions_are_read_without_their_propensities(tmp_path):
    export_csv(casebase(5), tmp_path / "new.csv")
    with open(tmp_path / "new.csv", newline="") as new, open(tmp_path / "old.csv", "w", newline="") as old:
        header, *rows = csv.reader(new)
        csv.writer(old).writerows([[*header, "propensity"], *([*row, "0.25"] for row in rows)])
    again, like = import_csv(tmp_path / "old.csv", FLOP).columns(), casebase(5).columns()
    assert all(column.tobytes() == like[name].tobytes() for name, column in again.items())


@pytest.mark.parametrize("content", [bytes(range(256)), b"id,x\n" + 200_000 * b"1", b""])
def test_a_file_that_is_not_csv_is_named(tmp_path, content):
    (tmp_path / "flop.csv").write_bytes(content)
    with pytest.raises(SchemaError, match=r"flop\.csv: .*expected .*'id'"):
        import_csv(tmp_path / "flop.csv", FLOP)


def test_other_programs_can_read_exported_cases(tmp_path):
    before = casebase(20)
    export_csv(before, tmp_path / "flop.csv")
    with open(tmp_path / "flop.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for i, row in enumerate(rows):
        case = before.case(i)
        assert int(row["id"]) == i
        assert row["solution"] == case["solution"]
        assert float(row["outcome"]) == case["outcome"]
        for name, value in case["situation"].items():
            assert (
                (row[name] or None) == value
                if isinstance(value, str | None)
                else (np.float32(row[name]) == np.float32(value))
            )


RUN = ("=1+1", "+1", "-1", "@SUM(A1)", "'x", "plain")


def test_cases_for_a_spreadsheet_run_nothing_and_are_imported_unchanged(tmp_path):
    alike = tuple(tuple(float(one == other) for other in RUN) for one in RUN)
    features = (Feature("n", 1, Linear(max=1)), Feature("=x", 1, Matrix(RUN, alike)))
    schema = Schema("toy", features, RUN, threshold=0.9)
    before = CaseBase(schema)
    for number, name in enumerate(RUN):
        situation = schema.situation({"n": number / 10, "=x": name})
        before.append(Case(situation, name, outcome=-float(number)))
    path = tmp_path / "toy.csv"
    export_csv(before, path, spreadsheet=True)
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["id", "n", "'=x", "solution", "outcome"]
    assert [row[2:4] for row in rows[1:]] == [[f"'{name}"] * 2 for name in RUN[:-1]] + [["plain"] * 2]
    after = import_csv(path, schema, spreadsheet=True)
    assert [after.case(i) for i in range(len(RUN))] == [before.case(i) for i in range(len(RUN))]


def test_an_empty_case_base_is_exported_as_a_header(tmp_path):
    assert export_csv(CaseBase(FLOP), tmp_path / "none.csv") == 0
    assert len(import_csv(tmp_path / "none.csv", FLOP)) == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",call,", ",call-station,", "line"),
        ("id,", "ID,", "columns"),
        ("\n3,", "\nthree,", "line 5"),
        ("\n3,", "\n1,", "ids must rise"),
        ("\n3,", "\n3,nan,", "line 5"),
        ("\n3,", "\n3_0,", "line 5: '3_0': expected an ASCII decimal"),
        ("\n3,", "\n\N{ARABIC-INDIC DIGIT THREE},", "line 5"),
    ],
)
def test_an_invalid_value_is_named(tmp_path, old, new, message):
    path = tmp_path / "flop.csv"
    export_csv(casebase(40), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(SchemaError, match=message):
        import_csv(path, FLOP)


@pytest.mark.parametrize("value", ["1e25", "-33", "nan", "inf", "1e400"])
def test_a_value_out_of_its_bounds_is_named_with_its_line(tmp_path, value):
    export_csv(casebase(3), tmp_path / "flop.csv")
    header, first, second, *rest = (tmp_path / "flop.csv").read_text().splitlines()
    id, _, tail = second.split(",", 2)
    (tmp_path / "flop.csv").write_text("\n".join([header, first, f"{id},{value},{tail}", *rest]))
    with pytest.raises(SchemaError, match=r"flop.csv, line 3: number of players = \S+ of flop"):
        import_csv(tmp_path / "flop.csv", FLOP)


def test_an_overflow_is_an_error_without_a_warning(tmp_path, recwarn):
    export_csv(casebase(1), tmp_path / "flop.csv")
    header, first = (tmp_path / "flop.csv").read_text().splitlines()
    id, _, tail = first.split(",", 2)
    (tmp_path / "flop.csv").write_text(f"{header}\n{id},1e39,{tail}")
    with pytest.raises(SchemaError, match="number of players = inf"):
        import_csv(tmp_path / "flop.csv", FLOP)
    assert not recwarn.list


@pytest.mark.parametrize("text", ["ab\0", "\0", "a\0b"])
def test_a_symbol_with_a_nul_is_refused(tmp_path, text):
    schema = Schema("toy", (Feature("kind", 1, Nested((1.0,))),), ("call",), threshold=0.9)
    (tmp_path / "toy.csv").write_text(f"id,kind,solution,outcome\n0,ab,call,0\n1,{text},call,0\n")
    with pytest.raises(SchemaError, match=r"toy.csv, line 3: kind '.*x00.*' holds a NUL"):
        import_csv(tmp_path / "toy.csv", schema)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "flop.csv")
    with pytest.raises(SchemaError, match=r"flop.csv: expected a regular file"):
        import_csv(tmp_path / "flop.csv", FLOP)
