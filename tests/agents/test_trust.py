"""What a stranger may name: shipped agents with plain settings."""

import pytest

from baycarp.agents.registry import AGENTS, load
from baycarp.agents.table import PLAYERS
from baycarp.agents.trust import PLAIN, verify_plain
from baycarp.errors import ModelError


def test_every_agent_is_plain_or_needs_trust():
    """A new agent is plain only when a reader of its settings has put it there."""
    assert {*AGENTS, *PLAYERS} - PLAIN == {"alike", "program", "responder"}
    assert {*AGENTS, *PLAYERS} >= PLAIN


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_plain_names_are_taken(name):
    verify_plain(name)


@pytest.mark.parametrize(
    "spec",
    [
        "formula(level='tight', tightness=0.4, defence=True)",
        "karma(level='loose')",
        "baycarp2(policy='best outcome', explore=0.1, published=True)",
        "baycarp1(weights='thesis')",
        "baycarp(risk=0.5, opponents='styles')",
        "baycarp2(weights='tuned', opponents='network')",
        "simulation(playouts=3)",
    ],
)
def test_plain_settings_are_taken(spec):
    verify_plain(spec)
    load(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "program(command='touch OWNED')",
        "responder",
        "responder(model='x.npz')",
        "baycarp2(memory='ann')",
        "baycarp2(model='./x')",
        "baycarp2(experts=['./x'])",
        "baycarp2(experts=())",
        "baycarp(opponents='x.npz')",
        "baycarp2(weights='/etc/passwd')",
        "network(model='./x')",
        "karma(log='x')",
        "formula(level=['tight'])",
        "formula(level=None)",
        "./model",
        "./elsewhere/model",
        "shark",
        "",
        "baycarp2(**{'memory': 'ann'})",
    ],
)
def test_what_could_reach_a_file_or_a_process_is_refused(spec):
    with pytest.raises(ModelError, match="agent "):
        verify_plain(spec)
