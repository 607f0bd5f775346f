"""Learn from watched players, or from logs: network, case-bases, and the accuracy of the network."""

from argparse import Namespace
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import get_args

from rich.console import Console

from baycarp.api.train import HANDS, WATCHED, TrainPlan, TrainSettings
from baycarp.cli.options import CLUSTER, count, flag, group, option, options, play
from baycarp.cli.progress import progress, stages
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.opponents.moves.players import load_players
from baycarp.opponents.network.topology import Calls
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.registry import STRATEGIES
from baycarp.training.curriculum import parse_seats
from baycarp.training.networks import Prior
from baycarp.training.player_models import SEATS, Holdings, PlayerTraining, train_players
from baycarp.training.player_trees import CLUSTERS
from baycarp.training.sizers import Sizers

add = options(
    option("folder", type=Path, help="where the model goes; sessions found there are used again"),
    play(None, f"hands to watch (default: {HANDS}), or to read at most (default: all)"),
    CLUSTER,
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
    option("--heads-up", default="", metavar="AGENT", help="plays itself at tables of two, with --seats"),
    option(
        "--against",
        default="",
        metavar="AGENT",
        help="the opponent of --heads-up, whose decisions are no cases (default: itself)",
    ),
    option(
        "--two",
        nargs="+",
        type=Path,
        default=(),
        metavar="FOLDER",
        help="models whose cases are those of tables of two, beside the others",
    ),
    option(
        "--agent",
        choices=("mcts",),
        help="models of players for an agent, from the no-limit population, into FOLDER/players.npz",
    ),
    option(
        "--clusters", type=count, default=CLUSTERS, help=f"of players, with --agent (default: {CLUSTERS})"
    ),
    option(
        "--holdings",
        choices=get_args(Holdings),
        default="known",
        help="with --agent: learn from all hole cards; from those of showdowns, EM over the hidden ones, "
        "into learned.npz; or from showdowns alone, into shown.npz (default: known)",
    ),
    option("--sessions", type=Path, help="folder of watched sessions, for several models (default: FOLDER)"),
    group(
        "network",
        "differences from the thesis' network; see python -m experiments oracle",
        option("--calls", choices=get_args(Calls), default="plain", help="how calls are distinguished"),
        flag("--partial", "with partial hands (section 5.3.3)"),
        flag("--classes", "with starting classes under the hand groups"),
        flag("--aggression", "with the aggression of earlier hands on each street (section 9.1)"),
        option("--prior", choices=get_args(Prior), default="bdeu", help="prior of the tables"),
        flag("--active", "train on all players still in, not on showdowns"),
        flag("--weighted", "describe cases with every holding weighted"),
        flag("--styles", "describe cases by hand -> action, with its styles"),
        option("--opponents", choices=("gambler",), default="", help="describe cases by Gambler's reading"),
        flag("--no-network", "none: cases contain no hand types; for baycarp2(opponents='none')"),
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
    if args.holdings != "known":
        raise ModelError("--holdings: expected with --agent")
    plan = TrainPlan(args.folder, args.hands, _settings(args))
    with workers_of(args) as workers, stages() as tick:
        found = plan.run(workers, tick)
    found.show()
    return 0


def _settings(args: Namespace) -> TrainSettings:
    given = {each.name: getattr(args, each.name) for each in fields(TrainSettings) if each.name != "tick"}
    many = {"logs": tuple(args.logs or ()), "player": tuple(args.player), "two": tuple(args.two)}
    return TrainSettings(**given | many | {"game": args.game or ""})


def _players(args: Namespace) -> int:
    """Train models of players, and print their log loss on held-out hands."""
    names = [name for name in (*WATCHED, "sessions", "logs", "player", "game") if name != "seats"]
    if senseless := _settings(args).options(*names):
        raise ModelError(f"{', '.join(senseless)}: expected without --agent")
    tables = Sizers(parse_seats(args.seats) if args.seats else SEATS, args.seed, ())
    training = PlayerTraining(tables, args.hands or HANDS, args.clusters, args.holdings)
    sessions, each = tables.split(training.hands)
    with workers_of(args) as workers, progress("hands", sessions * each) as tick:
        fitted = train_players(training, args.folder, workers, tick)
    console = Console(highlight=False)
    sizes = Counter(fitted.assigned.values())
    console.print(f"players  {len(fitted.assigned)} in clusters of {sorted(sizes.values(), reverse=True)}")
    console.print(
        f"trees    {fitted.growth}; all players weigh {fitted.weight:g} decisions in a cluster's leaf"
    )
    clustered, pooled = fitted.losses
    given = (
        "held-out hands" if args.holdings == "known" else "held-out hands, with the buckets it learned from"
    )
    console.print(f"loss     {clustered:.4f} nats on {given}; one model for all players {pooled:.4f}")
    file = args.folder / training.file
    made = load_players(file)
    console.print(f"model    {file}, digest {made.digest[:16]}", soft_wrap=True)
    return 0
