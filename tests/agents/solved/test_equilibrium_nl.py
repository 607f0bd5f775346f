"""The agent of a solved no-limit strategy: it follows any hand in the betting that was solved."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.agents.solved.equilibrium import EquilibriumNL, SolutionStage, followed
from baycarp.arena.hand import play_hand
from baycarp.card import CLASS_OF, as_cards, holding_index
from baycarp.errors import ModelError, TableError
from baycarp.game import Action, State, Variant
from baycarp.rules.betting.letters import SessionDraws
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.nolimit.betting import nolimit_betting, sized_actions
from baycarp.solvers.solution import SHIPPED_NOLIMIT, SolvedStrategy, save_solution

GAME = Variant.load("holdem.nolimit.2p.100bb")
TREE = nolimit_betting(GAME)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Any probabilities, of a few buckets."""
    abstraction = parse_buckets("p3,p2,p4", 1)
    widths = np.repeat(np.diff(TREE.edges), np.array(abstraction.counts)[TREE.streets])
    draw = np.random.default_rng(3).random(widths.sum())
    draw[np.random.default_rng(4).random(len(draw)) < 0.2] = 0.01
    sums = np.add.reduceat(draw, np.cumsum(widths) - widths)
    policy = (draw / np.repeat(sums, widths)).astype(np.float32)
    path = tmp_path_factory.mktemp("solved") / "solution.npz"
    save_solution(SolvedStrategy.of(TREE, abstraction, policy, {}), path)
    return str(path)


@pytest.fixture
def agent(path):
    made = EquilibriumNL(path)
    made.sit(0, GAME, 7)
    return made


def dealt(game=GAME, *words, stacks=None):
    state = State(game, stacks, deck=list(range(51, 42, -1)))
    for word in words:
        name, _, amount = word.partition(" ")
        state.apply(Action(name, int(amount)) if amount else state.named(name))
    return state


def spots(game, count):
    """States with a decision, of random play with bets of any size."""
    draw, made = np.random.default_rng(1), []
    while len(made) < count:
        state = State(game, deck=draw.permutation(52)[:9].astype(np.uint8))
        while not state.is_over:
            made.append(state.copy())
            legal = [action for action in state.legal_actions() if action.name != "fold"]
            action = legal[draw.integers(len(legal))]
            if len(legal) > 1 and action.name in ("bet", "raise"):
                least, most = legal[-2].amount if len(legal) > 2 else action.amount, legal[-1].amount
                action = Action(action.name, int(min(least * draw.exponential(2) + least, most)))
            state.apply(action)
    return made[:count]


def test_in_the_solved_betting_the_policy_is_the_strategy(agent):
    """Played by its own sizes, a hand is at its node, and every letter has its chips."""
    draw = np.random.default_rng(2)
    for _ in range(60):
        state, node, letters = State(GAME, deck=draw.permutation(52)[:9].astype(np.uint8)), 0, ""
        while node >= 0:
            decision = agent.decide(state.observe(state.to_act))
            hole, board = state.holes[state.to_act], np.array(state.board, np.uint8)
            bucket = agent.solution.abstraction.last(board)[holding_index(*hole)]
            row = agent.solution.table(letters)[bucket]
            expected = dict(zip(sized_actions(state).values(), row, strict=True))
            if "check" in {action.name for action in expected}:
                assert "fold" not in {action.name for action in decision.policy}
            assert dict(decision.policy) == pytest.approx(expected)
            choices = [letter for letter in sized_actions(state) if letter != "f"]
            letter = choices[draw.integers(len(choices))]
            letters += letter
            node = TREE.actions(node)[letter]
            state.apply(sized_actions(state)[letter])


def test_every_decision_is_legal_and_has_its_policy(agent, path):
    for player in (agent, EquilibriumNL(path, threshold=0.2, jitter=0.3)):
        for state in spots(GAME, 150):
            decision = player.decide(state.observe(state.to_act))
            assert sum(decision.policy.values()) == pytest.approx(1)
            assert decision.policy[decision.action] > 0
            for action in decision.policy:
                state.verify(action)


def test_bets_between_two_sizes_count_as_either():
    """A bet of 3/4 pot, by equations 4 and 5: half a pot with probability (2/3 - 1/2) / (2/3 + 3/4 - 1)."""
    state = dealt(GAME, "call", "check", "bet 150")  # into 200
    observation = state.observe(state.to_act)
    letters = [followed(TREE, observation, SessionDraws(seed, 0.0))[0] for seed in range(600)]
    assert set(letters) == {"cch", "ccp"}
    assert letters.count("cch") / 600 == pytest.approx((2 / 3 - 1 / 2) / (2 / 3 + 3 / 4 - 1), abs=0.06)
    assert followed(TREE, observation, SessionDraws(5, 0.0))[0] == letters[5]  # kept for the hand


def test_own_bets_are_the_letters_that_were_chosen():
    """With jitter, too: the chips of half a pot and of a pot overlap."""
    for seed in range(40):
        state, draws = dealt(GAME, "call", "check", "check"), SessionDraws(seed, 0.45)
        observation = state.observe(state.to_act)
        for letter in "hp":
            chips = {"h": 100, "p": 200}[letter] * (1 + 0.45 * (2 * draws.uniform(0, 3) - 1))
            after = state.copy()
            after.apply(Action("bet", max(int(chips + 0.5), 100)))
            after.apply(after.named("call"))
            found, _ = followed(TREE, after.observe(observation.seat), draws)
            assert found in (f"ccc{letter}c", "ccchc", "cccpc")
            if abs(2 * draws.uniform(0, 3) - 1) < 0.5:
                assert found == f"ccc{letter}c"


def test_all_in_of_the_abstract_game_is_followed_by_calls(agent):
    """A bet of 60 % of the stack may count as all-in; once that is called, the player calls the rest."""
    state = dealt(GAME, "call", "check", "bet 6000")
    observation = state.observe(state.to_act)
    seed = next(
        seed for seed in range(99) if followed(TREE, observation, SessionDraws(seed, 0.0))[0] == "cca"
    )
    state.apply(state.named("call"))
    agent.sit(0, GAME, seed)
    for words, expected in (((), "check"), (("bet 500",), "call")):
        after = state.copy()
        if not words:
            after.apply(after.named("check"))
        for word in words:
            after.apply(Action("bet", int(word.split()[1])))
        decision = agent.decide(after.observe(after.to_act))
        assert decision.policy == {decision.action: 1.0}
        assert decision.action.name == expected
        assert "all chips are in" in decision.reason


def test_the_trace_names_betting_and_bucket(agent):
    state = dealt(GAME, "raise 300")
    (stage,) = agent.decide(state.observe(state.to_act)).trace
    assert isinstance(stage, SolutionStage)
    assert (stage.betting, stage.buckets) == ("p", 169)


def test_other_chips_are_played_and_other_depths_refused(agent):
    tenth = replace(GAME, name="tenth", blinds=(10, 5), stacks=(1000, 1000))
    agent.sit(0, tenth, 1)
    one, other = dealt(GAME, "raise 300", "call"), dealt(tenth, "raise 30", "call")
    rows = [list(agent.decide(each.observe(each.to_act)).policy.values()) for each in (one, other)]
    assert rows[0] == rows[1]
    for game in (
        replace(GAME, stacks=(9900, 10_000)),
        replace(GAME, antes=(10, 10)),
        Variant.load("holdem.nolimit.2p.reverse_blinds"),
        Variant.load("holdem.nolimit.3p.100bb"),
        Variant.load("holdem.limit.2p.reverse_blinds"),
    ):
        with pytest.raises(TableError, match="expected the blinds and stacks of holdem"):
            agent.sit(0, game, 1)


def test_stacks_of_a_hand_may_differ(agent):
    """A session without new stacks: bets are translated by the real pot, so that play goes on."""
    agent.sit(0, GAME, 1)
    rival = load("sizer")
    rival.sit(1, GAME, 2)
    draw = np.random.default_rng(9)
    for hand in range(40):
        chips = int(draw.integers(150, 19_000))
        state = State(GAME, (chips, 20_000 - chips), deck=draw.permutation(52)[:9].astype(np.uint8))
        play_hand(state, [agent, rival], ["own", "rival"], hand)
        assert state.is_over


def test_settings_out_of_range_are_refused(path):
    for settings in ({"threshold": 1.1}, {"threshold": -0.1}, {"jitter": 1.0}):
        with pytest.raises(ModelError, match=f"{next(iter(settings))} .*: expected"):
            EquilibriumNL(path, **settings)
    with pytest.raises(ModelError, match="expected a file of baycarp solve"):
        load("equilibriumnl(strategy='none.npz')")


def test_the_shipped_strategy_knows_its_cards():
    """Facing an all-in before the flop aces call, a seven and a two fold; the file has its origin."""
    agent = load("equilibriumnl")
    letters = agent.solution.betting.choices("a")
    table = agent.solution.table("a")
    for hole, letter in (("AsAh", "c"), ("KsKh", "c"), ("7s2h", "f"), ("Ts4h", "f")):
        high, low = sorted(as_cards(hole, "hole", 2).tolist(), reverse=True)
        assert table[CLASS_OF[holding_index(high, low)], letters.index(letter)] > 0.9
    assert agent.solution.origin["command"].startswith("baycarp solve holdem.nolimit.2p.100bb --buckets e50")
    assert SHIPPED_NOLIMIT.stat().st_size < 3_000_000
