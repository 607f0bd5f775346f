"""One learner in Gymnasium: the checker of the library, rules, hidden cards, rewards, seeds."""

import gymnasium
import numpy as np
import pytest
from env.redeal import redealt
from gymnasium.utils.env_checker import check_env

from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.env import HandEnv
from baycarp.errors import ArgumentError, TableError
from baycarp.game import Variant
from baycarp.kernels.game import deal
from baycarp.rules.hand import GROUPS, TYPES

GAMES = (
    "holdem.limit.2p.reverse_blinds",
    "holdem.limit.3p",
    "holdem.nolimit.2p.100bb",
    "holdem.nolimit.6p.100bb",
)


def drawn(rng, seen):
    """A choice of the mask."""
    return int(rng.choice(np.flatnonzero(seen["action_mask"])))


def same(one, other):
    return all(one[key].tobytes() == other[key].tobytes() for key in ("observation", "action_mask"))


@pytest.mark.parametrize("game", GAMES)
def test_the_checker_of_gymnasium_passes(game):
    made = gymnasium.make("baycarp.env.single:baycarp/Hand-v0", game=game, opponents="random")
    check_env(made.unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_the_mask_is_legal_and_every_other_one_is_replaced(game):
    env, rng, refused = HandEnv(game, "random", sizes=(0.01, 0.5, 0.51, 1, 3)), np.random.default_rng(3), 0
    seen, _ = env.reset(seed=3)
    for _ in range(1500):
        state, mask = env._hands.state, seen["action_mask"]
        if not state.is_over:
            for choice in np.flatnonzero(mask):
                state.verify(env._hands.action(int(choice)))
            amounts = [env._hands.action(int(choice)) for choice in np.flatnonzero(mask)]
            assert len(set(amounts)) == len(amounts)
        choice = int(rng.integers(-1, len(mask) + 1))
        before, owed, seat = len(state.acts), state.owed, state.to_act
        seen, _, over, cut, info = env.step(choice)
        assert not cut
        assert info["illegal"] == (not (0 <= choice < len(mask) and mask[choice]))
        if info["illegal"] and seat is not None:
            assert state.acts[before].action.name == ("fold" if owed else "check")
            refused += 1
        if over:
            seen, _ = env.reset()
    assert refused > 100


@pytest.mark.parametrize(
    ("game", "options"), [(game, {}) for game in GAMES] + [(GAMES[1], {"beliefs": "network"})]
)
def test_what_is_not_seen_changes_nothing(game, options):
    """Unseen cards are dealt anew: observation, mask, info and picture have the same bits."""
    env, rng = HandEnv(game, "random", **options), np.random.default_rng(5)
    seen, info = env.reset(seed=5)
    for _ in range(30 if options else 200):
        hands = env._hands
        with redealt(hands.state, hands.position(0), rng):
            again = env._observed() if not hands.state.is_over else hands.observe(0)
            assert same(again, seen) or hands.state.is_over
            assert env._info() == {**info, "illegal": False}
            text = env.render()
        assert env.render() == text
        seen, _, over, _, info = env.step(drawn(rng, seen))
        if over:
            with redealt(hands.state, hands.position(0), rng):
                assert same(hands.observe(0), seen)
                text = env.render()
            assert env.render() == text
            seen, info = env.reset()


def test_an_observation_is_what_the_page_says():
    game = Variant.load("holdem.nolimit.3p")
    env = HandEnv(game, "call", seat=2)
    seen, _ = env.reset(seed=8)
    state, numbers = env._hands.state, seen["observation"].tolist()
    bits = {number for number in range(52) if numbers[number]}
    assert bits == set(state.holes[2])
    assert numbers[52:104] == [0] * 52
    assert numbers[104:111] == [1, 0, 0, 0, 1, 0, 0]
    blind = game.big_blind
    assert numbers[111:115] == [sum(game.blinds) / blind, 1, 2, game.stacks[2] / blind]
    button, small, big = (numbers[115 + 14 * k : 129 + 14 * k] for k in range(3))
    assert button == [1, 0, 1, game.stacks[2] / blind, 0, 0] + [0] * 8
    assert small[3:6] == pytest.approx(
        [(game.stacks[0] - game.blinds[0]) / blind] + 2 * [game.blinds[0] / blind]
    )
    assert big[5] == 1
    seen, *_ = env.step(1)  # all call, and the flop falls; both others check
    numbers = seen["observation"].tolist()
    assert {number for number in range(52) if numbers[52 + number]} == set(state.board)
    assert len(state.board) == 3
    assert numbers[104:108] == [0, 1, 0, 0]
    assert numbers[115 + 6 : 115 + 10] == [1, 0, 0, 0]
    assert numbers[129 + 6 : 129 + 10] == [1, 1, 0, 0]


def test_beliefs_are_those_of_the_agent():
    env = HandEnv(GAMES[1], "raise", beliefs="baycarp", seat=2)
    seen, _ = env.reset(seed=1)
    width = len(GROUPS) + len(TYPES)
    rows = seen["observation"][115 + 14 * 3 :].reshape(2, width)
    believed = env._hands._agents[0].beliefs(env._hands._view(2))
    for position, row in enumerate(rows):
        assert row[: len(GROUPS)] == pytest.approx(believed[position].group_chances)
        assert row[: len(GROUPS)].sum() == pytest.approx(1)
        assert not row[len(GROUPS) :].any()


def test_a_seed_fixes_every_hand_and_the_seat_moves():
    def play(env, seed):
        rng, (seen, info), found = np.random.default_rng(1), env.reset(seed=seed), []
        for _ in range(60):
            found.append((info["seat"], seen["observation"].tobytes()))
            seen, reward, over, _, _ = env.step(drawn(rng, seen))
            if over:
                found.append(reward)
                seen, info = env.reset()
        return found

    one, two = HandEnv(GAMES[3], "random"), HandEnv(GAMES[3], "random")
    assert play(one, 4) == play(two, 4) == play(one, 4) != play(two, 5)
    env = HandEnv(GAMES[3], "call")
    assert [env.reset(seed=9 if hand == 0 else None)[1]["seat"] for hand in range(8)] == [
        0,
        1,
        2,
        3,
        4,
        5,
        0,
        1,
    ]
    assert {HandEnv(GAMES[3], "call", seat=4).reset(seed=seed)[1]["seat"] for seed in range(3)} == {4}


def test_rewards_are_big_blinds_and_a_hand_ends_once():
    """A learner that folds at once loses its small blind."""
    env = HandEnv("holdem.nolimit.3p", "raise", seat=0)
    env.reset(seed=2)
    assert env.step(0)[1:3] == (-0.5, True)
    with pytest.raises(TableError, match="the hand is over"):
        env.step(0)


def test_a_hand_without_a_decision_pays_in_one_step():
    env = HandEnv("holdem.limit.2p.reverse_blinds", "frequency(fold=1.0, raises=0.0)", seat=0)
    for _ in range(3):
        seen, _ = env.reset()
        assert seen["action_mask"].tolist() == [0, 1, 0]
        assert seen["observation"][109] == 1
        assert env.step(1)[1:3] == (0.5, True)


@pytest.mark.parametrize("name", ["control", "all-in"])
def test_the_estimated_reward_is_the_estimator_s_at_the_end_alone(name):
    """Beside the environment without it: the same hands, the estimate of the arena."""
    plain, luckless = HandEnv(GAMES[2], "random"), HandEnv(GAMES[2], "random", estimator=name)
    rng, (seen, _) = np.random.default_rng(6), plain.reset(seed=6)
    luckless.reset(seed=6)
    won = []
    for _ in range(300):
        choice = drawn(rng, seen)
        seen, reward, over, _, _ = plain.step(choice)
        other, estimate, *_ = luckless.step(choice)
        assert same(seen, other)
        if over:
            hands = luckless._hands
            seed = stream(hands._seed, 0, hands.hand)
            chips = ESTIMATORS[name].chips(hands.state, hands._policies, seed)
            assert estimate == chips[hands.position(0)] / hands.variant.big_blind
            won.append((reward, estimate))
            seen, _ = plain.reset()
            luckless.reset()
        else:
            assert reward == estimate == 0
    rewards, estimates = zip(*won, strict=True)
    assert rewards != estimates


def test_policies_of_the_opponents_are_taken_out_of_the_reward():
    env = HandEnv(GAMES[0], "frequency(fold=0.5)", estimator="control", seat=0)
    policies = set()
    for _ in range(10):
        env.reset()
        while not env.step(1)[2]:
            pass
        policies |= {policy is None for policy in env._hands._policies}
    assert policies == {True, False}


def test_decks_are_those_of_the_seed():
    env = HandEnv(GAMES[0], "call")
    env.reset(seed=3)
    first = env._hands.state.known
    assert first[:4] + first[20:] == deal(env._hands._seed, 0, 0, 9)


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"opponents": ["call"] * 2}, TableError, "expected 1 opponents, got 2"),
        ({"opponents": "sartrenl"}, TableError, "cannot play"),
        ({"seat": 2}, TableError, "seat 2"),
        ({"estimator": "luck"}, TableError, "estimator 'luck'"),
        ({"beliefs": "call"}, TableError, "expected an agent that holds beliefs"),
        ({"sises": (1,)}, ArgumentError, "sises"),
        ({"sizes": (1, 0.5)}, ArgumentError, "rising"),
    ],
)
def test_wrong_settings_are_named(settings, error, text):
    with pytest.raises(error, match=text):
        HandEnv(GAMES[0], **settings)
