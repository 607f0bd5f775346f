import random
from dataclasses import replace

import numpy as np
import pytest
from reference.betting import Hand
from reference.games import game_of_people, random_action, random_game, random_stacks

from baycarp.errors import CardError, IllegalAction, VariantError
from baycarp.game import Action, State, Variant, pots
from baycarp.kit.games import game_file

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
RING = Variant.load("holdem.limit.8p")
NO_LIMIT = Variant.load("holdem.nolimit.3p")


def play(state, words):
    for word in words.split():
        name, _, amount = word.partition(":")
        state.apply(Action(name, int(amount)) if amount else state.named(name))
    return state


def no_limit(*stacks, blinds=None, antes=None):
    seats = len(stacks)
    blinds = blinds or ((100, 50) if seats == 2 else (50, 100) + (0,) * (seats - 2))
    first = (1 if seats == 2 else 2 % seats, 0, 0, 0)
    antes = antes or (0,) * seats
    return State(Variant("test", "no-limit", seats, blinds, antes, stacks, (), (None,) * 4, first))


def compare(state, slow):
    assert state.to_act == slow.to_act
    assert state.is_over == slow.over
    assert state.street == slow.street
    assert state.stacks == tuple(slow.stacks)
    assert state.bets == tuple(slow.bets)
    assert state.committed == tuple(t + a for t, a in zip(slow.total, slow.antes, strict=True))
    assert state.pot == sum(state.committed)
    assert state.bets_made == slow.raises + (slow.street == 0)
    assert state.seats_in == tuple(slow.players_in())
    assert state.all_in == tuple(seat for seat in slow.players_in() if not slow.stacks[seat])
    assert [[pot.chips, pot.contenders] for pot in pots(state)] == slow.pots()
    if slow.over:
        assert state.legal_actions() == ()
        assert state.owed == 0
        return
    owed, (least, most) = slow.owed(slow.to_act), slow.bounds()
    name = "raise" if state.bets_made else "bet"
    expected = [Action("fold"), Action("call", owed)] if owed else [Action("check")]
    expected += [Action(name, amount) for amount in sorted({least, most} - {0})]
    assert state.legal_actions() == tuple(expected)
    assert state.owed == owed
    for amount in {1, least - 1, least, least + 1, most - 1, most, most + 1}:
        assert state.can(Action(name, amount)) == (0 < least <= amount <= most)


def random_hands(seed, hands):
    rng = random.Random(seed)
    for number in range(hands):
        game = (random_game, game_file, game_of_people)[number % 3](rng)
        stacks = game.stacks or random_stacks(rng, game)
        state, slow = State(game, stacks), Hand(game, stacks)
        compare(state, slow)
        while not slow.over:
            action = random_action(rng, state.legal_actions(), *slow.bounds())
            if rng.random() < 0.02:  # also where a check is free
                action = Action("fold")
            state.apply(action)
            slow.act(action.name, action.amount)
            compare(state, slow)
        ranks = tuple(rng.randint(0, 5) for _ in range(game.seats))
        payoffs = state.payoffs(ranks)
        assert payoffs == slow.payoffs(ranks)
        assert sum(payoffs) == 0
        assert all(-paid <= net for paid, net in zip(state.committed, payoffs, strict=True))


def test_every_state_of_random_hands_is_as_the_slow_reference_has_it():
    random_hands(seed=1, hands=1500)


@pytest.mark.slow
def test_every_state_of_many_random_hands_is_as_the_slow_reference_has_it():
    random_hands(seed=2, hands=40_000)


def test_an_act_records_the_state_before_it():
    state = play(State(RING), "raise call fold fold fold fold fold")
    act = play(state, "raise").acts[-1]
    assert (act.seat, act.street, act.action) == (1, 0, Action("raise", 30))
    assert (act.owed, act.paid, act.bets, act.pot) == (10, 20, 2, 5 + 10 + 20 + 20)


def test_big_blind_has_the_option_in_limit():
    state = play(State(RING), "call " * 7)
    assert state.to_act == 1
    assert state.legal_actions() == (Action("check"), Action("raise", 20))


def test_heads_up_the_button_acts_first_before_the_flop_and_last_after():
    state = State(LIMIT)
    assert state.to_act == 1
    assert play(state, "call check").to_act == 0


def test_limit_betting_is_capped():
    state = play(State(LIMIT), "raise raise raise")
    assert state.bets_made == 4
    assert [action.name for action in state.legal_actions()] == ["fold", "call"]
    state = play(state, "call bet raise raise raise")
    assert [action.name for action in state.legal_actions()] == ["fold", "call"]


def test_no_limit_raises_by_at_least_the_largest_raise_of_the_street():
    state = play(no_limit(1000, 1000, 1000), "raise:300 call")
    assert state.legal_actions()[2:] == (Action("raise", 500), Action("raise", 1000))


def test_short_all_in_raises_do_not_reopen_until_they_add_up():
    state = play(no_limit(5000, 5000, 1000, 350, 410), "raise:300 raise:350 call call call")
    assert [action.name for action in state.legal_actions()] == ["fold", "call"]  # he faces 50, not 200
    state = play(no_limit(5000, 500, 5000, 350, 5000), "raise:300 raise:350 call fold raise:500")
    assert state.to_act == 2
    assert state.legal_actions()[2] == Action("raise", 700)  # 50 + 150 = a full raise of 200
    assert [action.name for action in play(state, "call").legal_actions()] == ["fold", "call"]


def test_short_all_in_of_half_a_bet_reopens_limit():
    for stack, open_ in ((14, False), (15, True)):
        state = play(State(Variant.ring(3, 10), (stack, 200, 200)), "call raise")
        assert state.can(Action("raise", stack + 10))  # the big blind has not acted yet
        play(state, "call")
        assert state.can(Action("raise", stack + 10)) is open_


def test_short_big_blind_is_called_in_full():
    state = no_limit(1000, 30, 1000, 1000)
    assert state.bets == (50, 30, 0, 0)
    assert state.legal_actions()[:3] == (Action("fold"), Action("call", 100), Action("raise", 200))
    assert no_limit(60, 1000).is_over is False
    assert no_limit(30, 1000).is_over  # heads-up the small blind already covers it


def test_uncalled_chips_come_back():
    state = play(no_limit(300, 1000), "raise:1000 call")
    assert state.is_over
    assert state.street == 3
    assert state.payoffs((1, 2)) == (-300, 300)
    state = play(no_limit(1000, 1000), "raise:400 raise:1000 fold")
    assert state.payoffs() == (400, -400)


def test_side_pots():
    state = play(no_limit(100, 400, 200), "raise:200 call call")
    assert [(pot.chips, pot.contenders) for pot in pots(state)] == [(300, (0, 1, 2)), (200, (1, 2))]
    assert state.payoffs((3, 1, 2)) == (200, -200, 0)
    assert state.payoffs((1, 2, 2)) == (-100, 50, 50)


def test_the_odd_chip_goes_left_of_the_button():
    state = play(no_limit(5, 5, 5, 5, blinds=(1, 2, 0, 0)), "fold raise:5 fold call")
    assert state.pot == 11
    assert state.payoffs((0, 7, 0, 7)) == (-1, 1, 0, 0)


def test_equal_antes_are_matched_unequal_ones_are_dead():
    equal = play(no_limit(1000, 1000, 4, antes=(10, 10, 10)), "fold")
    assert [(pot.chips, pot.contenders) for pot in pots(equal)] == [(12, (1, 2)), (162, (1,))]
    dead = no_limit(1000, 1000, 1000, antes=(0, 100, 0))
    play(dead, "call call check")
    assert [(pot.chips, pot.contenders) for pot in pots(dead)] == [(400, (0, 1, 2))]


def test_payoffs_rank_the_cards():
    state = State(LIMIT, deck="AhAd KsKd 2c7d9hJsQc")
    play(state, "call check " + "check check " * 3)
    assert state.payoffs() == (10, -10)
    board = State(LIMIT, deck="2h3d 2s3c AcKdQhJsTc")
    assert play(board, "raise call " + "check check " * 3).payoffs() == (0, 0)


def test_the_board_is_shown_street_by_street():
    state = State(LIMIT, deck="AhAd KsKd 2c7d9hJsQc")
    shown = [len(state.board)]
    for words in ("call check", "check check", "check check"):
        shown.append(len(play(state, words).board))
    assert shown == [0, 3, 4, 5]


def test_cards_are_given_later_and_anew():
    state = State(LIMIT)
    assert state.holes == ((), ())
    state.deal(holes={1: "AhKd"})
    state.deal(board="2c7d9h")
    assert state.holes == ((), (50, 45))
    assert play(state, "call check").board == (0, 21, 30)
    state.deal(holes=["KsKh", ""], board=[4, 8, 12, 16])
    assert state.holes == ((47, 46), ())
    assert play(state, "check check").board == (4, 8, 12, 16)
    state.deal(holes={1: "KsKh", 0: ""}, board=[4, 8, 12, 16, 20])
    assert state.holes == ((), (47, 46))


@pytest.mark.parametrize(
    ("holes", "board", "says"),
    [
        ({0: "AhKd", 1: "AhQd"}, None, "duplicate card 'Ah'"),
        ({0: "AhKd"}, "2c7dKd", "duplicate card 'Kd'"),
        ({0: "Ah"}, None, "position 0 .Ah.: expected 0 or 2 cards, got 1"),
        ({2: "AhKd"}, None, "position 2: expected one below 2"),
        ({0: [52, 1]}, None, "card id 52"),
        ({0: np.array([52, 1], np.uint8)}, None, "card id 52"),
        ({0: np.array([255, 1], np.uint8)}, None, "position 0: expected both or none"),
        ({}, "2c3c4c5c6c7c", "board .2c3c4c5c6c7c.: expected 0 or 3 or 4 or 5 cards, got 6"),
        ({}, "2c", "board .2c.: expected 0 or 3 or 4 or 5 cards, got 1"),
        ({}, bytes(2), "board: expected 0 or 3 or 4 or 5 cards, got 2"),
    ],
)
def test_wrong_cards_are_refused_and_nothing_changes(holes, board, says):
    state = State(LIMIT, deck="2h3h4h5h6h7h8h9hTh")
    before = state.copy()
    with pytest.raises(CardError, match=says):
        state.deal(holes, board)
    assert state == before


@pytest.mark.parametrize(
    ("checks", "board", "expected"),
    [
        (1, "", "3 or 4 or 5"),
        (1, "Kh", "3 or 4 or 5"),
        (1, "Kh7h", "3 or 4 or 5"),
        (2, "Kh7h2c", "4 or 5"),
        (3, "Kh7h2c9d", "5"),
    ],
)
@pytest.mark.parametrize("deck", [None, "AhAd KsKd 2c7d9hJsQc"])
def test_a_board_of_an_earlier_street_is_refused_and_nothing_changes(deck, checks, board, expected):
    state = play(State(LIMIT, deck=deck), "call check " + "check check " * (checks - 1))
    before = state.copy()
    with pytest.raises(CardError, match=f"board .{board}.: expected {expected} cards, got {len(board) // 2}"):
        state.deal(board=board)
    assert state == before


@pytest.mark.parametrize("deck", ["AhKd", "AhKdAhQd2c3c4c5c6c", "2h3h4h5h6h7h8h9hThJh"])
def test_a_wrong_deck_is_refused(deck):
    with pytest.raises(CardError):
        State(LIMIT, deck=deck)


@pytest.mark.parametrize(
    ("words", "action", "says"),
    [
        ("", Action("check"), r"cannot check: BTN may fold, call 5, raise to 20"),
        ("", Action("bet", 20), "cannot bet 20: BTN may"),
        ("", Action("raise", 21), "cannot raise to 21"),
        ("", Action("call", 10), "cannot call 10"),
        ("", Action("jump"), "cannot jump"),
        ("fold", Action("fold"), "cannot fold: the hand is over"),
        ("raise raise raise", Action("raise", 50), "BB may fold, call 10$"),
    ],
)
def test_illegal_actions_are_named_with_the_legal_ones(words, action, says):
    state = play(State(LIMIT), words)
    before = state.copy()
    with pytest.raises(IllegalAction, match=says):
        state.apply(action)
    assert not state.can(action)
    assert state == before


def test_a_fold_where_a_check_is_free_is_a_record_but_no_legal_action():
    state = play(State(LIMIT), "call")
    with pytest.raises(IllegalAction, match="cannot fold: BB may check, raise to 20"):
        state.verify(Action("fold"))
    assert state.apply(Action("fold")).owed == 0
    assert (state.is_over, state.payoffs()) == (True, (-10, 10))


def test_a_newcomer_posts_and_acts_in_its_turn():
    """Findings row 2: a live post of 2 by the button; pokerkit's payoffs are -1, -2, 0, 3."""
    game = replace(Variant.ring(4, betting="no-limit"), blinds=(1, 2, 0, 2), name="post")
    state = State(game, (100,) * 4)
    assert (state.to_act, state.pot, state.bets) == (2, 5, (1, 2, 0, 2))
    for action in ("fold", "check"):
        state.apply(state.named(action))
    assert state.to_act == 0


def test_a_straddle_is_matched_and_the_least_bet_stays_the_big_blind():
    """Findings row 3: blinds 1 and 2, straddle 4; -1, -4, 5, 0 by pokerkit."""
    game = replace(Variant.ring(4, betting="no-limit"), blinds=(1, 2, 4, 0), first=(3, 0, 0, 0), least_bet=2)
    state = State(game, (100,) * 4)
    assert (state.to_act, state.owed, state.variant.big_blind) == (3, 4, 2)
    assert state.legal_actions()[2] == Action("raise", 6)
    for action in ("fold", "fold", "call"):
        state.apply(state.named(action))
    assert state.to_act == 2  # the option
    state.apply(state.named("check"))
    assert (state.street, state.legal_actions()[1]) == (1, Action("bet", 2))


def test_a_big_blind_that_nobody_posts_is_still_matched():
    game = replace(Variant.ring(3, betting="no-limit"), blinds=(1, 0, 0), least_bet=2)
    assert State(game, (100,) * 3).owed == 2


def test_a_bomb_pot_begins_on_the_flop():
    game = replace(
        Variant.ring(3, betting="no-limit"),
        blinds=(0, 0, 0),
        antes=(5, 5, 5),
        first=(-1, 0, 0, 0),
        least_bet=2,
    )
    state = State(game, (100,) * 3)
    assert (state.street, state.to_act, state.pot, state.owed) == (1, 0, 15, 0)
    assert State(replace(game, antes=(100,) * 3), (100,) * 3).street == 3


def test_a_pot_limit_raise_is_by_the_pot_after_the_call():
    state = State(Variant.ring(3, betting="pot-limit"), (100,) * 3)
    assert [str(a) for a in state.legal_actions()] == ["fold", "call 2", "raise to 4", "raise to 7"]
    state.apply(Action("raise", 7))
    assert state.legal_actions()[-1] == Action("raise", 23)  # 7 + (1 + 2 + 7 + 6)


def test_a_mucked_hand_loses_unseen():
    state = State(Variant.ring(3), deck="AsAdKsKdQsQd2c2d7h8h9c")
    state.deal({2: ()})
    for _ in range(12):
        state.apply(state.named("call" if state.owed else "check"))
    with pytest.raises(CardError, match="position"):
        state.payoffs()
    state.mucked = (2,)
    assert state.payoffs() == (4, -2, -2)
    assert state.copy() == state
    state.deal({0: (), 1: ()})
    state.mucked = (0, 2)
    assert state.payoffs() == (-2, 4, -2)


def test_no_limit_names_the_bounds():
    state = State(NO_LIMIT)
    with pytest.raises(IllegalAction, match=r"fold, call 100, raise to 200\.\.20000$"):
        state.verify(Action("raise", 199))
    with pytest.raises(IllegalAction, match=r"raise to 250\.5"):
        state.verify(Action("raise", 250.5))
    state.verify(Action("raise", 250))


def test_payoffs_wait_for_the_end_and_for_the_cards():
    with pytest.raises(IllegalAction, match="position 1 is to act"):
        State(LIMIT).payoffs()
    state = play(State(LIMIT), "call check " + "check check " * 3)
    with pytest.raises(CardError, match=r"hole cards of positions \(0, 1\)"):
        state.payoffs()
    assert play(State(LIMIT), "fold").payoffs() == (5, -5)


def test_stacks_are_checked():
    with pytest.raises(VariantError, match="no-limit needs stacks"):
        State(Variant.ring(3, betting="no-limit"))
    with pytest.raises(VariantError, match="expected 2"):
        State(LIMIT, (100, 100, 100))
    with pytest.raises(VariantError, match="stack 0 of position 1"):
        State(LIMIT, (100, 0))
    with pytest.raises(VariantError, match=r"stack 10+ of position 1"):
        State(LIMIT, (100, 10**30))


def test_a_copy_is_independent_and_equal():
    state = play(State(LIMIT, deck="2h3h4h5h6h7h8h9hTh"), "raise")
    other = state.copy()
    assert other == state
    play(other, "call")
    assert other != state
    assert state.acts == other.acts[:1]


def test_text_is_as_acpc_writes_it():
    state = play(State(LIMIT, deck="AhKd QsQc 2c7d9hJs3c"), "raise call bet raise call")
    assert str(state) == "rc/rrc/:AhKd|QsQc/2c7d9h/Js"
    state = play(no_limit(1000, 1000), "raise:300 call check bet:200 raise:700 call")
    assert state.betting == "r300c/cr500r1000c//"
    assert repr(state) == "<State of test: r300c/cr500r1000c//:| (over, pot 2000)>"


@pytest.mark.parametrize("winners", range(2, 10))
def test_the_chips_over_of_a_split_pot_go_one_each_left_of_the_button(winners):
    """The board plays; a small blind of any size is dead."""
    board, cards = "AhKhQhJhTh", [f"{rank}{suit}" for rank in "23456789" for suit in "cds"]
    for dead in range(1, winners + 1):
        blinds = (dead, 20, *(0,) * (winners - 1))
        game = replace(
            Variant.ring(winners + 1, 20, betting="no-limit", stacks=(100,) * (winners + 1)), blinds=blinds
        )
        hand = State(game, deck="".join(cards[: 2 * game.seats]) + board)
        while not hand.is_over:
            legal = {action.name: action for action in hand.legal_actions()}
            hand.apply(legal["fold"] if hand.to_act == 0 else legal.get("check") or legal["call"])
        share, over = divmod(20 * winners + dead, winners)
        assert hand.payoffs() == (-dead, *(share - 20 + (number < over) for number in range(winners)))
