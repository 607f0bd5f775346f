"""The agent of a solved strategy: its policy is that of the file, and it plays no other game."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import baycarp
from baycarp.agents.registry import identity, load
from baycarp.agents.solved.equilibrium import Equilibrium, SolutionStage, thresholded
from baycarp.agents.trace import stage_of
from baycarp.card import HOLDINGS, HOLDS, holding_index
from baycarp.errors import ModelError, TableError
from baycarp.game import State, Variant
from baycarp.solvers.solution import SHIPPED_LIMIT, save_solution
from experiments.cases.versus import boards, winnings_on

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
PLAYERS = Path(__file__).parents[3] / "experiments" / "players" / "table_players.py"
LETTERS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


@pytest.fixture(scope="module")
def agent():
    return load("equilibrium")


def spots(count):
    """States with a decision, of random play."""
    draw, made = np.random.default_rng(1), []
    while len(made) < count:
        state = State(LIMIT, deck=draw.permutation(52)[:9].astype(np.uint8))
        while not state.is_over:
            if draw.random() < 0.3:
                made.append(state.copy())
            legal = [action for action in state.legal_actions() if action.name != "fold"]
            state.apply(legal[draw.integers(len(legal))])
    return made[:count]


def test_policies_are_those_of_its_decisions(agent):
    for state in spots(20):
        public = State(LIMIT)
        for act in state.acts:
            public.apply(act.action)
        public.deal(board=np.array(state.board, np.uint8) if state.board else None)
        table = agent.policies(public)
        live = ~HOLDS[list(state.board)].any(axis=0)
        np.testing.assert_allclose(table[live].sum(axis=1), 1)
        observation = state.observe(state.to_act)
        own = {tuple(pair): n for n, pair in enumerate(np.sort(HOLDINGS, axis=1).tolist())}[
            tuple(sorted(observation.hole))
        ]
        decision = agent.decide(observation)
        for action, probability in decision.policy.items():
            assert probability == pytest.approx(table[own][LETTERS[action.name]])
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert (agent.class_policies(public)[agent.hand_classes(public)] == table).all()


def test_rare_actions_are_left_out_in_proportion(agent):
    """Row by row, by the definition of thresholding (Ganzfried, Sandholm and Waugh 2012)."""
    sharper = load("equilibrium(threshold=0.3)")
    for state in spots(20):
        solved, played = agent.class_policies(state), sharper.class_policies(state)
        for before, after in zip(solved.tolist(), played.tolist(), strict=True):
            kept = [p if p >= 0.3 or p == max(before) else 0.0 for p in before]
            assert after == pytest.approx([p / sum(kept) for p in kept])
        observation = state.observe(state.to_act)
        row = sharper.hand_classes(state)[holding_index(*observation.hole)]
        policy = sharper.decide(observation).policy
        for action, probability in policy.items():
            assert probability == pytest.approx(played[row][LETTERS[action.name]])


def test_purified_the_most_frequent_action_alone_stays():
    table = np.array([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.0, 0.0, 1.0]])
    assert thresholded(table, 1.0).tolist() == [[0, 1, 0], [0.5, 0, 0.5], [0, 0, 1]]
    np.testing.assert_array_equal(thresholded(table, 0.0), table)


def test_thresholds_by_street(agent):
    """The player of the comparison by street (experiments/NOTES.md)."""
    purified, by_street = load("equilibrium(threshold=1.0)"), load(f"{PLAYERS}:ByStreet(turn=1.0)")
    changed = 0
    for state in spots(40):
        expected = (purified if state.street == 2 else agent).class_policies(state)
        np.testing.assert_allclose(by_street.class_policies(state), expected, atol=1e-12)
        changed += (expected != agent.class_policies(state)).any()
    assert changed


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(ModelError, match=r"threshold .*: expected a probability"):
        Equilibrium(threshold=threshold)


def test_it_says_what_it_looked_up(agent):
    observation = spots(1)[0].observe(spots(1)[0].to_act)
    decision = agent.decide(observation)
    stage = stage_of(decision.trace, SolutionStage)
    assert stage.betting == observation.state.betting
    assert stage.bucket < stage.buckets
    assert "as solved" in decision.reason


def test_its_draws_have_its_frequencies(agent):
    state = State(LIMIT)
    state.deal(holes={1: "9h6h"})
    policy = agent.decide(state.observe(1)).policy_by_kind()
    counts = dict.fromkeys(policy, 0)
    for hand in range(1000):
        counts[agent.decide(state.observe(1, hand=hand)).action.name] += 1
    for name, probability in policy.items():
        assert counts[name] / 1000 == pytest.approx(probability, abs=0.06)


def test_it_plays_the_game_in_any_chips(agent):
    for game in (LIMIT, Variant.ring(2, 2), Variant.ring(2, 40)):
        assert agent.plays.fits(game)


@pytest.mark.parametrize(
    "game",
    [
        Variant.ring(3),
        Variant.ring(2, bets=5),
        Variant.ring(2, betting="no-limit", stacks=(200, 200)),
        replace(LIMIT, blinds=(10, 10)),
        replace(LIMIT, blinds=(10, 0), max_raises=(0,) * 4, first=(0,) * 4),
        replace(LIMIT, raise_sizes=(10, 10, 10, 10)),
        replace(LIMIT, max_raises=(None,) * 4),
        replace(LIMIT, stacks=(100, 100)),
    ],
)
def test_it_refuses_other_games_at_once(agent, game):
    assert not agent.plays.fits(game)
    with pytest.raises(TableError, match="expected the betting of holdem"):
        agent.sit(0, game, 1)


@pytest.mark.slow
def test_it_beats_the_controls():
    """All holdings and all betting on some boards, so that no card in hand decides."""
    for name in ("call", "raise"):
        won = winnings_on(["equilibrium"], name, boards(3, seed=1), "holdem.limit.2p.reverse_blinds")
        assert won.min() > 0.1


def test_a_file_of_ones_own(agent, tmp_path):
    path = tmp_path / "mine.npz"
    save_solution(agent.solution, path)
    mine = baycarp.load(f"equilibrium(strategy={str(path)!r})")
    assert isinstance(mine, Equilibrium)
    assert mine.digest == agent.digest
    assert identity(f"equilibrium(strategy={str(path)!r})").endswith(f"with strategy {mine.digest}")
    with pytest.raises(ModelError, match="expected a file of baycarp solve"):
        load(f"equilibrium(strategy={str(tmp_path / 'none')!r})")


def test_the_shipped_strategy_is_small_and_names_its_command(agent):
    assert SHIPPED_LIMIT.stat().st_size <= 6_000_000
    origin = agent.solution.origin
    assert origin["command"].startswith(f"baycarp solve {LIMIT.name} --buckets t20d25,t20d20,t16p40 ")
    assert f"--iterations {origin['iterations']} " in origin["command"]
    assert origin["loss"]["upper"] < 0.125  # big blinds a hand: 125 mbb
