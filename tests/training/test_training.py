"""Training: the same bytes for any number of workers, and after any interruption."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from unittest.mock import Mock

import pytest
from reference import cheap_training
from reference.models import edit
from reference.spots import spots

import baycarp
from baycarp import rank
from baycarp.agents.cases.stages import BeliefStage, CaseStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of
from baycarp.api.train import NetworkSettings
from baycarp.arena.session import Table
from baycarp.cli import main
from baycarp.errors import ModelError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.topology import topology
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS, WITHOUT_NETWORK, believing
from baycarp.strategies.model import load_model
from baycarp.strategies.registry import STRATEGIES
from baycarp.strategies.spec import STREETS
from baycarp.training.watch import hands_of, watch

FILES = ("manifest.json", "network.npz", *(f"{schema.name}.npz" for schema in SCHEMAS))
HAND_TYPE = {"opponent_hand_type"}
TABLE = Table(Variant.ring(2), ("Ann", "Bob"), ("rule", "jag"), seed=9)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """A model made in one go by one worker: three sessions, and one held out."""
    folder = tmp_path_factory.mktemp("straight") / "model"
    assert cheap_training.run(folder, "--hands", 60, "--seed", 4, "--workers", 1) == 0
    return folder


def test_the_manifest_records_command_and_seed(straight):
    model = load_model(straight)
    assert model.manifest["command"] == "baycarp train --hands 60 --seed 4"
    assert model.manifest["seed"] == 4
    logs = sorted(path.name for path in (straight / "sessions").glob("*.log"))
    assert logs == [*(f"session-{n:05}.log" for n in range(3)), "session-1000000.log"]


def test_cases_are_all_actions_of_the_sessions_in_their_order(straight):
    model, hands = load_model(straight), []
    variant = Variant.ring(8)
    for number in range(3):
        lines = (straight / "sessions" / f"session-{number:05}.log").read_text().splitlines()
        hands += [(number, parse_state(line, variant)) for line in lines]
    actions = sum(len(hand.actions) for _, hand in hands)
    assert actions == sum(len(casebase) for casebase in model.casebases.values())
    met = model.casebases["preflop"].columns()["provenance"]
    at = [(int(s), int(h)) for s, h in zip(met["session"], met["hand"], strict=True)]
    assert at == sorted(at)
    assert set(at) == {(number, hand.id) for number, hand in hands}


@pytest.mark.slow
def test_two_workers_make_the_same_bytes(straight, tmp_path):
    assert cheap_training.run(tmp_path / "two", "--hands", 60, "--seed", 4, "--workers", 2) == 0
    assert contents(tmp_path / "two") == contents(straight)


def test_another_seed_makes_another_model(straight, tmp_path):
    assert cheap_training.run(tmp_path / "other", "--hands", 60, "--seed", 5, "--workers", 1) == 0
    assert contents(tmp_path / "other")["preflop.npz"] != contents(straight)["preflop.npz"]


@pytest.fixture(scope="module")
def plain(straight):
    """A model of the same sessions for the strategy without a network."""
    folder, sessions = straight.parent / "plain", straight / "sessions"
    made = ("--hands", 60, "--seed", 4, "--workers", 1, "--sessions", sessions)
    assert cheap_training.run(folder, *made, "--strategy", WITHOUT_NETWORK.name) == 0
    return folder


def test_a_strategy_without_a_network_is_trained_by_name(straight, plain, capsys):
    one, other = load_model(straight), load_model(plain)
    assert (one.strategy, other.strategy) == (BAYCARP2, WITHOUT_NETWORK)
    assert other.network is None
    assert sorted(path.name for path in plain.iterdir()) == sorted({*FILES} - {"network.npz"})
    result = other.about()
    assert result["command"] == "baycarp train --hands 60 --seed 4 --strategy baycarp-without-network"
    assert (result["strategy"], result["game"]) == ("baycarp-without-network", Variant.ring(8).name)
    for name, casebase in other.casebases.items():
        features = {feature.name for feature in casebase.schema.features}
        assert features == {feature.name for feature in one.casebases[name].schema.features} - HAND_TYPE
        assert len(casebase) == len(one.casebases[name]) > 0
        for number in range(0, len(casebase), 7):  # the action, its outcome, and the public features
            here, there = casebase.case(number), one.casebases[name].case(number)
            for case in (here, there):
                shown = case["situation"].items()
                case["situation"] = {k: v for k, v in shown if not k.startswith(tuple(BAYCARP2.measured))}
            assert here == there
            assert len(here["situation"]) == len(features - BAYCARP2.measured)


def test_without_a_network_all_holdings_are_equally_likely(plain):
    """Strength on the river: a plain count over the 990 holdings of each of the independent opponents."""
    river, met = load_model(plain).casebases["river"], set()
    for number in range(0, len(river), 5):
        case = river.case(number)
        board, hole = (list(case["provenance"][name]) for name in ("board", "hole"))
        left = [card for card in range(52) if card not in {*board, *hole}]
        mine, worth = rank([*hole, *board]), []
        for holding in combinations(left, 2):
            theirs = rank([*holding, *board])
            worth.append((mine > theirs) + 0.5 * (mine == theirs))
        opponents = case["situation"]["players_in_hand"]
        assert case["situation"]["hand_strength"] == pytest.approx((sum(worth) / 990) ** opponents)
        met.add(opponents)
    assert {1, 2} <= met


def test_a_case_player_plays_what_its_model_was_made_for(straight, plain):
    game = Variant.ring(4)
    for folder, other in (
        (straight, "baycarp2(model={!r})"),
        (plain, "baycarp2(model={!r}, opponents='none')"),
    ):
        agents = [load(f"cases(model={str(folder)!r})"), load(other.format(str(folder))), load(folder)]
        described = load_model(folder).strategy
        table = believing(described, ByNetwork(earned=True)) if described.opponents else described
        assert [agent.strategy for agent in agents] == [table] * 3
        for agent in agents:
            agent.sit(0, game, 1)
        for state in spots(game, 6, seed=3):
            observation = state.observe(state.to_act)
            result = [agent.decide(observation) for agent in agents]
            assert result[0].action == result[1].action == result[2].action
            assert result[0].policy == result[1].policy == result[2].policy
            asked = stage_of(result[0].trace, CaseStage)
            assert (asked.base, "opponent_hand_type" in asked.values) == (
                STREETS[observation.street],
                bool(observation.street) and folder == straight,
            )
            for belief in stage_of(result[0].trace, BeliefStage).opponents if folder == plain else ():
                assert belief.holdings == math.comb(50 - len(observation.board), 2)
                assert not belief.evidence


def test_a_case_player_with_another_opponent_model_than_its_cases_is_refused(straight, plain):
    with pytest.raises(ModelError, match="expected a model that was trained without a network"):
        load(f"cases(model={str(straight)!r}, opponents='none')")
    with pytest.raises(ModelError, match="has no opponent model: expected one that has"):
        load(f"cases(model={str(plain)!r}, opponents='styles')")
    assert load(f"cases(model={str(plain)!r}, opponents='none')").strategy == WITHOUT_NETWORK
    with pytest.raises(ModelError, match="beliefs of kind 'network', the queries of kind 'styles'"):
        load(f"cases(model={str(straight)!r}, opponents='styles')")


@pytest.mark.parametrize("kind", ["styles", "weighted", "gambler"])
def test_a_strategy_without_a_network_refuses_options_of_one(tmp_path, capsys, kind):
    asked = ["train", str(tmp_path / "m"), "--strategy", WITHOUT_NETWORK.name, "--opponents", kind]
    assert main(asked) == 1
    assert capsys.readouterr().err.rstrip().endswith(f"opponents {kind}: expected a strategy with a network")
    assert not (tmp_path / "m").exists()


@pytest.mark.slow
def test_another_network_than_that_of_the_thesis_is_trained_from_python(straight, tmp_path):
    network = NetworkSettings(calls="priced", partial=True, prior="dealt", active=True)
    given = {"seed": 4, "sessions": straight / "sessions", "network": network}
    cheap_training.cheaply(baycarp.train, tmp_path / "own", 60, **given)
    one, other = load_model(straight), load_model(tmp_path / "own")
    assert other.network.structure == topology(calls="priced", partial=True) != one.network.structure
    command = other.manifest["command"]
    train = Mock()
    eval(command, {"baycarp": Mock(train=train), "NetworkSettings": NetworkSettings, "FOLDER": "x"})
    train.assert_called_once_with("x", 60, seed=4, network=network)
    with pytest.raises(ModelError, match=r"network NetworkSettings\(.*: expected a strategy with a network"):
        baycarp.train(tmp_path / "x", 60, strategy="casper", network=network)
    assert not (tmp_path / "x").exists()


def test_an_unknown_strategy_is_refused(plain, tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", str(tmp_path / "m"), "--strategy", "nobody"])
    err = capsys.readouterr().err
    assert stopped.value.code == 1
    assert "--strategy: invalid choice: 'nobody'" in err
    assert all(name in err for name in STRATEGIES)
    assert not (tmp_path / "m").exists()
    with pytest.raises(
        ModelError, match="strategy 'nobody': expected one of baycarp, baycarp-by-seats, baycarp-w"
    ):
        load_model(renamed(plain, tmp_path / "nobody", "nobody"))
    with pytest.raises(ModelError, match="cases of another schema"):
        load_model(renamed(plain, tmp_path / "other", "baycarp"))


def renamed(folder, copy, strategy):
    """A model whose manifest names another strategy."""
    shutil.copytree(folder, copy)
    edit(copy, strategy=strategy)
    return copy


@pytest.mark.slow
def test_training_continues_after_ctrl_c(straight, tmp_path):
    folder = tmp_path / "cut"
    program = [sys.executable, cheap_training.__file__, str(folder), "--seed", "4", "--workers", "2"]
    path = os.pathsep.join([str(Path(cheap_training.__file__).parents[1]), *sys.path[1:]])
    child = subprocess.Popen(
        [*program, "--hands", "4000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    with child:
        try:
            for _ in range(600):
                if len(list(folder.glob("sessions/*.log"))) >= 2 or child.poll() is not None:
                    break
                time.sleep(0.1)
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to the workers as well
            _, err = child.communicate(timeout=60)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    logs = list(folder.glob("sessions/*.log"))
    assert 2 <= len(logs) < 200
    for log in logs:
        assert len(log.read_text().splitlines()) == cheap_training.HANDS
    assert not (folder / "manifest.json").exists()
    kept = {log: log.stat().st_mtime_ns for log in logs}
    assert cheap_training.run(folder, "--hands", 60, "--seed", 4, "--workers", 2) == 0
    assert contents(folder) == contents(straight)
    assert {log: log.stat().st_mtime_ns for log in logs} == kept  # existing sessions are not played again


# Watching


def test_only_a_missing_session_is_played_again(tmp_path):
    first = watch(TABLE, range(3), 5, tmp_path)
    texts = [path.read_text() for path in first]
    first[1].unlink()
    first[2].write_text(texts[2] + "# mine\n")
    received = []
    assert watch(TABLE, range(3), 5, tmp_path, tick=received.append) == first
    assert [path.read_text() for path in first] == [*texts[:2], texts[2] + "# mine\n"]
    assert (received[0], received[-1]) == (10, 15)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".log", ".log", ".log"]


def test_a_log_holds_every_hole_card(tmp_path):
    (log,) = watch(TABLE, [7], 5, tmp_path)
    hands = list(hands_of(log, TABLE))
    assert [hand.id for hand in hands] == list(range(35, 40))
    assert all(len(hole) == 2 for hand in hands for hole in hand.holes)


@pytest.mark.parametrize(
    "other",
    [
        Table(TABLE.variant, TABLE.players, TABLE.specs, seed=10),
        Table(TABLE.variant, TABLE.players, TABLE.specs[::-1], seed=9),
        Table(TABLE.variant, ("Ann", "Ben"), TABLE.specs, seed=9),
        Table(Variant.ring(3), ("Ann", "Bob", "Cleo"), (*TABLE.specs, "call"), seed=9),
    ],
)
def test_a_folder_belongs_to_one_table(tmp_path, other):
    watch(TABLE, [0], 2, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ModelError, match=r"table\.json: another table"):
        watch(other, [0, 1], 2, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("text", ["", "{", "\x00"])
def test_an_unreadable_table_file_is_another_table(tmp_path, text):
    watch(TABLE, [0], 2, tmp_path)
    (tmp_path / "table.json").write_text(text)
    with pytest.raises(ModelError, match=r"table\.json"):
        watch(TABLE, [0], 2, tmp_path)


def test_sessions_of_another_length_are_refused(tmp_path):
    watch(TABLE, [0], 2, tmp_path)
    assert json.loads((tmp_path / "table.json").read_text())["hands"] == 2
    with pytest.raises(ModelError, match=r"table\.json"):
        watch(TABLE, [0], 3, tmp_path)
