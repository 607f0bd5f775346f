"""Arguments out of their range: a typed error of the package, from every function of the game."""

import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from baycarp.errors import ArgumentError, BaycarpError, CardError, IllegalAction, NotationError, VariantError
from baycarp.game import Action, State, Variant
from baycarp.game.action import action_from_text
from baycarp.game.notation import Hand, acpc, phh, replay
from baycarp.kernels.game import CALL, RAISE, deal, random_hands

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
OUTSIDE = (-1, 2**41, 2**63, 2**64, -(2**70), 2**200)


def over():
    state = State(LIMIT, deck=range(9))
    state.apply(state.named("call"))
    while not state.is_over:
        state.apply(state.named("check"))
    return state


@pytest.mark.parametrize("number", OUTSIDE)
def test_numbers_outside_their_range_are_refused_by_type(number):
    state = State(LIMIT, deck=range(9))
    for call in (
        lambda: state.hole_of(number),
        lambda: state.seen_by(number - (number == -1)),
        lambda: state.observe(number - (number == -1)),
        lambda: state.act(number, 0),
        lambda: state.act(RAISE, number),
        lambda: state.apply(Action("raise", number)),
    ):
        with pytest.raises(IllegalAction):
            call()
    for call in (
        lambda: over().payoffs((number, 0)),
        lambda: over().payoffs((0,)),
        lambda: deal(1, 0, 0, number),
        lambda: state.deal({number: (1, 2)}),
        lambda: state.deal(board=(number, 1, 2)),
        lambda: State(LIMIT, deck=(number,) * 9),
    ):
        with pytest.raises(CardError):
            call()
    for call in (
        lambda: State(LIMIT, (number, 10)),
        lambda: Variant.ring(number),
        lambda: replace(LIMIT, seats=number),
        lambda: replace(LIMIT, blinds=(number, 5)),
        lambda: replace(LIMIT, max_raises=(number,) * 4),
    ):
        with pytest.raises(VariantError):
            call()
    assert state == State(LIMIT, deck=range(9))


def test_numbers_that_are_not_whole_make_no_game():
    for blinds in ((1.5, 1), (None, 1), ("2", 1), (float("nan"), 1)):
        with pytest.raises(VariantError, match="blinds"):
            replace(LIMIT, blinds=blinds)


@pytest.mark.parametrize("number", [-1, 2**64, 2**200, 10**5000], ids=["-1", "2**64", "2**200", "10**5000"])
def test_seeds_and_numbers_of_hands_have_a_range(number):
    for numbers in ((number, 0, 0), (0, number, 0), (0, 0, number)):
        with pytest.raises(CardError, match=r"expected three numbers from 0 to 2\*\*64 - 1"):
            deal(*numbers, 9)
    with pytest.raises(ArgumentError, match="seed"):
        random_hands(LIMIT, 1, number)
    with pytest.raises(ArgumentError, match="hands"):
        random_hands(LIMIT, number, 1)
    assert deal(2**64 - 1, 0, 2**64 - 1, 0) == b""


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "", "/", "/dev/null"])
def test_what_is_no_file_is_no_game(name):
    with pytest.raises(VariantError, match=r"^game "):
        Variant.load(name)


def test_a_game_file_is_read_up_to_its_greatest_length(tmp_path):
    path = tmp_path / "long.game"
    with path.open("w") as file:
        file.truncate(1 << 32)  # four gigabytes, none of them on the disk
    with pytest.raises(VariantError, match="expected at most 65536"):
        Variant.load(path)


@pytest.mark.parametrize("text", ["bet " + "9" * 5000, "raise 1e5", "call ²", "fold -1", "raise "])
def test_an_action_in_words_has_at_most_18_digits(text):
    with pytest.raises(NotationError, match="expected one like"):
        action_from_text(text)


@pytest.mark.parametrize("cards", [(52, 1), (-1, 1), (2**70, 1), (3, 3)])
def test_a_record_of_cards_that_do_not_exist_is_not_replayed(cards):
    with pytest.raises(NotationError, match=r"unknown card|card dealt twice"):
        replay(replace(Hand.of(over()), holes=(cards, ())))
    with pytest.raises(NotationError, match=r"unknown card|card dealt twice"):
        replay(replace(Hand.of(over()), board=(*cards, 5)))


@pytest.mark.parametrize("payoffs", [(1,), (1, -1, 0), (float("nan"), 1), (float("inf"), 1)])
def test_payoffs_that_are_none_are_not_written(payoffs):
    with pytest.raises(NotationError, match="payoffs"):
        acpc.format_state(replace(Hand.of(over()), payoffs=payoffs))


def test_a_record_with_actions_after_its_end_is_not_written():
    with pytest.raises(BaycarpError, match="action after the end"):
        phh.format_phh(replace(Hand.of(over()), stacks=(3, 3)))


def test_act_takes_what_is_legal():
    state = State(LIMIT)
    assert state.act(CALL, 0) == (1, 0, 5, 5, 1, 15)


INTERRUPTED = """
import signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore it
from baycarp.game import Variant
from baycarp.kernels.game import random_hands
variant = Variant.ring(10)
clock = time.pthread_getcpuclockid(threading.get_ident())
begin = time.clock_gettime(clock)

def report():
    while time.clock_gettime(clock) < begin + 0.2:  # the main thread is inside random_hands
        time.sleep(0.01)
    print("begun", flush=True)

threading.Thread(target=report).start()
try:
    random_hands(variant, 10**12, 1)
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of another thread")
def test_ctrl_c_ends_random_hands():
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline() == "begun\n"
            child.send_signal(signal.SIGINT)
            assert child.wait(60) == 7
        finally:
            child.kill()


def test_numbers_of_any_length_are_refused_by_type():
    game = Variant.ring(3, 2, betting="no-limit", stacks=(200,) * 3)
    for call in (
        lambda: Variant.ring(10**5000),
        lambda: replace(game, stacks=(10**5000,) * 3),
        lambda: replace(game, least_bet=10**5000),
        lambda: State(game, range(10**12)),
        lambda: State(game, deck=range(10**12)),
        lambda: State(game).apply(Action("raise", 10**5000)),
    ):
        with pytest.raises(BaycarpError):
            call()
    with pytest.raises(TypeError, match="expected a name or a path"):
        Variant.load(10**5000)
