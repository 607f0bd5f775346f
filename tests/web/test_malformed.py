"""Malformed messages: mutated ones are refused by name or carried out, and a refused one changes nothing."""

import asyncio
import json
import socket
from random import Random

import pytest

pytest.importorskip("starlette")
websockets = pytest.importorskip("websockets.sync.client")

from baycarp import errors  # noqa: E402
from baycarp.game import Variant  # noqa: E402
from baycarp.web.server import LONGEST, _answer  # noqa: E402
from baycarp.web.sitting import Seating, Sitting  # noqa: E402
from baycarp.web.table import TYPES, BrowserTable  # noqa: E402

GAME = "holdem.limit.3p"
LINE = "STATE:0:crc/rf:AhKd|9c9h|2s2d/Qs7d2c:10|-6|-4:Ann|Bob|You"
VALUES = (
    *("", "act", "next", GAME, LINE, 0, 1, -1, 2**31, 2**63, 2**70, 1.5, 1e308, True, False, None, [], {}),
    *([[]], "\u0000", "\ud800", "a" * 300, "../../etc/passwd", "holdem.nolimit.9p", {"type": "act"}),
)
KNOWN = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}


def seated():
    return BrowserTable(
        Sitting(Seating(Variant.load(GAME), ("Ann", "Bob"), ("rule", "call"), "rule", seed=5)), pace=0
    )


def messages(table):
    """One sound message of every kind, for the table as it is."""
    frame = table.greeting()["frame"]
    at = {"hand": frame["hand"], "at": len(frame["acts"])}
    stay = (frame["choices"] or {"stay": "check"})["stay"]
    return [
        {"type": "act", "action": stay, **at},
        {"type": "next", "hand": frame["hand"]},
        {"type": "pause", "on": 0},
        {"type": "pace", "milliseconds": 0},
        {"type": "panel", "hand": frame["hand"], "act": 0},
        {"type": "panel", "line": LINE, "game": GAME, "act": 1},
        {"type": "hint", **at},
        {"type": "hands", "from": 0},
        {"type": "open"},
        {"type": "replay", "hand": 0},
        {"type": "replay", "line": LINE, "game": GAME},
        {"type": "again", "hand": 0, "act": 0},
        {"type": "again", "line": LINE, "game": GAME, "act": 1},
        {"type": "leave"},
        {"type": "settings", "goesOn": 0, "skips": 1, "clock": 0},
        {"type": "ahead", "choice": "check", **at},
        {"type": "skip", "hand": frame["hand"]},
        {"type": "summary"},
    ]


def mutated(random, message):
    """A message with up to two accidents in its fields, then perhaps one in its text, as it is received."""
    message = dict(message)
    for _ in range(random.randrange(3)):
        key = random.choice([*message, "extra"])
        match random.randrange(4):
            case 0:
                message.pop(key, None)
            case 1:
                message[key] = random.choice(VALUES)
            case 2 if isinstance(message.get(key), str):
                message[key] = spoilt(random, message[key])
            case _:
                message["type"] = random.choice(TYPES)
    text = json.dumps(message)
    match random.randrange(12):
        case 0:
            text = "[" * random.choice((1, 50, 3000)) + text
        case 1:
            text = text + " " * random.choice((1, LONGEST))
        case 2:
            return {"bytes": text.encode()}
        case 3 | 4 | 5:
            text = spoilt(random, text)
    return {"text": text}


def spoilt(random, text):
    """One to four characters removed, doubled, replaced or moved."""
    letters = list(text)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(letters) + 1)
        letters[at : at + random.randrange(3)] = random.choice(
            ("", letters[at : at + 1] * 2, chr(random.randrange(128)), random.choice('{}[]":,/|09é\u2028'))
        )
    return "".join(letters)


def lasting(table):
    """What the page shows, without the time that goes on."""
    return table.greeting() | {"left": None}


async def send(table, count, seed):
    """Send so many messages, agents act between them; how many were refused."""
    random, refused = Random(seed), 0
    for number in range(count):
        received = mutated(random, random.choice(messages(table)))
        before, answers = lasting(table), []
        await _answer(table, received, answers.append)
        assert len(answers) <= 1
        for answer in answers:
            json.dumps(answer)
            if answer["type"] == "error":
                assert answer["error"] in KNOWN, (number, received, answer)
                assert lasting(table) == before, (number, received, answer)
                refused += 1
            else:
                assert answer["type"] in ("panel", "hint", "hands", "replay", "summary")
        while sitting := table._may_step():
            sitting.step()
        table._observe()
    return refused


def verify(count, seed):
    table = seated()
    refused = asyncio.run(send(table, count, seed))
    assert count / 3 < refused < count
    hands = table.sitting.finished
    assert len(hands) > count / 1000
    assert all(sum(hand.state.payoffs()) == 0 for hand in hands)


def test_a_mutated_message_is_carried_out_or_refused_and_then_changes_nothing():
    verify(3_000, 1)


@pytest.mark.slow
def test_a_million_mutated_messages():
    for seed in range(100):
        verify(10_000, 100 + seed)


def connected(address):
    """A socket after the handshake of a WebSocket, by hand."""
    host, port = address[len("http://") :].split("/")[0].split(":")
    line = socket.create_connection((host, int(port)), timeout=60)
    path = address[address.index("/", 8) :] + "ws"
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        f"Origin: http://{host}:{port}",
        "Upgrade: websocket",
    ]
    head += ["Connection: Upgrade", f"Sec-WebSocket-Key: {'A' * 22}==", "Sec-WebSocket-Version: 13"]
    line.sendall("\r\n".join([*head, "", ""]).encode())
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


def framed(payload, opcode=1, final=True, masked=True, length=None):
    """A frame of RFC 6455; ``length``: what its head claims."""
    size = len(payload) if length is None else length
    head = bytes([final << 7 | opcode, masked << 7 | (size if size < 126 else 126 if size < 2**16 else 127)])
    head += b"" if size < 126 else size.to_bytes(2 if size < 2**16 else 8, "big")
    return head + b"\0\0\0\0" * masked + payload


LEAVE = b'{"type": "leave"}'
FRAMES = {
    "a reserved opcode": framed(LEAVE, opcode=5),
    "reserved bits": bytes([0xF1]) + framed(LEAVE)[1:],
    "no mask": framed(LEAVE, masked=False),
    "no UTF-8": framed(b"\xff\xfe{"),
    "bytes": framed(LEAVE, opcode=2) * 20,
    "a continuation of nothing": framed(LEAVE, opcode=0),
    "a fragmented ping": framed(b"x", opcode=9, final=False),
    "a long ping": framed(b"x" * 126, opcode=9),
    "a close of one byte": framed(b"x", opcode=8),
    "twice the greatest length": framed(b"x" * (2 * LONGEST + 1)),
    "a claim of 2**62 bytes": framed(b"x", length=2**62),
    "a claim of 2**63 bytes": framed(b"x", length=2**63),
    "fragments without end": framed(b"x" * LONGEST, final=False) + framed(b"x" * LONGEST, 0, False) * 2,
    "the greatest length, again and again": framed(b"x" * (LONGEST + 1)) * 20,
    "no frame": b"GET / HTTP/1.1\r\n\r\n" * 10,
}


def connect(address):
    """A sound connection."""
    place = address.replace("http", "ws", 1) + "ws"
    return websockets.connect(place, origin=address[: address.index("/", 8)])


def turn(line):
    """The table when the person is to act."""
    while True:
        message = json.loads(line.recv(60))
        if message["frame"]["choices"]:
            return message


def ended(line):
    """Whether the other side closes the connection."""
    try:
        while line.recv(65536):
            pass
    except ConnectionResetError:
        return True
    return True


@pytest.mark.slow
def test_frames_that_the_protocol_forbids_end_their_connection_alone(address):
    with connect(address) as kept:
        before = turn(kept)
        for frame in FRAMES.values():
            with connected(address) as line:
                line.sendall(frame)
                assert ended(line)
        random = Random(7)
        for _ in range(100):
            with connected(address) as line:
                line.sendall(random.randbytes(random.randrange(1, 200)))
        with connect(address) as other:
            assert turn(other) == before
        kept.send(json.dumps({"type": "pause", "on": 1}))
        assert json.loads(kept.recv(60)) == before | {"paused": True}
