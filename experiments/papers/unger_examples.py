"""Unger's worked examples (2011, chapters 5 and 6, appendix B): results of rules and similarities."""

from baycarp.card import CLASSES, HAND_GROUPS, cards, holding_index
from baycarp.cases import Exponential, Linear, PredictedStates
from baycarp.estimation import equities
from baycarp.game import Observation, Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.rules import PlayerView, read
from baycarp.rules.board import change, flop
from baycarp.rules.hand import TYPES, class_ranks, hand_types
from baycarp.strategies.baycarp import SCHEMAS
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Made, Value

__all__ = ["MAKERS"]

FIRST = (
    "STATE:0:cfffrfffc/cc/cc/cc:2c2h|2s3c|Tc2d|3d3h|3s4d|4h4s|As5d|5c5h/JsTd4c/Kd/Th:?|?|?|?|?|?|?|?:"
    "p1|p2|p3|p4|p5|p6|p7|p8"
)
SECOND = (
    "STATE:0:rfcfffff/cc/rc/cc:2c2h|2s3c|KsJs|3d3h|As9s|3s4d|4h4s|5c5d/Jh8d4c/2d/Jd:?|?|?|?|?|?|?|?:"
    "p1|p2|p3|p4|p5|p6|p7|p8"
)
TRAINING = {
    "1": (FIRST, 2, PlayerStats(hands=100, voluntary=55, raised=4)),
    "2": (FIRST, 6, PlayerStats(hands=100, voluntary=25, raised=7)),
    "3": (SECOND, 2, PlayerStats(hands=100, voluntary=15, raised=7)),
    "4": (SECOND, 4, PlayerStats(hands=100, voluntary=35, raised=12)),
}
"""Figure 6.1: hands (our choice), position and habits of each row."""


def _types(entry: Entry, run: Run) -> Made:
    """Table 5.1: the type of each hand."""

    def values(row: str) -> list[Value]:
        hole, board = row.split()
        return [TYPES[hand_types(board)[holding_index(*cards(hole))]]]

    return Made.of(entry, values)


def _boards(entry: Entry, run: Run) -> Made:
    """Table 5.2: the flop, and its change by the turn."""
    return Made.of(entry, lambda row: [flop(row.split()[0]), change(row.replace(" ", ""))])


def _weights(entry: Entry, run: Run) -> Made:
    """Figure 5.8: the weights of our schemas."""
    known = [dict(zip(schema.columns, schema.weights, strict=True)) for schema in SCHEMAS]

    def values(row: str) -> list[Value]:
        names = ["hand_rank", *["hand_strength"] * 3] if row == "hand rank or strength" else [_name(row)] * 4
        return [street.get(name, "-") for street, name in zip(known, names, strict=True)]

    return Made.of(entry, values)


def _name(row: str) -> str:
    """``opponent hand type 1`` is ``opponent_hand_type 1`` in a schema, the others have no blanks."""
    name, _, slot = row.rpartition(" ")
    return f"{name.replace(' ', '_')} {slot}" if slot.isdigit() else row.replace(" ", "_")


def _ranks(entry: Entry, run: Run) -> Made:
    """Section 5.4.3: why ranks are compared by exponential decay."""
    aces, suited = (int(class_ranks()[CLASSES.index(name)]) for name in ("AA", "JTs"))
    decay = next(f.similarity for f in SCHEMAS[0].features if f.name == "hand_rank")
    assert isinstance(decay, Exponential)
    values = (aces, suited, Linear(decay.max)(aces, suited), decay(aces, suited))
    return Made({row: [value] for (row, _), value in zip(entry.rows, values, strict=True)})


def _tables(entry: Entry, run: Run) -> Made:
    """Table 5.4: the query's slots against the types of a case."""
    query = {"FullHouse": 0.39, "ThreeOfAKind": 0.27, "TwoPair": 0.24, "Busted": 0.1}
    measure, rows = PredictedStates(TYPES), enumerate(entry.rows)
    return Made(
        {row: [measure(query, slot, column.name) for column in entry.columns] for slot, (row, _) in rows}
    )


def _training(entry: Entry, run: Run) -> Made:
    """Figure 6.1: the states of a hand by the rules."""

    def values(row: str) -> list[Value]:
        line, position, habits = TRAINING[row]
        observation = Observation(replay(parse_state(line, Variant.ring(8))))
        names = [column.name for column in entry.columns]
        found = read(PlayerView(observation, position, habits), names)
        return [str(found[name]) for name in names]

    return Made.of(entry, values)


def _turn(entry: Entry, run: Run) -> Made:
    """Section 6.3: the chance to win of the holding that is ahead on the turn."""

    def values(row: str) -> list[Value]:
        hole, other, board = row.split()
        return [100 * float(equities(hole, other, board=board).shares[0])]

    return Made.of(entry, values)


def _groups(entry: Entry, run: Run) -> Made:
    """Figure B.1: the group of each of the 169 hands, "-" for the tenth."""
    order = [column.name for column in entry.columns]

    def values(row: str) -> list[Value]:
        at = order.index(row)
        names = [row + column + "s" if at < j else column + row + "o" for j, column in enumerate(order)]
        names[at] = row + row
        found = (int(HAND_GROUPS[CLASSES.index(name)]) for name in names)
        return ["-" if group == 10 else group for group in found]

    return Made.of(entry, values)


MAKERS: dict[str, Maker] = {
    "000-5.1": _types,
    "000-5.2": _boards,
    "000-fig5.8": _weights,
    "000-sec5.4.3": _ranks,
    "000-5.4": _tables,
    "000-fig6.1": _training,
    "000-sec6.3": _turn,
    "000-figB.1": _groups,
}
