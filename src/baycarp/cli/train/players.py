"""Models of players, for a tree-searching agent."""

from argparse import Namespace
from collections import Counter

from baycarp.api.printing import Console
from baycarp.api.train import HANDS
from baycarp.cli.output import as_json
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from baycarp.opponents.moves.players import load_players
from baycarp.training.curriculum import parse_seats
from baycarp.training.player_models import SEATS, PlayerTraining, train_players
from baycarp.training.sizers import Sizers

__all__ = ["run"]


def run(args: Namespace) -> int:
    """Train models of players, and print their log loss on held-out hands."""
    tables = Sizers(parse_seats(args.seats) if args.seats else SEATS, args.seed, ())
    training = PlayerTraining(tables, args.hands or HANDS, args.clusters, args.holdings)
    sessions, each = tables.split(training.hands)
    with workers_of(args) as workers, progress("hands", sessions * each) as tick:
        fitted = train_players(training, args.folder, workers, tick)
    file, sizes = args.folder / training.file, Counter(fitted.assigned.values())
    clustered, pooled = fitted.losses
    digest = load_players(file).digest
    if args.json:
        losses = {"clusters": clustered, "one model": pooled}
        print(as_json({"clusters": sorted(sizes.values(), reverse=True), "losses": losses, "digest": digest}))
        return 0
    console = Console(highlight=False)
    console.print(f"players  {len(fitted.assigned)} in clusters of {sorted(sizes.values(), reverse=True)}")
    console.print(
        f"trees    {fitted.growth}; all players weigh {fitted.weight:g} decisions in a cluster's leaf"
    )
    same = "" if args.holdings == "known" else ", with the buckets it learned from"
    console.print(
        f"loss     {clustered:.4f} nats on held-out hands{same}; one model for all players {pooled:.4f}"
    )
    console.print(f"model    {file}, digest {digest[:16]}", soft_wrap=True)
    return 0
