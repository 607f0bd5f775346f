"""OpenSpiel's universal_poker, the ACPC's own C code, as referee: every state of random hands, and perft.

Where the two read the rules differently, the difference is named below, recognised by its condition, and
counted; anything else fails. Its limits: no antes, stacks of at least the big blind, and in fixed limit four
seats (it crashes above) and no all-ins (it does not look at stacks).
"""

import json
import random
from collections import Counter

import pytest
from reference.betting import settle
from reference.games import random_action, random_game, random_stacks

from baycarp.game import Action, State, Variant, pots
from baycarp.kernels.hands import rank

pyspiel = pytest.importorskip("pyspiel")

DIFFERENCES = {
    "reopened": "To ACPC every all-in raise, however short, lets those who have acted raise again.",
    "least raise": "After a short all-in raise ACPC's least raise-to is that of before, or twice the short "
    "raise; to us it is the bet to match plus the largest full raise.",
    "pointless raise": "ACPC lets a player raise when nobody else can put in more than the bet to match.",
    "idle check": "ACPC asks the last player with chips to check when all others are all-in for no more than "
    "he has put in; we run the board out.",
    "odd chips": "ACPC splits pots into fractions of a chip.",
}


def referee(game, stacks):
    limit = game.betting == "limit"
    words = {
        "betting": "limit" if limit else "nolimit",
        "bettingAbstraction": "fcpa" if limit else "fullgame",
        "numPlayers": game.seats,
        "numRounds": 4,
        "blind": " ".join(map(str, game.blinds)),
        "stack": " ".join(map(str, stacks)),
        "firstPlayer": " ".join(str(n + 1) for n in game.first),
        "maxRaises": " ".join("255" if n is None else str(n) for n in game.max_raises),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if limit:
        words["raiseSize"] = " ".join(map(str, game.raise_sizes))
    loaded = pyspiel.load_game(f"universal_poker({','.join(f'{k}={v}' for k, v in words.items())})")
    return loaded.new_initial_state()


def number(state, action):
    """Its number of an action: 0 fold, 1 check or call, 2 limit raise, else the total over the hand."""
    if action.name in ("bet", "raise") and state.variant.betting == "no-limit":
        return action.amount + state.committed[state.to_act] - state.bets[state.to_act]
    return {"fold": 0, "check": 1, "call": 1}.get(action.name, 2)


def catch_up(state, other, rng, observation):
    """Deal, and let it have the check that decides nothing. Its card 4 * rank + suit is ours."""
    while not other.is_terminal():
        if other.is_chance_node():
            other.apply_action(rng.choice(other.legal_actions()))
        elif other.current_player() != state.to_act:
            assert len(state.all_in) >= len(state.seats_in) - 1
            assert 0 not in other.legal_actions()
            other.apply_action(1)
            observation["idle check"] += 1
        else:
            return


def compare(state, other, observation):
    """Its legal actions against ours; returns whether the bounds are the same."""
    assert tuple(json.loads(other.to_json())["player_contributions"]) == state.committed
    seat, legal = state.to_act, other.legal_actions()
    owed, least, most, _ = state.bounds()
    assert (0 in legal) == (owed > 0)
    assert 1 in legal
    before = state.committed[seat] - state.bets[seat]
    theirs = [n for n in legal if n > 1]
    ours = list(range(least + before, most + before + 1)) if least else []
    if state.variant.betting == "limit":
        ours = [2] if least else []
    if ours == theirs:
        return
    assert state.variant.betting == "no-limit"
    level = max(state.bets)
    acted = any(act.seat == seat and act.street == state.street for act in state.acts)
    if not ours:
        callable_ = any(state.bets[i] + state.stacks[i] > level for i in state.seats_in if i != seat)
        assert acted or not callable_
        observation["reopened" if callable_ else "pointless raise"] += 1
    else:
        short = [act for act in state.acts if act.street == state.street and act.action.name == "raise"]
        assert short or any(act.action.name == "bet" for act in state.acts)
        assert theirs[-len(ours) :] == ours  # only the least differs
        observation["least raise"] += 1


def play(rng, game, stacks, observation):
    state, other = State(game, stacks), referee(game, stacks)
    catch_up(state, other, rng, observation)
    while not state.is_over:
        compare(state, other, observation)
        _, least, most, _ = state.bounds()
        action = random_action(rng, state.legal_actions(), least, most)
        other.apply_action(number(state, action))
        state.apply(action)
        catch_up(state, other, rng, observation)
    assert other.is_terminal()
    ended = json.loads(other.to_json())
    for seat, cards in enumerate(ended["player_hands"]):
        state.deal({seat: cards})
    state.deal(board=ended["board_cards"])
    ours, theirs = state.payoffs(), other.returns()
    if ours != tuple(theirs):
        ranks = [int(rank(hole + state.board)) for hole in state.holes]
        exact = settle(
            state.committed, [(p.chips, p.contenders) for p in pots(state)], ranks, odd="fractions"
        )
        assert theirs == pytest.approx([float(net) for net in exact])
        observation["odd chips"] += 1


def random_hands(seed, hands):
    rng, observation = random.Random(seed), Counter()
    for _ in range(hands):
        limit = rng.random() < 0.4
        seats = rng.randint(2, 4) if limit else rng.randint(2, 6)
        game = random_game(rng, seats, "limit" if limit else "no-limit", antes=False)
        stacks = (1000,) * seats if limit else random_stacks(rng, game, least=game.big_blind)
        play(rng, game, stacks, observation)
    assert set(observation) <= set(DIFFERENCES)
    return observation


def test_random_hands():
    random_hands(seed=1, hands=1500)


@pytest.mark.slow
def test_many_random_hands_show_every_difference_and_no_other():
    observation = random_hands(seed=2, hands=40_000)
    assert set(observation) == set(DIFFERENCES)


def perft(state, depth):
    """Betting positions by number of actions from the start, to ``depth``."""
    counts = Counter()

    def walk(state, done):
        counts[done] += 1
        if done == depth or state.is_over:
            return
        _, least, most, _ = state.bounds()
        actions = [a for a in state.legal_actions() if a.name not in ("bet", "raise")]
        name = "raise" if state.bets_made else "bet"
        actions += [Action(name, n) for n in range(least, most + 1) if least]
        for action in actions:
            child = state.copy()
            child.apply(action)
            walk(child, done + 1)

    walk(state, 0)
    return counts


def their_perft(state, depth):
    counts = Counter()

    def walk(state, done):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        counts[done] += 1
        if done == depth or state.is_terminal():
            return
        for action in state.legal_actions():
            walk(state.child(action), done + 1)

    walk(state, 0)
    return counts


GAMES = {
    "limit 2p": (Variant.load("holdem.limit.2p.reverse_blinds"), (1000,) * 2),
    "limit 3p": (Variant.load("holdem.limit.3p"), (1000,) * 3),
    "no-limit 2p": (Variant.ring(2, betting="no-limit", stacks=(8, 8)), (8, 8)),
    "no-limit 2p deep": (Variant.ring(2, betting="no-limit", stacks=(14, 14)), (14, 14)),
    "no-limit 3p": (Variant.ring(3, betting="no-limit", stacks=(6, 6, 6)), (6, 6, 6)),
}


@pytest.mark.parametrize(
    ("name", "depth"), [("limit 2p", 99), ("limit 3p", 9), ("no-limit 2p", 99), ("no-limit 3p", 7)]
)
def test_perft(name, depth):
    game, stacks = GAMES[name]
    assert perft(State(game, stacks), depth) == their_perft(referee(game, stacks), depth)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), [("limit 3p", 14), ("no-limit 2p deep", 99), ("no-limit 3p", 99)])
def test_deep_perft(name, depth):
    game, stacks = GAMES[name]
    assert perft(State(game, stacks), depth) == their_perft(referee(game, stacks), depth)
