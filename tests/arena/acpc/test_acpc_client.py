"""A client in a match of an external dealer: the agent's events, its answers, and the ends of a match."""

import contextlib
import socket
import threading
from collections import Counter
from dataclasses import replace

import pytest
from reference.acpc_match import Keeps, Seated, names_from

from baycarp.agents.registry import load
from baycarp.arena.acpc.client import Player, play
from baycarp.arena.hand import play_hand
from baycarp.card import text
from baycarp.errors import NotationError, TableError
from baycarp.game.event import Acted, HandOver
from baycarp.game.notation.acpc import format_matchstate
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
DEEP = Variant.load("holdem.nolimit.2p.reverse_blinds")
GAMES = {
    "holdem.limit.2p.reverse_blinds": ("rule", "formula"),
    "holdem.limit.3p": ("formula", "jag", "random"),
    "holdem.nolimit.6p": ("random", "call", "random", "raise", "random", "call"),
}


def lines_of_a_dealer(variant, agents, hands, seat):
    """Play hands in the arena's own loop; the lines that a dealer would send to one seat meanwhile."""
    lines, n = [], variant.seats
    for hand in range(hands):
        order = [(hand + position) % n for position in range(n)]
        position = order.index(seat)
        names = tuple(names_from(0, n)[player] for player in order)
        state = play_hand(
            State(variant, deck=deal(7, 0, hand, 2 * n + 5)),
            [agents[player] for player in order],
            names,
            hand,
            watch=lambda state, _, at=position, number=hand: lines.append(
                format_matchstate(state.observe(at, hand=number))
            ),
        )
        lines.append(format_matchstate(state.observe(position, hand=hand)))
    return lines


@pytest.mark.parametrize("game", GAMES)
def test_the_agent_has_the_events_and_actions_of_the_hand_loop(game):
    """Also the players' names, from hand to hand: statistics follow the player, not its position."""
    variant, specs, hands = Variant.load(game), GAMES[game], 9
    for seat in range(variant.seats):
        agents = [Keeps(load(spec)) for spec in specs]
        for number, agent in enumerate(agents):
            agent.sit(number, variant, 0)
        lines = lines_of_a_dealer(variant, agents, hands, seat)
        again = Seated(load(specs[seat]), seat)
        player = Player(again, variant, players=names_from(seat, variant.seats))
        answers = [player.answer_line(line) for line in lines]
        ours = agents[seat]
        assert again.events == ours.events
        assert again.shown == ours.shown
        assert again.did == ours.did
        assert len([answer for answer in answers if answer]) == len(ours.did)
        assert not player.refused
        position = [(seat - hand) % variant.seats for hand in range(hands)]
        overs = [event for event in ours.events if isinstance(event, HandOver)]
        assert player.net == [over.payoffs[at] for over, at in zip(overs, position, strict=True)]


def test_players_are_named_round_the_table_whichever_way_the_button_goes():
    """A dealer that turns the other way, or not at all, shifts everybody alike."""
    agent = Keeps(load("call"))
    player = Player(agent, Variant.load("holdem.limit.3p"))
    for hand, position in enumerate((0, 1, 2, 2)):
        holes = ["", "", ""]
        holes[position] = "AhKd"
        player.answer_line(f"MATCHSTATE:{position}:{hand}:ff:{'|'.join(holes)}")
    over = [event for event in agent.events if isinstance(event, HandOver)]
    assert [event.observation.players for event in over] == [
        ("us", "left 1", "left 2"),
        ("left 2", "us", "left 1"),
        ("left 1", "left 2", "us"),
        ("left 1", "left 2", "us"),
    ]


HAND = [
    "MATCHSTATE:0:5::AhKd|",
    "MATCHSTATE:0:5:r:AhKd|",
    "MATCHSTATE:0:5:rc/:AhKd|/Qs7d2c",
    "MATCHSTATE:0:5:rc/c:AhKd|/Qs7d2c",
    "MATCHSTATE:0:5:rc/cc/:AhKd|/Qs7d2c/3h",
    "MATCHSTATE:0:5:rc/cc/cc/:AhKd|/Qs7d2c/3h/9s",
    "MATCHSTATE:0:5:rc/cc/cc/cc:AhKd|QhQd/Qs7d2c/3h/9s",
]
ANSWERS = [HAND[1] + ":c", HAND[2] + ":c", HAND[4] + ":c", HAND[5] + ":c"]


@pytest.fixture
def received():
    agent = Keeps(load("call"))
    return agent, Player(agent, LIMIT)


def test_a_whole_hand(received):
    agent, player = received
    assert player.under_way is None
    assert [answer for line in HAND[:-1] if (answer := player.answer_line(line))] == ANSWERS
    assert player.under_way == 5
    player.answer_line(HAND[-1])
    assert player.under_way is None
    assert player.net == [-20]
    *acts, over = agent.events
    assert [event.act.action.name for event in acts] == ["raise", "call"] + 6 * ["check"]
    assert all(isinstance(event, Acted) and not any(event.observation.state.holes) for event in acts)
    assert [text(hole) for hole in over.observation.state.holes] == ["AhKd", "QhQd"]
    assert over.payoffs == (-20, 20)


def test_a_repeated_line_is_learned_once_and_gets_the_same_answer(received):
    agent, player = received
    answers = [player.answer_line(line) for line in HAND for _ in range(3)]
    assert answers[::3] == answers[1::3] == answers[2::3]
    assert [answer for answer in answers[::3] if answer] == ANSWERS
    assert len(agent.events) == 9
    assert len(agent.did) == 4
    assert player.net == [-20]


def test_old_states_comments_and_blank_lines_change_nothing(received):
    agent, player = received
    for number, line in enumerate(HAND):
        player.answer_line(line)
        for other in ("# a comment", "; another", ""):
            assert player.answer_line(other) == ""
        for other in HAND[:number]:
            assert player.answer_line(other) in ("", other + ":c")
    assert len(agent.events) == 9
    assert len(agent.did) == 4
    assert player.net == [-20]
    assert not player.refused


def test_states_that_were_missed_are_caught_up(received):
    agent, player = received
    assert player.answer_line(HAND[4]) == HAND[4] + ":c"
    player.answer_line(HAND[-1])
    assert len(agent.events) == 9


def test_a_fold_shows_nothing(received):
    agent, player = received
    for line in (HAND[0], "MATCHSTATE:0:5:f:AhKd|"):
        assert player.answer_line(line) == ""
    assert not any(agent.events[-1].observation.state.holes)
    assert player.net == [5]


def test_a_hand_that_was_cut_is_left_for_the_next(received):
    agent, player = received
    player.answer_line(HAND[1])
    assert player.answer_line("MATCHSTATE:1:6::|2c2d") == "MATCHSTATE:1:6::|2c2d:c"
    assert player.under_way == 6
    assert player.answer_line("MATCHSTATE:1:6::|3c3d") == "MATCHSTATE:1:6::|3c3d:c"  # a match begun anew
    assert player.net == []
    assert len(agent.did) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("MATCHSTATE:0:5:rrrrr:AhKd|", "illegal action"),
        ("MATCHSTATE:0:5:r:AhAh|", "card dealt twice"),
        ("MATCHSTATE:9:5:r:AhKd|", "bad position"),
        ("MATCHSTATE:0:5:r:AhKd||", "wrong number of players: .*expected the hole cards of 2"),
        ("MATCHSTATE:0:5:r20:AhKd|", "wrong raise"),
        ("MATCHSTATE:0:5:r:Ah|", "wrong number of cards"),
        ("MATCHSTATE:0:5:c/:AhKd|/Qs7d2c", "wrong round"),
        ("MATCHSTATE:", "wrong fields"),
    ],
)
def test_a_state_of_another_game_ends_the_match(received, line, reason):
    agent, player = received
    with pytest.raises(TableError, match=f"the dealer does not deal {LIMIT.name}: .*{reason}"):
        player.answer_line(line)
    assert not agent.events


def test_with_unequal_stacks_a_raise_of_other_rules_is_counted_and_answered_with_a_call():
    """To the original an all-in raise of any size lets every player raise again."""
    game = Variant.ring(3, 100, betting="no-limit", stacks=(350, 2000, 2000))
    short, again = "MATCHSTATE:1:0:r300r350:|AhKd|", "MATCHSTATE:1:0:r300r350cr600:|AhKd|"
    player = Player(load("call"), game)
    assert player.answer_line(short) == short + ":c"
    assert player.answer_line(again) == again + ":c"
    assert player.refused == Counter({"illegal action": 1})
    player = Player(load("call"), replace(game, stacks=(2000,) * 3))
    with pytest.raises(TableError, match="illegal action"):
        player.answer_line(short)


@pytest.mark.parametrize(
    ("game", "first", "shown", "took"),
    [
        (LIMIT, "MATCHSTATE:1:0::|AhKd", "MATCHSTATE:1:0:c:|AhKd", "'raise to 20' as 'call 5'"),
        (DEEP, "MATCHSTATE:1:0::|AhKd", "MATCHSTATE:1:0:r400:|AhKd", "'raise to 200' as 'raise to 400'"),
    ],
)
def test_a_raise_that_the_dealer_changes_ends_the_match(game, first, shown, took):
    """A dealer of no-limit takes a raise without a size as a call, one of other blinds a raise as another."""
    player = Player(load("raise"), game)
    answer = player.answer_line(first)
    assert answer == first + (":r" if game is LIMIT else ":r200")
    with pytest.raises(TableError, match=f"does not deal {game.name}: hand 0: it took the answer {took}"):
        player.answer_line(shown)


def test_a_fold_instead_of_an_answer_is_played_on():
    player = Player(load("raise"), LIMIT)
    player.answer_line("MATCHSTATE:1:0::|AhKd")
    assert player.answer_line("MATCHSTATE:1:0:f:|AhKd") == ""
    assert player.net == [-5]


def test_other_surprises_are_counted(received):
    agent, player = received
    assert player.answer_line("HELLO") == ""
    player.answer_line(HAND[2])
    assert player.answer_line("MATCHSTATE:0:5:rrc/:AhKd|/Qs7d2c").endswith(":c")
    player.answer_line(HAND[5])
    assert player.answer_line("MATCHSTATE:0:5:rc/cc/cc/cc:AhKd|/Qs7d2c/3h/9s") == ""
    assert player.refused == Counter(
        {"not a state": 1, "another past": 2, "cards not shown at a showdown": 1}
    )
    assert len(agent.events) == 2 + 3 + 8
    assert player.net == []


def test_a_restarted_dealer_with_the_same_cards_is_played_on(received):
    _, player = received
    lines = ["", "r", "rc/", "rc/c", "rc/cr", "rc/crc/"]
    boards = ["", "", "/Qs7d2c", "/Qs7d2c", "/Qs7d2c", "/Qs7d2c/3h"]
    first, other = (
        [
            f"MATCHSTATE:0:5:{betting}:AhKd|{board}"
            for betting, board in zip(betting_lines, boards, strict=True)
        ]
        for betting_lines in (lines, ["", "c", "cc/", "cc/c", "cc/cr", "cc/crc/"])
    )
    asked = [1, 2, 4, 5]
    answers = [player.answer_line(line) for line in first + first[:3] + other]
    assert [answers[n] for n in asked] == [first[n] + ":c" for n in asked]
    assert answers[6:9] == answers[:3]
    assert [answers[9 + n] for n in asked] == [other[n] + ":c" for n in asked]
    assert player.refused == Counter({"another past": 1})


def test_an_agent_does_not_sit_down_to_a_game_that_it_does_not_play():
    with pytest.raises(TableError, match="expected limit"):
        Player(load("formula"), Variant.load("holdem.nolimit.3p"))


# Over a connection


@contextlib.contextmanager
def dealer_that(*conversations):
    """A dealer of a few lines: each conversation serves one connection, then hangs up."""
    door = socket.create_server(("127.0.0.1", 0))
    door.settimeout(10)
    received = []

    def serve():
        for conversation in conversations:
            connection, _ = door.accept()
            connection.settimeout(10)
            with connection, connection.makefile("rw", newline="\n") as file:
                received.append(file.readline())
                conversation(file, received)

    thread = threading.Thread(target=serve)
    thread.start()
    with door:
        yield door.getsockname()[1], received
        thread.join(10)


def says(*lines, end="\r\n", answers=0):
    def converse(file, received):
        for line in lines:
            file.write(line + end)
        file.flush()
        received.extend(file.readline() for _ in range(answers))

    return converse


def new_player():
    return Player(load("call"), LIMIT)


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_connection_from_version_to_end(end):
    player = new_player()
    with dealer_that(says("# welcome", *HAND, end=end, answers=4)) as (port, received):
        play("127.0.0.1", port, player)
    assert received == ["VERSION:2.0.0\r\n"] + [answer + "\r\n" for answer in ANSWERS]
    assert player.net == [-20]


def test_a_state_that_comes_twice_is_answered_once_on_a_connection():
    player = new_player()
    next_hand = ["MATCHSTATE:1:6::|2c2d", "MATCHSTATE:1:6:f:|2c2d"]
    doubled = [line for line in HAND for _ in range(2)] + HAND + next_hand
    with dealer_that(says(*doubled, answers=5)) as (port, received):
        play("127.0.0.1", port, player)
    assert received[1:] == [answer + "\r\n" for answer in [*ANSWERS, next_hand[0] + ":c"]]
    assert player.net == [-20, -5]


def test_a_state_is_answered_again_on_the_next_connection():
    player = new_player()
    first, second = says(HAND[1], answers=1), says(*HAND[1:], answers=4)
    with dealer_that(first, second) as (port, received):
        play("127.0.0.1", port, player, patience=5)
    version = "VERSION:2.0.0\r\n"
    assert received == [version, ANSWERS[0] + "\r\n", version] + [answer + "\r\n" for answer in ANSWERS]
    assert player.net == [-20]


@pytest.mark.parametrize(
    ("conversation", "says_"),
    [
        (says(), "before the first hand"),
        (says("# sorry"), "before the first hand"),
        (says(*HAND[:2], answers=1), "in the middle of hand 5"),
        (says(HAND[1], end=""), "before the first hand"),  # in the middle of a line
    ],
)
def test_a_dealer_that_hangs_up_is_named(conversation, says_):
    with (
        dealer_that(conversation) as (port, _),
        pytest.raises(ConnectionError, match=f"127.0.0.1:{port}: the dealer hung up {says_}"),
    ):
        play("127.0.0.1", port, new_player())


def test_a_dealer_that_is_silent_or_endless_is_named(monkeypatch):
    monkeypatch.setattr("baycarp.arena.acpc.client.SILENCE", 0.05)
    hold = threading.Event()
    with dealer_that(lambda file, received: hold.wait(10)) as (port, _):
        with pytest.raises(TimeoutError, match=f"127.0.0.1:{port}: no line in 0.05 s"):
            play("127.0.0.1", port, new_player())
        hold.set()
    with dealer_that(says("M" * 5000, end="")) as (port, _), pytest.raises(NotationError, match="too long"):
        play("127.0.0.1", port, new_player())


def test_a_dealer_that_is_not_there_is_named_and_awaited():
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(ConnectionError, match=f"127.0.0.1:{port}: .*refused"):
        play("127.0.0.1", port, new_player())
    player = new_player()
    thread = threading.Thread(target=play, args=("127.0.0.1", port, player, 10.0))
    thread.start()
    with socket.create_server(("127.0.0.1", port)) as door:
        connection, _ = door.accept()
        with connection, connection.makefile("rw", newline="\n") as file:
            file.readline()
            says(*HAND, answers=4)(file, [])
        thread.join(10)
    assert player.net == [-20]
