"""Learn from watched players, or from logs: network, case-bases, and what the network is worth."""

import argparse
import shlex
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any, get_args

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.session import Table
from baycarp.cli.options import add_play
from baycarp.cli.progress import stages
from baycarp.errors import ModelError
from baycarp.game.action import STREETS
from baycarp.game.variant import Variant
from baycarp.opponents.model import ByActions, ByNetwork
from baycarp.opponents.ranges import Weighted
from baycarp.opponents.styles import load_styles
from baycarp.opponents.topology import Calls, topology
from baycarp.papers.registry import find
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import WITHOUT_NETWORK, believing
from baycarp.strategies.registry import STRATEGIES, strategy
from baycarp.strategies.spec import Strategy
from baycarp.train.account import Account
from baycarp.train.agreement import Agreement
from baycarp.train.imitate import Demonstrations, imitate
from baycarp.train.logs import Logs
from baycarp.train.model import NetworkConfig, Trained, Training, Watched, train
from baycarp.train.networks import Accuracy, Measured, Prior

HANDS = 10_000
"""The number that is watched by default."""

PUBLISHED = {
    "HandGroup": ("000-7.1", "hand group"),
    "HandType": ("000-7.3", "flop"),
    "HandTypeTurn": ("000-7.3", "turn"),
    "HandTypeFinal": ("000-7.3", "river"),
}
"""Table and row that printed it: other players, another program."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("folder", type=Path, help="where the model goes; sessions found there are used again")
    add_play(parser, None, f"hands to watch (default: {HANDS}), or to read at most (default: all)")
    parser.add_argument(
        "--revise",
        choices=OUTCOMES,
        default="",
        help="the outcome of a case: its cost, signed by the winner; what it brought, net; its worth against "
        "the believed ranges; or against the cards (default: the strategy's)",
    )
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        default="baycarp",
        help="what the model is for (default: %(default)s)",
    )
    parser.add_argument(
        "--sessions", type=Path, help="where watched sessions are kept, for several models (default: FOLDER)"
    )
    _add_network(parser)
    logs = parser.add_argument_group("imitation", "learn from hands that others played; nothing is drawn")
    logs.add_argument(
        "--from",
        dest="logs",
        nargs="+",
        type=Path,
        metavar="LOG",
        help="PHH, PHHS or ACPC logs, packed (.gz) or not, or folders of them",
    )
    logs.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="the imitated players (default: all whose cards are known)",
    )
    logs.add_argument("--game", help="the game of ACPC logs, which do not contain it")


def _add_network(parser: argparse.ArgumentParser) -> None:
    kind = parser.add_argument_group("network", "how it differs from the thesis'; see baycarp beliefs")
    kind.add_argument("--calls", choices=get_args(Calls), default="plain", help="how calls are distinguished")
    kind.add_argument("--partial", action="store_true", help="with partial hands (section 5.3.3)")
    kind.add_argument("--classes", action="store_true", help="with starting classes under the hand groups")
    kind.add_argument(
        "--prior",
        choices=get_args(Prior),
        default="bdeu",
        help="what tables fall back on (default: %(default)s)",
    )
    kind.add_argument("--active", action="store_true", help="train on all players still in, not on showdowns")
    kind.add_argument("--weighted", action="store_true", help="describe cases with every holding weighted")
    kind.add_argument(
        "--styles", action="store_true", help="describe cases by hand -> action, with its styles"
    )
    kind.add_argument(
        "--no-network",
        action="store_true",
        help="none: cases contain no hand types; for baycarp2(network=False)",
    )


def run(args: argparse.Namespace) -> int:
    """Train, and print tables 7.1 and 7.3 on held-out hands."""
    if args.logs:
        return _imitate(args)
    if args.player or args.game:
        raise ModelError("--player and --game: expected logs to imitate, --from LOG")
    given = _given(args)
    able = ("--revise", "--no", "--strategy")
    if senseless := [word for word in given if not word.startswith(able)]:
        if args.no_network:
            raise ModelError(f"{', '.join(senseless)}: expected without --no-network")
        if not strategy(args.strategy).needs_network:
            raise ModelError(f"{', '.join(senseless)}: expected a strategy with a network")
    table = watched(args.strategy, args.seed)
    hands = args.hands or HANDS
    structure = topology(args.calls, args.partial, args.classes)
    network_config = NetworkConfig(structure, args.prior, args.active)
    command = " ".join([f"baycarp train --hands {hands} --seed {args.seed}", *given])
    console = Console()
    with stages() as progress:
        trained = train(
            Training(_strategy(args), network_config, args.revise),
            Watched(table, hands, args.sessions),
            args.folder,
            command,
            args.workers,
            progress,
        )
    show(console, trained)
    return 0


def watched(name: str, seed: int) -> Table:
    """The table that a model is trained at: the strategy's game, with the default players in its seats."""
    game, players = strategy(name).game, (*TABLE, EIGHTH)
    variant = Variant.load(game) if game else Variant.ring(len(players))
    specs = tuple(players[seat % len(players)] for seat in range(variant.seats))
    names = (f"{spec.capitalize()} {1 + seat // len(players)}" for seat, spec in enumerate(specs))
    return Table(variant, tuple(each.removesuffix(" 1") for each in names), specs, seed)


def _strategy(args: argparse.Namespace) -> Strategy:
    """The strategy, with the requested opponent model."""
    chosen = strategy(args.strategy)
    if args.no_network:
        if args.strategy != USUAL["strategy"]:
            raise ModelError(f"--no-network: expected without --strategy {args.strategy}")
        return WITHOUT_NETWORK
    if args.weighted:
        chosen = believing(chosen, ByNetwork(Weighted()))
    return believing(chosen, ByActions(load_styles())) if args.styles else chosen


USUAL = {"strategy": "baycarp", "revise": "", "calls": "plain", "prior": "bdeu"} | dict.fromkeys(
    ("partial", "classes", "active", "weighted", "styles", "no_network"), False
)
"""The default settings of a model of watched players."""


def _given(args: argparse.Namespace, usual: Mapping[str, Any] = USUAL) -> list[str]:
    """The options that are not the usual ones, as they are typed."""
    options = {
        name.replace("_", "-"): getattr(args, name) for name in usual if getattr(args, name) != usual[name]
    }
    return [f"--{name}" if value is True else f"--{name} {value}" for name, value in options.items()]


def _imitate(args: argparse.Namespace) -> int:
    """Train from logs; report the outcome of every hand's import, and print the same tables."""
    own = {"sessions": None, "seed": 1, "strategy": args.strategy}
    if senseless := _given(args, USUAL | own):
        raise ModelError(f"{', '.join(senseless)}: expected without --from")
    logs = Logs(tuple(args.logs), Variant.load(args.game) if args.game else None, args.hands)
    words = ["baycarp", "train", "--from", *map(str, args.logs)]
    words += ["--strategy", args.strategy] if args.strategy != USUAL["strategy"] else []
    for name in args.player or ():
        words += ["--player", name]
    words += ["--game", args.game] if args.game else []
    words += ["--hands", str(args.hands)] if args.hands else []
    with stages() as progress:
        made = imitate(
            strategy(args.strategy),
            Demonstrations(logs, tuple(args.player) if args.player else None),
            args.folder,
            shlex.join(words),
            args.workers,
            progress,
        )
    console = Console()
    _tell(console, made.account)
    console.print(_agreed(made.agreement), highlight=False, soft_wrap=True)
    show(console, made)
    return 0


def _tell(console: Console, account: Account) -> None:
    """Print what became of the hands."""
    console.print(f"hands    {account.hands} used, {account.skipped.total()} skipped", highlight=False)
    for reason, number in account.skipped.most_common():
        console.print(f"         {number} {reason}; the first: {account.first[reason]}", markup=False)
    imitated, hidden = account.decisions["cases"], account.decisions["cards or end unknown"]
    console.print(f"actions  {imitated} of those imitated", highlight=False)
    if hidden:
        console.print(f"         {hidden} more are no cases, since their cards or the winner are not known:")
        console.print(
            "         what was folded unseen cannot be imitated (Rubin and Watson 2012, section 5.2.6)"
        )


def _agreed(agreement: Agreement) -> str:
    """How often the model does as the player did."""
    total, shares = agreement.total(), []
    for street, name in enumerate(STREETS):
        of = agreement[street, True] + agreement[street, False]
        if of:
            shares.append(f"{name} {agreement[street, True] / of:.0%}")
    same = sum(agreement[street, True] for street in range(4))
    return f"agrees   on {same} of {total} held-out actions: {', '.join(shares) or '-'}"


def show(console: Console, trained: Trained) -> None:
    """Print what was made and what it is worth."""
    for name, casebase in trained.model.casebases.items():
        console.print(f"{name:<8} {len(casebase)} cases")
    if trained.measured is None:
        return
    console.print(f"network  fitted on {trained.showdowns} showdown rows\n")
    console.print(_accuracies(trained.measured.accuracies))
    console.print(_faults(trained.measured))


def _accuracies(accuracies: tuple[Accuracy, ...]) -> Grid:
    grid = Grid(
        title="held-out hands: the truth among the first k (tables 7.1, 7.3)",
        box=SIMPLE,
        padding=(0, 1, 0, 0),
    )
    for title in ("node", "players", "rows", "1", "2", "3", "4", "unseen", "seed"):
        grid.add_column(title, justify="left" if title in ("node", "players") else "right", no_wrap=True)
    for line in accuracies:
        top = [_percent(share) for share in line.top]
        id, row = PUBLISHED[line.node]
        published = dict(find(id).rows)[row][:-1] if line.players == "active" else ()
        grid.add_row(
            line.node, line.players, str(line.rows), *top, _percent(line.unseen, 1), "/".join(published)
        )
    return grid


def _percent(share: float, digits: int = 0) -> str:
    """A share in print; where nothing was held out there is none."""
    return "-" if isnan(share) else f"{share:.{digits}%}"


def _faults(measured: Measured) -> Grid:
    """Figures 7.1, 7.2 and table 7.2: where the true group was not among the four."""
    actions = sorted({action for action, _ in measured.asked})
    positions = ("Blinds", "Early", "Middle", "Late")
    total = sum(measured.faults.values()) or 1
    grid = Grid(
        title="faults: hand group below the top four (figures 7.1, 7.2, table 7.2)",
        box=SIMPLE,
        padding=(0, 1, 0, 0),
    )
    grid.add_column("action")
    for title in (*positions, "all", "asked"):
        grid.add_column(title, justify="right")
    for action in actions:
        shares = [measured.faults[action, position] / total for position in positions]
        asked = sum(count for (name, _), count in measured.asked.items() if name == action)
        grid.add_row(action, *(f"{share:.0%}" for share in shares), f"{sum(shares):.0%}", str(asked))
    columns = [sum(measured.faults[action, position] for action in actions) / total for position in positions]
    grid.add_row("all", *(f"{share:.0%}" for share in columns), "100%", str(sum(measured.asked.values())))
    return grid
