"""Inspect a network: its arcs, a posterior as bars, the shift by each observation, its confusions."""

import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.padding import Padding
from rich.table import Table as Grid

from baycarp.api.printing import Console
from baycarp.bn import Inference, Network, Structure, io
from baycarp.bn.inference import shifts
from baycarp.cli.options import PICTURE, flag, game_of, option, options, path
from baycarp.cli.output import grid
from baycarp.cli.refusals import refusals
from baycarp.draw import bars_as_text, drawable, save_network
from baycarp.errors import EvidenceError, ModelError, NotationError
from baycarp.game.notation import door
from baycarp.game.notation.observe import observe
from baycarp.game.seats import position_of
from baycarp.opponents.gambler.postflop import joint_network, postflop_network
from baycarp.opponents.gambler.preflop import preflop_network
from baycarp.opponents.network.meanings import node_meaning, state_meaning
from baycarp.opponents.network.topology import HIDDEN, hidden, observed, states_of, street_of
from baycarp.rules import PlayerView, read
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.training.networks import Confusion, confusion
from baycarp.training.rows import rows_of_session

EXAMPLE = {"VPIP": "a20_30", "PFR": "a5_10", "Position": "Early", "Action": "Raise", "Board": "JLow"}
"""The observations of Jake in the thesis' worked example (Unger 2011, section 6.3), before its action."""


NETWORKS: dict[str, tuple[Callable[[], Network], dict[str, str]]] = {
    "gambler-preflop": (
        preflop_network,
        {
            "position": "late",
            "early-action": "fold",
            "mid-action": "fold",
            "bias": "normal",
            "action": "raise",
        },
    ),
    "gambler-postflop": (postflop_network, {"stakes": "0.16", "position": "late", "bias": "normal"}),
    "gambler-postflop-joint": (joint_network, {"stakes": "0.16", "position": "late", "bias": "normal"}),
}
"""Gambler's networks (Matthews 2005), and observations to begin with."""

add = options(
    option("state", nargs="?", help="an ACPC STATE or MATCHSTATE line: the observation"),
    option("--game", help="its game (default: limit, with a seat for each hand; a log shows it)"),
    option("--position", default="", metavar="SEAT", help="of the modelled opponent: BTN, SB, BB ..."),
    option("--see", action="append", default=[], metavar="NODE=STATE", help="evidence to add or to replace"),
    option(
        "--model",
        default=str(SHIPPED),
        help=f"a model's folder, a network's .npz, or one of {', '.join(NETWORKS)} (default: shipped)",
    ),
    flag("--states", "the states of every node and what they mean, and nothing else"),
    option("--log", type=path, help="hands with all cards: confusion and calibration"),
    PICTURE,
)


def run(args: Namespace) -> int:
    """Print, and draw on request."""
    seen = [word.partition("=")[0] for word in args.see]
    if twice := [node for node in seen if seen.count(node) > 1]:
        raise EvidenceError(f"--see {twice[0]}: expected one state of each node")
    if args.picture:
        drawable(args.picture)
    console = Console(highlight=False, markup=False)
    if args.states:
        _states(console, _network(args.model))
        return 0
    network = _network(args.model)
    structure, inference = network.structure, Inference(network)
    any_other = args.model not in NETWORKS and not _of_readings(structure)
    if any_other and (args.state or args.log):
        raise ModelError(f"{args.model}: no network of readings: expected neither a state nor --log")
    if args.log and args.model not in NETWORKS:
        _confusions(console, network, args.log, args.game)
        return 0
    if args.model in NETWORKS or any_other:
        _, example = NETWORKS.get(args.model, (None, {}))
        evidence = _stated(args.see, structure, structure.nodes) or example
        wanted = tuple(node for node in structure.nodes if node not in evidence)
    else:
        street, evidence = _evidence(args, structure)
        wanted = hidden(structure, street)
    found = inference.posterior(evidence, wanted)
    console.print(_arcs(structure, evidence))
    for node in wanted:
        console.print(f"\n{node}", style="bold")
        console.print(bars_as_text(dict(found.top(node, 10))))
    if args.model not in NETWORKS and evidence and wanted:
        titles = (f"evidence for {wanted[-1]}", "seen", "moved", "towards")
        table = grid(*titles, words={*titles} - {"moved"})
        for shift in shifts(inference, evidence, wanted[-1]):
            table.add_row(shift.node, shift.state, f"{shift.moved:.1%}", shift.towards)
        console.print(table)
    if args.picture:
        unseen = [node for node in structure.nodes if node not in evidence]
        every = inference.posterior(evidence, unseen)
        likely = {node: _in_order(structure, node, dict(every.top(node, 6))) for node in unseen}
        words = {node: _in_words(node, state) for node, state in evidence.items()}
        save_network(structure.parents, likely, words, args.picture)
        console.print(f"drawn: {args.picture}")
    return 0


def _in_order(structure: Structure, node: str, chances: dict[str, float]) -> dict[str, float]:
    """The chances of some states, in the order that the node has them, by their names in words."""
    return {_in_words(node, state): chances[state] for state in structure.states[node] if state in chances}


def _in_words(node: str, state: str) -> str:
    """A state for a picture: an interval by its bounds, another by its name."""
    return state_meaning(node, state) if re.match(r"a[0-9]", state) else state


def _network(model: str) -> Network:
    if model in NETWORKS:
        return NETWORKS[model][0]()
    if model.endswith(".npz"):
        return io.load(Path(model))
    network = load_model(model).network
    if network is None:
        raise ModelError(f"{model}: expected a model with a network")
    return network


def _of_readings(structure: Structure) -> bool:
    """Whether a network is of the thesis' kind: a hand group, and nodes that a hand gives states to."""
    shown = observed(structure, 3)
    return "HandGroup" in structure.nodes and all(structure.states[n] == states_of(n) for n in shown)


def _evidence(args: Namespace, structure: Structure) -> tuple[int, dict[str, str]]:
    """The evidence of a network of the thesis, and its last street."""
    evidence = {} if args.state or args.see else {n: s for n, s in EXAMPLE.items() if n in structure.nodes}
    if args.state:
        observation = observe(args.state, game=game_of(args.state, args.game, ""))
        seat = position_of(observation.variant, args.position) if args.position else 0
        view = PlayerView(observation, seat)
        names = observed(structure, view.observation.street)
        evidence = {name: str(state) for name, state in read(view, names).items()}
    evidence |= _stated(args.see, structure, observed(structure, 3))
    return max((street_of(node) for node in evidence), default=0), evidence


def _stated(see: Sequence[str], structure: Structure, nodes: Sequence[str]) -> dict[str, str]:
    """The evidence of ``--see``, about some nodes."""
    evidence = {}
    for word in see:
        node, _, state = word.partition("=")
        if node not in nodes or state not in structure.states[node]:
            raise EvidenceError(f"--see {word!r}: expected NODE=STATE{_known(structure, node)}")
        evidence[node] = state
    return evidence


def _known(structure: Structure, node: str) -> str:
    """The states of a node that can be observed, else the nodes, for a message."""
    if node in structure.nodes and node not in HIDDEN:
        return f", the states of {node}: {', '.join(structure.states[node])}"
    return (
        f" of {', '.join(observed(structure, 3) or structure.nodes)}; baycarp inspect bn --states lists all"
    )


def _states(console: Console, network: Network) -> None:
    """Every node with its states, in the order of the network's tables, as ``--see`` takes them."""
    for node in network.structure.nodes:
        meaning = node_meaning(node)
        console.print(f"\n{node}" + (f": {meaning}" if meaning else ""), style="bold")
        states = network.structure.states[node]
        meanings = {state: state_meaning(node, state) for state in states}
        if not any(meanings.values()):
            console.print(Padding("; ".join(states), (0, 0, 0, 2)))
            continue
        table = Grid(box=None, show_header=False, padding=(0, 1, 0, 2))
        for state in states:
            table.add_row(state, meanings[state])
        console.print(table)


def _arcs(structure: Structure, evidence: dict[str, str]) -> Grid:
    table = grid("node", "states", "seen", "given", words=("node", "seen", "given"))
    for node in structure.nodes:
        above = ", ".join(structure.parents[node])
        table.add_row(node, str(structure.cardinality(node)), evidence.get(node, ""), above)
    return table


def _confusions(console: Console, network: Network, log: Path, game: str | None) -> None:
    with refusals() as refusal:
        rows = list(rows_of_session(door.read(log, refusal, game), (network.structure,)))
    if not rows:
        raise NotationError(f"{log}: expected hands whose cards are all known")
    for node in hidden(network.structure, 3):
        found = confusion(network, rows, node)
        if found.counts.sum():
            console.print(_matrix(found))
            console.print(_bins(found))


def _matrix(found: Confusion) -> Grid:
    """Rows are the truth; columns, numbered alike, the most probable state; per cent of rows."""
    totals = found.counts.sum(axis=1).tolist()
    some = np.flatnonzero(found.counts.sum(axis=0) + totals).tolist()
    table = grid(f"{found.node}: truth", *(str(code + 1) for code in some), "rows")
    for code in some:
        of = totals[code]
        cells = [f"{100 * found.counts[code, other] / of:.0f}" if of else "-" for other in some]
        table.add_row(f"{code + 1} {found.states[code]}", *cells, str(of))
    return table


def _bins(found: Confusion) -> Grid:
    table = grid(f"{found.node}: sure", "right", "rows")
    for count, sure, right in found.bins.tolist():
        if count:
            table.add_row(f"{sure:.1%}", f"{right:.1%}", f"{count:.0f}")
    return table
