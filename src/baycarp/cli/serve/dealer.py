"""Deal a match to ACPC clients and to agents of this package."""

import sys
from argparse import Namespace
from contextlib import ExitStack
from typing import TextIO

from baycarp.agents.base import Agent
from baycarp.agents.registry import load_for
from baycarp.arena.acpc.dealer import deal_match, verify_names
from baycarp.arena.acpc.door import accept, listen
from baycarp.arena.acpc.remote import Limits, Remote
from baycarp.cli.options import count, option, options, port, seconds, seed
from baycarp.errors import TableError
from baycarp.game.variant import Variant

__all__ = ["add", "run"]

TIMES = {
    "--time": (Limits().answer, "seconds for an answer"),
    "--time-hand": (Limits().hand, "seconds for a hand"),
    "--time-match": (Limits().average, "seconds a hand, on average over the match"),
    "--wait": (600.0, "seconds for all clients to come"),
}


def _ports(text: str) -> tuple[int, ...]:
    return tuple(port(part) for part in text.split(","))


add = options(
    option("game", help="a shipped game, or an ACPC .game file"),
    option("hands", type=count, help="hands to play"),
    option("seed", type=seed, help="fixes every card; another order of names is the duplicate"),
    option("name", nargs="+", help="a player by seat: a client's; or NAME=AGENT, an agent, without a port"),
    option("--host", default="127.0.0.1", help="where to listen"),
    option(
        "--port",
        type=_ports,
        metavar="PORTS",
        help="a client each, parted by commas (default: any that are free)",
    ),
    *(option(name, type=seconds, default=default, help=help) for name, (default, help) in TIMES.items()),
    option("--log", help="file for every hand and the score, in ACPC format"),
)


def run(args: Namespace) -> int:
    """Open the ports, print them, await the clients, play, and print the score."""
    variant = Variant.load(args.game)
    words = [word.partition("=") for word in args.name]
    names = [name for name, _, _ in words]
    verify_names(variant, names)
    ours = {name: load_for(variant, spec) for name, equals, spec in words if equals}
    with ExitStack() as stack:
        log = stack.enter_context(open(args.log, "a", encoding="utf-8")) if args.log else None
        clients = _await([name for name in names if name not in ours], args, stack)
        seats: dict[str, Agent] = {name: ours.get(name) or clients[name] for name in names}
        _head(log, args)
        totals = deal_match(variant, args.hands, args.seed, seats, log)
    for name, client in clients.items():
        print(f"{name}: {client.conduct}", file=sys.stderr)
    print(f"SCORE:{'|'.join(map(str, totals.values()))}:{'|'.join(totals)}")
    return 0


def _await(names: list[str], args: Namespace, stack: ExitStack) -> dict[str, Remote]:
    """The clients of these names, each by its own port; ``stack`` will hang up."""
    ports = args.port or (0,) * len(names)
    if len(ports) != len(names):
        raise TableError(f"ports {','.join(map(str, ports))}: expected {len(names)}, one a client")
    doors = [stack.enter_context(door) for door in listen(args.host, ports)]
    if doors:
        print(*(door.getsockname()[1] for door in doors), flush=True)
    for name, door in zip(names, doors, strict=True):
        print(f"waiting for {name} at {args.host}:{door.getsockname()[1]}", file=sys.stderr)
    limits = Limits(args.time, args.time_hand, args.time_match)
    wires = accept(doors, args.wait)
    clients = {name: Remote(wire, args.hands, limits) for name, wire in zip(names, wires, strict=True)}
    for client in clients.values():
        stack.callback(client.close)
    return clients


def _head(log: TextIO | None, args: Namespace) -> None:
    """Begin a log as the original dealer does, where there was another; its times are milliseconds."""
    if log is not None:
        if log.seekable():
            log.truncate(0)
        log.write(f"# name/game/hands/seed {'/'.join(args.name)} {args.game} {args.hands} {args.seed}\n")
        for word, time_ in (("response", args.time), ("hand", args.time_hand)):
            log.write(f"#--t_{word} {1000 * time_:.0f}\n")
        log.write(f"#--t_per_hand {1000 * args.time_match:.0f}\n")
