"""``baycarp memory``: export as CSV, import, forget."""

import re
import sqlite3
from contextlib import closing

import pytest

from baycarp.cli import main
from baycarp.strategies.memory import remember
from baycarp.strategies.model import load_model


@pytest.fixture
def typed(capsys, monkeypatch, small_model, tmp_path):
    """The command, where there is a memory of Ann's, as it began."""
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))

    remember(load_model(small_model), "ann")[1].close()

    def run(*arguments):
        status = main(["memory", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_exported_cases_can_be_imported(typed, small_model, tmp_path):
    known = load_model(small_model)
    folder = tmp_path / "out"
    status, out, _ = typed("export", "ann", folder, "--model", small_model, "--spreadsheet")
    assert status == 0
    assert f"river.csv: {len(known.casebases['river'])} cases" in out
    for name in ("preflop", "flop", "turn"):
        (folder / f"{name}.csv").unlink()
    count = len(known.casebases["river"])
    for more in ([], ["--spreadsheet"]):  # nothing doubles
        status, out, _ = typed("import", "ann", folder, "--model", small_model, *more)
        assert (status, out) == (0, f"river: 0 cases added, {count} already there\n")
    header, first, second, *rest = (folder / "river.csv").read_text().splitlines()
    other = re.sub(",(fold|check|call|bet|raise),[^,]*,", r",\1,77.5,", second)
    (folder / "river.csv").write_text("\n".join([header, first, other, *rest]) + "\n")
    assert typed("import", "ann", folder, "--model", small_model)[1] == (
        f"river: 1 case added, {count - 1} already there\n"
    )
    model, store = remember(known, "ann")
    store.close()
    outcomes = known.casebases["river"].columns()["outcomes"].tolist()
    assert model.casebases["river"].columns()["outcomes"].tolist() == [*outcomes, 77.5]
    assert len(model.casebases["flop"]) == len(known.casebases["flop"])


def test_a_new_memory_may_hold_the_imported_cases_alone(typed, small_model, tmp_path):
    known = load_model(small_model)
    typed("export", "ann", tmp_path, "--model", small_model)
    for name in ("preflop", "flop", "river"):
        (tmp_path / f"{name}.csv").unlink()
    turns = len(known.casebases["turn"])
    status, out, err = typed("import", "eve", tmp_path, "--model", small_model, "--empty")
    assert (status, out, err) == (0, f"turn: {turns} cases added\n", "")
    stored = sum(map(len, known.casebases.values()))
    assert (
        f"zoe is new and begins with the {stored:,} cases"
        in typed("import", "zoe", tmp_path, "--model", small_model)[2]
    )
    model, store = remember(known, "eve")
    store.close()
    assert [len(casebase) for casebase in model.casebases.values()] == [0, 0, turns, 0]


def test_a_bad_file_adds_nothing(typed, small_model, tmp_path):
    folder = tmp_path / "out"
    typed("export", "ann", folder, "--model", small_model)
    with open(folder / "turn.csv", "a") as file:
        file.write("not a case\n")
    status, out, err = typed("import", "ann", folder, "--model", small_model)
    assert (status, out) == (1, "")
    assert "turn.csv, line" in err
    known = load_model(small_model)
    model, store = remember(known, "ann")
    store.close()
    assert len(model.casebases["river"]) == len(known.casebases["river"])
    assert (
        "expected one of preflop.csv" in typed("import", "ann", tmp_path / "none", "--model", small_model)[2]
    )


def test_forgetting_keeps_nine_tenths_of_the_bound(typed, small_model):
    sizes = {name: len(base) for name, base in load_model(small_model).casebases.items()}
    for _ in range(2):  # the second time, nothing is too large any more
        status, out, _ = typed("forget", "ann", "--most", 100, "--model", small_model)
        kept = {name: 90 if size > 100 else size for name, size in sizes.items()}
        assert (status, out) == (0, "".join(f"{name}: {n} cases kept\n" for name, n in kept.items()))


@pytest.mark.parametrize(("part", "expected"), [("forget", "--most"), ("export", "folder")])
def test_missing_arguments_are_named(capsys, part, expected):
    with pytest.raises(SystemExit) as stopped:
        main(["memory", part, "dan"])
    assert stopped.value.code == 1
    assert f"required: {expected}" in capsys.readouterr().err


def test_only_an_import_creates_a_memory(typed, small_model, tmp_path):
    typed("export", "ann", tmp_path / "out", "--model", small_model)
    for part, *more in (["forget", "--most", 50], ["export", tmp_path / "none"]):
        status, out, err = typed(part, "typo", *more, "--model", small_model)
        assert (status, out) == (1, "")
        assert "memory 'typo': there is none at" in err
    assert not (tmp_path / "none").exists()
    assert [path.name for path in (tmp_path / "home").glob("*.sqlite")] == ["ann.sqlite"]
    assert typed("import", "bob", tmp_path / "out", "--model", small_model)[0] == 0
    assert (tmp_path / "home" / "bob.sqlite").exists()


def test_what_is_whole_of_a_damaged_memory_goes_into_a_new_one(typed, small_model, tmp_path):
    known = load_model(small_model).casebases
    with closing(sqlite3.connect(tmp_path / "home" / "ann.sqlite")) as connection, connection:
        connection.execute("UPDATE cases SET outcome = outcome + 1 WHERE base = 'turn' AND id = 7")
    status, out, err = typed("export", "ann", tmp_path / "out", "--model", small_model)
    assert (status, out) == (1, "")
    assert "baycarp memory export ann FOLDER --salvage" in err
    status, out, _ = typed("export", "ann", tmp_path / "out", "--model", small_model, "--salvage")
    assert status == 0
    assert f"turn.csv: {len(known['turn']) - 1} cases, 1 lost" in out
    assert f"river.csv: {len(known['river'])} cases\n" in out
    assert typed("import", "bea", tmp_path / "out", "--model", small_model, "--empty")[0] == 0
    model, store = remember(load_model(small_model), "bea")
    store.close()
    assert len(model.casebases["turn"]) == len(known["turn"]) - 1
    whole = known["river"].columns()["outcomes"].tolist()
    assert model.casebases["river"].columns()["outcomes"].tolist() == whole
