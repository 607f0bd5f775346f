"""The beliefs that describe cases: recorded, read from older manifests, and refused where queries differ."""

import shutil
from dataclasses import replace

import pytest
from reference.models import edit
from reference.players import system

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.registry import load
from baycarp.cli import main
from baycarp.errors import ModelError
from baycarp.opponents.actions.model import ByActions
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import Weighted
from baycarp.strategies import model as models
from baycarp.strategies.baycarp import BAYCARP2, WITHOUT_NETWORK, believing
from baycarp.strategies.casper import CASPER
from baycarp.strategies.described import described_by
from baycarp.strategies.model import SHIPPED, load_model, save_model, shipped_model

STYLED = believing(BAYCARP2, ByActions(load_styles()))


def copy_of(folder, to, remove="beliefs", **changes):
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("sessions"))
    edit(to, remove, **changes)
    return to


def test_a_manifest_records_kind_and_digest(small_model, styled_model):
    network, styles = load_model(small_model).described, load_model(styled_model).described
    assert (network.kind, styles.kind) == ("network", "styles")
    assert styles.digest == load_styles().digest[:16]
    assert load_model(styled_model).about()["beliefs"] == f"styles ({styles.digest})"


def test_the_digest_is_that_of_rule_and_network(small_model):
    model = load_model(small_model)
    same = described_by(BAYCARP2.opponents, model.network)
    assert same == model.described
    assert described_by(ByNetwork(Weighted()), model.network).digest != same.digest
    assert described_by(ByNetwork(), load_model(SHIPPED).network).digest != same.digest


@pytest.mark.parametrize(
    ("model", "spec", "kinds"),
    [
        ("small_model", "baycarp2(model={}, opponents='styles')", ("network", "styles")),
        ("small_model", "baycarp(model={})", ("network", "styles")),
        ("styled_model", "baycarp2(model={})", ("styles", "network")),
    ],
)
def test_queries_of_another_kind_are_refused_with_the_way_out(request, model, spec, kinds):
    folder = request.getfixturevalue(model)
    way = f"expected a model trained with opponents={kinds[1]!r}, or the setting opponents={kinds[0]!r}"
    with pytest.raises(ModelError) as error:
        load(spec.format(repr(str(folder))))
    text = f"described by beliefs of kind {kinds[0]!r}, the queries of kind {kinds[1]!r}"
    assert text in str(error.value)
    assert way in str(error.value)


@pytest.mark.parametrize(
    ("model", "spec"),
    [
        ("small_model", "baycarp2(model={})"),
        ("styled_model", "baycarp(model={})"),
        ("styled_model", "baycarp2(opponents='styles', model={})"),
        ("styled_model", "cases(model={}, opponents='styles')"),
    ],
)
def test_queries_of_the_same_kind_and_models_without_a_case_are_accepted(request, model, spec):
    folder = request.getfixturevalue(model)
    assert load(spec.format(repr(str(folder)))).plays
    assert load(
        system("baycarp2", opponents={"kind": "styles"}, model={"folder": folder, "empty": True})
    ).plays


def test_an_expert_of_another_kind_is_refused(small_model, styled_model):
    with pytest.raises(ModelError, match="described by beliefs of kind 'styles'"):
        load(f"baycarp2(model={str(small_model)!r}, experts=[{str(styled_model)!r}])")


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("baycarp train --hands 10000 --seed 1", "network"),
        ("baycarp train --hands 10 --seed 1 --weighted", "network"),
        ("baycarp train --hands 10 --seed 1 --styles", "styles"),
        ("baycarp experiment --table seen --seed 1 --train-hands 10: network", "network"),
        ("made by hand", "unknown"),
    ],
)
def test_an_older_manifest_is_read_by_its_command(small_model, tmp_path, command, kind):
    folder = copy_of(small_model, tmp_path / "older", command=command)
    model = load_model(folder)
    assert model.described.kind == kind
    for asked in (BAYCARP2, STYLED):
        same = {"network": BAYCARP2, "styles": STYLED}.get(kind) == asked
        if same:
            assert CasePlayer(asked, model)
        else:
            with pytest.raises(ModelError, match=f"kind {kind!r}"):
                CasePlayer(asked, model)


def test_an_older_model_that_is_saved_again_keeps_its_kind(small_model, tmp_path):
    folder = copy_of(small_model, tmp_path / "older", command="baycarp train --hands 10 --seed 1 --styles")
    save_model(tmp_path / "again", load_model(folder), "baycarp memory coverage", 1)
    assert load_model(tmp_path / "again").described.kind == "styles"


def test_strategies_without_beliefs_need_no_record():
    assert shipped_model(CASPER).described.kind == "none"
    assert described_by(WITHOUT_NETWORK.opponents, None).kind == "none"


def test_a_styled_model_is_read_with_its_opponent_model(styled_model, small_model):
    assert isinstance(load_model(styled_model).strategy.opponents, ByActions)
    assert load_model(small_model).strategy == BAYCARP2


def test_each_kind_of_belief_has_its_own_shipped_model(monkeypatch, styled_model, tmp_path):
    kinds = {
        name: load(f"baycarp2(opponents={name!r})").model.described.kind for name in ("styles", "network")
    }
    assert kinds == {"styles": "styles", "network": "network"}
    monkeypatch.setattr(models, "MODELS", tmp_path)
    without = shipped_model(STYLED)  # where none ships for styles
    assert without.network is load_model(SHIPPED).network
    assert without.described.kind == "styles"
    assert not any(map(len, without.casebases.values()))
    shutil.copytree(SHIPPED, tmp_path / "default")
    shutil.copytree(styled_model, tmp_path / "styles", ignore=shutil.ignore_patterns("sessions"))
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "default")
    assert shipped_model(STYLED).described.kind == "styles"
    assert shipped_model(BAYCARP2).described.kind == "network"
    with pytest.raises(ModelError, match="kind 'network', the queries of kind 'styles'"):
        CasePlayer(STYLED, shipped_model(BAYCARP2))
    assert CasePlayer(STYLED, shipped_model(STYLED))


def test_a_shipped_model_of_styles_is_described_by_the_shipped_styles():
    described = shipped_model(STYLED).described
    assert (described.kind, described.digest) == ("styles", load_styles().digest[:16])


def test_a_manifest_with_another_record_is_refused(small_model, tmp_path):
    folder = copy_of(
        small_model, tmp_path / "odd", beliefs=["network"], remove="seed", command="baycarp train x"
    )
    with pytest.raises(ModelError, match="beliefs: list: expected an object"):
        load_model(folder)


def test_doctor_tests_a_styled_model(styled_model, capsys):
    assert main(["doctor", "--model", str(styled_model)]) == 0
    assert "beliefs    styles (" in capsys.readouterr().out


def test_a_model_in_memory_is_of_its_strategy(small_model):
    model = replace(load_model(small_model), manifest={})
    assert model.described == load_model(small_model).described
    with pytest.raises(ModelError, match="model of 'new'"):
        model.verify(STYLED)
