"""The agent of a solved no-limit strategy: it follows any hand in the betting that was solved."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.agents.solved.equilibrium import EquilibriumNL, SolutionStage, followed
from baycarp.arena.hand import play_hand
from baycarp.card import CLASS_OF, HOLDINGS, as_cards, blocked_by, holding_index
from baycarp.errors import ModelError, TableError
from baycarp.game import Action, State, Variant
from baycarp.rules.betting.letters import SessionDraws
from baycarp.rules.betting.sizes import SOLVED
from baycarp.solvers.buckets.abstraction import parse_buckets
from baycarp.solvers.nolimit.betting import nolimit_betting, sized_actions
from baycarp.solvers.solution import SHIPPED_NOLIMIT, SolvedStrategy, save_solution

GAMES = {
    100: Variant.load("holdem.nolimit.2p.100bb"),
    200: Variant.load("holdem.nolimit.2p.reverse_blinds"),
}
GAME = GAMES[100]
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


def verify_decisions(player, states):
    for state in states:
        decision = player.decide(state.observe(state.to_act))
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert decision.policy[decision.action] > 0
        for action in decision.policy:
            state.verify(action)


def test_in_the_solved_betting_the_policy_is_the_strategy(agent):
    """Played by its own sizes, a hand is at its node, and every letter has its chips."""
    draw = np.random.default_rng(2)
    for _ in range(60):
        state, node, letters = State(GAME, deck=draw.permutation(52)[:9].astype(np.uint8)), 0, ""
        while node >= 0:
            decision = agent.decide(state.observe(state.to_act))
            hole, board = state.holes[state.to_act], np.array(state.board, np.uint8)
            bucket = agent.solution.tables.last(board)[holding_index(*hole)]
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
        verify_decisions(player, spots(GAME, 150))


def test_policies_of_all_holdings_are_those_of_decisions(agent):
    """The action of each holding alone, dealt to the player in turn."""
    for spot in spots(GAME, 60):
        observation = spot.observe(spot.to_act)
        known, probabilities = agent.policies(observation)
        free = np.flatnonzero(~blocked_by(observation.board))
        for holding in np.random.default_rng(1).choice(free, 3):
            state = observation.state.copy()
            state.deal(holes={spot.to_act: HOLDINGS[holding]})
            expected = agent.decide(state.observe(spot.to_act)).policy
            assert dict(zip(known, probabilities[:, holding], strict=True)) == pytest.approx(dict(expected))


def test_bets_between_two_sizes_count_as_either():
    """A bet of half a pot, by equations 4 and 5: a third with probability (2/3 - 4/9) / (2/3 + 2/3 - 8/9)."""
    state = dealt(GAME, "raise 200", "call", "bet 200")  # into 400
    observation = state.observe(state.to_act)
    letters = [followed(TREE, observation, SessionDraws(seed, 0.0))[0] for seed in range(600)]
    assert set(letters) == {"hcs", "hci"}
    assert letters.count("hcs") / 600 == pytest.approx(1 / 2, abs=0.06)
    assert followed(TREE, observation, SessionDraws(5, 0.0))[0] == letters[5]  # kept for the hand


def test_own_bets_are_the_letters_that_were_chosen():
    """With jitter, too: the chips of three quarters of a pot and of three halves overlap."""
    for seed in range(40):
        state, draws = dealt(GAME, "call", "check", "check"), SessionDraws(seed, 0.45)
        observation = state.observe(state.to_act)
        for letter in "io":
            chips = {"i": 150, "o": 300}[letter] * (1 + 0.45 * (2 * draws.uniform(0, 3) - 1))
            after = state.copy()
            after.apply(Action("bet", max(int(chips + 0.5), 100)))
            after.apply(after.named("call"))
            found, _ = followed(TREE, after.observe(observation.seat), draws)
            assert found in (f"ccc{letter}c", "cccsc", "cccic", "cccoc")
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


def test_other_chips_are_played_as_the_solved_ones(agent):
    tenth = replace(GAME, name="tenth", blinds=(10, 5), stacks=(1000, 1000))
    agent.sit(0, tenth, 1)
    one, other = dealt(GAME, "raise 300", "call"), dealt(tenth, "raise 30", "call")
    rows = [list(agent.decide(each.observe(each.to_act)).policy.values()) for each in (one, other)]
    assert rows[0] == rows[1]


def test_other_depths_are_translated(agent):
    """The trace names the depth of the hand where it was not solved; games of another order are refused."""
    for chips in (300, 2000, 10_000, 14_100, 60_000):
        game = replace(GAME, name="other", stacks=(chips, 10**6))
        agent.sit(0, game, 1)
        state = dealt(game, "raise 250", "call")
        (stage,) = agent.decide(state.observe(state.to_act)).trace
        translated = f", translated to {chips // 100} big blinds"
        assert stage.game == GAME.name + (translated if chips != 10_000 or game.stacks[1] != 10_000 else "")
    for game in (
        replace(GAME, first=(0, 0, 0, 0)),
        Variant.load("holdem.nolimit.3p.100bb"),
        Variant.load("holdem.limit.2p.reverse_blinds"),
    ):
        with pytest.raises(TableError, match="expected no-limit, 2 seats, the button first"):
            agent.sit(0, game, 1)


def test_the_stacks_of_a_hand_are_its_depth():
    """In a session that carries stacks on, the hand counts, not the game."""
    agent = load("equilibriumnl")
    agent.sit(0, GAME, 1)
    state = State(GAME, (17_000, 3000), deck=list(range(51, 42, -1)))
    (stage,) = agent.decide(state.observe(state.to_act)).trace
    assert stage.game == f"{GAME.name}, translated to 30 big blinds"


def test_all_in_is_a_size_by_its_share_of_the_pot():
    """With 20 big blinds an all-in is 9.5 pots before the flop; the solved ones are the pot and 49.5 pots."""
    short = replace(GAME, name="short", stacks=(2000, 2000))
    state = dealt(short, "raise 2000")
    observation = state.observe(state.to_act)
    letters = [followed(TREE, observation, SessionDraws(seed, 0.0))[0] for seed in range(600)]
    smaller, larger = 1 / 9.5 - 1 / 49.5, 9.5 / 49.5 - 1 / 49.5
    assert letters.count("p") / 600 == pytest.approx(smaller / (smaller + larger), abs=0.06)
    assert letters.count("p") + letters.count("a") == 600


@pytest.mark.parametrize("letter", SOLVED.letters)
def test_every_size_is_followed_as_itself(letter):
    """Wherever a size exists, its chips at the table are its letter again, for both players."""
    draw, seen = np.random.default_rng(5), 0
    while seen < 10:
        state, node, letters = State(GAME, deck=draw.permutation(52)[:9].astype(np.uint8)), 0, ""
        while node >= 0:
            actions = sized_actions(state)
            choices = [letter] if letter in actions and draw.random() < 0.5 else [*actions.keys() - {"f"}]
            chosen = sorted(choices)[draw.integers(len(choices))]
            state.apply(actions[chosen])
            letters, node = letters + chosen, TREE.actions(node)[chosen]
            if node >= 0 and chosen == letter:
                seen += 1
                for seat in (0, 1):
                    observed = State.observe(state, state.to_act, hand=seat)
                    assert followed(TREE, observed, SessionDraws(3, 0.0)) == (letters, True)


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


@pytest.mark.parametrize("depth", SHIPPED_NOLIMIT)
def test_the_shipped_strategies_know_their_cards(depth):
    """Facing an all-in before the flop aces call, a seven and a two fold; the file has its origin."""
    agent, game = load("equilibriumnl"), GAMES[depth]
    agent.sit(0, game, 1)
    solution = agent.solution_of(State(game))
    letters = solution.betting.choices("a")
    table = solution.table("a")
    for hole, letter in (("AsAh", "c"), ("KsKh", "c"), ("7s2h", "f"), ("Ts4h", "f")):
        high, low = sorted(as_cards(hole, "hole", 2).tolist(), reverse=True)
        assert table[CLASS_OF[holding_index(high, low)], letters.index(letter)] > 0.9
    assert solution.origin["command"].startswith(f"baycarp solve {game.name} --buckets e100,e60,p50")
    assert SHIPPED_NOLIMIT[depth].stat().st_size <= 5_000_000


@pytest.mark.parametrize("depth", SHIPPED_NOLIMIT)
def test_the_shipped_strategies_follow_random_hands(depth):
    """Any bets, stacks from two big blinds to a thousand: every decision is legal and has its policy."""
    agent, draw = load("equilibriumnl"), np.random.default_rng(depth)
    for _ in range(15):
        chips = tuple((100 * 10 ** draw.uniform(0.3, 3, 2)).astype(int).tolist())
        game = replace(GAMES[depth], stacks=chips)
        agent.sit(0, game, 3)
        verify_decisions(agent, spots(game, 8))


def test_the_strategy_of_the_nearest_depth_is_played():
    agent = load("equilibriumnl")
    for stack, depth in ((300, 100), (14_100, 100), (14_200, 200), (90_000, 200)):
        state = State(replace(GAME, stacks=(stack, 95_000)))
        assert agent.solution_of(state).betting.variant == GAMES[depth]
