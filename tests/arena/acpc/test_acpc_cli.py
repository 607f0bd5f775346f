"""The commands ``baycarp serve dealer`` and ``baycarp serve acpc``."""

import contextlib
import socket
import subprocess
import sys
import threading

import pytest
from reference.acpc_match import PATIENCE, caller

from baycarp.cli import main
from baycarp.game.notation.acpc import read_log
from baycarp.game.variant import Variant

GAME = "holdem.limit.2p.reverse_blinds"


@pytest.fixture
def dealer():
    """Start ``baycarp serve dealer``; the process, and the ports of its first output line."""
    started = []

    def start(*arguments):
        command = [sys.executable, "-m", "baycarp", "serve", "dealer", *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process, [int(word) for word in process.stdout.readline().split()]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_match_of_both_commands(dealer, tmp_path, capsys):
    log = tmp_path / "match.log"
    process, ports = dealer("holdem.limit.3p", 20, 7, "Ann", "Bob=rule", "Cleo", "--log", log)
    other = threading.Thread(target=caller, args=ports[1:])
    other.start()
    call = ["serve", "acpc", "127.0.0.1", str(ports[0]), "--game", "holdem.limit.3p", "--agent", "call"]
    assert main([*call, "--time", "2", "--seed", "3"]) == 0
    other.join(PATIENCE)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Ann: 0 lines ignored, 0 actions mended" in err
    assert "Cleo: " in err
    assert "Bob" not in err
    hands = list(read_log(log, Variant.load("holdem.limit.3p")))
    won = [hand.payoffs[hand.players.index("Ann")] for hand in hands]
    lines = log.read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed Ann/Bob=rule/Cleo holdem.limit.3p 20 7"
    assert lines[1:4] == ["#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000"]
    assert lines[-1] == out.strip()
    assert out.startswith(f"SCORE:{sum(won)}|")
    assert f"20 hands, {sum(won):+d} chips, " in capsys.readouterr().out


def test_a_dealer_of_our_own_agents_needs_no_ports(capsys):
    assert main(["serve", "dealer", GAME, "5", "1", "Ann=call", "Bob=call"]) == 0
    (line,) = capsys.readouterr().out.splitlines()  # none of ports
    assert line.endswith(":Ann|Bob")


def serve(door, *lines):
    """A dealer in a thread: it greets one client, sends lines, reads one answer, and hangs up."""

    def converse():
        connection, _ = door.accept()
        connection.settimeout(PATIENCE)
        with contextlib.suppress(OSError), connection:
            connection.recv(100)
            connection.sendall("".join(line + "\n" for line in lines).encode())
            connection.recv(100)

    thread = threading.Thread(target=converse)
    thread.start()
    return thread


def test_the_client_reports_its_hands_and_the_lines_it_could_not_use(capsys):
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        thread = serve(door, "HELLO", "MATCHSTATE:0:0:rf:AhKd|", "MATCHSTATE:1:2::|AhKd")
        assert main(["serve", "acpc", "127.0.0.1", str(port), "--agent", "call"]) == 1
        thread.join(10)
    out, err = capsys.readouterr()
    assert out.startswith("1 hand, -10 chips")
    assert err.splitlines() == [
        "not used: not a state (1)",
        f"baycarp serve acpc: 127.0.0.1:{port}: the dealer hung up in the middle of hand 2",
    ]


def test_the_client_stops_at_the_first_line_of_another_game(capsys):
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        thread = serve(door, "MATCHSTATE:1:0::|AhKd|", "MATCHSTATE:1:0:c:|AhKd|")
        assert main(["serve", "acpc", "127.0.0.1", str(port), "--agent", "call", "--wait", "5"]) == 1
        thread.join(10)
    out, err = capsys.readouterr()
    assert out == "0 hands, nothing was played\n"
    assert err.startswith(
        "baycarp serve acpc: the dealer does not deal holdem.limit.2p.reverse_blinds: MATCHSTATE"
    )
    assert err.count("\n") == 1


def test_no_time_to_decide_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "acpc", "127.0.0.1", "1", "--time", "0"])
    assert "expected seconds above 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["serve", "acpc", "127.0.0.1", "1", "--agent", "call"], "127.0.0.1:1: "),
        (["serve", "acpc", "127.0.0.1", "1", "--agent", "nobody"], "'nobody'"),
        (["serve", "acpc", "127.0.0.1", "1", "--agent", "call", "--game", "chess"], "'chess'"),
        (
            ["serve", "acpc", "127.0.0.1", "1", "--agent", "rule", "--game", "holdem.nolimit.3p"],
            "expected limit",
        ),
        (["serve", "dealer", "chess", "1", "1", "A", "B"], "'chess'"),
        (["serve", "dealer", GAME, "1", "1", "A"], "seats 2 of different names"),
        (["serve", "dealer", GAME, "1", "1", "A", "A"], "seats 2 of different names"),
        (["serve", "dealer", GAME, "1", "1", "A", "B", "--port", "5"], "ports 5: expected 2"),
        (["serve", "dealer", GAME, "1", "1", "A", "B=nobody"], "'nobody'"),
        (["serve", "dealer", "holdem.nolimit.3p", "1", "1", "A", "B", "C=rule"], "expected limit"),
        (["serve", "dealer", GAME, "1", "1", "A", "B", "--wait", "0.05"], "no client came in 0.05 s"),
        (["serve", "dealer", GAME, "1", "1", "A", "B", "--wait", "0"], "no client came in 0 s"),
        (["serve", "dealer", GAME, "1", "1", "A=call", "B=call", "--log", "/no/where/x"], "/no/where/x"),
    ],
)
def test_refusals_are_named_in_one_line(capsys, arguments, named):
    assert main(arguments) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"baycarp serve {arguments[1]}: ")
    assert named in last


def test_without_a_dealer_no_figure_is_printed(capsys):
    main(["serve", "acpc", "127.0.0.1", "1", "--agent", "call"])
    assert capsys.readouterr().out == "0 hands, nothing was played\n"


def test_a_log_is_replaced_only_when_a_match_begins(tmp_path, capsys):
    log = tmp_path / "log"
    log.write_text("a match\n")
    assert main(["serve", "dealer", GAME, "1", "1", "A", "B", "--log", str(log), "--wait", "0"]) == 1
    assert log.read_text() == "a match\n"
    assert main(["serve", "dealer", GAME, "1", "1", "A=call", "B=call", "--log", str(log)]) == 0
    assert log.read_text().startswith("# name/game/hands/seed")


@pytest.mark.parametrize(
    "arguments",
    [["serve", "acpc", "here", "65536"], ["serve", "dealer", GAME, "1", "1", "A", "B", "--port", "1,x"]],
)
def test_wrong_ports_are_wrong_calls(capsys, arguments):
    with pytest.raises(SystemExit):
        main(arguments)
    assert "expected" in capsys.readouterr().err
