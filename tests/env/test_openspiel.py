"""OpenSpiel's wheel: our agents at its tables, its bots at ours, and the same game on both sides."""

import json
import random

import numpy as np
import pytest

from baycarp.agents.base import Decision, Stateless
from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.env.spiel import choose, game_text, hand_of, number_of, variant_of_game
from baycarp.errors import ModelError, TableError, VariantError
from baycarp.game import Acted, Action, HandOver, State, Variant
from baycarp.game.plays import Plays
from baycarp.kernels.game import deal

pyspiel = pytest.importorskip("pyspiel")

from baycarp.env import SpielAgent, SpielBot  # noqa: E402  after the check that it is installed

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
DEEP = Variant.load("holdem.nolimit.2p.reverse_blinds")
SHORT = Variant.ring(2, 100, betting="no-limit", stacks=(1000, 1000))
TABLES = {
    "limit": (LIMIT, "fullgame", ("random", "frequency(fold=0.1)")),
    "limit, three seats": (Variant.load("holdem.limit.3p"), "fullgame", ("random", "call", "raise")),
    "fcpa": (DEEP, "fcpa", ("random", "mine")),
    "fullgame": (DEEP, "fullgame", ("random", "mine")),
    "fullgame, short": (SHORT, "fullgame", ("mine", "mine")),
}


class AnySize(Stateless):
    """Any legal action, bets of any size, from a generator of its own."""

    plays = Plays(frozenset({"limit", "no-limit"}))
    events: list

    def sit(self, seat, variant, seed):
        self.rng, self.events = random.Random(seed), []

    def decide(self, observation, time_limit=None, budget=None):
        assert not any(observation.state.holes[1 - observation.seat])
        legal = observation.legal_actions()
        action = self.rng.choice([each for each in legal if each.name != "fold" or self.rng.random() < 0.3])
        if action.name in ("bet", "raise"):
            _, least, most, _ = observation.state.bounds()
            size = min(most, least + int(self.rng.expovariate(1 / least)))
            action = Action(action.name, self.rng.choice((size, most)))
        return Decision(action, {action: 1.0})

    def learn(self, event):
        self.events.append(event)


@pytest.fixture
def mine(monkeypatch):
    monkeypatch.setattr(
        "baycarp.env.spiel_bot.load_for", lambda variant, spec: AnySize() if spec == "mine" else load(spec)
    )


def compare(state, abstraction):
    """Their legal actions against ours, and what each of ours is there."""
    hand = hand_of(state, variant_of_game(state.get_game())).state
    legal, (owed, least, most, _) = state.legal_actions(), hand.bounds()
    assert [each for each in legal if each < 2] == ([0, 1] if owed else [1])
    bets = [each for each in legal if each > 1]
    if hand.variant.betting == "limit":
        assert bets == ([2] if least else [])
        return
    name = "raise" if hand.bets_made else "bet"
    if abstraction == "fullgame":
        assert bets == (
            [*range(number_of(hand, Action(name, least)), number_of(hand, Action(name, most)) + 1)]
            if least
            else []
        )
        return
    assert (3 in bets) == (least > 0)
    totals = {2: hand.bets[hand.to_act] + owed + hand.pot + owed, 3: most}
    for number in bets:
        after = json.loads(state.child(number).to_json())
        paid = after["player_contributions"][state.current_player()] - hand.committed[hand.to_act]
        assert paid + hand.bets[hand.to_act] == totals[number]
        assert choose(state, hand, Action(name, totals[number]), pots=True) == number


def play(game, bots, rng, abstraction=None):
    """One game of bots: the state at its end."""
    state = game.new_initial_state()
    for bot in bots:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            card = rng.choice(state.legal_actions())
            for bot in bots:
                bot.inform_action(state, pyspiel.PlayerId.CHANCE, card)
            state.apply_action(card)
            continue
        if abstraction:
            compare(state, abstraction)
        player = state.current_player()
        number = bots[player].step(state)
        assert number in state.legal_actions()
        for other, bot in enumerate(bots):
            if other != player:
                bot.inform_action(state, player, number)
        state.apply_action(number)
    return state


def hands(name, count, seed):
    variant, abstraction, specs = TABLES[name]
    game, rng = pyspiel.load_game(game_text(variant, abstraction)), random.Random(seed)
    bots = [SpielBot(game, player, spec, seed=seed) for player, spec in enumerate(specs)]
    shown = 0
    for _ in range(count):
        state = play(game, bots, rng, abstraction)
        over = hand_of(state, variant).state
        assert over.is_over
        assert list(over.payoffs()) == pytest.approx(state.returns(), abs=1)  # it splits odd chips
        assert sum(state.returns()) == 0
        shown += len(over.seats_in) > 1
    assert shown > count / 20


@pytest.mark.parametrize("name", TABLES)
def test_moves_and_returns_agree(name, mine):
    hands(name, 60, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_moves_and_returns_agree_over_many_hands(name, mine):
    hands(name, 10_000, seed=2)


@pytest.mark.parametrize("abstraction", ["fcpa", "fullgame"])
@pytest.mark.parametrize(("reset", "moves"), [(True, True), (True, False), (False, True)])
def test_repeated_poker_is_played_to_the_end(abstraction, reset, moves, mine):
    """The profit of all hands; the agents observe every act and end, without hidden cards."""
    text = game_text(SHORT, abstraction)
    settings = f"max_num_hands=40,reset_stacks={reset},rotate_dealer={moves}"
    game, rng = (
        pyspiel.load_game(f"repeated_poker({settings},universal_poker_game_string={text})"),
        random.Random(3),
    )
    bots = [SpielBot(game, player, "mine", seed=5) for player in range(2)]
    state = play(game, bots, rng)
    record = json.loads(state.to_json())
    won = np.array(record["hand_returns"])
    assert state.returns() == won.sum(axis=0).tolist()
    won = won[: len(state.acpc_hand_histories())]  # a hand of noughts follows the one that ended the game
    assert reset == (len(won) == 40)
    histories = [line.split(":")[2].replace("/", "") for line in state.acpc_hand_histories()]
    acts = sum(sum(letter in "rcf" for letter in each) for each in histories)
    for player, bot in enumerate(bots):
        events = bot._agent.events
        ends = [event for event in events if isinstance(event, HandOver)]
        assert sum(isinstance(event, Acted) for event in events) == acts
        assert len(ends) == len(won)
        for event, each in zip(ends, won, strict=True):
            seat = event.observation.players.index(f"player_{player}")
            assert event.payoffs[seat] == each[player]
        for event in events:
            hidden = event.observation.state.holes
            shown = event.observation.state.is_over and len(event.observation.state.seats_in) > 1
            assert shown or not any(hidden)
        buttons = [event.observation.players[1] for event in ends]
        assert buttons == [f"player_{1 - hand % 2 * moves}" for hand in range(len(won))]


def test_our_agents_keep_what_they_have_learned_between_hands_of_a_repeated_game():
    text = game_text(LIMIT)
    game = pyspiel.load_game(
        f"repeated_poker(max_num_hands=6,reset_stacks=True,rotate_dealer=True,universal_poker_game_string={text})"
    )
    bots = [SpielBot(game, 0, "baycarp"), SpielBot(game, 1, "karma")]
    play(game, bots, random.Random(1))


def test_a_bet_is_the_nearer_of_pot_and_all_in():
    game = pyspiel.load_game(game_text(DEEP, "fcpa"))
    state = game.new_initial_state()
    for card in (0, 4, 8, 12):
        state.apply_action(card)
    hand = hand_of(state, DEEP).state
    found = {
        size: choose(state, hand, Action("raise", size), pots=True) for size in (200, 300, 1500, 4000, 20000)
    }
    assert found == {200: 2, 300: 2, 1500: 2, 4000: 3, 20000: 3}


class Uniform(SpielAgent):
    def __init__(self):
        super().__init__(lambda game, player, seed: pyspiel.make_uniform_random_bot(player, seed))


class Always(pyspiel.Bot):
    """The last legal action; a record of the states that it saw."""

    def __init__(self, seen, number=None):
        super().__init__()
        self.seen, self.number = seen, number

    def step(self, state):
        self.seen.append(state.clone())
        return state.legal_actions()[-1] if self.number is None else self.number

    def restart_at(self, state):
        pass


@pytest.mark.parametrize("variant", [LIMIT, SHORT, TABLES["limit, three seats"][0]])
def test_a_bot_of_openspiel_plays_at_our_table(variant):
    agents = [Uniform() for _ in range(variant.seats)]
    names = tuple(f"p{seat}" for seat in range(variant.seats))
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, seed=seat)
    kinds = set()
    for hand in range(60):
        over = play_hand(State(variant, deck=deal(1, 0, hand, 2 * variant.seats + 5)), agents, names, hand)
        kinds |= {act.action.name for act in over.acts}
        assert sum(over.payoffs()) == 0
    assert kinds == {"fold", "check", "call", "bet", "raise"}


def test_a_bot_of_openspiel_plays_with_the_stacks_that_were_left():
    agent, names = SpielAgent(lambda game, player, seed: Always([])), ("bot", "caller")
    agent.sit(0, SHORT, seed=1)
    over = play_hand(State(SHORT, (700, 1300), deck=deal(1, 0, 0, 9)), [agent, load("call")], names)
    assert over.committed == (700, 700)


def test_a_bot_sees_its_own_cards_the_board_and_the_betting_alone():
    """The state that it steps in has the same acts; the others' cards are drawn anew."""
    seen, deck = [], deal(3, 0, 0, 9)
    agent = SpielAgent(lambda game, player, seed: Always(seen))
    agent.sit(1, LIMIT, seed=1)
    play_hand(State(LIMIT, deck=deck), [load("call"), agent], ("caller", "bot"))
    drawn = set()
    for state in seen:
        hand = hand_of(state, LIMIT).state
        assert sorted(hand.holes[1]) == sorted(deck[2:4])
        assert set(hand.board) <= set(deck[4:])
        drawn.add(hand.holes[0])
    assert len(drawn) == len(seen) == 4
    assert [hand_of(state, LIMIT).state.betting for state in seen] == ["", "rc/c", "rc/crc/c", "rc/crc/crc/c"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(VariantError, match="expected universal_poker"):
        SpielBot(pyspiel.load_game("kuhn_poker"), 0, "call")
    with pytest.raises(VariantError, match="numrounds"):
        SpielBot(pyspiel.load_game("universal_poker"), 0, "call")
    with pytest.raises(TableError, match="cannot play"):
        SpielBot(pyspiel.load_game(game_text(DEEP)), 0, "baycarp2")
    with pytest.raises(VariantError, match="antes"):
        game_text(Variant.ring(2, ante=1))
    agent = SpielAgent(lambda game, player, seed: Always([], number=77))
    agent.sit(1, LIMIT, seed=1)
    with pytest.raises(ModelError, match="action 77"):
        agent.decide(State(LIMIT, deck=deal(1, 0, 0, 9)).observe(1))
