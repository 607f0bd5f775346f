"""Models of players on held-out next moves, the styles and the cards they find."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import numpy as np
from rich.console import Console

from baycarp.cli.options import count, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from baycarp.training.kmodels import KModels
from benchmarks.records import sessions_of
from experiments.options import JSON
from experiments.players.bet_sizes import judge_sizes
from experiments.players.choices import choices_of
from experiments.players.hidden_cards import judge_hidden, population_hands
from experiments.players.holding_rows import HoldingRows
from experiments.players.holdings_em import HoldingsEM
from experiments.players.players import STYLES, Judged, judge, regular, styled_hands
from experiments.players.sizes_from_data import sized_choices

__all__ = ["add", "run"]

RESTARTS = 3
"""Random starts of EM over hidden holdings."""

GAME = "holdem.nolimit.6p.100bb"
"""The game of the players with known styles."""

add = options(
    JSON,
    option("--people", type=Path, help="hands of people (default: players of known styles)"),
    option("--people-game", help="the game of these hands"),
    option(
        "--styled-hands", type=count, default=8000, help="hands of players with one of eight known styles"
    ),
    option("--clusters", type=count, default=len(STYLES), help="of K-models and of k-means"),
    option("--starts", type=count, default=8, help="random starts of K-models"),
    option("--least", type=count, default=200, help="decisions of a player of --people, at least"),
    option("--clusters-seed", type=seed, default=1, help="fixes seats, cards, draws and starts"),
    option("--hidden", action="store_true", help="score EM over hidden holdings; players of the population"),
    option("--sizes", action="store_true", help="score bet sizes found from data; players of the population"),
)


def run(args: Namespace) -> int:
    """Train on the first four fifths of the hands, score the last, and print."""
    if args.hidden or args.sizes:
        return _run_hidden(args) if args.hidden else _run_sizes(args)
    settings = KModels(args.clusters, seed=args.clusters_seed, starts=args.starts)
    if args.people:
        name = args.people.name
        choices, names = regular(*choices_of(_people(args.people, args.people_game)), args.least)
    else:
        name = f"players of {len(STYLES)} styles"
        choices, names = choices_of(styled_hands(Variant.load(GAME), args.styled_hands, args.clusters_seed))
    found = judge(choices, names, settings, styles=not args.people)
    if args.json:
        print(as_json([asdict(each) for each in found]))
        return 0
    _show(f"{name}: {len(names)} players, {len(choices):,} decisions", found)
    return 0


def _population(args: Namespace) -> tuple[str, Iterator[Hand]]:
    """The name of the players, and their hands: people, or members of the no-limit population."""
    if args.people:
        return args.people.name, _people(args.people, args.people_game)
    hands = population_hands(Variant.load(GAME), args.styled_hands, args.clusters_seed)
    return "players of the population", hands


def _run_sizes(args: Namespace) -> int:
    """Sizes found from data beside fixed ones."""
    name, hands = _population(args)
    sized = sized_choices(hands)
    found = judge_sizes(sized)
    if args.json:
        print(as_json([asdict(each) for each in found]))
        return 0
    table = grid(
        "sizes", "of the pot", "rarest, %", "log loss", "less than fixed", title=name, words=("sizes",)
    )
    for each in found:
        pairs = ["{:.3f} ± {:.3f}".format(*pair) for pair in (each.loss, each.gain)]
        table.add_row(each.name, " ".join(f"{x:.2g}" for x in each.sizes), f"{100 * each.rarest:.1f}", *pairs)
    table.caption = (
        f"{len(sized):,} bets and raises; of the last fifth of the hands, nats; 95 % margins by hand"
    )
    Console().print(table)
    return 0


def _run_hidden(args: Namespace) -> int:
    """EM over hidden holdings, on hands of which all cards are recorded."""
    name, hands = _population(args)
    rows = HoldingRows.of(hands)
    found = judge_hidden(rows, HoldingsEM(starts=RESTARTS, seed=args.clusters_seed))
    if args.json:
        print(as_json([asdict(each) for each in found]))
        return 0
    title = f"{name}: {len(rows):,} holdings, {int(rows.shown.sum()):,} shown"
    headings = ("folded, nats", "shown, x deal", "strong, %", "best, %")
    table = grid("model", *headings, title=title, words=("model",))
    for each in found:
        mean, wide = each.folded
        loss = "-" if np.isnan(mean) else f"{mean:.3f} ± {wide:.3f}"
        times = "-" if np.isnan(each.times) else f"{each.times:.1f}"
        strong, margin = (100 * share for share in each.strong_folds)
        share = "-" if np.isnan(strong) else f"{strong:.1f} ± {margin:.1f}"
        best = "-" if np.isnan(each.best_folds) else f"{100 * each.best_folds:.1f}"
        table.add_row(each.name, loss, times, share, best)
    table.caption = (
        "log loss of the true holding on the last fifth of the hands, 95 % margins by hand; folds to a bet "
        "with a holding of the strongest twentieth, and of the strongest bucket on the flop"
    )
    Console().print(table)
    return 0


def _people(path: Path, game: str | None) -> Iterator[Hand]:
    plays = Plays(frozenset({"limit", "no-limit"}))
    sessions = sessions_of(path, Variant.load(game) if game else None, plays=plays)
    return chain.from_iterable(sessions)


def _show(title: str, found: list[Judged]) -> None:
    table = grid(
        "model", "log loss", "less than one model", "right, %", "Rand index", title=title, words=("model",)
    )
    for each in found:
        table.add_row(
            each.name,
            "{:.4f} ± {:.4f}".format(*each.loss),
            "{:.4f} ± {:.4f}".format(*each.gain),
            f"{100 * each.accuracy[0]:.1f} ± {100 * each.accuracy[1]:.1f}",
            "-" if each.rand != each.rand else f"{each.rand:.2f}",
        )
    table.caption = "next of nine moves on the last fifth of the hands, nats; 95 % margins by hand"
    Console().print(table)
