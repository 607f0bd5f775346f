"""Chips are neither made nor lost in games of every kind that a game file can state."""

import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from reference.pots import PARTS, parts, settle

from baycarp.agents.registry import load
from baycarp.arena.acpc.dealer import deal_match
from baycarp.game import State, Variant, pots
from baycarp.kernels.hands import rank
from baycarp.kit.games import game_file, random_action

ROOT = Path(__file__).resolve().parents[2]

SHORT = """GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 100 3 100
blind = 5 10 0
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def kind(game, state):
    """What makes this hand an unusual one."""
    paid, players = state.committed, state.seats_in
    yield game.betting
    yield f"{game.seats} seats"
    if game.first[1:] == (0, 0, 0) and game.first[0] == 0:
        yield "first position opens"
    if game.first[1:] != (0, 0, 0):
        yield "odd order"
    if any(game.antes):
        yield "dead antes" if len(set(game.antes)) > 1 else "equal antes"
    if any(
        paid[i] < ante + blind for i, (ante, blind) in enumerate(zip(game.antes, game.blinds, strict=True))
    ):
        yield "short blind or ante"
    if sorted(game.blinds)[-2] > game.big_blind // 2:
        yield "odd blinds"
    if max(paid) > max(paid[i] for i in players):
        yield "the most was put in by a folded player"
    if len(pots(state)) > 2:
        yield "side pots"


def check_chips(state):
    layers = pots(state)
    assert sum(pot.chips for pot in layers) == state.pot == sum(state.committed)
    assert all(pot.chips > 0 and set(pot.contenders) <= set(state.seats_in) for pot in layers)
    assert layers[0].contenders or not state.pot


def play(rng, game, counts):
    """One hand: at every state the pots contain all chips; the payoffs are those of the second settlement."""
    state = State(game, deck=rng.sample(range(52), 2 * game.seats + 5))
    check_chips(state)
    while not state.is_over:
        state.apply(random_action(rng, state))
        check_chips(state)
    ours = state.payoffs()
    assert sum(ours) == 0
    ranks = [rank(hole + state.board) if len(state.board) == 5 else 0 for hole in state.holes]
    exact = settle(*parts(game, state), state.seats_in, ranks)
    assert sum(exact) == 0
    most_odd = len(pots(state)) * (len(state.seats_in) - 1)
    assert all(abs(PARTS * net - part) <= PARTS * most_odd for net, part in zip(ours, exact, strict=True))
    if all(pot.chips % n == 0 for pot in pots(state) for n in range(1, len(pot.contenders) + 1)):
        assert [PARTS * net for net in ours] == exact
        counts["no odd chips possible"] += 1
    counts.update(kind(game, state))


KINDS = {
    *("limit", "no-limit", "first position opens", "odd order", "dead antes", "equal antes"),
    *("short blind or ante", "odd blinds", "the most was put in by a folded player", "side pots"),
    *("no odd chips possible", *(f"{seats} seats" for seats in range(2, 11))),
}


def play_games(seed, games):
    rng, counts = random.Random(seed), Counter()
    for _ in range(games):
        game = game_file(rng)
        for _ in range(4):
            play(rng, game, counts)
    assert set(counts) == KINDS
    return counts


def test_random_games_of_every_kind_keep_their_chips():
    assert min(play_games(seed=1, games=1000).values()) >= 10


@pytest.mark.slow
def test_many_random_games_of_every_kind_keep_their_chips():
    play_games(seed=2, games=50_000)


def test_chips_of_a_folded_player_beyond_all_others_belong_to_the_last_pot():
    state = State(Variant.parse(SHORT), deck=range(11))
    state.apply(state.named("fold"))
    assert [(pot.chips, pot.contenders) for pot in pots(state)] == [(8, (1,))]
    state.apply(state.named("call"))
    assert [(pot.chips, pot.contenders) for pot in pots(state)] == [(11, (1, 2))]
    assert state.payoffs() == (-5, -3, 8)


def test_a_match_at_a_dealer_of_a_game_with_a_short_big_blind_keeps_its_chips():
    totals = deal_match(Variant.parse(SHORT), 200, 1, {name: load("random") for name in "ABC"})
    assert sum(totals.values()) == 0
    assert any(totals.values())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_a_million_hands_keep_every_invariant(tmp_path):
    program = tmp_path / "test_game"
    sources = [
        ROOT / "csrc" / part
        for part in ("tests/test_game.c", "src/game.c", "src/rank.c", "src/rank_tables.c", "src/simd.c")
    ]
    include = ROOT / "csrc" / "include"
    subprocess.run(["cc", "-std=c11", "-O2", "-I", include, "-o", program, *sources], check=True)
    subprocess.run([program, "million"], check=True)
