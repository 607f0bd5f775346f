"""Hands stepped together in C, beside the environment of single hands on the same cards."""

import gymnasium
import numpy as np
import pytest
from scipy import stats

from baycarp.env import HandEnv, HandsEnv
from baycarp.env.hands import Hands
from baycarp.errors import ArgumentError, TableError
from baycarp.game import State, Variant

GAMES = (
    "holdem.limit.2p.reverse_blinds",
    "holdem.limit.3p",
    "holdem.nolimit.2p.100bb",
    "holdem.nolimit.6p.100bb",
)


def drawn(rng, mask):
    return (mask * rng.random(mask.shape)).argmax(1)


@pytest.mark.parametrize("opponent", ["call", "raise"])
@pytest.mark.parametrize("game", GAMES)
def test_each_hand_is_that_of_the_single_environment(game, opponent):
    """Observations, masks, rewards and ends, step by step, where single hands get the vector's decks."""
    variant, count = Variant.load(game), 8
    env, rng = HandsEnv(count, game, opponent, sizes=(0.3, 1, 4)), np.random.default_rng(1)
    singles = [
        Hands(variant, dict.fromkeys(range(1, variant.seats), opponent), sizes=(0.3, 1, 4))
        for _ in range(count)
    ]

    def deal(number):
        seat, deck = env._episodes.deck(number)
        hands = singles[number]
        hands.deal(-seat % variant.seats)
        hands.state = State(variant, deck=deck)
        hands._policies = []
        hands._go_on()

    def compare(number, seen, mask):
        single = singles[number].observe(0)
        np.testing.assert_array_equal(seen[number], single["observation"])
        if singles[number].chair is not None:
            np.testing.assert_array_equal(mask[number], single["action_mask"])

    seen, _ = env.reset(seed=4)
    for number in range(count):
        deal(number)
    ended = 0
    for _ in range(150):
        for number in range(count):
            compare(number, seen["observation"], seen["action_mask"])
        choices = drawn(rng, seen["action_mask"])
        for number, choice in enumerate(choices.tolist()):
            if singles[number].chair is not None:
                singles[number].act(singles[number].action(choice))
        seen, rewards, over, _, infos = env.step(choices)
        assert not infos["illegal"].any()
        for number in range(count):
            assert over[number] == (singles[number].chair is None)
            assert rewards[number] == (singles[number].rewards()[0] if over[number] else 0)
            if over[number]:
                compare(number, infos["final_obs"]["observation"], seen["action_mask"])
                deal(number)
                ended += 1
    assert ended > 100


def test_a_seed_fixes_every_hand():
    def play(seed):
        env, rng = HandsEnv(16, GAMES[3], "random"), np.random.default_rng(1)
        seen, _ = env.reset(seed=seed)
        for _ in range(30):
            seen, *_ = env.step(drawn(rng, seen["action_mask"]))
        return seen["observation"].tobytes()

    assert play(1) == play(1) != play(2)


@pytest.mark.parametrize("opponent", ["random", "frequency(fold=0.3, raises=0.25, bet=0.6)"])
@pytest.mark.parametrize("game", [GAMES[0], GAMES[2]])
def test_opponents_draw_like_the_agents_of_their_names(game, opponent):
    """A learner that calls meets each: histories and winnings are of the same distributions."""

    def numbers(seen):
        return seen[..., 129 + 6 : 129 + 14]  # the opponent's checks, calls, bets and raises

    single, histories, won = HandEnv(game, opponent, seat=0), [], []
    single.reset(seed=1)
    for _ in range(1500):
        while not (step := single.step(1))[2]:
            pass
        histories.append(numbers(step[0]["observation"]))
        won.append(step[1])
        single.reset()
    env, many, earned = HandsEnv(256, game, opponent, seat=0), [], []
    env.reset(seed=2)
    for _ in range(120):
        _, rewards, over, _, infos = env.step(np.ones(256, np.int64))
        if over.any():
            many.append(numbers(infos["final_obs"]["observation"])[over])
            earned.append(rewards[over])
    histories, many, earned = np.array(histories), np.concatenate(many), np.concatenate(earned)
    assert len(many) > 5000
    for column in range(8):
        counts = [np.bincount(each[:, column].astype(int), minlength=6)[:6] for each in (histories, many)]
        if len(used := np.flatnonzero(sum(counts))) > 1:
            assert stats.chi2_contingency([each[used] for each in counts]).pvalue > 1e-4
    assert stats.ks_2samp(won, earned).pvalue > 1e-4


def test_illegal_choices_become_checks_or_folds():
    env = HandsEnv(64, GAMES[2], "call", seat=1)
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"][:, 0].all()
    _, rewards, over, _, infos = env.step(np.full(64, 77))
    assert infos["illegal"].all()
    assert over.all()
    assert (rewards == -0.5).all()
    with pytest.raises(ArgumentError, match="expected 64"):
        env.step(np.zeros(3, np.int64))


def test_gymnasium_makes_it():
    env = gymnasium.make_vec(
        "baycarp.env.single:baycarp/Hand-v0",
        num_envs=4,
        vectorization_mode="vector_entry_point",
        game=GAMES[0],
        opponents="call",
    )
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space
    assert env.step(env.action_space.sample())[0]["action_mask"].shape == (4, 3)


@pytest.mark.parametrize("opponent", ["rule", "jake"])
def test_other_opponents_are_refused(opponent):
    with pytest.raises(TableError, match="play in HandEnv"):
        HandsEnv(2, GAMES[0], opponent)


def test_several_seeds_are_refused():
    with pytest.raises(TableError, match="expected one"):
        HandsEnv(2, GAMES[0]).reset(seed=[1, 2])
