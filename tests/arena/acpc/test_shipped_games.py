"""Every game file that ships, read and played by OpenSpiel's copy of the competition's own code."""

import json
import random
from importlib.resources import files

import pytest
from reference.betting import settle
from reference.games import random_action

from baycarp.game import State, Variant, pots
from baycarp.kernels.hands import rank

pyspiel = pytest.importorskip("pyspiel")

FILES = {
    path.name.removesuffix(".game"): path.read_text("utf-8")
    for path in (files("baycarp") / "data" / "games").iterdir()
}


def test_ring_games_of_every_size_ship_in_both_kinds():
    for kind in ("limit", "nolimit"):
        assert {f"holdem.{kind}.{n}p" for n in range(3, 11)} <= set(FILES)
        assert f"holdem.{kind}.2p.reverse_blinds" in FILES
    assert {f"holdem.nolimit.{n}p.100bb" for n in range(2, 10)} <= set(FILES)
    assert len(FILES) == 27


@pytest.mark.parametrize("name", FILES)
def test_the_files_of_one_kind_differ_in_their_seats_and_bets_alone(name):
    game = Variant.load(name)
    _, kind, seats, *_ = name.split(".")
    small = {"limit": 5, "nolimit": 50}[kind]
    ring = Variant.ring(
        int(seats.removesuffix("p")),
        2 * small,
        betting=kind.replace("nol", "no-l"),
        stacks=game.stacks,
        bets=5 if name.endswith(".5bets") else 4,
    )
    assert (game.betting, game.seats, game.blinds) == (ring.betting, ring.seats, ring.blinds)
    assert (game.raise_sizes, game.max_raises) == (ring.raise_sizes, ring.max_raises)
    assert game.first == ring.first
    if kind == "nolimit":
        depth = 100 if name.endswith(".100bb") else 200
        assert game.stacks == (depth * game.big_blind,) * game.seats
    else:
        assert game.stacks in (None, (100_000,) * game.seats)


def readable(name):
    """OpenSpiel 2.0 ends the process over a limit game above four seats, whatever its file says of stacks."""
    return name.startswith("holdem.nolimit") or Variant.load(name).seats <= 4


@pytest.mark.parametrize("name", [name for name in FILES if readable(name)])
def test_random_hands_agree_with_the_competitions_code(name):
    variant, rng = Variant.load(name), random.Random(6)
    loaded = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(FILES[name])
    assert loaded.num_players() == variant.seats
    if variant.betting == "no-limit":  # it reads the file as a game of four sizes; we want them all
        parameters = loaded.get_parameters() | {"bettingAbstraction": "fullgame"}
        loaded = pyspiel.load_game("universal_poker", parameters)
    for _ in range(8):
        agree(State(variant), loaded.new_initial_state(), rng)


def agree(state, other, rng):
    """Play one hand in both; where odd chips are split, theirs are fractions of one."""
    while not other.is_terminal():
        if other.is_chance_node():
            other.apply_action(rng.choice(other.legal_actions()))
            continue
        assert other.current_player() == state.to_act
        _, least, most, _ = state.bounds()
        action = random_action(rng, state.legal_actions(), least, most)
        before = state.committed[state.to_act] - state.bets[state.to_act]
        names = [action.name for action in state.legal_actions()]
        assert [0 in other.legal_actions(), any(n > 1 for n in other.legal_actions())] == [
            "fold" in names,
            bool({"bet", "raise"} & set(names)),
        ]
        sized = action.amount + before if state.variant.betting == "no-limit" else 2
        other.apply_action({"fold": 0, "check": 1, "call": 1}.get(action.name, sized))
        state.apply(action)
        assert state.committed == tuple(json.loads(other.to_json())["player_contributions"])
    assert state.is_over
    ended = json.loads(other.to_json())
    state.deal(ended["player_hands"], ended["board_cards"])
    if state.payoffs() != tuple(other.returns()):
        ranks = [int(rank(hole + state.board)) for hole in state.holes]
        layers = [(pot.chips, pot.contenders) for pot in pots(state)]
        exact = settle(state.committed, layers, ranks, odd="fractions")
        assert other.returns() == pytest.approx([float(net) for net in exact])
