"""``pvat``, by the authors of pokerkit, as the judge of our estimators.

Its functions of a game are written here from the rules: on Leduc hold'em for every hand, on limit hold'em
from the flop on. It is in no extra, for it pins an old NumPy: ``pip install --no-deps pvat==0.0.0.dev2``.
"""

from functools import cache, partial

import numpy as np
import pytest
from arena.variance.test_leduc import STRATEGIES
from reference.hands import rank as best
from reference.leduc_hands import CARDS, DEALS, LeducHand, LeducShowdowns, ahead, lines
from reference.small_games import LEDUC, expected

from baycarp.arena.variance.control import FINAL_POT, GROWTH, control, less_luck
from baycarp.game import Action, State, Variant
from baycarp.kernels.game import deal

pvat = pytest.importorskip("pvat")

CHANCE = "chance"


# Leduc as pvat walks it: a history is a tuple of both hands, the acts by name, the public card in its place.


@cache
def hand_of(history):
    """The hand; a public card that is not dealt yet is any."""
    (one, other), *steps = history
    public = next((step for step in steps if not isinstance(step, str)), None)
    if public is None:
        public = next(card for card in CARDS if card not in (one, other))
    return LeducHand((one, other, public), [Action(step) for step in steps if isinstance(step, str)])


@cache
def player_of(history):
    if not history:
        return CHANCE
    hand = hand_of(history)
    return CHANCE if hand.street == 1 and all(isinstance(step, str) for step in history[1:]) else hand.to_act


def actions_of(history):
    if not history:
        return [(one, other) for one in CARDS for other in CARDS if one != other]
    if player_of(history) == CHANCE:
        return [card for card in CARDS if card not in history[0]]
    return hand_of(history).legal()


def made(history, action):
    return (*history, action)


def prefixes(over):
    return ((over[:number], over[number]) for number in range(len(over)))


def probability(tables, history):
    """Of the last step, given those before."""
    *before, last = history
    if not isinstance(last, str):
        return 1.0  # all cards are as likely
    before = tuple(before)
    return tables[player_of(before)][hand_of(before).information][last]


@cache
def worth(player, history):
    """The value function of ``control``: all-in equity, times what a pot of that street grows by."""
    *before, last = history
    if isinstance(last, tuple):
        return 2 * (FINAL_POT[0] + 2 * FINAL_POT[1]) * share(player, last, ())
    if not isinstance(last, str):
        return GROWTH[1] * all_in(player, hand_of(history), history[0])
    if last == "fold":
        return all_in(player, hand_of(history), history[0])
    here = hand_of(
        tuple(before)
    )  # an uncalled bet goes back: each act but a fold stays in for the same price
    stay = here.copy()
    stay.committed[here.to_act] = stay.committed[1 - here.to_act]
    return all_in(player, stay, history[0], here.board)


def all_in(player, hand, cards, board=None):
    if len(hand.seats_in) == 1:
        return hand.payoffs()[player]
    return hand.pot * share(player, cards, hand.board if board is None else board) - hand.committed[player]


@cache
def share(player, cards, board):
    left = board or [card for card in CARDS if card not in cards]
    first = np.mean([0.5 + ahead(*cards, public) / 2 for public in left])
    return first if player == 0 else 1 - first


def histories(tables, deals=DEALS):
    """Of every hand: its probability in a deal, pvat's history of it, and ours with its policies."""
    for cards in deals:
        for chance, hand, policies in lines(cards, tables):
            names = [act.action.name for act in hand.acts]
            dealt = len(hand.rounds[0])
            public = [cards[2]] if hand.street == 1 else []
            yield chance, (cards[:2], *names[:dealt], *public, *names[dealt:]), hand, policies


def won_by(player, over):
    return hand_of(over).payoffs()[player]


@pytest.mark.parametrize("name", ["random", "equilibrium"])
def test_the_advantage_sum_of_every_hand_of_leduc_is_ours(name):
    """Over chance and both players, with the value function of ``control`` at its nodes."""
    tables = STRATEGIES[name]
    estimator = pvat.DIVAT(
        partial(won_by, 0),
        actions_of,
        partial(probability, tables),
        made,
        prefixes,
        player_of,
        {CHANCE, 0, 1},
    )
    compared = 0
    for _, history, hand, policies in histories(tables, DEALS[::7]):
        theirs = estimator(partial(worth, 0), history)
        ours = less_luck(LeducShowdowns(hand), hand, policies)
        assert theirs == pytest.approx(ours[0], abs=1e-12)
        compared += 1
    assert compared > 500


def imagined(player, history):
    """The histories with the same acts and the same cards of the others, the player's own card any."""
    if not history:
        return [history]
    other, public = history[0][1 - player], [step for step in history[1:] if isinstance(step, int)]
    own = [card for card in CARDS if card != other and card not in public]
    return [((card, other) if player == 0 else (other, card), *history[1:]) for card in own]


def reach(tables, history):
    """The probability of all acts: of imagined histories only the player's own differ."""
    product = 1.0
    for number in range(1, len(history) + 1):
        product *= probability(tables, history[:number])
    return product


@pytest.mark.parametrize("name", ["equilibrium", pytest.param("random", marks=pytest.mark.slow)])
def test_aivat_and_ours_have_the_mean_that_enumeration_has(name):
    """Exactly; AIVAT, which averages over the hands that the player could have held as well, is narrower."""
    tables, player, rows = STRATEGIES[name], 0, []
    known = cache(partial(reach, tables))
    estimator = pvat.AIVAT(
        partial(won_by, player),
        partial(imagined, player),
        known,
        actions_of,
        known,
        made,
        prefixes,
        player_of,
        {CHANCE, player},
        partial(imagined, player),
    )
    estimate = cache(partial(estimator, partial(worth, player)))
    for chance, history, hand, policies in histories(tables):
        mine = [
            policy if act.seat == player else None for act, policy in zip(hand.acts, policies, strict=True)
        ]
        ours = less_luck(LeducShowdowns(hand), hand, mine)[player]
        rows.append((chance, hand.payoffs()[player], estimate(history), ours))
    chances, won, theirs, ours = np.array(rows).T
    chances /= len(DEALS)
    true = expected(LEDUC.game, tables)
    for found in (won, theirs, ours):
        assert chances @ found == pytest.approx(true, abs=1e-12)
    plain, narrow, narrower = (chances @ (each - true) ** 2 for each in (won, ours, theirs))
    assert narrower < narrow < plain


# Heads-up limit from the flop on: a history is the hand then, the names of the acts, cards in their places.


class Limit:
    """A hand that has come to the flop, and its functions."""

    def __init__(self, deck, before):
        self.deck, self.before = deck, before
        self.shares = cache(self._share)
        self.hand = cache(self._hand)

    def _hand(self, steps):
        """The hand after these steps; board cards that are not dealt yet are any."""
        board = [*self.deck[4:7], *(step for step in steps if not isinstance(step, str))]
        free = [card for card in range(52) if card not in {*self.deck[:4], *board}]
        state = State(LIMIT, deck=bytes([*self.deck[:4], *board, *free])[:9])
        for name in (*self.before, *(step for step in steps if isinstance(step, str))):
            state.apply(state.named(name))
        return state

    def player(self, steps):
        state, cards = self.hand(steps), 3 + sum(not isinstance(step, str) for step in steps)
        return CHANCE if len(state.board) > cards else state.to_act

    def actions(self, steps):
        if self.player(steps) == CHANCE:
            known = {*self.deck[:7], *(step for step in steps if not isinstance(step, str))}
            return [card for card in range(52) if card not in known]
        return [action.name for action in self.hand(steps).legal_actions()]

    def probability(self, policies, steps):
        *before, last = steps
        return policies[self.hand(tuple(before)).betting][last] if isinstance(last, str) else 1.0

    def worth(self, steps):
        """What position 0 has in all-in equity; see ``control``."""
        *before, last = steps
        if not isinstance(last, str):
            state = self.hand(steps)
            return GROWTH[state.street] * self.all_in(state, state.board)
        here = self.hand(tuple(before))
        after = here.copy()
        after.apply(here.named("fold" if last == "fold" else "call" if here.owed else "check"))
        return self.all_in(after, here.board)

    def all_in(self, state, board):
        if len(state.seats_in) == 1:
            return state.pot * (state.seats_in == (0,)) - state.committed[0]
        return state.pot * self.shares(frozenset(board)) - state.committed[0]

    def _share(self, board):
        """Position 0's share of a pot over all cards to come."""
        if len(board) < 5:
            left = [card for card in range(52) if card not in {*self.deck[:4], *board}]
            return np.mean([self.shares(board | {card}) for card in left])
        one, other = (best([*hole, *board]) for hole in (self.deck[:2], self.deck[2:4]))
        return 0.5 + ((one > other) - (one < other)) / 2


LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")


def drawn(table, rng):
    """A hand played on from the flop by policies that are drawn for each of its decisions."""
    steps, policies = (), {}
    while table.player(steps) is not None:
        actions = table.actions(steps)
        if table.player(steps) == CHANCE:
            steps = (*steps, int(rng.choice(actions)))
            continue
        chances = rng.dirichlet(np.ones(len(actions)))
        policies[table.hand(steps).betting] = dict(zip(actions, chances, strict=True))
        steps = (*steps, str(rng.choice(actions, p=chances)))
    return steps, policies


@pytest.mark.parametrize("before", [("call", "check"), ("raise", "raise", "call")])
def test_the_advantage_sum_of_limit_hands_is_ours(before):
    """From the same flop on the two differ by one number, the luck up to it, however the hand goes on."""
    rng, shown = np.random.default_rng(len(before)), 0
    table, apart = Limit(deal(5, 0, len(before), 9), before), []
    for _ in range(25):
        steps, policies = drawn(table, rng)
        estimator = pvat.DIVAT(
            lambda over: table.hand(over).payoffs()[0],
            table.actions,
            partial(table.probability, policies),
            made,
            prefixes,
            table.player,
            {CHANCE, 0, 1},
        )
        over = table.hand(steps)
        known = [None] * len(before)
        for state in states_of(over, len(before)):
            row = policies[state.betting]
            known.append({state.named(name): chance for name, chance in row.items()})
        ours = control(over, known, seed=1)[0]
        apart.append(ours - estimator(table.worth, steps))
        shown += len(over.board) == 5
    assert np.ptp(apart) < 1e-9
    assert shown > 3


def states_of(over, first):
    """The states before the acts from a number on."""
    state = over.begun()
    for number, act in enumerate(over.acts):
        state.known = over.known
        if number >= first:
            yield state.copy()
        state.apply(act.action)
