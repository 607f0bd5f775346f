"""The coach of the page, without a browser: messages, the review beside the table, what counts nowhere."""

import asyncio
from datetime import date

import pytest

from baycarp.coach.coach import CONFIRMED, Coach
from baycarp.coach.kept import CoachFile
from baycarp.coach.reads import GROUPS
from baycarp.coach.valuation import Judge
from baycarp.errors import BaycarpError, NotationError, TableError
from baycarp.game import Variant
from baycarp.game.action import action_text
from baycarp.web.sitting import Seating, Sitting
from baycarp.web.table import BrowserTable

DAY = date(2026, 11, 27)


def played(hands, aided=()):
    """A session in which the person folds every river and calls everything else."""
    sitting = Sitting(Seating(Variant.load("holdem.limit.3p"), ("rule", "jag"), ("rule", "jag"), seed=3))
    while True:
        if sitting.over:
            if len(sitting.finished) == hands:
                return sitting
            sitting.next_hand(sitting.hand)
        elif sitting.waits:
            if sitting.hand in aided:
                sitting.mark(sitting.hand)
            legal = {each.name: each for each in sitting.observe().legal_actions()}
            street = sitting.observe().street
            name = "check" if "check" in legal else "fold" if street == 3 else "call"
            sitting.act(action_text(legal[name]), sitting.hand, len(sitting.observe().acts))
        else:
            sitting.step()


def coached(path, sitting):
    return Coach(BrowserTable(sitting), path, Judge(playouts=40), day=lambda: DAY)


async def finished(coach, scope="session"):
    await coach.answer({"type": "review", "scope": scope})
    with pytest.raises(TableError, match="in work"):
        await coach.answer({"type": "review"})
    while coach.greeting()["working"]:
        await asyncio.sleep(0.05)
    assert coach.greeting()["note"] == ""
    return await coach.answer({"type": "reviewed"})


def test_a_session_is_kept_reviewed_drilled_exported_and_deleted(tmp_path):
    path, sitting = tmp_path / "coach.journal", played(14, aided={2, 5})

    async def use():
        coach = coached(path, sitting)
        running = asyncio.create_task(coach.run())
        await asyncio.sleep(0)
        assert coach.greeting()["hands"] == 14
        found = await finished(coach)
        drill = await coach.answer({"type": "drill"})
        spot = next(each for each in drill["spots"] if not all(one["right"] for one in each["answers"]))
        wrong = next(one["action"] for one in spot["answers"] if not one["right"])
        right = next(one["action"] for one in spot["answers"] if one["right"])
        first = await coach.answer({"type": "answer", "key": spot["key"], "action": wrong})
        second = await coach.answer({"type": "answer", "key": spot["key"], "action": right, "first": 0})
        third = await coach.answer({"type": "answer", "key": spot["key"], "action": right})
        read = next(each for each in drill["spots"] if each["read"])
        belief = await coach.answer({"type": "read", "key": read["key"], "levels": [1] * len(GROUPS)})
        text = (await coach.answer({"type": "export"}))["text"]
        with pytest.raises(NotationError, match=CONFIRMED):
            await coach.answer({"type": "delete", "confirm": "yes"})
        kept = coach.greeting()["kept"]
        await coach.answer({"type": "delete", "confirm": CONFIRMED})
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return found, drill, (first, second, third), belief, text, kept

    found, drill, answers, belief, text, kept = asyncio.run(use())
    assert (found["hands"], kept) == (12, 14)
    hands = {int(each["key"].split("/")[1]) for each in drill["spots"]}
    assert hands
    assert not hands & {2, 5}
    assert all(each["links"]["replay"].startswith("#hands/") for each in drill["spots"])
    assert [(each["right"], each["box"]["box"]) for each in answers] == [(False, 1), (True, 1), (True, 2)]
    assert answers[-1]["box"]["due"] == "2026-11-28"
    assert belief["score"] in (None, pytest.approx(0, abs=1e-4))
    assert sum(belief["chances"]) == pytest.approx(1, abs=1e-4)
    assert "grid" not in str(drill)
    assert text.count('"unit": ["hand"') == 14
    again = CoachFile(path)
    assert (again.hands, again.values, again.boxes) == ({}, {}, {})
    again.close()


def test_a_second_table_keeps_nothing_and_says_so(tmp_path):
    first, second = (coached(tmp_path / "coach.journal", played(1)) for _ in range(2))
    assert first.greeting()["note"] == ""
    assert "in use" in second.greeting()["note"]
    asyncio.run(first.answer({"type": "delete", "confirm": CONFIRMED}))
    first._file.close()


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": 1},
        {"type": "program(...)"},
        {"type": "review", "scope": "../"},
        {"type": "reviewed"},
        {"type": "drill"},
        {"type": "answer"},
        {"type": "answer", "key": "x", "action": "fold"},
        {"type": "read", "key": "x.py:C", "levels": [1]},
        {"type": "delete"},
        {"type": "delete", "confirm": ["delete my sessions"]},
        {"type": "review"},
    ],
)
def test_a_message_that_does_not_fit_is_refused(message):
    coach = coached(None, Sitting(Seating(Variant.load("holdem.limit.3p"), ("a", "b"), ("call", "call"))))
    with pytest.raises(BaycarpError):
        asyncio.run(coach.answer(message))
