"""Play a duplicate match: the same cards in every seating, win rates and differences with intervals."""

from argparse import Namespace
from functools import partial
from itertools import combinations

from rich.console import Console

from baycarp.arena.match import Match, play_unit, seatings
from baycarp.arena.names import named
from baycarp.arena.play import MatchResult
from baycarp.arena.report import Report
from baycarp.arena.run import Results
from baycarp.arena.scores import NET, Scores, scores
from baycarp.arena.sequential import Until
from baycarp.arena.session import Table
from baycarp.cli.figures import show_figures, statistics
from baycarp.cli.options import BUDGET, ESTIMATED, FULL, GAME, STACKS, count, option, options
from baycarp.cli.output import as_json, grid
from baycarp.cli.runs import game, journalled, judge, play_rounds, verify_programs
from baycarp.errors import TableError

add = options(
    option("agents", nargs="+", metavar="AGENT", help="a name or specification; NAME=AGENT names it"),
    GAME,
    option("--deals", type=count, default=1000, help="each played in all seatings"),
    option("--until", metavar="'A>B @95%'", help="stop when a sequential test decides it"),
    STACKS,
    BUDGET,
    ESTIMATED,
    FULL,
    journalled("match"),
)


def run(args: Namespace) -> int:
    """Play what the journal lacks and show the results."""
    players, specs = named(args.agents)
    if len(specs) < 2:
        raise TableError(f"{', '.join(players)} alone: expected two agents or more")
    variant, until = game(args, len(specs)), Until.parse(args.until) if args.until else None
    table = Table(variant, players, specs, args.seed, args.budget, args.stacks, args.estimators)
    match = Match(table, seatings(len(players)))
    if until is not None and not {until.one, until.other} <= set(players):
        raise TableError(f"until {args.until!r}: expected two of {', '.join(players)}")
    verify_programs(variant, specs)

    def settled(results: Results) -> bool:
        found = scores(variant, players, results)
        return until is not None and until.settled(
            found.won(until.one, judge(args)) - found.won(until.other, judge(args))
        )

    hands = args.deals * len(match.seatings)
    results = play_rounds(
        args, partial(play_unit, match), match.header(), match.rounds(args.deals), hands, settled
    )
    if results is None:
        return 0
    found = MatchResult.of(table, results)
    if args.json:
        print(as_json(found.to_dict()))
        return 0
    show(found.scores, found.counts, found.judge, args.full)
    if until is not None:
        print(f"{'settled' if settled(results) else 'not settled'} at {until.level:.0%} ({found.judge})")
    return 0


def show(scores: Scores, counted: Report, judge: str, full: bool) -> None:
    """Print statistics, rates by every estimator, and the differences by the one that judges."""
    console = Console()
    deals = len(scores.blocks[NET])
    console.print(
        f"{deals} deals in {scores.seatings} seatings: {deals * scores.seatings} hands; {scores.unit}, 95 %"
    )
    won = [scores.rate(player).cell() for player in scores.players]
    console.print(statistics(scores.players, counted.tallies, won, scores.unit))
    if len(scores.blocks) > 1:
        estimates = grid("player", *("won" if name == NET else name for name in scores.blocks))
        for player in scores.players:
            estimates.add_row(player, *(scores.rate(player, name).cell() for name in scores.blocks))
        console.print(estimates)
    if full:
        show_figures(console, counted, scores.players[0])
    for player, tally in zip(scores.players, counted.tallies, strict=True):
        if tally.faults:
            faults = ", ".join(f"{n} {why}" for why, n in tally.faults.items())
            console.print(f"{player} lost hands by: {faults}")
    for pair in combinations(scores.players, 2):
        difference = scores.difference(*pair, judge).cell()
        console.print(f"{' - '.join(pair)}: {difference}  {scores.verdict(*pair, judge)}")
