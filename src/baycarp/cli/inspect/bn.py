"""Look into a network: its arcs, a posterior as bars, what shifted it, what it takes for what."""

import argparse
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.bn import io
from baycarp.bn.network import Network, Structure
from baycarp.bn.plan import Inference
from baycarp.draw import bars_as_text, drawable, save_network
from baycarp.errors import EvidenceError, ModelError, NotationError
from baycarp.game.notation.acpc import read_log
from baycarp.game.notation.observe import observe
from baycarp.game.variant import Variant
from baycarp.opponents.shift import shifts
from baycarp.opponents.topology import HIDDEN, hidden, observed, street_of
from baycarp.rules import PlayerView, read
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.study.beliefs.confusion import Confusion, confusion
from baycarp.train.rows import rows_of_session

EXAMPLE = {"VPIP": "a20_30", "PFR": "a5_10", "Position": "Early", "Action": "Raise", "Board": "JLow"}
"""The observations of Jake in the thesis' worked example (Unger 2011, section 6.3), before its action."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument("state", nargs="?", help="an ACPC STATE or MATCHSTATE line: the observation")
    parser.add_argument("--game", default="holdem.limit.8p", help="its game (default: %(default)s)")
    parser.add_argument("--who", type=int, default=0, help="the position of the modelled opponent")
    parser.add_argument(
        "--see", action="append", default=[], metavar="NODE=STATE", help="evidence to add or to replace"
    )
    parser.add_argument("--model", type=Path, default=SHIPPED, help="a model's folder, or a network's .npz")
    parser.add_argument("--log", type=Path, help="an ACPC log with all cards: confusion and calibration")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw it, as SVG or PNG by the ending")


def run(args: argparse.Namespace) -> int:
    """Print, and draw on request."""
    if args.picture:
        drawable(args.picture)
    network = _network(args.model)
    console = Console()
    if args.log:
        _confusions(console, network, args.log, Variant.load(args.game))
        return 0
    structure, inference = network.structure, Inference(network)
    street, evidence = _evidence(args, structure)
    wanted = hidden(structure, street)
    found = inference.posterior(evidence, wanted)
    _arcs(console, structure, evidence)
    for node in wanted:
        console.print(f"\n{node}", style="bold", highlight=False)
        console.print(bars_as_text(dict(found.top(node, 10))), highlight=False)
    node = wanted[-1]
    grid = _grid(f"what {node} hangs on", "seen", "moved", "towards")
    for shift in shifts(inference, evidence, node):
        grid.add_row(shift.node, shift.state, f"{shift.moved:.1%}", shift.towards)
    console.print(grid)
    if args.picture:
        save_network(structure.parents, {n: dict(found.top(n, 6)) for n in wanted}, evidence, args.picture)
        console.print(f"drawn: {args.picture}", highlight=False)
    return 0


def _network(path: Path) -> Network:
    if path.suffix == ".npz":
        return io.load(path)
    network = load_model(path).network
    if network is None:
        raise ModelError(f"{path}: expected a model with a network")
    return network


def _evidence(args: argparse.Namespace, structure: Structure) -> tuple[int, dict[str, str]]:
    """The evidence, and its last street."""
    evidence = {} if args.state or args.see else {n: s for n, s in EXAMPLE.items() if n in structure.nodes}
    if args.state:
        view = PlayerView(observe(args.state, game=args.game), args.who)
        names = observed(structure, view.observation.street)
        evidence = {name: str(state) for name, state in read(view, names).items()}
    for word in args.see:
        node, _, state = word.partition("=")
        if node not in structure.nodes or node in HIDDEN or state not in structure.states[node]:
            raise EvidenceError(f"--see {word!r}: expected NODE=STATE of {observed(structure, 3)}")
        evidence[node] = state
    return max((street_of(node) for node in evidence), default=0), evidence


def _arcs(console: Console, structure: Structure, evidence: dict[str, str]) -> None:
    grid = _grid("node", "states", "seen", "given")
    for node in structure.nodes:
        above = ", ".join(structure.parents[node])
        grid.add_row(node, str(structure.cardinality(node)), evidence.get(node, ""), above)
    console.print(grid)


def _confusions(console: Console, network: Network, log: Path, variant: Variant) -> None:
    rows = list(rows_of_session(read_log(log, variant), (network.structure,)))
    if not rows:
        raise NotationError(f"{log}: expected an ACPC log of hands whose cards are all known")
    for node in hidden(network.structure, 3):
        found = confusion(network, rows, node)
        if found.counts.sum():
            console.print(_matrix(found))
            console.print(_bins(found))


def _matrix(found: Confusion) -> Grid:
    """Rows are the truth; columns, numbered alike, what the network held most probable; per cent of rows."""
    some = [
        code for code in range(len(found.states)) if found.counts[code].sum() + found.counts[:, code].sum()
    ]
    grid = _grid(f"{found.node}: truth", *(str(code + 1) for code in some), "rows")
    for code in some:
        total = found.counts[code].sum()
        cells = [f"{100 * found.counts[code, other] / total:.0f}" if total else "-" for other in some]
        grid.add_row(f"{code + 1} {found.states[code]}", *cells, str(total))
    return grid


def _bins(found: Confusion) -> Grid:
    grid = _grid(f"{found.node}: sure", "right", "rows")
    for count, sure, right in found.bins.tolist():
        if count:
            grid.add_row(f"{sure:.1%}", f"{right:.1%}", f"{count:.0f}")
    return grid


def _grid(first: str, *others: str) -> Grid:
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    grid.add_column(first, no_wrap=True)
    for title in others:
        grid.add_column(title, justify="left" if title in ("given", "seen", "towards") else "right")
    return grid
