"""``baycarp agents``, completion, and the states of a network's nodes."""

import json
import subprocess
import sys
from inspect import Parameter

import pytest
from reference.hand_types import hand_group

from baycarp.agents.catalogue import LINES, settings
from baycarp.agents.registry import AGENTS, load
from baycarp.agents.table import PLAYERS
from baycarp.bn import Network
from baycarp.card import CLASSES
from baycarp.cli import COMMANDS, main
from baycarp.game.variant import Variant, shipped
from baycarp.opponents.network.meanings import node_meaning, state_meaning
from baycarp.opponents.network.topology import topology
from baycarp.rules.hand import GROUPS
from baycarp.strategies.model import SHIPPED, load_model


def test_every_agent_has_a_line():
    assert set(LINES) == {*AGENTS, *PLAYERS}


@pytest.mark.parametrize("name", sorted(set(LINES) - {"program"}))
def test_an_agent_takes_every_setting_at_its_default(name):
    given = ", ".join(each.text for each in settings(name) if each.name != "number")
    agent, plain = load(f"{name}({given})"), load(name)
    assert type(agent) is type(plain)
    assert all(each.meaning for each in settings(name))
    for stored in ("style", "rules", "settings", "learning"):
        assert getattr(agent, stored, None) == getattr(plain, stored, None)
    if strategy := getattr(agent, "strategy", None):
        of = plain.strategy
        assert (strategy.name, strategy.policy, strategy.outcome) == (of.name, of.policy, of.outcome)


def test_a_setting_without_a_default_is_marked():
    command = next(each for each in settings("program") if each.name == "command")
    assert command.default is Parameter.empty
    assert command.text == "command=..."


def test_agents_are_listed(capsys):
    assert main(["agents", "--json", "rule", "karma", "network"]) == 0
    rule, karma, network = json.loads(capsys.readouterr().out)
    assert rule["games"] == "limit, 2 to 10 seats"
    assert {"level": "tight", "aggression": 0.65}.items() <= {
        each["name"]: each["default"] for each in karma["settings"]
    }.items()
    cells = load_model(SHIPPED).network
    assert f"{sum(cells.cpt(node).size for node in cells.structure.nodes):,}" in network["model"]


def test_an_unknown_agent_is_refused(capsys):
    assert main(["agents", "nobody"]) != 0
    assert "'nobody'" in capsys.readouterr().err


def test_games_are_listed_at_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["agents", "--games"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert all(name in text for name in shipped())
    assert main(["agents", "--games", "--json"]) == 0
    found = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
    assert found["holdem.limit.3p"]["blinds"] == list(Variant.load("holdem.limit.3p").blinds)


# Completion


def completed(script, *words):
    """What bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in words)
    program = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _shtab_baycarp\n"
    program += 'echo "${COMPREPLY[*]}"'
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.split()


def printed(shell):
    with pytest.MonkeyPatch.context() as patch:
        texts = []
        patch.setattr("builtins.print", lambda text, **_: texts.append(text))
        with pytest.raises(SystemExit) as status:
            main(["--completion", shell])
    assert not status.value.code
    return "".join(texts)


@pytest.fixture(scope="module")
def bash():
    pytest.importorskip("shtab")
    return printed("bash")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ma",), ["match"]),
        (("match", "sartren"), ["sartrenl", "sartrenl2010"]),
        (("match", "--game", "holdem.limit.3"), ["holdem.limit.3p"]),
        (("inspect", "b"), ["bn"]),
        (("inspect", "bn", "--stat"), ["--states"]),
        (("solve", "leduc", "--algorithm", "m"), ["mccfr"]),
        (("--comp",), ["--completion"]),
    ],
)
def test_bash_completes(bash, words, offered):
    assert completed(bash, "baycarp", *words) == offered


def test_other_shells_have_every_command():
    pytest.importorskip("shtab")
    for shell in ("zsh", "fish"):
        script = printed(shell)
        assert all(name in script for name in COMMANDS)


def test_completion_without_its_library_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit) as status:
        main(["--completion", "bash"])
    assert status.value.code == 1
    assert "pip install 'baycarp[completion]'" in capsys.readouterr().err


# The states of a network


def test_hand_groups_are_listed_with_their_hands():
    for group in GROUPS:
        for name in state_meaning("HandGroup", group).split(", "):
            assert name in CLASSES
            suits = "hd" if name.endswith("o") or len(name) == 2 else "hh"
            assert hand_group(f"{name[0]}{suits[0]}{name[1]}{suits[1]}") == group


def test_every_node_and_state_is_listed(capsys):
    assert main(["inspect", "bn", "--states"]) == 0
    text = capsys.readouterr().out
    network = load_model(SHIPPED).network
    assert isinstance(network, Network)
    assert all(map(node_meaning, topology("odds", True, True, True).nodes))
    for node in network.structure.nodes:
        assert node_meaning(node)
        assert f"\n{node}: " in text
        assert all(f"  {state}" in text for state in network.structure.states[node])


def test_a_wrong_state_names_those_of_the_node(capsys):
    assert main(["inspect", "bn", "--see", "VPIP=nonsense"]) != 0
    assert "a0_10, a10_20" in capsys.readouterr().err
