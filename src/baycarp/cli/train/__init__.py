"""Learn from watched players or logs; or tune a model."""

from argparse import ArgumentParser, Namespace
from typing import get_args

from baycarp.api.train import HANDS, OPPONENTS, ImitationPlan, TrainPlan, TrainSettings
from baycarp.cli.options import CLUSTER, JSON, count, flag, group, option, options, path, play
from baycarp.cli.output import as_json
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of
from baycarp.cli.train import players, tune
from baycarp.errors import ArgumentError
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.registry import STRATEGIES
from baycarp.training.player_models import Holdings
from baycarp.training.player_trees import CLUSTERS

__all__ = ["add", "run"]

SHARED = {"folder", "workers", "cluster", "json"}

WATCHED = {"strategy", "opponents", "revise", "seats", "heads_up", "against", "two", "sessions"}

USED = {
    "tune": SHARED | tune.USED,
    "agent": SHARED | {"agent", "hands", "seed", "seats", "clusters", "holdings"},
    "logs": SHARED | {"logs", "hands", "strategy", "player", "game"},
    "": SHARED | WATCHED | {"hands", "seed"},
}
"""The options of each kind of training, by the one that requests it; none = from watched hands."""

add = options(
    option("folder", type=path, help="where the model goes; sessions found there are used again"),
    play(None, f"to watch (default: {HANDS}), or to read at most (default: all)"),
    CLUSTER,
    JSON,
    option(
        "--strategy",
        choices=STRATEGIES,
        default="baycarp",
        metavar="NAME",
        help=f"that the model is for: {', '.join(STRATEGIES)}",
    ),
    group(
        "watched hands",
        "players at a table, all cards known",
        option(
            "--opponents",
            choices=OPPONENTS,
            default="network",
            help="what describes cases: the thesis' network; the same with every holding weighted; the model "
            "hand -> action, with its styles; Gambler's reading; none, for baycarp2(opponents='none')",
        ),
        option(
            "--revise",
            choices=OUTCOMES,
            default="",
            help="the outcome of a case: its cost, signed by the winner; its net chips; its worth against "
            "the believed ranges; or against the cards (default: the strategy's)",
        ),
        option(
            "--seats",
            default="",
            metavar="SIZES",
            help="tables of several sizes: 2-10, or with the share of the hands of each, 2:4,3-6:2,8 "
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
            type=path,
            default=[],
            metavar="FOLDER",
            help="models whose cases are those of tables of two, beside the others",
        ),
        option("--sessions", type=path, help="folder of watched sessions, for several models"),
    ),
    group(
        "logs",
        "hands that others played are imitated; no card is drawn",
        option(
            "--from",
            dest="logs",
            nargs="+",
            type=path,
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
    group(
        "models of players",
        "of the no-limit population, for an agent",
        option("--agent", choices=("mcts",), help="the agent; FOLDER/players.npz is written"),
        option("--clusters", type=count, default=CLUSTERS, help="of players"),
        option(
            "--holdings",
            choices=get_args(Holdings),
            default="known",
            help="all hole cards; those of showdowns, EM over the hidden ones, into learned.npz; or those of "
            "showdowns alone, into shown.npz",
        ),
    ),
    group("similarity of cases", "of the model in FOLDER", flag("--tune", "tune it"), tune.add),
)


def run(args: Namespace) -> int:
    """Train, and print what was measured on held-out hands."""
    kind = next((name for name in USED if name and getattr(args, name)), "")
    _verify_used(args, kind)
    if kind == "tune":
        return tune.run(args)
    if kind == "agent":
        return players.run(args)
    plan = _imitation(args) if kind == "logs" else _watching(args)
    with workers_of(args) as workers, stages() as tick:
        found = plan.run(args.folder, workers, tick)
    if args.json:
        print(as_json(found.to_dict()))
    else:
        found.show()
    return 0


def _verify_used(args: Namespace, kind: str) -> None:
    """Refuse options of another kind of training."""
    parser = ArgumentParser()
    add(parser)
    for action in parser._actions:
        name = action.dest
        if name in args and name not in USED[kind] and getattr(args, name) != action.default:
            requested = {"tune": "--tune", "agent": "--agent", "logs": "--from", "": "watched hands"}
            raise ArgumentError(f"{action.option_strings[0]}: not an option of {requested[kind]}")


def _watching(args: Namespace) -> TrainPlan:
    given = {name: getattr(args, name) for name in (*WATCHED, "seed")}
    return TrainPlan(args.hands, TrainSettings(**given | {"two": tuple(args.two)}))


def _imitation(args: Namespace) -> ImitationPlan:
    return ImitationPlan(tuple(args.logs), args.strategy, tuple(args.player), args.game or "", args.hands)
