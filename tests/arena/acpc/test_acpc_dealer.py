"""The dealer: matches over connections against the same hands in the hand loop, time limits, misbehaviour."""

import contextlib
import io
import re
import socket
import threading

import pytest
from reference.acpc_match import (
    NAMES,
    Seated,
    caller,
    clients_of,
    dealt,
    hands_of,
    names_from,
    our_client,
)

from baycarp.agents.registry import load
from baycarp.arena.acpc import door as door_of
from baycarp.arena.acpc.dealer import deal_match
from baycarp.arena.acpc.door import accept, listen
from baycarp.arena.acpc.remote import FLOOD, Limits, Remote
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.errors import TableError
from baycarp.game.notation.hand import replay
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
DEEP = Variant.load("holdem.nolimit.2p.reverse_blinds")

MATCHES = {
    "holdem.limit.2p.reverse_blinds": (40, ("rule", "formula")),
    "holdem.nolimit.2p.reverse_blinds": (40, ("random", "random")),
    "holdem.limit.3p": (15, ("formula", "jag", "random")),
    "holdem.limit.6p": (6, ("rule", "formula", "jag", "random", "call", "raise")),
    "holdem.nolimit.6p": (6, ("random", "call", "random", "raise", "random", "call")),
    "holdem.limit.10p": (4, ("rule", "jag", "call", "raise", "random") * 2),
    "holdem.nolimit.10p": (4, ("random", "call", "random", "random", "random") * 2),
}


@pytest.mark.parametrize("game", MATCHES)
def test_clients_play_the_hands_that_the_same_agents_play_without_a_dealer(game):
    variant, (hands, specs) = Variant.load(game), MATCHES[game]
    clients = clients_of(variant, specs)
    log, totals, remotes = dealt(variant, hands, 3, clients)
    agents = [Seated(load(spec), seat) for seat, spec in enumerate(specs)]
    for agent in agents:
        agent.sit(0, variant, 0)
    played = hands_of(log, variant)
    assert [hand.id for hand in played] == list(range(hands))
    for number, hand in enumerate(played):
        order = [(number + position) % variant.seats for position in range(variant.seats)]
        names = tuple(NAMES[seat] for seat in order)
        deck = deal(3, PLAYED, number, 2 * variant.seats + 5)
        state = play_hand(State(variant, deck=deck), [agents[seat] for seat in order], names, number)
        assert hand.players == names
        assert hand.actions == tuple(act.action for act in state.acts)
        assert hand.payoffs == state.payoffs() == replay(hand).payoffs()
        assert hand.holes == tuple(tuple(deck[2 * p : 2 * p + 2]) for p in range(variant.seats))
    for seat, client in enumerate(clients):
        won = [hand.payoffs[hand.players.index(NAMES[seat])] for hand in played]
        assert client.player.net == won
        assert totals[NAMES[seat]] == sum(won)
        assert not client.player.refused
    assert all(str(remote.conduct) == "0 lines ignored, 0 actions mended" for remote in remotes)
    names = NAMES[: variant.seats]
    assert log.splitlines()[-1] == f"SCORE:{'|'.join(str(totals[n]) for n in names)}:{'|'.join(names)}"


def test_agents_of_ours_sit_beside_clients():
    door = listen("127.0.0.1", (0,))[0]
    thread = threading.Thread(target=caller, args=(door.getsockname()[1],))
    thread.start()
    remote = Remote(accept([door], 10)[0], 12)
    seats = {"Ann": load("random"), "Bob": remote, "Cleo": load("random")}
    log = io.StringIO()
    variant = Variant.load("holdem.limit.3p")
    totals = deal_match(variant, 12, 5, seats, log)
    remote.close()
    thread.join(10)
    again = io.StringIO()
    ours = {"Ann": load("random"), "Bob": load("call"), "Cleo": load("random")}
    assert deal_match(variant, 12, 5, ours, again) == totals
    states = [line for line in log.getvalue().splitlines() if not line.startswith("#")]
    assert again.getvalue().splitlines() == states


def test_the_same_seed_with_the_players_swapped_is_the_duplicate():
    one, two = ({name: load("call") for name in order} for order in ("AB", "BA"))
    assert deal_match(LIMIT, 30, 8, one) == {
        name: -won for name, won in deal_match(LIMIT, 30, 8, two).items()
    }
    assert deal_match(LIMIT, 30, 9, one) != deal_match(LIMIT, 30, 8, one)


def test_hole_cards_are_sent_only_to_their_player_before_the_showdown():
    """Every line that a client gets, over many hands with folds and showdowns."""
    variant = Variant.load("holdem.nolimit.3p")
    lines = []

    class Wire:
        def send(self, line, seconds):
            lines.append((number, line))

        def receive(self, seconds):
            return lines[-1][1] + (":f" if len(lines) % 7 == 0 else ":c")

        def finish(self):
            pass

    number = 0
    watched = Remote(Wire(), 60)
    hands = []
    for number in range(60):  # one-hand matches, so that a line's deck is known
        log = io.StringIO()
        deal_match(variant, 1, number, {"Ann": watched, "Bob": load("random"), "Cleo": load("random")}, log)
        hands += hands_of(log.getvalue(), variant)
    shown = hidden = 0
    for number, line in lines:
        holes = line.split(":")[4].split("/")[0].split("|")
        deck, state = hands[number].holes, replay(hands[number])
        over = line.split(":")[3] == state.betting
        assert holes[0]
        for seat in (1, 2):
            may = over and seat in state.seats_in and len(state.seats_in) > 1
            assert bool(holes[seat]) == may
            shown, hidden = shown + may, hidden + (not may)
        assert len(deck) == 3
    assert shown > 10
    assert hidden > 200


# Time, by a clock that only the client moves


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Slow:
    """A wire whose client checks and calls, and takes ``answers`` seconds for them, and ``reads`` to read."""

    def __init__(self, clock, answers=(), reads=()):
        self.clock, self.answers, self.reads = clock, list(answers), list(reads)
        self.lines, self.closed, self.finished = [], False, False

    def _take(self, times, seconds):
        taken = times.pop(0) if times else 0.0
        self.clock.now += min(taken, seconds)
        if taken > seconds:
            raise TimeoutError("late")

    def send(self, line, seconds):
        assert not self.closed
        self._take(self.reads, seconds)
        self.lines.append(line)

    def receive(self, seconds):
        self._take(self.answers, seconds)
        return self.lines[-1] + ":c"

    def close(self):
        self.closed = True

    def finish(self):
        self.finished = True


def timed(hands, limits, answers=(), reads=()):
    clock = Clock()
    wire = Slow(clock, answers, reads)
    remote = Remote(wire, hands, limits, clock)
    log = io.StringIO()
    deal_match(LIMIT, hands, 1, {"Slow": remote, "Bob": load("call")}, log)
    remote.close()
    bettings = [line.split(":")[2] for line in log.getvalue().splitlines() if line.startswith("STATE")]
    return wire, remote.conduct, bettings


CHECKED = "cc/cc/cc/cc"


def test_within_its_time_a_client_acts():
    wire, conduct, bettings = timed(3, Limits(answer=5, hand=20, average=16), answers=[5, 5, 5, 1] * 3)
    assert bettings == [CHECKED] * 3
    assert not conduct.lost
    assert wire.finished
    assert not wire.closed


@pytest.mark.parametrize(
    ("limits", "answers", "lost", "acted"),
    [
        (Limits(answer=5, hand=99, average=99), [0] * 5 + [5.1], "in hand 1: no answer in 5 s", 1),
        (Limits(answer=9, hand=20, average=99), [6, 6, 6, 1, 6, 6, 6, 3], "in hand 1: no answer in 2 s", 1),
        (Limits(answer=9, hand=99, average=5), [3] * 12, "in hand 1: no answer in 2 s", 1),  # of 20 in all
        (Limits(answer=0, hand=99, average=99), [0.1], "in hand 0", 0),
    ],
    ids=["answer", "hand", "match", "none at all"],
)
def test_over_its_time_a_seat_loses_its_right_to_act(limits, answers, lost, acted):
    """It checks and folds from there on; in even hands the first seat is the big blind."""
    wire, conduct, bettings = timed(4, limits, answers)
    assert lost in conduct.lost
    assert bettings[:acted] == [CHECKED] * acted
    assert bettings[2:] == [CHECKED, "f"]  # as big blind it checks along, as button it folds
    assert wire.closed
    assert not wire.finished


def test_an_answer_that_was_there_but_came_too_late_does_not_count():
    class Late(Slow):
        def receive(self, seconds):
            self.clock.now += seconds + 0.1
            return self.lines[-1] + ":c"

    clock = Clock()
    remote = Remote(Late(clock), 1, Limits(answer=5), clock)
    deal_match(LIMIT, 1, 1, {"Late": remote, "Bob": load("call")})
    assert remote.conduct.lost == "in hand 0: no answer in 5 s"


def test_a_client_that_does_not_read_pays_with_its_own_time():
    wire, conduct, bettings = timed(4, Limits(answer=5, hand=9, average=99), reads=[2] * 20)
    assert conduct.lost == "in hand 0: late"
    assert wire.closed
    assert bettings[1] == "f"


def test_time_of_others_is_not_charged():
    clock = Clock()
    slow, quick = (Remote(Slow(clock, times), 4, Limits(4, 20, 10), clock) for times in ([3.9] * 4, []))
    deal_match(LIMIT, 4, 1, {"Slow": slow, "Quick": quick})
    assert not slow.conduct.lost
    assert not quick.conduct.lost
    assert quick._match_left == 40


# Misbehaving clients, over real connections


def session(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(b"VERSION:2.0.0\r\n")
    return connection, connection.makefile("r", newline="\n")


def rude(converse, hands=6, variant=DEEP, limits=None):
    """One rude client against one of ours; the log's hands, and the rude one's conduct."""

    def client(port):
        connection, lines = session(port)
        with contextlib.suppress(OSError), connection, lines:  # a dismissed client gets a reset
            converse(connection, lines)

    polite = our_client(load("call"), variant, 1)
    log, totals, (first, second) = dealt(variant, hands, 2, [client, polite], limits)
    played = hands_of(log, variant)
    assert len(played) == hands
    assert all(replay(hand).payoffs() == hand.payoffs for hand in played)
    assert sum(totals.values()) == 0
    assert len(polite.player.net) == hands
    assert not second.conduct.lost
    return played, first.conduct


def asked(line, seats=2):
    """Whether a line asks its receiver, when everybody only checks, calls, or raises at once."""
    _, position, _, betting, _ = line.rstrip().split(":")
    street, now = betting.count("/"), re.sub(r"r\d*", "r", betting.split("/")[-1])
    if "f" in betting or (street == 3 and now.endswith("cc")) or betting.endswith("rc"):
        return False
    first = 1 if street == 0 else 0
    return (first + len(now)) % seats == int(position)


def answers(action, before=b""):
    def converse(connection, lines):
        for line in lines:
            if asked(line):
                connection.sendall(before + line.rstrip().encode() + b":" + action + b"\r\n")

    return converse


def test_a_plain_client_needs_no_mending():
    played, conduct = rude(answers(b"c"))
    assert str(conduct) == "0 lines ignored, 0 actions mended"
    assert {len(hand.actions) for hand in played} == {8}


@pytest.mark.parametrize(
    ("before", "ignored"),
    [
        (b"MATCHSTATE:0:999::AhKd|:f\r\n", 1),
        (b"# thinking\r\n; still\n", 0),
        (b"garbage\r\n\r\n\xff\xfe\x00\r\n", 3),
        (b"MATCHSTATE:0:0\r\n", 1),
    ],
)
def test_lines_that_answer_no_state_are_ignored_and_counted(before, ignored):
    played, conduct = rude(answers(b"c", before))
    assert conduct.ignored == ignored * 4 * len(played)
    assert not conduct.mended
    assert not conduct.lost


def test_a_state_without_an_action_behind_it_is_a_call_as_to_the_original():
    def echoes(connection, lines):
        for line in lines:
            if asked(line):
                connection.sendall(line.encode())

    played, conduct = rude(echoes)
    assert {len(hand.actions) for hand in played} == {8}
    assert (conduct.ignored, conduct.mended) == (0, 4 * len(played))


def test_a_client_that_answers_every_state_is_served():
    log, _, remotes = dealt(DEEP, 20, 2, [caller, our_client(load("call"), DEEP, 1)])
    assert len(hands_of(log, DEEP)) == 20
    assert not remotes[0].conduct.lost
    assert remotes[0].conduct.ignored > 20


@pytest.mark.parametrize(
    ("action", "becomes"),
    [(b"f", "f"), (b"r", "c"), (b"r1", "r200"), (b"r999999", "r20000"), (b"dance", "c"), (b"", "c")],
)
def test_illegal_actions_are_mended_and_counted(action, becomes):
    """In hand 1 the rude one is the button and opens."""

    def converse(connection, lines):
        for line in lines:
            if asked(line):
                fit = b"c" if line.split(":")[3] else action
                connection.sendall(line.rstrip().encode() + b":" + fit + b"\r\n")

    played, conduct = rude(converse, hands=2)
    assert replay(played[1]).betting.startswith(becomes)
    assert not conduct.lost
    assert conduct.mended == (action != b"f")


def floods(connection, lines):
    connection.sendall(b"flood\r\n" * (2 * FLOOD))
    for _ in lines:
        pass


def never_ends(connection, lines):
    connection.sendall(b"x" * 100_000)
    for _ in lines:
        pass


def drips(connection, lines):
    line = next(line for line in lines if asked(line))
    for byte in line.rstrip().encode():
        connection.sendall(bytes([byte]))
        threading.Event().wait(0.005)
    connection.recv(1)


def leaves_at_once(connection, lines):
    pass


def leaves_when_asked(connection, lines):
    next(line for line in lines if asked(line))


def leaves_in_a_line(connection, lines):
    line = next(line for line in lines if asked(line))
    connection.sendall(line.encode()[:12])


def leaves_between_hands(connection, lines):
    for line in lines:
        if line.startswith("MATCHSTATE:1:1:"):
            return
        if asked(line):
            connection.sendall(line.rstrip().encode() + b":c\r\n")


def leaves_after_answering(connection, lines):
    line = next(line for line in lines if asked(line))
    connection.sendall(line.rstrip().encode() + b":c\r\n")


def stops_reading_its_side(connection, lines):
    connection.shutdown(socket.SHUT_RD)


def says_nothing_more(connection, lines):
    connection.shutdown(socket.SHUT_WR)
    for _ in lines:
        pass


@pytest.mark.parametrize(
    ("converse", "why"),
    [
        (floods, "10000 lines and no answer"),
        (never_ends, "line too long"),
        (drips, "no answer in 0.2 s"),
        (leaves_at_once, ""),
        (leaves_when_asked, ""),
        (leaves_in_a_line, ""),
        (leaves_between_hands, ""),
        (leaves_after_answering, ""),
        (stops_reading_its_side, ""),
        (says_nothing_more, "connection closed"),
    ],
)
def test_a_client_that_leaves_or_floods_loses_only_its_right_to_act(converse, why):
    played, conduct = rude(converse, limits=Limits(answer=0.2 if converse is drips else 20))
    assert re.match(r"in hand [01]: ", conduct.lost)
    assert why in conduct.lost
    for hand in played[2:]:
        bob = hand.players.index("Bob")
        assert replay(hand).betting == ("f" if bob == 0 else CHECKED)


def test_all_clients_may_leave():
    def leaves(port):
        session(port)[0].close()

    log, totals, remotes = dealt(LIMIT, 5, 1, [leaves, leaves])
    assert [replay(hand).betting for hand in hands_of(log, LIMIT)] == ["f"] * 5
    assert all(remote.conduct.lost for remote in remotes)
    assert totals == {"Ann": 5, "Bob": -5}


# Ports


def test_a_port_waits_for_a_version_and_opens_once():
    door = listen("127.0.0.1", (0,))[0]
    port = door.getsockname()[1]

    def clients():
        for greeting in (b"GET / HTTP/1.1\r\n", b"VERSION:1.0.0\r\n", b"v" * 5000, b""):
            with socket.create_connection(("127.0.0.1", port)) as other_client:
                other_client.sendall(greeting)
        caller(port)

    thread = threading.Thread(target=clients)
    thread.start()
    (wire,) = accept([door], 10)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    wire.send("MATCHSTATE:0:0::AhKd|")
    assert wire.receive(5) == "MATCHSTATE:0:0::AhKd|:c"
    wire.finish()
    thread.join(10)


def test_idle_connections_do_not_delay_a_client(monkeypatch):
    """They are open before it comes, and stay open until it is admitted: a greeting may take an hour."""
    monkeypatch.setattr(door_of, "GREETING", 3600.0)
    doors = listen("127.0.0.1", (0, 0))
    with contextlib.ExitStack() as stack:
        idle = []
        for door in doors:
            for beginning in (b"", b"VERSION:2.", b"", b"VERSION", b""):
                connection = stack.enter_context(socket.create_connection(door.getsockname(), timeout=20))
                connection.sendall(beginning)
                idle.append(connection)
        honest = [stack.enter_context(socket.create_connection(door.getsockname(), 20)) for door in doors]
        for connection in honest:
            connection.sendall(b"VERSION:2.0.0\r\n")
        wires = accept(doors, 60)
        for number, (wire, connection) in enumerate(zip(wires, honest, strict=True)):
            wire.send(f"client {number}")
            assert connection.recv(100) == f"client {number}\r\n".encode()
            wire.close()
        assert [connection.recv(1) for connection in idle] == [b""] * 10  # closed without a line


def test_too_many_idle_connections_end_the_oldest(monkeypatch):
    monkeypatch.setattr(door_of, "GREETING", 3600.0)
    monkeypatch.setattr(door_of, "GUESTS", 3)
    (door,) = listen("127.0.0.1", (0,))
    address = door.getsockname()
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(address, 20)) for _ in range(5)]
        wires = []
        thread = threading.Thread(target=lambda: wires.extend(accept([door], 60)))
        thread.start()
        assert [connection.recv(1) for connection in idle[:2]] == [b"", b""]
        with socket.create_connection(address, 20) as client:
            client.sendall(b"VERSION:2.0.0\n")
            thread.join(20)
            (wire,) = wires
            wire.close()


def test_a_connection_has_a_limited_time_for_its_version_line(monkeypatch):
    monkeypatch.setattr(door_of, "GREETING", 0.05)
    (door,) = listen("127.0.0.1", (0,))
    with socket.create_connection(door.getsockname(), 20) as idle:
        with pytest.raises(TimeoutError, match=r"no client came in 0\.3 s"):
            accept([door], 0.3)
        assert idle.recv(1) == b""


def test_a_client_that_does_not_come_is_named():
    door = listen("127.0.0.1", (0,))[0]
    port = door.getsockname()[1]
    with pytest.raises(TimeoutError, match=f"port {port}: no client came in 0.05 s"):
        accept([door], 0.05)
    doors = listen("127.0.0.1", (0, 0))
    ports = ", ".join(str(door.getsockname()[1]) for door in doors)
    with pytest.raises(TimeoutError, match=f"port {ports}: no client came"):
        accept(doors, 0.0)


def test_a_port_that_is_taken_is_named_and_the_others_given_back():
    with listen("127.0.0.1", (0,))[0] as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"127.0.0.1:{port}: .*in use"):
            listen("127.0.0.1", (0, port))


@pytest.mark.parametrize(
    "names",
    [
        ("Ann",),
        ("Ann", "Bob", "Cleo"),
        *(("Ann", name) for name in ("B|b", "B:b", "", "B b", "B\udcff")),
    ],
)
def test_players_that_do_not_fit_are_refused(names):
    with pytest.raises(TableError, match=r"^players? "):
        deal_match(LIMIT, 1, 1, {name: load("call") for name in names})


def test_an_agent_of_ours_plays_the_game_or_does_not_sit_down():
    with pytest.raises(TableError, match="expected limit"):
        deal_match(DEEP, 1, 1, {"Ann": load("formula"), "Bob": load("call")})


def test_a_client_receives_every_state(monkeypatch):
    """The first, each after an action, and the last: also those that do not ask."""
    clock = Clock()
    wire = Slow(clock)
    deal_match(LIMIT, 1, 1, {"Ann": Remote(wire, 1, None, clock), "Bob": load("call")})
    holes = State(LIMIT, deck=deal(1, PLAYED, 0, 9)).observe(0)
    assert [line.split(":")[3] for line in wire.lines] == [
        "",
        "c",
        "cc/",
        "cc/c",
        "cc/cc/",
        "cc/cc/c",
        "cc/cc/cc/",
        "cc/cc/cc/c",
        "cc/cc/cc/cc",
    ]
    assert wire.lines[0] == f"MATCHSTATE:0:0:{holes.state}"


def test_names_rotate_to_the_left():
    assert names_from(1, 3) == ("Bob", "Cleo", "Ann")
