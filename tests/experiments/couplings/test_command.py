"""The command: what it writes beside its journals, one budget for all tables, the local best response."""

import json

import numpy as np
import pytest

from baycarp import exploit
from baycarp.arena.journal import Journal, Recorded
from baycarp.arena.workers import THIS_PROCESS
from baycarp.errors import JournalError
from baycarp.files import read_json
from baycarp.responses.local_run import DEALS
from baycarp.responses.luck import PARTS
from experiments.__main__ import main
from experiments.couplings import local
from experiments.couplings.budget import counted, part
from experiments.couplings.local import HANDS, UNIT, LocalResponses, local_bounds
from experiments.couplings.study import CouplingStudy
from experiments.spent import recorded, spent

ARMS = 17


def units(study):
    """The units of the journal of the responder, by arm and number."""
    return list(Recorded.of(study.folder / local.JOURNAL, local._header(study)).records)


@pytest.fixture
def fast(monkeypatch):
    """A responder that wins the number of its unit from every arm."""

    def played(plan, unit):
        return {"hands": [[[unit, *[0] * PARTS]] * 2] * DEALS}

    monkeypatch.setattr(local, "play_unit", played)


@pytest.fixture
def command(tmp_path, capsys, fast):
    """Run the command heads-up on toy sizes, and give what it printed."""
    words = "--table heads-up --share 0.00001 --train-hands 20 --session-hands 2 --playouts 5 --beside 1"

    def run(*more):
        assert main(["couplings", *words.split(), "--workers", "1", "--out", str(tmp_path), *more]) == 0
        return capsys.readouterr().out

    run.study = CouplingStudy("heads-up", tmp_path / "heads-up", 1, 20, 2, 5)
    return run


def test_a_start_is_recorded_and_a_spent_budget_plays_nothing(command):
    study = command.study
    command("--hours", "0")
    assert not units(study)
    begun = read_json(study.folder / "begun.json", 1000)
    header = json.loads(
        (study.folder / "couplings.journal").read_text("utf-8").splitlines()[0].partition(" ")[2]
    )
    assert begun["contrasts"] == header["contrasts"]
    table = json.loads(command("--json"))[0]
    assert [arm["won"]["hands"] for arm in table["arms"].values()] == [4] * ARMS
    assert all(arm["local best response"]["mbb/h"] == 0 for arm in table["arms"].values())
    assert units(study) == [(arm, 0) for arm in study.matches()]
    later = read_json(study.folder / "begun.json", 1000)
    assert later["time"] > begun["time"]  # no hand had been played
    command()
    assert read_json(study.folder / "begun.json", 1000) == later
    assert "Played since 20" in command("--show")
    (study.folder / "begun.json").write_text("1795838685.5\n", "utf-8")  # as it was before
    assert "Played since 2026-11-28" in command("--show")


def test_the_responder_goes_on_where_it_was(command):
    study = command.study
    command()
    hours, done = recorded(study.folder), []
    LocalResponses(study, 2 * UNIT / HANDS, hours).run(THIS_PROCESS, done.append)
    assert done == [UNIT * ARMS]
    LocalResponses(study, 2 * UNIT / HANDS, hours + 1).run(THIS_PROCESS, done.append)
    assert done[1:] == [UNIT * each for each in range(ARMS, 2 * ARMS + 1)]
    assert units(study) == [(arm, number) for number in (0, 1) for arm in study.matches()]
    bounds = local_bounds(study)
    assert set(bounds) == set(study.arms())
    assert {bound.mean for bound in bounds.values()} == {250}  # half a chip of two a big blind


def test_the_responder_is_that_of_exploit(command, monkeypatch):
    study = command.study
    command("--hours", "0")
    monkeypatch.undo()
    arm, plan = next(iter(local._plans(study).items()))
    with Journal(study.folder / local.JOURNAL, local._header(study)) as journal:
        journal.append((arm, 0), local._play({arm: plan}, (arm, 0)))
    found = local_bounds(study)
    result = exploit(plan.spec, plan.game, hands=UNIT, holdings=local.HOLDINGS, seed=study.seed)
    assert list(found.values()) == list(result.bounds)


@pytest.mark.parametrize("record", [{}, {"hands": [1]}, {"hands": [[[np.nan] * (1 + PARTS)] * 2] * DEALS}])
def test_other_results_are_refused(record, tmp_path):
    with pytest.raises(JournalError, match="expected"):
        local._hands(tmp_path, record)


def test_the_tables_have_equal_parts_of_one_budget(tmp_path):
    def parts(alone=False):
        return [part(tmp_path, table, 24, alone) for table in ("seen", "unseen", "heads-up")]

    assert parts() == [8, 12, 24]
    spent(tmp_path / "seen", 4)  # interrupted
    assert parts() == [8, 10, 20]
    spent(tmp_path / "seen", 2)  # nothing is left to play
    spent(tmp_path / "unseen", 9)
    assert parts() == [8, 9, 9]
    assert parts(alone=True) == [15, 18, 9]
    spent(tmp_path / "heads-up", 12)  # alone, before
    assert parts() == [3, 6, 9]


def test_hours_of_the_work_within_are_added(tmp_path):
    with counted(tmp_path, 1) as enough:
        assert not enough()
        assert not recorded(tmp_path)
    assert 0 < recorded(tmp_path) < 1
    spent(tmp_path, 1)
    with counted(tmp_path, 1) as enough:
        assert enough()
