"""Serve an agent to other programs: JSON lines on stdin and stdout, in the manner of UCI."""

import os
from argparse import Namespace

from baycarp.agents.registry import DEFAULT
from baycarp.arena.engine import Engine, Options
from baycarp.arena.serve import serve
from baycarp.cli.options import count, flag, option, options, seconds, seed

__all__ = ["add", "run"]

add = options(
    option("--agent", default=DEFAULT, help="the agent that decides"),
    option("--seed", type=seed, default=0, help="of sessions that name none"),
    option("--time", type=seconds, help="seconds of a go that names no limit"),
    option("--playouts", type=count, help="playouts of a go that names no limit"),
    flag("--trust", "messages may name programs, files, memories and agents of other packages"),
)


def run(args: Namespace) -> int:
    """Answer until the end; the messages are described in ``baycarp.arena.engine``."""
    engine = Engine(Options(args.agent, args.seed, args.time, args.playouts), args.trust)
    answers = os.dup(1)
    os.dup2(2, 1)  # output printed by a library is no answer
    serve(engine, 0, answers)
    return 0
