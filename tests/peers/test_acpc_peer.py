"""The referee itself: its client against its dealer over loopback, and its rules by cases worked by hand."""

from __future__ import annotations

import json
import re
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

PEER = Path(__file__).with_name("acpc_peer.py")
WAIT = 20  # seconds: far more than any step takes

DECK = "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
GAMES = {
    "limit2": "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
    "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\n" + DECK,
    "nolimit2": "# heads-up\nGAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 3000 3000\n"
    "blind = 100 50\nfirstPlayer = 2 1 1 1\n" + DECK,
    "limit3": "gamedef\nLIMIT\nNUMPLAYERS = 3\nnumrounds = 4\nblind = 5 10 0\nraisesize = 10 10 20 20\n"
    "firstplayer = 3 1 1 1\nmaxraises = 3 4 4 4\n" + DECK,
    "limit6": "GAMEDEF\nlimit\nnumPlayers = 6\nnumRounds = 4\nstack = 100 140 90 120 30 200\n"
    "blind = 5 10 0 0 0 0\nraiseSize = 10 10 20 20\nfirstPlayer = 3 1 1 1\nmaxRaises = 3 4 4 4\n" + DECK,
    "nolimit6": "GAMEDEF\nnolimit\nnumPlayers = 6\nnumRounds = 4\nstack = 800 2000 1500 600 2000 40\n"
    "blind = 50 100 0 0 0 0 # the last one is short\nfirstPlayer = 3 1 1 1\n" + DECK,
    "kuhn3": "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 1\nblind = 1 1 1\nraiseSize = 1\nfirstPlayer = 1\n"
    "maxRaises = 1\nnumSuits = 1\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n",
}


class Processes:
    """Child processes that never outlive their test, and waits that never last for ever."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[subprocess.Popen[str]] = []

    def start(self, *words: object) -> subprocess.Popen[str]:
        command = [sys.executable, str(PEER), *map(str, words)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(process)
        return process

    def game(self, name: str) -> Path:
        path = self.folder / f"{name}.game"
        path.write_text(GAMES[name])
        return path

    def dealer(self, *words: object) -> tuple[subprocess.Popen[str], list[int]]:
        process = self.start("dealer", *words, "--timeout", WAIT / 2)
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], WAIT)[0], "no ports from the dealer"
        return process, [int(word) for word in process.stdout.readline().split()]

    def client(self, port: int, game: Path, *words: object) -> subprocess.Popen[str]:
        return self.start("client", "127.0.0.1", port, game, "--timeout", WAIT / 2, *words)

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.communicate()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path)
    yield made
    made.end()


@pytest.fixture
def rules(monkeypatch):
    monkeypatch.syspath_prepend(str(PEER.parent))
    import acpc_rules

    return acpc_rules


def by_command(processes: Processes, ports: list[int], game: Path, ways: list[str], odd: str):
    """The reports of clients run as they are run by hand."""
    clients = [
        processes.client(port, game, "--rule", way, "--seed", seat, "--odd", odd)
        for seat, (port, way) in enumerate(zip(ports, ways, strict=True))
    ]
    return [json.loads(client.communicate(timeout=WAIT)[0]) for client in clients]


def by_thread(processes: Processes, ports: list[int], game: Path, ways: list[str], odd: str):
    """The same without the time to start an interpreter for every client."""
    import acpc_client
    import acpc_rules

    parsed = acpc_rules.parse_game(game.read_text())
    with ThreadPoolExecutor(len(ways)) as pool:
        waiting = [
            pool.submit(acpc_client.run_client, "127.0.0.1", port, parsed, way, seat, odd, WAIT / 2)
            for seat, (port, way) in enumerate(zip(ports, ways, strict=True))
        ]
    return [report.result() for report in waiting]


def play(processes: Processes, name: str, hands: int, ways: list[str], clients=by_thread, odd: str = "exact"):
    """A match of our own clients: the log's values by seat and hand, the score, the reports, the log."""
    game, log = processes.game(name), processes.folder / "match.log"
    dealer, ports = processes.dealer(game, hands, 7, 0, "--log", log, "--odd", odd)
    reports = clients(processes, ports, game, ways, odd)
    score = dealer.communicate(timeout=WAIT)[0].strip()
    assert dealer.returncode == 0
    lines = log.read_text().splitlines()
    assert lines[-1] == score
    states = [line.split(":") for line in lines if line.startswith("STATE:")]
    assert [int(state[1]) for state in states] == list(range(hands))
    by_seat: list[list[float]] = [[] for _ in ways]
    for state in states:
        for value, player in zip(state[4].split("|"), state[5].split("|"), strict=True):
            by_seat[int(player[1:]) - 1].append(float(value))
    totals = [float(word) for word in score.split(":")[1].split("|")]
    return by_seat, totals, reports, lines


@pytest.mark.parametrize(
    ("name", "hands", "ways", "clients"),
    [
        ("limit2", 30, ["random", "raise"], by_command),
        ("nolimit2", 40, ["random", "random"], by_thread),
        ("limit3", 25, ["random", "call", "random"], by_command),
        ("limit6", 10, ["random", "raise", "random", "call", "raise", "random"], by_thread),
        ("nolimit6", 20, ["random"] * 5 + ["call"], by_thread),
        ("kuhn3", 20, ["random"] * 3, by_thread),
    ],
)
@pytest.mark.usefixtures("rules")
def test_clients_and_dealer_agree_on_every_hand(processes, name, hands, ways, clients):
    by_seat, totals, reports, _ = play(processes, name, hands, ways, clients)
    assert sum(totals) == pytest.approx(0, abs=1e-4)
    for seat, report in enumerate(reports):
        assert report["faults"] == []
        assert "error" not in report
        assert report["hands"] == hands
        assert report["per_hand"] == pytest.approx(by_seat[seat], abs=1e-5)
        assert report["total"] == pytest.approx(totals[seat], abs=1e-3)


@pytest.mark.usefixtures("rules")
def test_odd_chips_to_the_first_winners_keep_whole_numbers(processes):
    _, totals, reports, lines = play(processes, "limit3", 20, ["random"] * 3, odd="first")
    assert sum(totals) == 0
    assert [report["total"] for report in reports] == totals
    assert not any("." in line for line in lines if line.startswith("STATE:"))


@pytest.mark.usefixtures("rules")
def test_the_same_seed_deals_the_same_cards(processes):
    first = play(processes, "limit2", 3, ["call", "call"])[3]
    second = play(processes, "limit2", 3, ["raise", "raise"])[3]
    cards = [[line.split(":")[3] for line in lines if line.startswith("STATE:")] for lines in (first, second)]
    assert cards[0] == cards[1]
    assert len(set(cards[0])) == 3


def talk(port: int) -> tuple[socket.socket, Iterator[str]]:
    sock = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
    sock.sendall(b"VERSION:2.0.0\n")

    def lines() -> Iterator[str]:
        with sock.makefile("rb") as file:
            for raw in file:
                assert raw.endswith(b"\r\n")
                yield raw.decode().strip()

    return sock, lines()


def test_dealer_passes_over_noise_and_mends_illegal_actions(processes):
    game = processes.game("nolimit2")
    dealer, ports = processes.dealer(game, 1, 3, 0)
    first, first_lines = talk(ports[0])
    second, second_lines = talk(ports[1])
    seats = [(first, first_lines), (second, second_lines)]

    def answer(position: int, action: str, betting: str) -> None:
        """Answer as this position; both then see this betting."""
        seats[position][0].sendall(f"{states[position]}:{action}\n".encode())
        see(betting)

    def see(betting: str) -> None:
        for seat, (_, lines) in enumerate(seats):
            states[seat] = next(lines)
            assert states[seat].split(":")[:4] == ["MATCHSTATE", str(seat), "0", betting]

    states = ["", ""]
    see("")
    noise = "# a comment\r\nhello\nMATCHSTATE:1:5::|AsAh:f\n"
    second.sendall(noise.encode() + f"{states[0]}:f\n{states[1]}\n".encode())
    answer(1, "r60", "r200")  # too small: the least legal raise
    answer(0, "r99999", "r200r3000")  # too great: all-in
    answer(1, "r3000", "r200r3000c///")  # nothing left to raise with: a call, and the hand is over
    holes = [state.split(":")[4].split("/")[0] for state in states]
    assert holes[0] == holes[1]
    assert re.fullmatch(r"(..){2}\|(..){2}", holes[0])
    assert dealer.communicate(timeout=WAIT)[0].startswith("SCORE:")
    for sock, lines in seats:
        assert next(lines, None) is None
        sock.close()


def test_dealer_turns_a_fold_for_nothing_and_nonsense_into_calls(processes):
    game = processes.game("limit2")
    dealer, ports = processes.dealer(game, 1, 3, 0)
    seats = [talk(port) for port in ports]
    actor, betting = 1, ""
    for action, after in [("c", "c"), ("f", "cc/"), ("x", "cc/c"), ("r", "cc/cr"), ("f", "cc/crf")]:
        states = [next(lines) for _, lines in seats]
        assert [state.split(":")[3] for state in states] == [betting] * 2
        seats[actor][0].sendall(f"{states[actor]}:{action}\r\n".encode())
        betting, actor = after, 0 if after.endswith("/") else 1 - actor
    last = [next(lines).split(":") for _, lines in seats]
    assert [state[3] for state in last] == ["cc/crf"] * 2
    assert last[0][4].split("/")[0].endswith("|")  # no showdown: nothing is shown
    assert dealer.communicate(timeout=WAIT)[0] == "SCORE:-10|10:p1|p2\n"
    for sock, _ in seats:
        sock.close()


def serve(script: list[tuple[str, str | None]], answers: list[str]) -> int:
    """A dealer that sends what it is told, and waits for a line after each text with an expected answer."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(WAIT)

    def run() -> None:
        with listener, listener.accept()[0] as sock, sock.makefile("rb") as lines:
            sock.settimeout(WAIT)
            answers.append(lines.readline().decode())
            for text, expected in script:
                sock.sendall(text.encode())
                if expected is not None:
                    answers.append(lines.readline().decode())

    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1]


def test_client_bears_comments_bare_line_feeds_and_repeated_states(processes):
    start, flop = "MATCHSTATE:1:0::|AsAh", "MATCHSTATE:1:0:cc/:|AsAh/2c7d9h"
    end = "MATCHSTATE:1:0:cc/rc/cc/cc:KcQd|AsAh/2c7d9h/3s/8c"
    script = [
        (f"# hello\n; there\r\n{start}\r\n{start}\n", "c"),
        ("MATCHSTATE:1:0:c:|AsAh\n", None),
        (f"{flop}\n{flop}\n", None),
        ("MATCHSTATE:1:0:cc/r:|AsAh/2c7d9h\n", "c"),
        ("MATCHSTATE:1:0:cc/rc/:|AsAh/2c7d9h/3s\nMATCHSTATE:1:0:cc/rc/c:|AsAh/2c7d9h/3s\n", "c"),
        ("MATCHSTATE:1:0:cc/rc/cc/:|AsAh/2c7d9h/3s/8c\n", None),
        ("MATCHSTATE:1:0:cc/rc/cc/c:|AsAh/2c7d9h/3s/8c\n", "c"),
        (end + "\n", None),
    ]
    answers: list[str] = []
    client = processes.client(serve(script, answers), processes.game("limit2"))
    report = json.loads(client.communicate(timeout=WAIT)[0])
    assert report == {"hands": 1, "total": 20, "per_hand": [20], "faults": []}
    assert answers[:2] == ["VERSION:2.0.0\r\n", start + ":c\r\n"]
    assert len(answers) == 5


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("MATCHSTATE:1:0:c:|AsAh\n", "out of order"),
        ("MATCHSTATE:1:0::|AsAs\n", "a card twice"),
        ("MATCHSTATE:1:0::KdKh|AsAh\n", "wrong hole cards"),
        ("MATCHSTATE:1:0::|AsAh\nMATCHSTATE:1:0:c:|AsAd\n", "cards changed"),
        ("MATCHSTATE:1:0::|AsAh\nMATCHSTATE:1:0:r:|AsAh\n", "our c became r"),
        ("MATCHSTATE:1:0::|AsAh\nMATCHSTATE:1:0:cc:|AsAh\n", "should be written"),
        ("MATCHSTATE:1:0:rrrr:|AsAh\n", "illegal r"),
        ("MATCHSTATE:0:0:f:AsAh|\nMATCHSTATE:0:1::AsAh|\n", "rotate"),
    ],
)
def test_client_reports_a_dealer_that_breaks_the_protocol(rules, text, answer):
    import acpc_client

    client = acpc_client.Client(rules.parse_game(GAMES["limit2"]), "call", 0, "exact")
    for line in text.splitlines():
        client.read(line)
    assert any(answer in fault for fault in client.faults)


def test_client_reports_where_the_match_broke_off(processes):
    port = serve([("MATCHSTATE:1:0::|AsAh\r\n", "c")], [])
    client = processes.client(port, processes.game("limit2"))
    report = json.loads(client.communicate(timeout=WAIT)[0])
    assert "middle of a hand" in report["error"]
    assert (client.returncode, report["hands"]) == (1, 0)


def test_order_of_hands(rules):
    falling = [
        "AsKsQsJsTs 2c3d",
        "5h4h3h2hAh KcKd",
        "9c9d9h9sAc KdQh",
        "9c9d9h9sKc QdQh",
        "8c8d8h2s2c 4d5h",
        "7c7d7hAsAc KdKh",
        "AdJd9d4d2d Ac9h",
        "AdJd9d3d2d Ac9h",
        "AsKdQhJcTs Ac2d",
        "6s5d4h3c2s 2c2d",
        "As2d3h4c5s AcAd",
        "QsQdQhAc9s 2c3d",
        "KsKdQhQcAs JcJd",
        "KsKdQhQcJs 2c2d",
        "TsTdAhKc9s 3c2d",
        "TsTdAhKc8s 3c2d",
        "AsKdJh9c7s 2c3d",
    ]
    hands = [re.findall("..", text.replace(" ", "")) for text in falling]
    values = [rules.best_value(hand) for hand in hands]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert [value[0] for value in values] == [8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 4, 3, 2, 2, 1, 1, 0]
    assert rules.best_value(re.findall("..", "AsKsQdJdTc2h2c")) == rules.best_value(
        re.findall("..", "AhKcQdJdTc9h8c")
    )


def cut(text: str) -> list[list[str]]:
    return [re.findall("..", word) for word in text.split()]


def test_side_pots(rules):
    betting, wrong = rules.replay(rules.parse_game(GAMES["nolimit6"]), "r300r600ccfr2000cc///")
    assert wrong == []
    assert betting.finished
    assert betting.spent == [50, 2000, 1500, 600, 2000, 40]
    *holes, board = cut("3c3d AsJh 7s7d QsQh AdJc KdKh KsQd7h4c2s")
    for odd in ("exact", "first"):
        assert rules.payoffs(betting, holes, board, odd) == [-50, -1500, 1200, 1650, -1500, 200]


def test_a_pot_that_does_not_divide(rules):
    betting, wrong = rules.replay(rules.parse_game(GAMES["limit3"]), "cfc/cc/cc/cc")
    assert wrong == []
    *holes, board = cut("KcKh AsJh AdJc KsQd7h4c2s")
    half = Fraction(5, 2)
    assert rules.payoffs(betting, holes, board, "exact") == [-5, half, half]
    assert rules.payoffs(betting, holes, board, "first") == [-5, 3, 2]


def test_no_limit_raises(rules):
    game = rules.parse_game(GAMES["nolimit6"])
    betting = rules.Betting(game)
    assert betting.raise_range() == (200, 1500)
    betting.play("r", 450)
    assert betting.raise_range() == (600, 600)  # 800 asked for, 600 there: all-in or nothing
    betting.play("r", 600)
    assert betting.raise_range() == (800, 2000)  # the original dealer's reading
    assert betting.careful_minimum() == 950  # the text's
    betting, _ = rules.replay(game, "r450fcffc/")
    assert (betting.actor, betting.raise_range()) == (1, (550, 2000))
    betting, _ = rules.replay(rules.parse_game(GAMES["nolimit2"]), "cr3000")
    assert (betting.actor, betting.raise_range(), betting.may_fold()) == (1, None, True)


def test_limit_raises_end_at_the_cap(rules):
    betting, wrong = rules.replay(rules.parse_game(GAMES["limit2"]), "rrr")
    assert (wrong, betting.raise_range(), betting.price) == ([], None, 40)
    betting, wrong = rules.replay(rules.parse_game(GAMES["limit2"]), "crc/rrrr")
    assert (wrong, betting.raise_range(), betting.price) == ([], None, 60)
