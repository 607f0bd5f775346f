"""Sartre3P: which case-base answers, what is compared with what, and play in all six seatings."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import baycarp
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.stages import CaseStage
from baycarp.agents.trace import stage_of
from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.session import Table
from baycarp.card import holding_index
from baycarp.cases import Case, CaseBase
from baycarp.game import State, Variant
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.rules.betting.sequence import betting_sequence, sequence_keys
from baycarp.rules.betting.switching import heads_up, three_player_keys
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import GAME as HEADS_UP
from baycarp.strategies.sartre import SARTRE2011
from baycarp.strategies.sartre_three import GAME, SARTRE3P, TRAINED, switched

THREE, TWO = Variant.load(GAME), Variant.load(HEADS_UP)
KINDS = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}


def after(sequence, variant=THREE):
    """The observation of the position to act after a betting; AhKh for it, the board and others fixed."""
    deck = list(range(5 + 2 * variant.seats))
    state = State(variant, None, deck)
    for letter in sequence.replace("-", ""):
        legal = {action.name: action for action in state.legal_actions()}
        state.apply(next(legal[name] for name in KINDS[letter] if name in legal))
    assert betting_sequence(state) == sequence
    return state.observe(state.to_act)


@pytest.mark.parametrize(
    ("sequence", "key"),
    [
        ("frc-r", "2p-flop"),  # figure 9
        ("rfc-", "2p-flop"),
        ("cf", "2p-preflop"),  # the small blind folded: the big blind is ND and acts second
        ("rf", "2p-preflop"),
        ("f", "3p-preflop"),  # the small blind acts first, heads-up the dealer
        ("crrcrcc-rfc-", "3p-turn"),  # two raises of one player, none of the other
        ("rcc-", "3p-flop"),  # nobody folded
        ("", "3p-preflop"),
    ],
)
def test_the_case_base_that_answers(sequence, key):
    observation = after(sequence)
    assert switched(observation) == key
    assert TRAINED(observation) == "3p-" + key[3:]


def test_features_of_a_mapped_decision_and_of_the_same_one_by_three():
    observation = after("frc-r")
    mapped, plain = (
        SARTRE3P.describe(observation, {}, SARTRE3P.bases[name]) for name in ("2p-flop", "3p-flop")
    )
    assert mapped["sequence"] == ("frc-r", "r 1,0", "frc-r")
    assert plain["sequence"] == three_player_keys("frc-r")
    assert {**mapped, "sequence": 0} == {**plain, "sequence": 0}
    assert sorted(mapped) == ["sequence", "strength", "texture"]


def test_heads_up_a_decision_is_described_as_by_sartre():
    for sequence in ("", "rc-", "crc-r", "rc-cc-r"):
        observation = after(sequence, TWO)
        key = TRAINED(observation)
        assert key == switched(observation)
        own = SARTRE3P.describe(observation, {}, SARTRE3P.bases[key])
        theirs = SARTRE2011.describe(observation, {}, SARTRE2011.bases[key[3:]])
        assert own == dict(theirs)


def test_heads_up_it_decides_as_the_table_of_the_exact_comparison():
    """``docs/results/solvers.md`` values that table in place of the agent."""
    place = Path(__file__).parents[2] / "experiments" / "players" / "table_players.py"
    agent, table, rng = baycarp.load("sartre3p"), baycarp.load(f"{place}:sartre3p"), Random(3)
    streets = set()
    for _ in range(40):
        state = State(TWO, None, rng.sample(range(52), 9))
        while state.to_act is not None:
            observation = state.observe(state.to_act)
            expected = {name: p for name, p in agent.decide(observation).policy.items() if p}
            found = {name: p for name, p in table.decide(observation).policy.items() if p}
            assert found == pytest.approx(expected)
            row = table.policies(state)[holding_index(*observation.hole)]
            assert [row[FOLD_CALL_RAISE[action.name]] for action in expected] == pytest.approx(
                list(expected.values())
            )
            streets.add(state.street)
            state.apply(rng.choice([each for each in state.legal_actions() if each.name != "fold"]))
    assert streets == {0, 1, 2, 3}


def trained(cases):
    """A model of one case-base each: solutions by case-base and sequence."""
    bases = {name: CaseBase(schema) for name, schema in SARTRE3P.bases.items()}
    for name, sequence, solution in cases:
        keys = three_player_keys(sequence) if name.startswith("3p") else sequence_keys(sequence)
        schema = bases[name].schema
        values = {"strength": 20.0, "sequence": keys, "texture": "A"}
        bases[name].append(Case(schema.situation(values), solution, 1.0))
    return Model(SARTRE3P, None, bases, {"game": GAME})


def test_switching_is_answered_by_the_agreeing_heads_up_sequence_alone():
    """Figure 9: frc-r is crc-r (raise) and not rc-r (fold); without switching the three-player base calls."""
    model = trained(
        [("2p-flop", "crc-r", "raise"), ("2p-flop", "rc-r", "fold"), ("3p-flop", "frc-r", "call")]
    )
    observation = after("frc-r")
    chosen = {}
    for strategy in (SARTRE3P, replace(SARTRE3P, at_table=None)):
        agent = CasePlayer(strategy, model, learning=False)
        decision = agent.decide(observation)
        chosen[stage_of(decision.trace, CaseStage).base] = decision.action.name
    assert chosen == {"2p-flop": "raise", "3p-flop": "call"}


def test_what_it_keeps_of_a_mapped_decision_is_not_similar_to_another_one():
    """A learned case is found again by its own three-player sequence, and by those that map to the same."""
    schema = SARTRE3P.bases["2p-flop"]
    compared = next(each for each in schema.features if each.name == "sequence").similarity

    def keys(sequence):
        return compared.text(SARTRE3P.describe(after(sequence), {}, schema)["sequence"])

    assert compared(keys("frc-r"), keys("frc-r")) == 1.0
    assert heads_up("rrfc-") != heads_up("rfc-")
    assert compared(keys("rrfc-"), keys("rfc-")) == 0.0


def test_random_hands_switch_exactly_where_a_mapping_exists_and_every_action_is_legal():
    agents = [baycarp.load(name) for name in ("sartre3p", "experiments.systems:SARTRE3P_WITHOUT_SWITCHING")]
    rng, seen = Random(5), dict.fromkeys((True, False), 0)
    for hand in range(60):
        state = State(THREE, None, rng.sample(range(52), 11))
        while state.to_act is not None:
            observation = state.observe(state.to_act, hand=hand)
            mapped = bool(heads_up(betting_sequence(state)))
            bases = []
            for agent in agents:
                decision = agent.decide(observation)
                state.verify(decision.action)
                bases.append(stage_of(decision.trace, CaseStage).base[:3])
            assert bases == ["2p-" if mapped else "3p-", "3p-"]
            seen[mapped] += 1
            state.apply(rng.choice(state.legal_actions()))
    assert min(seen.values()) > 20


def test_it_plays_all_six_seatings():
    table = Table(THREE, ("Ann", "Bob", "Cy"), ("sartre3p", "rule", "call"), seed=2)
    match = Match(table, seatings(3), hands=8)
    played = [play_unit(match, unit) for unit in match.round(0)]
    assert len(played) == 6
    assert all(each.net.shape == (8, 3) for each in played)
    assert sum(each.net.sum() for each in played) == 0


@pytest.mark.slow
def test_no_action_is_illegal_in_many_hands():
    """Random opponents, any betting; an illegal action is an error."""
    agent, rng = baycarp.load("sartre3p"), Random(8)
    for hand in range(20_000):
        state = State(THREE, None, rng.sample(range(52), 11))
        own = hand % 3
        while state.to_act is not None:
            if state.to_act == own:
                state.apply(agent.decide(state.observe(own, hand=hand)).action)
            else:
                state.apply(rng.choice(state.legal_actions()))
