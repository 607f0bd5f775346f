"""An ACPC client and dealer written from the protocol's text alone; see README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from acpc_client import run_client
from acpc_dealer import MatchError, run_dealer
from acpc_rules import parse_game


def main() -> int:
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("--odd", choices=["exact", "first"], default="exact", help="odd chips of a split pot")
    both.add_argument("--timeout", type=float, default=60.0, help="seconds for any one wait")
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    client = commands.add_parser("client", parents=[both])
    client.add_argument("host")
    client.add_argument("port", type=int)
    client.add_argument("gamefile", type=Path)
    client.add_argument("--rule", choices=["call", "raise", "random"], default="call")
    client.add_argument("--seed", type=int, default=0)
    dealer = commands.add_parser("dealer", parents=[both])
    dealer.add_argument("gamefile", type=Path)
    dealer.add_argument("hands", type=int)
    dealer.add_argument("seed", type=int)
    dealer.add_argument(
        "ports", type=int, nargs="+", metavar="PORT", help="one per player; a single 0 does for all"
    )
    dealer.add_argument("--log", type=Path)
    dealer.add_argument("--names", help="the players' names, joined by commas")
    args = parser.parse_args()

    game = parse_game(args.gamefile.read_text())
    if args.command == "client":
        report = run_client(args.host, args.port, game, args.rule, args.seed, args.odd, args.timeout)
        print(json.dumps(report))
        return 1 if "error" in report else 0

    ports = args.ports * game.players if args.ports == [0] else args.ports
    names = args.names.split(",") if args.names else [f"p{seat + 1}" for seat in range(game.players)]
    if len(ports) != game.players or len(names) != game.players:
        parser.error(f"the game has {game.players} players: as many ports and names are needed")
    try:
        run_dealer(
            game, args.gamefile.name, args.hands, args.seed, ports, names, args.log, args.odd, args.timeout
        )
    except MatchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
