import shutil
from dataclasses import replace

import pytest
from reference.action_models import nearby

from baycarp.agents.gambler import TABLE as BY_TABLE
from baycarp.agents.poki.formula import Formula, Style
from baycarp.agents.poki.simulation import Simulation
from baycarp.agents.registry import AGENTS, identity, load, parse
from baycarp.agents.table import EIGHTH, PLAYERS, TABLE
from baycarp.errors import ArgumentError, CardError, ModelError
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.opponents.actions.styles import Styles, save_styles
from baycarp.opponents.network.model import ByNetwork
from baycarp.strategies.baycarp import BAYCARP2, believing
from baycarp.strategies.model import load_model, save_model


@pytest.mark.parametrize(
    "name", sorted(name for name in [*AGENTS, *PLAYERS] if not name.startswith(("baycarp", "program")))
)
def test_every_name_loads_an_agent(name):
    agent = load(name)
    assert agent.plays.betting
    assert {"sit", "decide", "learn"} <= set(dir(agent))
    assert load(name) is not agent


@pytest.mark.parametrize("limit", [None, 0.0, 100.0])
@pytest.mark.parametrize(
    "agent", ["baycarp", "baycarp2", "network", "formula", "simulation", "rule", "responder"]
)
def test_a_board_that_was_not_dealt_is_refused(small_model, styled_model, agent, limit):
    thesis = agent.startswith("baycarp") or agent == "network"
    model = str(styled_model if agent == "baycarp" else small_model)
    player = load(f"{agent}(model={model!r})" if thesis else agent)
    hand = State(Variant.ring(2))
    hand.deal({0: "AhQh"})
    for name in ("raise", "call"):
        hand.apply(hand.named(name))
    with pytest.raises(CardError, match="board '': expected 3 cards, got 0"):
        player.decide(hand.observe(0), time_limit=limit)
    hand.deal(board="Kh7h2c")
    assert player.decide(hand.observe(0), time_limit=limit).action in hand.legal_actions()


def test_settings_arrive():
    agent = load("formula(tightness=0.4, level='tight', defence=True)")
    assert isinstance(agent, Formula)
    assert agent.style == Style(tightness=0.4, level="tight", defence=True)
    simulated = load("simulation(playouts=100, aggression=1)")
    assert isinstance(simulated, Simulation)
    assert (simulated.playouts, simulated.style.aggression) == (100, 1)


def test_the_table_of_seven():
    """Unger (2011), 7.1: five Pokibots, two Simbots; 7.3.1 names Absinthe a Simbot, Karma a Pokibot."""
    agents = {name: load(name) for name in TABLE}
    assert set(PLAYERS) == {*TABLE, EIGHTH}
    assert len(TABLE) == 7
    simulated = {name for name, agent in agents.items() if isinstance(agent, Simulation)}
    assert len(simulated) == 2
    assert "absinthe" in simulated
    assert not simulated & {"karma", "erasmus", "jake"}
    assert agents["karma"].style.aggression > agents["erasmus"].style.aggression


def test_a_player_takes_settings_too():
    plain, other = load("karma"), load("karma(model=0)")
    assert other.style == replace(plain.style, model=0)
    assert load("absinthe(playouts=7)").playouts == 7


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("network(threshold='x')", r"threshold='x': expected float"),
        ("baycarp2(policy='best')", "policy 'best': expected one of best outcome"),
        (
            "baycarp2(opponents='people')",
            r"opponents 'people': expected network, styles, .* a file of styles",
        ),
        ("baycarp2(opponents='styles', published=True)", r"published=True: expected opponents='network'"),
        ("baycarp(published=True)", r"setting 'published': expected one of risk, model"),
        ("baycarp(risk=True)", r"risk=True: expected float"),
        ("baycarp(risk=1.5)", r"risk 1\.5: expected a weight, 0\.\.1"),
        ("baycarp(opponents='gambler')", r"opponents 'gambler': expected 'styles' or a file of styles"),
        ("baycarp2(opponents='gambler', published=True)", r"published=True: expected opponents='network'"),
        ("gambler(published='yes')", r"published='yes': expected bool"),
        ("sizer(published=True)", r"setting 'published': expected one of"),
        ("baycarp2(learning='False')", r"learning='False': expected bool"),
        ("baycarp2(explore=True)", r"explore=True: expected float"),
        ("baycarp2(experts='folder')", r"experts='folder': expected .*Sequence\[str"),
        ("baycarp2(experts=['a', 3])", r"experts=\['a', 3\]: expected .*Sequence\[str"),
        ("baycarp(opponents=3)", r"opponents=3: expected str"),
        ("formula(shift='x')", r"shift='x': expected float"),
        ("karma(defence='no')", r"defence='no': expected bool"),
        ("absinthe(playouts=1.5)", r"playouts=1\.5: expected int"),
        ("program(command=3)", r"command=3: expected str"),
        ("responder(model=0)", r"model=0: expected str"),
        ("baycarp2(explore=0.0, groop=4)", r"setting 'groop': expected one of model, memory"),
        ("program(command='true', tine=1)", r"setting 'tine': expected one of command"),
        ("program()", r"missing .* 'command'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(spec, message):
    with pytest.raises(ModelError, match=message):
        load(spec)


def test_published_is_one_word_for_the_form_of_the_author():
    gambler, other = load("gambler(published=True)"), load("gambler(published=True, bias='loose')")
    assert (gambler.networks.form, gambler.bias) == ("independent", BY_TABLE)
    assert (other.networks.form, other.bias) == ("independent", "loose")
    assert tuple(load(f"mcts(published={each})").models.own for each in (True, False)) == (0.0, 0.5)
    assert load("formula(published=True)").style == load("formula").style
    assert load("bpp(published=True)").learning


def test_a_model_with_a_network_is_not_one_without():
    with pytest.raises(
        ModelError, match="opponents 'none': expected a model that was trained without a network"
    ):
        load("baycarp2(opponents='none')")


@pytest.mark.parametrize(
    "spec",
    [
        "formula(0.4)",
        "formula(**{})",
        "formula(tightness=open('x'))",
        "a.b",
        "formula(",
        "",
        "formula()()",
        "f(a=1)(b=2)",
        "1",
        "call()\nx()",
    ],
)
def test_malformed_specifications_are_refused(spec):
    with pytest.raises(ModelError, match="expected a name"):
        parse(spec)


def test_errors_name_the_value():
    with pytest.raises(ModelError, match=r"agent 'karmaa': did you mean karma\?"):
        load("karmaa")
    with pytest.raises(ModelError, match="tightness 3: expected 0"):
        load("formula(tightness=3)")
    with pytest.raises(ModelError, match="tightnes"):
        load("formula(tightnes=0.3)")
    with pytest.raises(ModelError, match="playouts 0"):
        load("simulation(playouts=0)")


def test_the_path_of_a_model_is_baycarp2_with_it(small_model):
    expected = believing(BAYCARP2, ByNetwork(earned=True))
    for agent in (load(small_model), load(str(small_model)), load(f"baycarp2(model={str(small_model)!r})")):
        assert agent.strategy == expected
        assert len(agent.casebases["flop"]) == len(load_model(small_model).casebases["flop"])


def test_the_path_of_no_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"no model: expected a manifest\.json"):
        load(tmp_path)


def test_an_identity_changes_with_the_files_that_a_specification_names(tmp_path, styled_model):
    """A journal continues only with its own agents: a path alone does not identify an agent."""
    expert, styles = tmp_path / "expert", tmp_path / "styles.npz"
    shutil.copytree(styled_model, expert, ignore=shutil.ignore_patterns("sessions"))
    save_styles(Styles((nearby(1),), (1.0,)), styles, "the tests")
    spec = f"baycarp2(experts=[{str(expert)!r}], opponents={str(styles)!r})"
    first = identity(spec)
    assert first == identity(spec)
    save_styles(Styles((nearby(2),), (1.0,)), styles, "the tests")
    second = identity(spec)
    model = load_model(expert)
    river = model.casebases["river"].fork()
    river.extend_columns({name: column for name, column in river.columns().items() if name != "ids"})
    save_model(expert, replace(model, casebases={**model.casebases, "river": river}), "the tests", 1)
    assert len({first, second, identity(spec)}) == 3
    assert identity("baycarp2").startswith("baycarp2 with model ")
    assert "," not in identity("baycarp2")


def test_the_identity_of_a_player_has_the_digests_of_its_files(monkeypatch):
    assert {name: identity(name) for name in PLAYERS} == PLAYERS
    before = identity("karma(mixing=40)")
    assert before == PLAYERS["karma"].removesuffix(")") + ", mixing=40)"
    assert load(before).style == load("karma(mixing=40)").style
    monkeypatch.setitem(PLAYERS, "karma", "formula(level='tight', shift=7)")  # calibrated anew
    assert identity("karma(mixing=40)") == "formula(level='tight', shift=7, mixing=40)" != before
    assert identity("karma(shift=3)") == "formula(level='tight', shift=3)"


@pytest.mark.parametrize(
    "name",
    [
        "baycarp1",
        "baycarp2",
        "casey",
        "casper01",
        "casper02",
        "sartre",
        "sartre2009",
        "sartrenl2010",
        "sartre3p",
    ],
)
def test_published_is_one_word_for_every_system_of_a_paper(name):
    """Of systems without an opponent model it is the default: nothing of theirs is ours by a setting."""
    plain, published = load(name), load(f"{name}(published=True)")
    if plain.strategy.opponents is None:
        assert (published.strategy.bases, published.strategy.policy) == (
            plain.strategy.bases,
            plain.strategy.policy,
        )
        assert published.strategy.plans == plain.strategy.plans
    else:
        assert (plain.strategy.opponents.earned, published.strategy.opponents.earned) == (True, False)


@pytest.mark.parametrize("name", ["baycarp", "mcts", "equilibriumnl"])
def test_a_seat_is_taken_in_a_game_alone(name):
    with pytest.raises(TypeError, match="variant: expected a Variant, got None"):
        load(name).sit(0, None, 0)


@pytest.mark.parametrize("name", ["casper02", "formula", "mcts", "sizer"])
def test_a_seat_is_taken_with_a_seed_of_64_bits(name):
    agent, game = load(name), Variant.ring(2)
    for seed in (-1, 2**64):
        with pytest.raises(ArgumentError, match=r"seed: expected 0\.\."):
            agent.sit(0, game, seed)
    with pytest.raises(TypeError, match="seed: expected a whole number"):
        agent.sit(0, game, "1_0")
