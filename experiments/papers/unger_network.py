"""Unger's network (2011, sections 6.3, 7.2) and case-bases (5.4.2): the results of the model that ships."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT
from baycarp.arena.measure import Share
from baycarp.arena.session import Table
from baycarp.bn import Inference, Network, counts
from baycarp.game.notation.acpc import parse_matchstate, parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.network.topology import STRUCTURE
from baycarp.rules import READINGS, PlayerView, read
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.training.networks import Measured, measure
from baycarp.training.rows import rows_of_session
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, percent, sessions
from experiments.papers.verdict import Made, Value

__all__ = ["MAKERS"]

PREFLOP = {"VPIP": "a20_30", "PFR": "a5_10", "Position": "Early", "Action": "Raise"}
ON_FLOP = {**PREFLOP, "Board": "JLow", "ActionFlop": "Check"}
ON_RIVER = {
    **PREFLOP,
    "Board": "JLow",
    "ActionFlop": "Call",
    "BoardChangeTurn": "Low",
    "ActionTurn": "Call",
    "BoardChangeRiver": "FirstQ",
    "ActionRiver": "DonkBet",
}
"""The observations of Jake in the worked example (section 6.3)."""

FLOP_CASE = "MATCHSTATE:5:0:frfrffffc/c:|||||9c9h||/JsTd4c"
RIVER_CASE = "MATCHSTATE:5:0:frfrffffc/crc/crc/r:|||||9c9h||/JsTd4c/2h/Qs"
"""Its table in BayCaRP's observation. The cards are our choice."""

BAYCARP = 5
"""Jake's position."""


def _sizes(entry: Entry, run: Run) -> Made:
    """Table 5.3: cases by street."""
    casebases = load_model(SHIPPED).casebases.values()
    return Made({row: [len(base)] for (row, _), base in zip(entry.rows, casebases, strict=True)})


def _beliefs(evidence: dict[str, str], nodes: tuple[str, ...], entry: Entry, run: Run) -> Made:
    """Percent of each state, a column a node."""
    found = Inference(_network()).posterior(evidence, nodes)
    tops = [dict(found.top(node)) for node in nodes]
    return Made.of(entry, lambda row: [100 * top[row] if row in top else None for top in tops])


def _case(line: str, evidence: dict[str, str], node: str, entry: Entry, run: Run) -> Made:
    """The table's features are read, the predicted types computed; the rest depends on unknown cards."""
    view = PlayerView(parse_matchstate(line, Variant.ring(8)), BAYCARP)
    names = {row: row.replace(" ", "_") for row, _ in entry.rows}
    features = read(view, [name for name in names.values() if name in READINGS])
    cells: dict[str, list[Value]] = {row: [features.get(name)] for row, name in names.items()}
    cells["hand strength"] = [None]
    top = Inference(_network()).posterior(evidence, (node,)).top(node, 3)
    cells |= {f"opponent hand type {place}": [state] for place, (state, _) in enumerate(top, start=1)}
    return Made(cells)


def _busted(entry: Entry, run: Run) -> Made:
    """Section 7.2.2: P(HandType = Busted), given the action on the flop alone."""
    inference = Inference(_network())

    def values(action: str) -> list[Value]:
        found = inference.posterior({"ActionFlop": action}, ("HandType",))
        return [100 * dict(found.top("HandType"))["Busted"]]

    return Made.of(entry, values)


def _busted_first(entry: Entry, run: Run) -> Made:
    """Section 7.2.2: of the faults of the hand type, the share with Busted as the most probable type."""
    nodes = {"flop": "HandType", "turn": "HandTypeTurn", "river": "HandTypeFinal"}
    firsts = _measured(run).firsts

    def values(row: str) -> list[Value]:
        by_type = {state: count for (node, state), count in firsts.items() if node == nodes[row]}
        return [percent(Share(by_type.get("Busted", 0), sum(by_type.values())))]

    return Made.of(entry, values, run.hands)


def _accuracies(nodes: Mapping[str, str], most: int, entry: Entry, run: Run) -> Made:
    """Tables 7.1 and 7.3: percent of rows with the truth in the top 1..most, and below."""
    lines = {line.node: line for line in _measured(run).accuracies if line.players == "active"}

    def values(row: str) -> list[Value]:
        line = lines[nodes[row]]
        counts = [round(top * line.rows) if line.rows else 0 for top in line.top[:most]]
        return [percent(Share(count, line.rows)) for count in (*counts, line.rows - counts[-1])]

    return Made.of(entry, values, run.hands)


def _faults(belongs: Callable[[str, str, str, str], bool], entry: Entry, run: Run) -> Made:
    """Of all rows with the true group below the top four, the shares that belong to each cell.

    ``belongs`` takes action and position of a fault, and the cell's row and column.
    """
    faults = _measured(run).faults

    def values(row: str) -> list[Value]:
        counts = (
            sum(count for key, count in faults.items() if belongs(*key, row, column.name))
            for column in entry.columns
        )
        return [percent(Share(count, faults.total())) for count in counts]

    return Made.of(entry, values, run.hands)


@lru_cache(maxsize=2)
def _measured(run: Run) -> Measured:
    """The network on the default players' hands, of sessions that no training plays."""
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, run.seed)
    rows = [
        row
        for played in sessions(table, HELD_OUT, run)
        for row in rows_of_session(parse_state(line, table.variant) for line in played.log)
    ]
    return measure(_network(), counts(STRUCTURE, []), rows)


def _network() -> Network:
    network = load_model(SHIPPED).network
    assert network is not None  # the model that ships has one
    return network


MAKERS: dict[str, Maker] = {
    "000-5.3": _sizes,
    "000-fig6.6": partial(_beliefs, ON_FLOP, ("HandGroup", "HandType")),
    "000-fig6.7": partial(_case, FLOP_CASE, ON_FLOP, "HandType"),
    "000-fig6.11": partial(_beliefs, ON_RIVER, ("HandTypeFinal",)),
    "000-fig6.12": partial(_case, RIVER_CASE, ON_RIVER, "HandTypeFinal"),
    "000-7.1": partial(_accuracies, {"hand group": "HandGroup"}, 4),
    "000-fig7.1": partial(_faults, lambda action, position, row, column: position == row),
    "000-fig7.2": partial(_faults, lambda action, position, row, column: action == row),
    "000-7.2": partial(_faults, lambda action, position, row, column: (action, position) == (row, column)),
    "000-7.3": partial(
        _accuracies, {"flop": "HandType", "turn": "HandTypeTurn", "river": "HandTypeFinal"}, 3
    ),
    "000-sec7.2.2": _busted,
    "000-sec7.2.2-faults": _busted_first,
}
