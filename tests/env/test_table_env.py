"""Several learners in PettingZoo: the tests of the library, hidden cards, rewards, refusals."""

import numpy as np
import pytest
from env.redeal import redealt
from pettingzoo.test import api_test, seed_test

from baycarp.env import TableEnv
from baycarp.errors import IllegalAction, TableError
from baycarp.game import Variant

LIMIT, DEEP = "holdem.limit.3p", "holdem.nolimit.6p.100bb"


def drawn(rng, mask):
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.filterwarnings("ignore:Observation")  # a dict with the mask, as PettingZoo's own card games
@pytest.mark.parametrize(("game", "opponents"), [(LIMIT, {}), (DEEP, {}), (DEEP, {0: "random", 3: "call"})])
def test_the_tests_of_pettingzoo_pass(game, opponents, capsys):
    api_test(TableEnv(game, opponents), num_cycles=300)
    seed_test(lambda: TableEnv(game, opponents), num_cycles=100)


@pytest.mark.parametrize("game", [LIMIT, DEEP])
def test_what_is_not_seen_changes_nothing(game):
    """For every player at every decision: observation, mask, info, ``state`` and ``render``."""
    env, rng = TableEnv(game), np.random.default_rng(2)

    def views():
        seen = [env.observe(name) for name in env.possible_agents]
        return [each[key].tobytes() for each in seen for key in each], env.state().tobytes(), str(env.infos)

    for hand in range(20):
        env.reset(seed=hand)
        while env._hands.chair is not None:
            whole, state = views(), env._hands.state
            for name in env.possible_agents:
                position = int(name[-1])
                own = [env.observe(name)[key].tobytes() for key in ("observation", "action_mask")]
                with redealt(state, position, rng):
                    assert [env.observe(name)[key].tobytes() for key in ("observation", "action_mask")] == own
                    assert views()[1:] == whole[1:]
            picture = env.render()
            with redealt(state, int(env.agent_selection[-1]), rng):
                assert env.render() == picture
            env.step(drawn(rng, env.observe(env.agent_selection)["action_mask"]))
        public = env.state().tobytes()
        with redealt(env._hands.state, None, rng):
            assert env.state().tobytes() == public


def test_rewards_are_those_of_the_hand_in_big_blinds():
    env, rng, total = TableEnv(DEEP), np.random.default_rng(4), 0
    for hand in range(40):
        env.reset(seed=hand)
        won = {}
        for name in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            won[name] = won.get(name, 0) + reward
            assert over or not reward
            env.step(None if over else drawn(rng, seen["action_mask"]))
        payoffs = env._hands.state.payoffs()
        assert [won[f"player_{seat}"] for seat in range(6)] == [chips / 100 for chips in payoffs]
        total += max(payoffs)
    assert Variant.load(DEEP).big_blind == 100
    assert total > 0


def test_beliefs_and_estimated_rewards_are_each_learner_s_own():
    """Each learner has an agent that believes about the others, and the estimates of a hand sum to 0."""
    env, rng, apart = (
        TableEnv(LIMIT, {1: "raise"}, beliefs="network", estimator="control"),
        np.random.default_rng(1),
        0,
    )
    plain = TableEnv(LIMIT).observation_space("player_0")["observation"].shape[0]
    for hand in range(4):
        env.reset(seed=hand)
        while env._hands.chair is not None:
            name = env.agent_selection
            seen = env.observe(name)
            believed = seen["observation"][plain:].reshape(2, -1)
            other = env._hands.state.seats_in
            position = int(name[-1])
            for row, seat in zip(believed, ((position + 1) % 3, (position + 2) % 3), strict=True):
                assert row[:10].sum() == pytest.approx(float(seat in other), abs=1e-5)
            env.step(drawn(rng, seen["action_mask"]))
        won = [each * 10 for each in env._hands.rewards().values()]
        assert sum(won) == pytest.approx(0, abs=1e-9)
        apart += won != pytest.approx(env._hands.state.payoffs())
    assert apart


def test_only_the_player_to_act_has_choices():
    env = TableEnv(LIMIT)
    env.reset(seed=1)
    masks = {name: env.observe(name)["action_mask"].tolist() for name in env.agents}
    assert masks == {"player_0": [0, 0, 0], "player_1": [0, 0, 0], "player_2": [1, 1, 1]}


@pytest.mark.parametrize("choice", [-1, 0, 3, None])
def test_a_choice_outside_the_mask_is_refused_and_changes_nothing(choice):
    env = TableEnv(LIMIT, {2: "call", 0: "call"})
    env.reset(seed=1)
    before = env.observe("player_1")["observation"].tobytes()
    with pytest.raises(IllegalAction, match=r"expected one of \[1, 2\]"):
        env.step(choice)
    assert env.observe("player_1")["observation"].tobytes() == before
    env.step(1)


def test_tables_without_a_learner_are_refused():
    with pytest.raises(TableError, match="a seat for a learner"):
        TableEnv("holdem.limit.2p.reverse_blinds", {0: "call", 1: "call"})
    with pytest.raises(TableError, match=r"opponents at \[2\]"):
        TableEnv("holdem.limit.2p.reverse_blinds", {2: "call"})
