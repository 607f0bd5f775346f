import pytest

from baycarp.agents.formula import Formula, Style
from baycarp.agents.registry import AGENTS, load, parse
from baycarp.agents.simulation import Simulation
from baycarp.agents.table import PERSONALITIES, SIMULATED, TABLE
from baycarp.errors import ModelError


@pytest.mark.parametrize("name", sorted(name for name in AGENTS if not name.startswith("baycarp")))
def test_every_name_loads_an_agent(name):
    agent = load(name)
    assert agent.plays.betting
    assert {"sit", "decide", "learn"} <= set(dir(agent))
    assert load(name) is not agent


def test_settings_arrive():
    agent = load("formula(tightness=0.4, level='tight', defence=True)")
    assert isinstance(agent, Formula)
    assert agent.style == Style(tightness=0.4, level="tight", defence=True)
    simulated = load("simulation(playouts=100, aggression=1)")
    assert isinstance(simulated, Simulation)
    assert (simulated.playouts, simulated.style.aggression) == (100, 1)


def test_the_table_of_seven():
    assert len(TABLE) == 7
    assert len([name for name in TABLE if name in SIMULATED]) == 2
    assert {"absinthe"} <= SIMULATED
    assert set(PERSONALITIES) == {*TABLE, "anders"}
    for name in TABLE:
        agent = load(name)
        assert isinstance(agent, Simulation) == (name in SIMULATED)
        assert agent.style == PERSONALITIES[name]


@pytest.mark.parametrize(
    "spec",
    ["formula(0.4)", "formula(**{})", "formula(tightness=open('x'))", "a.b", "formula(", "", "formula()()", "f(a=1)(b=2)", "1", "call()\nx()"],
)
def test_what_is_no_specification_is_refused(spec):
    with pytest.raises(ModelError, match="expected a name"):
        parse(spec)


def test_errors_name_the_value():
    with pytest.raises(ModelError, match="agent 'karmaa': expected one of .*karma"):
        load("karmaa")
    with pytest.raises(ModelError, match="tightness 3: expected 0"):
        load("formula(tightness=3)")
    with pytest.raises(ModelError, match="tightnes"):
        load("formula(tightnes=0.3)")
    with pytest.raises(ModelError, match="playouts 0"):
        load("simulation(playouts=0)")
