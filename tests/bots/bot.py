"""Speaks the engine protocol and checks or calls; its arguments say how it misbehaves, and when."""

import json
import os
import subprocess
import sys
import time


def say(**message):
    print(json.dumps(message), flush=True)


def decide(go, **message):
    say(**({"type": "decision", "id": go["id"]} | message))


def flood(line):
    while True:
        print(line, flush=True)


def fork():
    """Children that outlive it, and hold its pipes."""
    for _ in range(3):
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
    os._exit(0)


MISDEEDS = {
    "hangs": lambda go: time.sleep(600),
    "shouts": lambda go: flood("x" * 4000),
    "chatters": lambda go: flood('{"type": "info", "reason": "still thinking"}'),
    "one long line": lambda go: [os.write(1, b"x" * 4000) for _ in iter(int, 1)],
    "babbles": lambda go: print("I raise!!!", flush=True),
    "is no object": lambda go: print("[[[[", flush=True),
    "raises by 3": lambda go: decide(go, action="raise", amount=3),
    "says nonsense": lambda go: decide(go, action=["fold"], amount=-1),
    "answers for another": lambda go: decide(go | {"id": go["id"] + 1}, action="fold"),
    "refuses": lambda go: say(type="error", id=go["id"], error="X", reason="I will not"),
    "dies": lambda go: os._exit(1),
    "eats memory": lambda go: decide(go, action="fold", reason=str(len(bytearray(1 << 30)))),
    "leaves children": lambda go: fork(),
}


def main(how, when="always"):
    if how == "stillborn":
        sys.exit(1)
    if how == "dumb":
        time.sleep(600)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "ready":
            say(type="ready", id=message["id"], name="a bot of the tests")
        elif message["type"] == "position":
            position = message
        elif message["type"] == "go" and how in MISDEEDS and (when == "always" or position["hand"] % 2):
            MISDEEDS[how](message)
        elif message["type"] == "go":
            decide(message, action=next(a.split()[0] for a in position["legal"] if a[0] == "c"))


main(*sys.argv[1:])
