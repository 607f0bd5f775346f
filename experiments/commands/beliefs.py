"""How good is a model of opponents: beliefs about hidden cards, and predictions of actions.

    beliefs RECORD                  at a record with known cards
    beliefs --leave-out FOLDER      fitted on all populations but one, and evaluated on that one
    beliefs --oracle FOLDER         beside exact Bayes with the players' own policies
    beliefs --next-actions FOLDER   the thesis' network beside hand -> action by EM
    beliefs --no-limit [MODEL ...]  models of moves at members of the no-limit population

FOLDER keeps the played sessions: the same command continues after an interruption.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from baycarp.cli.options import CLUSTER, JSON, SEEDED, WORKERS, count, group, option, options
from baycarp.errors import ModelError
from experiments.beliefs.reports import leave_out, next_actions, no_limit, oracle, record
from experiments.beliefs.reports.models import MODEL
from experiments.beliefs.summary import PARTS

__all__ = ["add", "run"]


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of the command: what it runs, and the options that it reads beside the shared ones."""

    run: Callable[[Namespace], int]
    reads: frozenset[str]


def _form(run: Callable[[Namespace], int], reads: str) -> _Form:
    return _Form(run, frozenset(reads.split()))


FORMS: Mapping[str, _Form] = {
    "record": _form(record.run, "game hands player by model"),
    "leave_out": _form(leave_out.run, "hands sessions fit beside only people people_hands changes model"),
    "oracle": _form(oracle.run, "hands held_out sessions fit model export score"),
    "next_actions": _form(next_actions.run, "hands held_out"),
    "no_limit": _form(no_limit.run, "game hands sessions people people_hands"),
}
"""By the name of the argument that chooses it."""


def _names(option_name: str, help: str, metavar: str = "NAME", **settings: object) -> Callable[..., object]:
    """An option that is given once a name."""
    return option(option_name, action="append", default=[], metavar=metavar, help=help, **settings)


add = options(
    group(
        "what is measured, one of",
        None,
        option(
            "record", nargs="?", type=Path, help="an ACPC log, PHH, PHHS (.gz), a folder, or IRC's .tar.gz"
        ),
        option("--leave-out", type=Path, metavar="FOLDER", help="populations, each left out in turn"),
        option("--oracle", type=Path, metavar="FOLDER", help="players with known policies"),
        option(
            "--next-actions",
            type=Path,
            metavar="FOLDER",
            help="holdings, next actions, folds of strong hands",
        ),
        option(
            "--no-limit",
            type=Path,
            nargs="*",
            metavar="MODEL",
            help="files of `baycarp train --agent mcts` (default: the shipped one)",
        ),
    ),
    group(
        "how much",
        None,
        option("--hands", type=count, help="of a record, at most; of a session; played, with --oracle"),
        option("--sessions", type=count, help="of each population; with --oracle those that have an oracle"),
        option("--held-out", type=count, metavar="HANDS", help="of held-out players"),
        option("--game", help="of an ACPC log, like holdem.limit.3p; of --no-limit"),
    ),
    group(
        "which models",
        None,
        MODEL,
        _names("--fit", "fit this model (default: each)"),
        _names("--beside", "this shipped model (default: each)"),
    ),
    group(
        "a record",
        None,
        _names("--player", "judge this player (default: all)"),
        _names("--by", "a table of parts", choices=PARTS, metavar="PART"),
    ),
    group(
        "one population left out",
        None,
        _names("--only", "leave out this population (default: each)"),
        _names("--people", "an archive as a population", metavar="PATH[:GAME]"),
        option("--people-hands", type=count, help="read of each archive, at most (default: 5000)"),
        option("--changes", type=count, metavar="PAIRS", help="of players that change their style"),
    ),
    group(
        "an oracle",
        None,
        option("--export", type=Path, metavar="DIR", help="write its decision points to files"),
        option("--score", type=Path, metavar="FILE", help="evaluate these beliefs; FOLDER is such a DIR"),
    ),
    SEEDED,
    WORKERS,
    CLUSTER,
    JSON,
)


def run(args: Namespace) -> int:
    """Measure and print; the exit status.

    Raises
    ------
    ModelError
        Not one form, or an option that it does not read.
    """
    chosen = [name for name in FORMS if getattr(args, name) is not None]
    if len(chosen) != 1:
        raise ModelError(f"expected one of RECORD, {', '.join(map(_option, [*FORMS][1:]))}")
    form = FORMS[chosen[0]]
    every = frozenset().union(*(each.reads for each in FORMS.values()))
    if foreign := sorted(name for name in every - form.reads if getattr(args, name)):
        reads = ", ".join(map(_option, sorted(form.reads)))
        raise ModelError(f"{_option(foreign[0])} without effect here: expected some of {reads}")
    return form.run(args)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
