"""pokerkit as referee of every state of random hands, from the blinds to the payoffs.

Differences of interpretation are listed in ``DIFFERENCES``, detected by a condition and counted; any other
difference is an ``AssertionError``.
"""

from collections import Counter

from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem
from reference.betting import settle
from reference.games import random_action, random_game, random_stacks

from baycarp.card import DECK
from baycarp.game import State, pots
from baycarp.kernels.hands import rank

DIFFERENCES = {
    "short big blind": "Callers owe the whole big blind when its poster could not pay it; to pokerkit they "
    "owe what he posted. The hands part here, so the comparison ends.",
    "idle check": "Before the flop pokerkit asks the last player with chips to check when all others are "
    "all-in for no more than he has put in; we run the board out.",
    "short opening bet": "An all-in opening of less than the least bet is a full bet to pokerkit: players "
    "who have checked or limped may raise again. To us it is short.",
    "half a limit raise": "In fixed limit half a raise reopens the betting (TDA rule), to pokerkit a whole.",
    "short raises add up": "A player who faces a full raise, made of several short ones, may raise (TDA "
    "rule); pokerkit starts to count afresh whenever they have made up one.",
    "odd chips": "We split each side pot by itself, the chips over one each (TDA rule); pokerkit gives all "
    "chips over to one player, and first merges the pots that differ only by players whose beaten hands it "
    "has mucked.",
}

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def referee(game, stacks):
    """The same game in pokerkit, which swaps blinds and antes heads-up."""
    order = -1 if game.seats == 2 else 1
    trim = len(set(game.antes)) == 1
    given = (AUTOMATIONS, trim, game.antes[::order], game.blinds[::order])
    if game.betting == "limit":
        return FixedLimitTexasHoldem.create_state(*given, game.small_bet, game.big_bet, stacks, game.seats)
    return NoLimitTexasHoldem.create_state(*given, game.big_blind, stacks, game.seats)


def catch_up(state, other, deck, observation):
    """Give pokerkit the next cards, and the check without alternatives."""
    seats = state.variant.seats
    board = iter(deck[2 * seats :][len(list(other.get_board_cards(0))) :])
    while True:
        if other.can_deal_hole():
            seat = other.hole_dealee_index
            other.deal_hole(DECK[deck[2 * seat]] + DECK[deck[2 * seat + 1]])
        elif other.can_burn_card():
            other.burn_card("??")
        elif other.can_deal_board():
            other.deal_board("".join(DECK[next(board)] for _ in range(other.board_dealing_count)))
        elif other.actor_index is not None and other.actor_index != state.to_act:
            assert not other.can_fold()
            assert not other.can_complete_bet_or_raise_to()
            assert other.check_or_call().amount == 0
            observation["idle check"] += 1
        else:
            return


def parted(game, state, other):
    """The difference that ends a comparison, or None."""
    nominal = game.big_blind
    if state.street == 0 and not state.acts and max(other.bets, default=0) < nominal:
        return "short big blind"
    return None


def compare(game, state, other, observation):
    assert state.stacks == tuple(other.stacks)
    assert state.pot == other.total_pot_amount
    assert state.seats_in == tuple(i for i, status in enumerate(other.statuses) if status)
    assert state.to_act == other.actor_index
    assert state.street == other.street_index
    assert state.bets == tuple(other.bets)
    assert state.owed == other.checking_or_calling_amount
    legal = state.legal_actions()
    assert (legal[0].name == "fold") == other.can_fold()
    _, least, most, _ = state.bounds()
    theirs = (
        other.min_completion_betting_or_raising_to_amount or 0,
        other.max_completion_betting_or_raising_to_amount or 0,
    )
    if (least, most) == theirs:
        return legal
    least_bet = game.raise_sizes[state.street] if game.betting == "limit" else game.big_blind
    largest = other.completion_betting_or_raising_amount
    acted = any(act.seat == state.to_act and act.street == state.street for act in state.acts)
    faced = max(state.bets) - state.bets[state.to_act]
    assert acted
    if not least:
        assert largest < least_bet
        observation["short opening bet"] += 1
        return legal
    assert not theirs[0]
    if faced >= largest:
        assert 0 < sum(other.consecutive_short_all_in_amounts) < largest
        observation["short raises add up"] += 1
    else:
        assert game.betting == "limit"
        assert faced >= least_bet / 2
        observation["half a limit raise"] += 1
    return tuple(action for action in legal if action.name not in ("bet", "raise"))


def merged_payoffs(state, alive):
    """Payoffs if pots with the same contenders are merged, and all chips over go to one player."""
    merged = Counter()
    for pot in pots(state):
        matched = len(pot.contenders) > 1
        merged[tuple(i for i in pot.contenders if alive[i] or not matched)] += pot.chips
    ranks = [int(rank(hole + state.board)) for hole in state.holes]
    return settle(state.committed, [(chips, position) for position, chips in merged.items()], ranks, "first")


def play(rng, game, stacks, observation, deck=None):
    """Play a random hand, of a random deck; its end, or None where the comparison ended before."""
    deck = deck or rng.sample(range(52), 2 * game.seats + 5)
    state, other = State(game, stacks, deck), referee(game, stacks)
    catch_up(state, other, deck, observation)
    if reason := parted(game, state, other):
        observation[reason] += 1
        return None
    while not state.is_over:
        legal = compare(game, state, other, observation)
        _, least, most, _ = state.bounds()
        action = random_action(rng, legal, least, most)
        state.apply(action)
        if action.name == "fold":
            other.fold()
        elif action.name in ("check", "call"):
            other.check_or_call()
        else:
            other.complete_bet_or_raise_to(action.amount)
        catch_up(state, other, deck, observation)
    assert not other.status
    ours, theirs = state.payoffs(), tuple(other.payoffs)
    if ours != theirs:
        assert merged_payoffs(state, other.statuses) == theirs
        observation["odd chips"] += 1
    return state


def referee_hand(rng, observation):
    """Play a random hand of a random game also in pokerkit; differences are counted in ``observation``."""
    game = random_game(rng, caps=(4, 4, 4, 4))
    if game.betting == "no-limit":
        game = random_game(rng, betting="no-limit", caps=(None,) * 4)
    play(rng, game, random_stacks(rng, game), observation)
