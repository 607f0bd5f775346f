"""Every agent of the registry at tables of random games, beside players that act at random."""

import os
import shlex
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robustness.budget import budget
from robustness.games import game_file

from baycarp.agents.external.program import Program
from baycarp.agents.registry import AGENTS, load
from baycarp.agents.table import PLAYERS
from baycarp.arena.hand import play_hand
from baycarp.game.state import State
from baycarp.game.variant import Variant

HANDS = 10
"""Hands at a table."""

HEADS_UP = tuple(map(Variant.load, ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.100bb")))
TRIES = 1000
"""Random games among which one is looked for that an agent plays."""

NAMES = """
    random call raise frequency rule jag maniac station folder formula simulation
    baycarp baycarp1 baycarp2 cases casper01 casper02 casey sartre sartre2009 sartre2010
    sartrenl sartrenl2010 sartre3p
    network responder equilibrium equilibriumnl gambler mcts alike sizer
    absinthe anders doyle erasmus frida hari jake karma
"""
PROGRAM = f"""
    env {shlex.quote(f"PYTHONPATH={os.pathsep.join(filter(None, sys.path))}")}
    {shlex.quote(sys.executable)} -m baycarp serve engine --agent call
"""
"""A program that always calls."""

SPECS = {
    **{name: name for name in NAMES.split()},
    "program": f"program(command={PROGRAM!r})",
}
"""Every agent of the registry, by its name, and how it is loaded."""


def test_every_agent_is_tried():
    assert set(SPECS) == {*AGENTS, *PLAYERS}


@pytest.mark.parametrize("name", SPECS)
def test_an_agent_acts_legally_in_random_games(name):
    agent = load(SPECS[name])

    @budget(0.03)
    @given(st.integers(0, 2**32))
    def acts_legally(seed):
        play_table(agent, Random(seed))

    acts_legally()
    assert not isinstance(agent, Program) or not agent.faults


def test_an_illegal_action_at_a_table_is_found():
    def refused(state, decision):
        raise ValueError(f"{decision.action}: illegal")

    with pytest.raises(ValueError, match="illegal"):
        play_table(load("call"), Random(2), verify=refused)


def test_a_program_that_does_not_answer_is_found():
    agent = load("program(command='true')")
    play_table(agent, Random(1))
    assert agent.faults


def play_table(agent, draw, verify=None):
    """Some hands of a random game that the agent plays."""
    game = game_of(agent, draw)
    players = [agent, *(load("random") for _ in range(game.seats - 1))]
    for seat, player in enumerate(players):
        player.sit(seat, game, draw.getrandbits(32))
    names = tuple(f"player {seat}" for seat in range(game.seats))
    for hand in range(HANDS):
        turn = hand % game.seats
        deck = draw.sample(range(52), 2 * game.seats + 5)
        around = players[turn:] + players[:turn]
        play_hand(State(game, deck=deck), around, names[turn:] + names[:turn], hand, watch=verify or verified)


def game_of(agent, draw):
    """A random game that the agent plays; a usual one for two, if it plays hardly any."""
    for _ in range(TRIES):
        game = game_file(draw)
        if agent.plays.fits(game):
            return game
    return next((game for game in HEADS_UP if agent.plays.fits(game)), HEADS_UP[0])


def verified(state, decision):
    """A legal action of a policy that sums to 1."""
    total = sum(decision.policy.values())
    if not np.isclose(total, 1) or not state.can(decision.action):
        raise ValueError(f"{decision.action} with a policy that sums to {total}")
