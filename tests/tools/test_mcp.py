"""The tools of language models, driven by the SDK's own client over standard input and output."""

import json
import subprocess
import sys
from importlib.util import find_spec

import anyio
import pytest
from jsonschema import Draft202012Validator

import baycarp
from baycarp.arena.session import Table, play_session
from baycarp.game.variant import Variant
from baycarp.tools.worker import LONGEST

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="no mcp")  # its import takes seconds
HEADS_UP = "holdem.limit.2p.reverse_blinds"
SPOT = {
    "game": "holdem.nolimit.6p.100bb",
    "seat": 5,
    "hole": "AhKd",
    "board": "Ks7d2c",
    "actions": ["fold", "fold", "raise 250", "call", "fold", "fold", "bet 350"],
}

RIVER = {"board": "Td9d6hQc2s", "pot": 200, "stack": 900, "oop": "66+,A8s+", "ip": "QQ-22,AQs-A2s"}

FOLDED = "STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|Bob"
"""Bob folds top pair on the river for one bet."""


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Hands of two players, as an ACPC log."""
    path = tmp_path_factory.mktemp("hands") / "match.log"
    table = Table(Variant.load(HEADS_UP), ("Ann", "Bob"), ("rule", "call"), seed=4)
    path.write_text("".join(f"{line}\n" for line in play_session(table, 0, 40).log))
    return path


def conversation(use, *arguments):
    """Start the command, and let a client use it: what ``use`` returns."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "baycarp", "serve", "mcp", *map(str, arguments)]
    )

    async def run():
        async with Client(stdio_client(command)) as client:
            return await use(client)

    return anyio.run(run)


async def called(client, name, **arguments):
    """The answer of a tool: whether it was refused, its text, and the text as JSON."""
    result = await client.call_tool(name, arguments)
    (content,) = result.content
    assert len(content.text.encode()) <= LONGEST
    return (True, content.text) if result.is_error else (False, json.loads(content.text))


def test_a_client_uses_every_tool(log):
    judged = {"player": "Bob", "judge": "baycarp"}

    async def use(client):
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
        answers = {
            "equity": await called(client, "equity", sides=["AhAd", "KsKc"]),
            "strength": await called(client, "strength", hole="AhKd", board="Ks7d2c", opponents=["TT+,AQs+"]),
            "ranges": await called(client, "ranges", range="AA,72s", known="Ah7d"),
            "decide": await called(client, "decide", spot=SPOT, agent="sizer(number=3)", seed=7),
            "solve": await called(client, "solve", spot=RIVER, line="check", holding="QsQh"),
            "read_hand": await called(client, "read_hand", number=3),
            "review_hand": await called(client, "review_hand", hands=FOLDED, **judged),
            "statistics": await called(client, "statistics"),
        }
        return offered, answers

    offered, answers = conversation(use, log, "--game", HEADS_UP)
    assert set(offered) == set(answers)
    for tool in offered.values():
        assert tool.description
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["type"] == "object"
    assert not any(refused for refused, _ in answers.values()), answers
    found = {name: answer for name, (_, answer) in answers.items()}
    exact = baycarp.equity("AhAd", "KsKc")
    assert found["equity"] == {"shares": [round(exact, 5), round(1 - exact, 5)], "exact": True}
    measured = baycarp.strength("AhKd", "Ks7d2c", baycarp.Range("TT+,AQs+"))
    names = ("strength", "improves", "falls behind")
    assert [found["strength"][name] for name in names] == pytest.approx(measured, abs=1e-4)
    assert found["strength"]["hand"] == "top pair, kings, ace kicker"
    assert (found["ranges"]["holdings"], found["ranges"]["of"]) == (6, 1225)
    solved = found["solve"]
    assert solved["exploitability"] <= 0.5
    assert sum(solved["values"].values()) == pytest.approx(200, abs=0.02)
    assert (solved["at"]["player"], solved["holding"]["class"]) == ("ip", "QQ")
    decided = found["decide"]
    assert (decided["pot"], decided["to call"], decided["equity to call"]) == (1000, 350, 0.2593)
    assert sum(decided["policy"].values()) == pytest.approx(1)
    assert decided["explanation"].startswith(decided["action"])
    assert "Ann" in found["read_hand"]["text"]
    assert found["read_hand"]["of"] == 40
    assert found["review_hand"]["decisions"] >= 4
    (disputed,) = found["review_hand"]["disputed"]
    assert (disputed["taken"], disputed["street"]) == ("fold", 3)
    assert disputed["cost"] > 10 * disputed["error"]
    assert disputed["reason"].startswith("You beat")
    players = found["statistics"]["players"]
    assert players["Bob"]["hands"] == players["Ann"]["hands"] == 40
    assert players["Ann"]["won"][0] == -players["Bob"]["won"][0]
    assert players["Bob"]["pfr"][0] == 0 < players["Bob"]["pfr"][1] <= 40


LARGE = {"board": "Td9d6h", "sizes": "20%, 40%, 70%, a", "raises": "2x, 3x, a"}
REFUSED = {
    "a file": ("decide", {"spot": SPOT, "agent": "baycarp(model='/etc')"}, "not without trust"),
    "a program": ("decide", {"spot": SPOT, "agent": "program(command='touch OWNED')"}, "not without trust"),
    "a place": (
        "review_hand",
        {"number": 1, "player": "Bob", "judge": "bots/x.py:Mine"},
        "not without trust",
    ),
    "a game file": ("decide", {"spot": SPOT | {"game": "/etc/passwd"}}, "expected a GAMEDEF text or one of"),
    "another's game": ("read_hand", {"hands": "STATE:", "game": "/etc/passwd"}, "expected a GAMEDEF text"),
    "a card twice": ("strength", {"hole": "AhKd", "board": "Ah7d2c"}, "Ah"),
    "no range": ("ranges", {"range": "AhKdQs"}, "column"),
    "a large tree": ("solve", {"spot": RIVER | LARGE}, "decisions: expected at most"),
    "many sizes": ("solve", {"spot": RIVER | {"sizes": "1%, 2%, 3%, 4%, 5%"}}, "expected at most 4"),
    "no sizes": ("solve", {"spot": RIVER | {"sizes": "huge"}}, "huge"),
    "many sides": ("equity", {"sides": ["random"] * 7}, "at most 6"),
    "a long text": ("read_hand", {"hands": "x" * 70_000}, "at most 65536"),
    "no such hand": ("read_hand", {"number": 7}, "expected at most 1"),
    "an illegal action": ("decide", {"spot": SPOT | {"actions": ["raise 101"]}}, "raise"),
    "no turn": ("decide", {"spot": SPOT | {"board": "", "actions": ["fold"]}}, "cannot act"),
    "an unknown key": ("decide", {"spot": SPOT | {"money": 1}}, "money"),
}


@pytest.mark.slow
def test_what_is_refused_says_why(log, tmp_path):
    one = tmp_path / "one.log"
    one.write_text(log.read_text().splitlines()[0] + "\n")

    async def use(client):
        return {
            words: await called(client, name, **arguments) for words, (name, arguments, _) in REFUSED.items()
        }

    for words, (refused, text) in conversation(use, one).items():
        assert refused, words
        assert REFUSED[words][2] in text, (words, text)


def test_standard_output_carries_the_protocol_alone():
    """Every line is a JSON-RPC message, whatever the computation prints."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a test", "version": "1"},
        },
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "equity", "arguments": {"sides": ["AhAd", "KsKc"]}},
    }
    with subprocess.Popen(
        [sys.executable, "-m", "baycarp", "serve", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        for message in (hello, ready, call):
            server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        rest, _ = server.communicate(timeout=30)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert not rest
    assert server.returncode == 0
