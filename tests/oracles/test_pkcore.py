"""``pkcore.py``, in Rust: ranks of hands, whole hands of heads-up no-limit, and Kuhn's poker."""

import random
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from baycarp.card import DECK
from baycarp.game import Action, State, Variant
from baycarp.kernels.hands import rank
from baycarp.solvers import END, Kuhn, StrategyProfile, flatten, nash_conv
from baycarp.solvers.small import kuhn

pkcore = pytest.importorskip("pkcore")

SUITS = str.maketrans("♠♥♦♣", "shdc")


def test_hands_of_seven_cards_have_the_same_order():
    """Each of its ranks is one of ours, in the opposite order: there the least is the best."""
    rng, pairs = np.random.default_rng(1), set()
    for _ in range(4000):
        cards = rng.choice(52, 7, replace=False)
        theirs = pkcore.SevenFiveBCM.from_cards(pkcore.Cards.parse(" ".join(DECK[card] for card in cards)))
        pairs.add((int(rank(cards.astype(np.uint8))), -theirs.rank))
    ordered = sorted(pairs)
    assert len(ordered) > 1000
    for (ours, theirs), (more, better) in pairwise(ordered):
        assert ours < more
        assert theirs < better


def drawn(rng, state):
    """An action, bets of any size among them, folds rare."""
    legal = [action for action in state.legal_actions() if action.name != "fold" or rng.random() < 0.2]
    action = rng.choice(legal)
    if action.name in ("bet", "raise") and rng.random() < 0.7:
        _, least, most, _ = state.bounds()
        return Action(action.name, min(most, least + int(rng.expovariate(1 / least))))
    return action


def theirs_of(state, action):
    """Its action: a bet is by its chips, a raise by its total on the street."""
    if action.name in ("bet", "raise"):
        if action.amount == state.bounds()[2]:
            return pkcore.PlayerAction.all_in()
        return (pkcore.PlayerAction.bet if action.name == "bet" else pkcore.PlayerAction.raise_)(
            action.amount
        )
    return getattr(pkcore.PlayerAction, action.name)()


def test_hands_of_heads_up_no_limit_are_played_alike():
    """The same player acts each time, and wins as much, all-in with less among them.

    Its seat 0 is the button. It deals one card at a time, first to the other seat, and burns one before each
    street.
    """
    rng, streets, short = random.Random(2), set(), 0
    for _ in range(400):
        stacks = tuple(rng.choice((300, 1000, 2500)) for _ in range(2))
        session = pkcore.PokerSession.heads_up(pkcore.ForcedBets(50, 100), stacks)
        session.start_hand()
        deck = [DECK.index(card) for card in session.shuffled_deck_str.translate(SUITS).split()]
        game = Variant.ring(2, 100, betting="no-limit", stacks=stacks[::-1])
        cards = [deck[place] for place in (0, 2, 1, 3, 5, 6, 7, 9, 11)]
        state = State(game, deck=bytes(cards))
        while True:
            step = session.next_step()
            if step.kind() == "HandComplete":
                break
            if step.kind() == "PlayerToAct":
                assert step.seat() == 1 - state.to_act
                action = drawn(rng, state)
                session.apply_action(step.seat(), theirs_of(state, action))
                state.apply(action)
        assert state.is_over
        won = [-Fraction(chips) for chips in state.committed]
        for pot in session.end_hand().to_list():
            seats = [seat for seat in range(2) if pot.equity.seats.contains(seat)]
            for seat in seats:
                won[1 - seat] += Fraction(pot.equity.chips, len(seats))
        assert [float(each) for each in won] == pytest.approx(state.payoffs(), abs=0.5)
        streets.add((state.street, len(state.seats_in)))
        short += bool(state.all_in)
    assert streets == {(street, players) for street in range(4) for players in (1, 2)} - {
        (0, 2),
        (1, 2),
        (2, 2),
    }
    assert short > 50


ACTIONS = {
    "check": pkcore.KuhnAction.CHECK,
    "bet": pkcore.KuhnAction.BET,
    "call": pkcore.KuhnAction.CALL,
    "fold": pkcore.KuhnAction.FOLD,
}
CARDS = {"J": pkcore.KuhnCard.JACK, "Q": pkcore.KuhnCard.QUEEN, "K": pkcore.KuhnCard.KING}


def kuhn_decisions(one, other):
    """Every decision of a deal here and there; ends are compared on the way."""
    game, pair = Kuhn(), pkcore.KuhnState(CARDS[one], CARDS[other])
    state = game.root()
    for card in (one, other):
        (move,) = [
            move
            for move in range(len(game.probabilities(state)))
            if game.play(state, move)[0] == state[0] + card
        ]
        state = game.play(state, move)
    waiting = [(state, pair)]
    while waiting:
        ours, theirs = waiting.pop()
        turn = game.turn(ours)
        assert theirs.is_terminal() == (turn == END)
        if turn == END:
            assert theirs.payoff() == list(game.returns(ours))
            continue
        assert theirs.current_player() == turn
        names = game.actions(ours)
        assert theirs.legal_actions() == [ACTIONS[name] for name in names]
        yield game.information(ours), turn, theirs.info_set(turn), names
        waiting += [(game.play(ours, move), theirs.apply(ACTIONS[name])) for move, name in enumerate(names)]


def test_kuhn_is_the_same_game_with_the_same_equilibria():
    tree = flatten(Kuhn())
    for alpha in (0.0, 0.2, 1 / 3):
        tables = StrategyProfile.of(tree, kuhn.equilibrium(alpha)).tables()
        theirs = pkcore.KuhnStrategy.gto(alpha)
        for one, other in permutations("JQK", 2):
            for name, turn, info_set, names in kuhn_decisions(one, other):
                chances = dict(theirs.action_probs(info_set))
                for action in names:
                    assert tables[turn][name][action] == pytest.approx(chances[ACTIONS[action]])


def test_its_trained_strategy_loses_as_much_here():
    """NashConv of its average strategy by our best responses is its own figure."""
    solver = pkcore.KuhnCfr()
    solver.train(500)
    average, tables = solver.average_strategy(), [{}, {}]
    for one, other in permutations("JQK", 2):
        for name, turn, info_set, names in kuhn_decisions(one, other):
            chances = dict(average.action_probs(info_set))
            tables[turn][name] = {action: chances[ACTIONS[action]] for action in names}
    lost = nash_conv(StrategyProfile.of(flatten(Kuhn()), tuple(tables)))
    assert solver.exploitability() == pytest.approx(lost, rel=1e-9)
