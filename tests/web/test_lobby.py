"""New sessions from the page: names of the server's lists alone, each in a folder of its own."""

import asyncio
import json

import pytest

pytest.importorskip("starlette")

from baycarp.agents.registry import load_for
from baycarp.arena.journal import Journal
from baycarp.errors import IllegalAction, NotationError, TableError
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.opponents.known import KnownPlayer
from baycarp.web.lobby import GAMES, OPPONENTS, Lobby, file_of
from baycarp.web.server import _answer
from baycarp.web.sitting import PERSON, Seating, Sitting
from baycarp.web.table import BrowserTable

SIT = {"type": "sit", "game": "limit", "players": ["rule", "caller"], "adviser": ""}
LINES = ["STATE:0:rc/crf:AhKd|7c2h/Qs7d2c:-20|20:Ann|Bob", "STATE:1:rf:2c7d|AhKd:-10|10:Ann|Bob"]


def bill():
    game = Variant.load("holdem.limit.2p.reverse_blinds")
    return KnownPlayer.of([parse_state(line, game) for line in LINES], "Bob")


@pytest.fixture
def table(tmp_path):
    def opened(seating, players):
        folder = tmp_path / f"played-{len([*tmp_path.iterdir()])}"
        folder.mkdir()
        for player in players:
            player.save(folder / file_of(player))
        return Sitting(seating, Journal(folder / "play.journal", seating.header()))

    first = Seating(Variant.load("holdem.limit.3p"), ("a", "b"), ("rule", "call"), "rule", seed=5)
    lobby = Lobby(opened, "rule", {"mine": "formula(tightness=0.4)"}, {"Bob": bill})
    table = BrowserTable(opened(first, []), pace=0, lobby=lobby)
    yield table
    table.close()


def play_on(table, hands=1):
    """Check or call until so many hands are finished."""
    while len(table.sitting.finished) < hands:
        sitting = table.sitting
        if sitting.over:
            sitting.next_hand(sitting.hand)
        elif sitting.waits:
            sitting.act(sitting.stay, sitting.hand, len(sitting.observe().acts))
        else:
            sitting.step()


def test_a_session_is_begun_beside_the_one_before(table, tmp_path):
    play_on(table)
    asyncio.run(table.answer(SIT | {"players": ["rule", "rule", "mine", PERSON.lower()][:3]}))
    assert table.sitting.seating.names == ("rule", "rule-2", "mine")
    assert table.sitting.seating.variant.name == "holdem.limit.4p"
    assert table.sitting.seating.specs[2] == "formula(tightness=0.4)"
    play_on(table)
    first = [table.sitting.seating.seed, table.sitting.finished[0].line()]
    asyncio.run(table.answer(SIT))
    play_on(table)
    assert table.sitting.seating.seed != first[0]  # other cards, of a folder of its own
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["played-0", "played-1", "played-2"]
    assert table.greeting()["session"] == 2


def test_a_bot_plays_like_a_player_of_the_hands_that_the_command_named(table):
    asyncio.run(table.answer(SIT | {"players": ["Bob"]}))
    (spec,) = table.sitting.seating.specs
    assert spec.startswith("alike(model='Bob-")
    assert (table.sitting.folder / spec.split("'")[1]).is_file()
    play_on(table)


HOSTILE = (
    *("program(command='touch evil')", "x.py:C", "os:system", "../", "../../etc/passwd", "./mine", "karma()"),
    *(
        "formula(tightness=0.4)",
        "baycarp(memory='x')",
        "alike(model='Bob.npz')",
        "",
        "KARMA",
        "nobody",
        PERSON,
    ),
)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("field", ["players", "game", "adviser"])
def test_what_is_not_a_name_of_the_lists_is_refused(table, tmp_path, monkeypatch, field, name):
    if field == "adviser" and not name:
        pytest.skip("no adviser is a choice")
    monkeypatch.chdir(tmp_path)
    before, files = table.sitting, sorted(tmp_path.rglob("*"))
    answers = []
    message = SIT | {field: [name, "rule"] if field == "players" else name}
    assert asyncio.run(_answer(table, {"text": json.dumps(message)}, answers.append))  # it counts as a fault
    assert answers[0]["error"] == "NotationError"
    assert "name of the list" in answers[0]["reason"]
    assert table.sitting is before
    assert sorted(tmp_path.rglob("*")) == files


@pytest.mark.parametrize("players", [[], ["rule"] * 9, "rule", None, [1], [None], [["rule"]], {"a": 1}])
def test_players_are_one_to_eight_names(table, players):
    with pytest.raises(NotationError):
        asyncio.run(table.answer(SIT | {"players": players}))


def test_a_player_of_another_game_is_refused_and_the_session_goes_on(table):
    before = table.sitting
    with pytest.raises(TableError, match="cannot play"):
        asyncio.run(table.answer(SIT | {"game": "no-limit"}))
    assert table.sitting is before
    play_on(table)


def test_a_table_without_a_lobby_begins_none(table):
    table.lobby = None
    for kind in ("lobby", "sit"):
        with pytest.raises(TableError):
            asyncio.run(table.answer(SIT | {"type": kind}))


def test_the_lists_have_no_specification(table):
    found = asyncio.run(table.answer({"type": "lobby"}))
    text = json.dumps({name: value for name, value in found.items() if name != "players"})
    assert "(" not in text
    shown = {each["name"]: each for each in found["players"]}
    assert not [name for name, each in shown.items() if "(" in each["words"] and name != "mine"]
    assert [each["name"] for each in found["known"]] == ["Bob"]
    assert found["adviser"] == "rule"


def test_every_player_of_the_lists_sits_down_where_it_is_offered():
    for player in OPPONENTS:
        for game in GAMES:
            for seats in (2, 3, 9):
                if game.betting in player.bettings and seats <= player.most:
                    load_for(game.variant(seats), player.spec)
                elif player.name != "baycarp":
                    with pytest.raises(TableError):
                        load_for(game.variant(seats), player.spec)


def moments(table, seconds=0.3, watched=True):
    """Let the table run for a moment, with or without a connection; the messages that were sent."""
    sent = []

    async def running():
        table._changed = asyncio.Event()  # each run has a loop of its own
        if watched:
            table.listeners.add(sent.append)
        task = asyncio.create_task(table.run())
        await asyncio.sleep(seconds)
        task.cancel()
        table.listeners.clear()

    asyncio.run(running())
    return sent


def settings(**given):
    return {"type": "settings", "goesOn": 0, "skips": 0, "clock": 0, **given}


def wait_until(table, wanted, watched=True):
    for _ in range(200):
        if wanted():
            return
        moments(table, 0.05, watched)
    raise AssertionError("nothing happened")


def test_a_choice_made_ahead_is_played_at_its_turn_alone(table):
    while table.sitting.waits:  # the agents are to act next
        sitting = table.sitting
        if sitting.over:
            sitting.next_hand(sitting.hand)
        else:
            sitting.take(sitting.stay, sitting.hand, len(sitting.observe().acts))
    sitting = table.sitting
    hand, at = sitting.hand, len(sitting.observe().acts)
    choice = {"type": "ahead", "choice": "check/fold", "hand": hand, "at": at}
    for wrong in ({"at": at + 1}, {"at": at - 1}, {"hand": hand + 1}):
        with pytest.raises(IllegalAction, match="the table is at"):
            asyncio.run(table.answer(choice | wrong))
    with pytest.raises(NotationError, match="choice"):
        asyncio.run(table.answer(choice | {"choice": "raise"}))
    asyncio.run(table.answer(choice))
    assert table.greeting()["ahead"] == "check/fold"  # a new connection has it too
    asyncio.run(table.answer(choice | {"choice": ""}))
    assert table.greeting()["ahead"] == ""
    asyncio.run(table.answer(choice))
    acts = lambda: [act for act in sitting.observe().acts[at:] if act.seat == sitting.seat]  # noqa: E731
    wait_until(table, lambda: acts() or sitting.over)
    assert [str(act.action) in ("check", "fold") for act in acts()[:1]] == [True]
    assert table._ahead is None
    now = {"hand": sitting.hand, "at": len(sitting.observe().acts)}
    with pytest.raises(IllegalAction):  # it is the person's turn, or the hand is over, or folded
        asyncio.run(table.answer({"type": "ahead", "choice": "check", **now}))


def test_the_clock_ends_a_turn_only_while_somebody_is_there(table):
    wait_until(table, lambda: table.sitting.waits)
    asyncio.run(table.answer(settings(clock=1)))
    at = len(table.sitting.observe().acts)
    moments(table, 1.6, watched=False)
    assert len(table.sitting.observe().acts) == at
    sent = moments(table, 0.4)
    assert len(table.sitting.observe().acts) == at
    table.paused = True
    moments(table, 1.2)
    assert len(table.sitting.observe().acts) == at
    table.paused = False
    wait_until(table, lambda: len(table.sitting.observe().acts) > at)
    action = str(table.sitting.observe().acts[at].action)
    assert action in ("check", "fold")
    assert not [each for each in sent if each["type"] == "error"]


def test_after_a_fold_the_rest_is_skipped_and_the_next_hand_begins_by_itself(table, monkeypatch):
    monkeypatch.setattr("baycarp.web.table.SHOWN", 0.0)
    table.pace = 30
    while not (table.sitting.waits and table.sitting.stay.startswith("call")):
        play_on(table, len(table.sitting.finished) + 1) if table.sitting.over else table.sitting.step()
        if table.sitting.over:
            table.sitting.next_hand(table.sitting.hand)
    hand = table.sitting.hand
    with pytest.raises(IllegalAction, match="after your fold"):
        asyncio.run(table.answer({"type": "skip", "hand": hand}))
    table.sitting.act("fold", hand, len(table.sitting.observe().acts))
    asyncio.run(table.answer({"type": "skip", "hand": hand}))
    wait_until(table, lambda: table.sitting.over)
    assert table.sitting.hand == hand
    table.pace = 0
    moments(table)
    assert table.sitting.hand == hand
    asyncio.run(table.answer(settings(goesOn=1)))
    moments(table, watched=False)
    assert table.sitting.hand == hand  # nobody is there
    wait_until(table, lambda: table.sitting.hand > hand)


def test_a_summary_has_the_results_and_the_biggest_pots(table):
    play_on(table, 12)
    found = asyncio.run(table.answer({"type": "summary"}))
    pots = [each.state.pot for each in table.sitting.finished]
    assert [each["pot"] for each in found["biggest"]] == sorted(pots, reverse=True)[:5]
    assert all(pots[each["hand"]] == each["pot"] for each in found["biggest"])
    assert found["chips"] == sum(each.chips for each in table.sitting.finished)
    json.dumps(found)
