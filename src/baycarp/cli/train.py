"""Learn from watched players, or from logs: network, case-bases, and the accuracy of the network."""

import shlex
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.session import Table
from baycarp.cli.options import count, flag, group, option, options, play
from baycarp.cli.output import grid
from baycarp.cli.progress import progress, stages
from baycarp.errors import ModelError
from baycarp.game import STREETS, Variant
from baycarp.opponents.gambler.model import ByGambler
from baycarp.opponents.model import ByActions, ByNetwork
from baycarp.opponents.players import load_players
from baycarp.opponents.ranges import Weighted
from baycarp.opponents.styles import load_styles
from baycarp.opponents.topology import Calls, topology
from baycarp.papers.registry import find
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import WITHOUT_NETWORK, believing
from baycarp.strategies.registry import STRATEGIES, strategy
from baycarp.strategies.spec import Strategy
from baycarp.train.account import Account
from baycarp.train.agreement import Agreement, Prediction
from baycarp.train.curriculum import Curriculum, named, parse_seats, shares_text
from baycarp.train.imitate import Demonstrations, imitate
from baycarp.train.logs import Logs
from baycarp.train.model import NetworkConfig, Trained, Training, Watched, train
from baycarp.train.networks import Accuracy, Measured, Prior
from baycarp.train.player_trees import CLUSTERS, FILE, SEATS, train_players
from baycarp.train.sizers import Sizers

HANDS = 10_000
"""The number that is watched by default."""

PUBLISHED = {
    "HandGroup": ("000-7.1", "hand group"),
    "HandType": ("000-7.3", "flop"),
    "HandTypeTurn": ("000-7.3", "turn"),
    "HandTypeFinal": ("000-7.3", "river"),
}
"""Table and row of the published value: other players, another program."""

add = options(
    option("folder", type=Path, help="where the model goes; sessions found there are used again"),
    play(None, f"hands to watch (default: {HANDS}), or to read at most (default: all)"),
    option(
        "--revise",
        choices=OUTCOMES,
        default="",
        help="the outcome of a case: its cost, signed by the winner; its net chips; its worth against "
        "the believed ranges; or against the cards (default: the strategy's)",
    ),
    option("--strategy", choices=STRATEGIES, default="baycarp", help="the strategy that the model is for"),
    option(
        "--seats",
        default="",
        metavar="SIZES",
        help="watch tables of several sizes: 2-10, or with the share of the hands of each, 2:4,3-6:2,8 "
        "(default: the eight-seat table)",
    ),
    option(
        "--agent",
        choices=("mcts",),
        help="models of players for an agent, from the no-limit population, into FOLDER/players.npz",
    ),
    option(
        "--clusters", type=count, default=CLUSTERS, help=f"of players, with --agent (default: {CLUSTERS})"
    ),
    option("--sessions", type=Path, help="folder of watched sessions, for several models (default: FOLDER)"),
    group(
        "network",
        "differences from the thesis' network; see baycarp oracle",
        option("--calls", choices=get_args(Calls), default="plain", help="how calls are distinguished"),
        flag("--partial", "with partial hands (section 5.3.3)"),
        flag("--classes", "with starting classes under the hand groups"),
        flag("--aggression", "with the aggression of earlier hands on each street (section 9.1)"),
        option("--prior", choices=get_args(Prior), default="bdeu", help="prior of the tables"),
        flag("--active", "train on all players still in, not on showdowns"),
        flag("--weighted", "describe cases with every holding weighted"),
        flag("--styles", "describe cases by hand -> action, with its styles"),
        option("--opponents", choices=("gambler",), default="", help="describe cases by Gambler's reading"),
        flag("--no-network", "none: cases contain no hand types; for baycarp2(network=False)"),
    ),
    group(
        "imitation",
        "learn from hands that others played; no card is drawn",
        option(
            "--from",
            dest="logs",
            nargs="+",
            type=Path,
            metavar="LOG",
            help="PHH, PHHS or ACPC logs, packed (.gz) or not, or folders of them",
        ),
        option(
            "--player",
            action="append",
            default=[],
            metavar="NAME",
            help="the imitated players (default: all whose cards are known)",
        ),
        option("--game", help="the game of ACPC logs, which do not contain it"),
    ),
)


def run(args: Namespace) -> int:
    """Train, and print tables 7.1 and 7.3 on held-out hands."""
    if args.agent:
        return _players(args)
    if args.logs:
        return _imitate(args)
    if args.player or args.game:
        raise ModelError("--player and --game: expected logs to imitate, --from LOG")
    given = _given(args)
    without = ("--revise", "--no", "--strategy", "--seats")
    if senseless := ", ".join(word for word in given if not word.startswith(without)):
        if args.no_network:
            raise ModelError(f"{senseless}: expected without --no-network")
        if not strategy(args.strategy).needs_network:
            raise ModelError(f"{senseless}: expected a strategy with a network")
    hands = args.hands or HANDS
    structure = topology(args.calls, args.partial, args.classes, args.aggression)
    network = NetworkConfig(structure, args.prior, args.active)
    training = Training(_strategy(args), network, args.revise)
    seen = Watched(_tables(args), hands, args.sessions)
    command = " ".join([f"baycarp train --hands {hands} --seed {args.seed}", *given])
    with stages() as tick:
        trained = train(training, seen, args.folder, command, args.workers, tick)
    show(Console(), trained)
    return 0


def _players(args: Namespace) -> int:
    """Train models of players, and print their log loss on held-out hands."""
    own: dict[str, object] = {"sessions": None, "logs": None, "player": [], "game": None}
    if senseless := _given(args, {name: each for name, each in (USUAL | own).items() if name != "seats"}):
        raise ModelError(f"{', '.join(senseless)}: expected without --agent")
    tables = Sizers(parse_seats(args.seats) if args.seats else SEATS, args.seed, ())
    hands = args.hands or HANDS
    sessions, each = tables.split(hands)
    with progress("hands", sessions * each) as tick:
        fitted = train_players(tables, hands, args.folder, args.clusters, args.workers, tick)
    console = Console(highlight=False)
    sizes = Counter(fitted.assigned.values())
    console.print(f"players  {len(fitted.assigned)} in clusters of {sorted(sizes.values(), reverse=True)}")
    console.print(
        f"trees    {fitted.growth}; all players weigh {fitted.weight:g} decisions in a cluster's leaf"
    )
    clustered, pooled = fitted.losses
    console.print(f"loss     {clustered:.4f} nats on held-out hands; one model for all players {pooled:.4f}")
    made = load_players(args.folder / FILE)
    console.print(f"model    {args.folder / FILE}, digest {made.digest[:16]}")
    return 0


def watched(name: str, seed: int) -> Table:
    """The table that a model is trained at: the strategy's game, with the default players in its seats."""
    game, players = strategy(name).game, (*TABLE, EIGHTH)
    variant = Variant.load(game) if game else Variant.ring(len(players))
    specs = tuple(players[seat % len(players)] for seat in range(variant.seats))
    return Table(variant, named(specs), specs, seed)


def _tables(args: Namespace) -> Table | Curriculum:
    """The table that is watched, or tables of the requested sizes."""
    if not args.seats:
        return watched(args.strategy, args.seed)
    if game := strategy(args.strategy).game:
        raise ModelError(f"--seats: expected without --strategy {args.strategy}, which is trained at {game}")
    return Curriculum(parse_seats(args.seats), args.seed, (*TABLE, EIGHTH))


def _strategy(args: Namespace) -> Strategy:
    """The strategy, with the requested opponent model."""
    chosen = strategy(args.strategy)
    if args.no_network:
        if args.strategy != USUAL["strategy"]:
            raise ModelError(f"--no-network: expected without --strategy {args.strategy}")
        return WITHOUT_NETWORK
    if args.weighted:
        chosen = believing(chosen, ByNetwork(Weighted()))
    if args.opponents:
        return believing(chosen, ByGambler())
    return believing(chosen, ByActions(load_styles())) if args.styles else chosen


USUAL = {
    "strategy": "baycarp",
    "seats": "",
    "revise": "",
    "calls": "plain",
    "prior": "bdeu",
    "opponents": "",
} | dict.fromkeys(("partial", "classes", "active", "weighted", "styles", "no_network"), False)
"""The default settings of a model of watched players."""


def _given(args: Namespace, usual: Mapping[str, Any] = USUAL) -> list[str]:
    """The options that differ from the defaults, as they are typed."""
    given = {name: getattr(args, name) for name in usual if getattr(args, name) != usual[name]}
    if "seats" in given:  # with the shares, which another version may choose otherwise
        given["seats"] = shares_text(parse_seats(given["seats"]))
    options = ((f"--{name.replace('_', '-')}", value) for name, value in given.items())
    return [name if value is True else f"{name} {value}" for name, value in options]


def _imitate(args: Namespace) -> int:
    """Train from logs; report the outcome of every hand's import, and print the same tables."""
    own = {"sessions": None, "seed": 1, "strategy": args.strategy}
    if senseless := _given(args, USUAL | own):
        raise ModelError(f"{', '.join(senseless)}: expected without --from")
    game = Variant.load(args.game) if args.game else None
    if game is not None:
        strategy(args.strategy).plays.verify(game, f"strategy {args.strategy!r}")
    logs = Logs(tuple(args.logs), game, args.hands)
    strategy_given = args.strategy if args.strategy != USUAL["strategy"] else None
    players = [("--player", name) for name in args.player]
    pairs = [("--strategy", strategy_given), *players, ("--game", args.game), ("--hands", args.hands)]
    words = [str(word) for pair in pairs if pair[1] for word in pair]
    command = shlex.join(["baycarp", "train", "--from", *map(str, args.logs), *words])
    demonstrations = Demonstrations(logs, tuple(args.player) or None)
    with stages() as tick:
        made = imitate(strategy(args.strategy), demonstrations, args.folder, command, args.workers, tick)
    console = Console(highlight=False)
    _show_account(console, made.account)
    console.print(_agreed(made.agreement), soft_wrap=True)
    console.print(_predicted(made.prediction), soft_wrap=True)
    show(console, made)
    return 0


def _show_account(console: Console, account: Account) -> None:
    """Print the numbers of used and skipped hands."""
    console.print(f"hands    {account.hands} used, {account.skipped.total()} skipped")
    for reason, number in account.skipped.most_common():
        console.print(f"         {number} {reason}; the first: {account.first[reason]}", markup=False)
    imitated, hidden = account.decisions["cases"], account.decisions["cards or end unknown"]
    console.print(f"actions  {imitated} of those imitated")
    if hidden:
        console.print(f"         {hidden} more are no cases, since their cards or the winner are not known:")
        console.print(
            "         what was folded unseen cannot be imitated (Rubin and Watson 2012, section 5.2.6)"
        )


def _agreed(agreement: Agreement) -> str:
    """The share of held-out actions on which model and player agree."""
    same = [agreement[street, True] for street in range(len(STREETS))]
    asked = [agreement[street, False] + count for street, count in enumerate(same)]
    shares = [f"{name} {n / of:.0%}" for name, n, of in zip(STREETS, same, asked, strict=True) if of]
    return f"agrees   on {sum(same)} of {agreement.total()} held-out actions: {', '.join(shares) or '-'}"


def _predicted(prediction: Prediction) -> str:
    """The log loss of the held-out actions, and what the frequencies of the actions alone predict."""
    count = prediction.decisions
    if not count:
        return "predicts -"
    loss, base = prediction.loss / count, prediction.loss_of_frequencies / count
    hits = prediction.hits_of_frequencies
    return (
        f"predicts them with log loss {loss:.3f}; frequencies of the actions: "
        f"{base:.3f}, {hits} hits ({hits / count:.0%})"
    )


def show(console: Console, trained: Trained) -> None:
    """Print the sizes of the case-bases and the accuracy of the network."""
    for name, casebase in trained.model.casebases.items():
        console.print(f"{name:<8} {len(casebase)} cases")
    if trained.measured is not None:
        console.print(f"network  fitted on {trained.showdowns} showdown rows\n")
        console.print(_accuracies(trained.measured.accuracies))
        console.print(_faults(trained.measured))


def _accuracies(accuracies: tuple[Accuracy, ...]) -> Grid:
    titles = ("node", "players", "rows", "1", "2", "3", "4", "unseen", "seed")
    table = grid(
        *titles,
        words=titles[:2],
        title="held-out hands: the truth among the first k (tables 7.1, 7.3)",
    )
    for line in accuracies:
        id, row = PUBLISHED[line.node]
        published = dict(find(id).rows)[row][:-1] if line.players == "active" else ()
        shares = (*map(_percent, line.top), _percent(line.unseen, 1))
        table.add_row(line.node, line.players, str(line.rows), *shares, "/".join(published))
    return table


def _percent(share: float, digits: int = 0) -> str:
    """A share in print; "-" where no row was held out."""
    return "-" if isnan(share) else f"{share:.{digits}%}"


def _faults(measured: Measured) -> Grid:
    """Figures 7.1, 7.2 and table 7.2: where the true group was not among the four."""
    actions = sorted({action for action, _ in measured.asked})
    positions = ("Blinds", "Early", "Middle", "Late")
    total = sum(measured.faults.values()) or 1
    table = grid(
        "action",
        *positions,
        "all",
        "asked",
        title="faults: hand group below the top four (figures 7.1, 7.2, table 7.2)",
    )
    for action in actions:
        shares = [measured.faults[action, position] / total for position in positions]
        asked = sum(count for (name, _), count in measured.asked.items() if name == action)
        table.add_row(action, *(f"{share:.0%}" for share in (*shares, sum(shares))), str(asked))
    columns = [sum(measured.faults[action, position] for action in actions) / total for position in positions]
    table.add_row("all", *(f"{share:.0%}" for share in (*columns, 1)), str(sum(measured.asked.values())))
    return table
