"""Answers: the text of every legal action, and the action of every other text."""

import random

import pytest
from reference.games import random_action

from baycarp.arena.acpc.answer import format_answer, read_answer
from baycarp.game.action import Action
from baycarp.game.notation.acpc import parse_matchstate
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
DEEP = Variant.load("holdem.nolimit.2p.reverse_blinds")
SIX = Variant.load("holdem.nolimit.6p")


@pytest.mark.parametrize("game", [LIMIT, DEEP, SIX, Variant.load("holdem.limit.10p")], ids=lambda g: g.name)
def test_every_answer_is_read_as_its_action_and_extends_the_betting(game):
    """The state's betting with the answer behind it is the betting of the state after the action."""
    rng = random.Random(4)
    for hand in range(12):
        state = State(game, deck=deal(4, 0, hand, 2 * game.seats + 5))
        while (seat := state.to_act) is not None:
            _, least, most, _ = state.bounds()
            action = random_action(rng, state.legal_actions(), least, most)
            line = format_answer(state.observe(seat, hand=hand), action)
            asked, text = line.rsplit(":", 1)
            assert parse_matchstate(asked, game) == state.observe(seat, hand=hand)
            assert read_answer(state, text) == (action, False)
            betting = state.betting
            state.apply(action)
            assert state.betting.rstrip("/") == betting + text


def after(game, *actions):
    state = State(game)
    for action in actions:
        state.apply(action if isinstance(action, Action) else state.named(action))
    return state


CHECK, CALL, FOLD = Action("check"), Action("call", 50), Action("fold")
OPEN = after(DEEP)  # the button owes 50
FREE = after(DEEP, "call")  # the big blind may check
FLOP = after(DEEP, Action("raise", 300), "call")
SHOVED = after(DEEP, Action("raise", 20_000))
CAPPED = after(LIMIT, "raise", "raise", "raise")

MENDED = [
    (OPEN, "f", FOLD, False),
    (OPEN, "c", CALL, False),
    (OPEN, "c\t", CALL, False),
    (OPEN, "r200", Action("raise", 200), False),
    (OPEN, "r199", Action("raise", 200), True),
    (OPEN, "r0", Action("raise", 200), True),
    (OPEN, "r20000", Action("raise", 20_000), False),
    (OPEN, "r20001", Action("raise", 20_000), True),
    (OPEN, "r" + "9" * 4000, Action("raise", 20_000), True),
    (OPEN, "r", CALL, True),
    (OPEN, "r-200", Action("raise", 200), True),
    (OPEN, "r+300", Action("raise", 300), True),
    (OPEN, "r 300", Action("raise", 300), True),
    (OPEN, "r300x", Action("raise", 300), True),
    (OPEN, "R300", Action("raise", 300), True),
    (OPEN, "b300", Action("raise", 300), True),
    (OPEN, "r2e3", Action("raise", 200), True),
    (OPEN, "rr", CALL, True),
    (OPEN, " r300", CALL, True),
    (OPEN, "r٣٠٠", CALL, True),
    (OPEN, "", CALL, True),
    (OPEN, "k", CALL, True),
    (OPEN, "F", FOLD, True),
    (OPEN, "c:c", CALL, True),
    (OPEN, "f7", FOLD, True),
    (FREE, "f", CHECK, True),
    (FREE, "c", CHECK, False),
    (FLOP, "r400", Action("bet", 100), False),
    (FLOP, "r399", Action("bet", 100), True),
    (FLOP, "r100", Action("bet", 100), True),
    (SHOVED, "r20000", Action("call", 19_900), True),
    (SHOVED, "f", FOLD, False),
    (after(LIMIT), "r", Action("raise", 20), False),
    (after(LIMIT), "r20", Action("raise", 20), True),
    (after(LIMIT), "rr", Action("raise", 20), True),
    (after(LIMIT), "r-5", Action("raise", 20), True),
    (after(LIMIT, "call", "check"), "r", Action("bet", 10), False),
    (CAPPED, "r", Action("call", 10), True),
]


@pytest.mark.parametrize(("state", "text", "action", "mended"), MENDED)
def test_other_answers_are_mended_as_by_the_original_dealer(state, text, action, mended):
    """``readAction`` and ``isValidAction`` of project_acpc_server/game.c."""
    assert read_answer(state, text) == (action, mended)
    state.verify(action)
