"""Unger's network (2011, sections 6.3, 7.2) and case-bases (5.4.2): the results of the model that ships."""

from collections.abc import Callable
from functools import lru_cache

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT
from baycarp.arena.measure import Share
from baycarp.arena.session import Table
from baycarp.bn import Inference
from baycarp.bn.learn import counts
from baycarp.bn.network import Network
from baycarp.game.notation.acpc import parse_matchstate, parse_state
from baycarp.game.variant import Variant
from baycarp.opponents.belief import STRUCTURE
from baycarp.papers.entry import Entry
from baycarp.papers.run import Run, percent, sessions
from baycarp.papers.verdict import Estimate, Made, Value
from baycarp.rules import READINGS, PlayerView, read
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.train.networks import Accuracy, Measured, measure
from baycarp.train.rows import rows_of_session

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


def sizes(entry: Entry, run: Run) -> Made:
    """Table 5.3: cases by street."""
    casebases = load_model(SHIPPED).casebases.values()
    return Made({row: [len(base)] for (row, _), base in zip(entry.rows, casebases, strict=True)})


def beliefs_on_flop(entry: Entry, run: Run) -> Made:
    """Figure 6.6."""
    found = _inference().posterior(ON_FLOP, ("HandGroup", "HandType"))
    groups, types = dict(found.top("HandGroup")), dict(found.top("HandType"))
    return Made({row: [_hundredfold(groups.get(row)), _hundredfold(types.get(row))] for row, _ in entry.rows})


def beliefs_on_river(entry: Entry, run: Run) -> Made:
    """Figure 6.11."""
    types = dict(_inference().posterior(ON_RIVER, ("HandTypeFinal",)).top("HandTypeFinal"))
    return Made({row: [_hundredfold(types[row])] for row, _ in entry.rows})


def case_on_flop(entry: Entry, run: Run) -> Made:
    """Figure 6.7."""
    return _case(entry, FLOP_CASE, ON_FLOP, "HandType")


def case_on_river(entry: Entry, run: Run) -> Made:
    """Figure 6.12."""
    return _case(entry, RIVER_CASE, ON_RIVER, "HandTypeFinal")


def _case(entry: Entry, line: str, evidence: dict[str, str], node: str) -> Made:
    """The table's features are read, the predicted types computed; the rest depends on unknown cards."""
    observation = parse_matchstate(line, Variant.ring(8))
    names = {row: row.replace(" ", "_") for row, _ in entry.rows}
    features = read(PlayerView(observation, BAYCARP), [name for name in names.values() if name in READINGS])
    cells: dict[str, list[Value]] = {row: [features.get(name)] for row, name in names.items()}
    cells["hand strength"] = [None]
    for place, (state, _) in enumerate(_inference().posterior(evidence, (node,)).top(node, 3), start=1):
        cells[f"opponent hand type {place}"] = [state]
    return Made(cells)


def busted(entry: Entry, run: Run) -> Made:
    """Section 7.2.2: P(HandType = Busted), given the action on the flop alone."""
    cells: dict[str, list[Value]] = {}
    for action, _ in entry.rows:
        found = _inference().posterior({"ActionFlop": action}, ("HandType",))
        cells[action] = [_hundredfold(dict(found.top("HandType"))["Busted"])]
    return Made(cells)


def group_accuracy(entry: Entry, run: Run) -> Made:
    """Table 7.1."""
    line = _accuracy(_measured(run), "HandGroup")
    return Made({"hand group": _places(line, 4)}, run.hands)


def type_accuracy(entry: Entry, run: Run) -> Made:
    """Table 7.3."""
    streets = {"flop": "HandType", "turn": "HandTypeTurn", "river": "HandTypeFinal"}
    found = _measured(run)
    return Made({row: _places(_accuracy(found, node), 3) for row, node in streets.items()}, run.hands)


def faults_by_position(entry: Entry, run: Run) -> Made:
    """Figure 7.1."""
    return _faults(entry, run, lambda action, position, row, column: position == row)


def faults_by_action(entry: Entry, run: Run) -> Made:
    """Figure 7.2."""
    return _faults(entry, run, lambda action, position, row, column: action == row)


def faults_by_both(entry: Entry, run: Run) -> Made:
    """Table 7.2."""
    return _faults(entry, run, lambda action, position, row, column: (action, position) == (row, column))


def _faults(entry: Entry, run: Run, belongs: Callable[[str, str, str, str], bool]) -> Made:
    """Of all rows with the true group below the top four, the shares that belong to each cell."""
    faults = _measured(run).faults
    cells: dict[str, list[Value]] = {}
    for row, _ in entry.rows:
        counts = [
            sum(count for key, count in faults.items() if belongs(*key, row, column.name))
            for column in entry.columns
        ]
        cells[row] = [percent(Share(count, faults.total())) for count in counts]
    return Made(cells, run.hands)


def _places(line: Accuracy, most: int) -> list[Value]:
    """Percent of rows with the truth in the top 1..most, and below."""
    counts = [round(top * line.rows) if line.rows else 0 for top in line.top[:most]]
    shares: list[Value] = [percent(Share(count, line.rows)) for count in (*counts, line.rows - counts[-1])]
    return shares


def _accuracy(measured: Measured, node: str) -> Accuracy:
    return next(line for line in measured.accuracies if (line.node, line.players) == (node, "active"))


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


def _inference() -> Inference:
    return Inference(_network())


def _hundredfold(chance: float | None) -> Estimate | float | None:
    return None if chance is None else 100 * chance


MAKERS: dict[str, Callable[[Entry, Run], Made]] = {
    "000-5.3": sizes,
    "000-fig6.6": beliefs_on_flop,
    "000-fig6.7": case_on_flop,
    "000-fig6.11": beliefs_on_river,
    "000-fig6.12": case_on_river,
    "000-7.1": group_accuracy,
    "000-fig7.1": faults_by_position,
    "000-fig7.2": faults_by_action,
    "000-7.2": faults_by_both,
    "000-7.3": type_accuracy,
    "000-sec7.2.2": busted,
}
