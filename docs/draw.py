"""The diagrams of the documentation, as SVG: ``python docs/draw.py``.

``pictures/decision.svg`` follows the README's example from the observation to the action, with the numbers
of the decision. ``pictures/rooms.svg`` is the package: a room a box, on the lowest floor above all rooms
that it imports. A line leads to an imported room that is reached by no way through other rooms; lines to the
lowest floor, which all may use, are left out. Names and purposes of the rooms are those of the package's
docstring, imports those of its modules. ``pictures/spot-tree.svg`` is the tree of the river spot that the
tutorial solves, with the shares of its solution. ``pictures/method.svg`` is the way from what is observed to
the action, in the colours of the page that it is in; ``pictures/grid.svg`` the starting hands, to be printed.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from textwrap import wrap
from typing import Any
from xml.sax.saxutils import escape

import baycarp
from baycarp.agents.trace import stage_of
from baycarp.agents.value.stages import ValueStage
from baycarp.card import CLASSES
from baycarp.opponents.belief import Belief
from baycarp.web.panels import grid

PICTURES = Path(__file__).parent / "pictures"
PACKAGE = Path(baycarp.__file__).parent

STATE = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c"
GAME = "holdem.limit.2p.reverse_blinds"

INK, MUTED, BLUE, RED, PAPER, LINE = "#1f2933", "#52606d", "#0b61ae", "#b3202c", "#f5f4ef", "#cfcdc2"
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A picture on a light ground, as text."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        ' font-family="Helvetica, Arial, sans-serif">'
    )
    ground = box(0, 0, width, height, PAPER, LINE, 10)
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>", ""])


def box(
    x: float, y: float, width: float, height: float, fill: str, stroke: str = "none", round: int = 0
) -> str:
    """A rectangle; ``x`` and ``y`` are its upper left corner."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round}" fill="{fill}"'
        f' stroke="{stroke}"/>'
    )


def write(x: float, y: float, words: str, size: float = 13, fill: str = INK, style: str = "") -> str:
    """A line of text; ``y`` is its base line."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" {style}>{escape(words)}</text>'


BOLD = 'font-weight="bold"'
RIGHT = 'text-anchor="end"'
MIDDLE = 'text-anchor="middle"'


# A decision


def decision() -> str:
    """Six panels, two rows: observation, belief, range, strength, cases, action."""
    agent, observation = baycarp.load("baycarp"), baycarp.observe(STATE, game=GAME)
    (belief,) = agent.beliefs(observation).values()
    decided = agent.decide(observation)
    record = decided.to_dict()
    stages = {stage["stage"]: stage for stage in record["trace"]}
    panels = (
        ("Observation", "what the seat knows", _observation()),
        ("Belief", "what the opponent may hold, by its actions", _belief(belief)),
        ("Range", "the weight of each of its starting hands", _range(grid(belief.weights))),
        ("Strength", "of the own hand against that range", _strength(stages["case"]["values"])),
        ("Cases", "what was done in similar situations", _cases(stages["retrieval"], stages["reuse"])),
        ("Action", "by what each action is worth, in big blinds", _action(decided)),
    )
    parts = []
    for number, (name, purpose, content) in enumerate(panels):
        x, y = 16 + 316 * (number % 3), 16 + 242 * (number // 3)
        parts += [
            f'<g transform="translate({x} {y})">',
            box(0, 0, 296, 226, "#ffffff", LINE, 8),
            write(14, 26, f"{number + 1}  {name}", 16, INK, BOLD),
            write(14, 44, purpose, 12, MUTED),
            *content,
            *([write(298, 118, "▸", 20, MUTED)] if number % 3 < 2 else []),
            "</g>",
        ]
    return svg(960, 500, "A decision: observation, belief, range, strength, cases, action", parts)


def _observation() -> Iterator[str]:
    _, _, _, actions, cards = STATE.split(":")
    hole, board = cards.split("|")
    own, flop = re.findall("..", hole), re.findall("..", board.strip("/"))
    yield from _cards(14, 60, own)
    yield from _cards(130, 60, flop)
    yield write(14, 128, "own cards", 12, MUTED)
    yield write(130, 128, "flop", 12, MUTED)
    yield write(14, 156, "heads-up limit, pot 40, first to act")
    yield write(14, 178, f"actions: {actions.strip('/')} (the opponent raised,")
    yield write(14, 196, "the own seat called)")


def _cards(x: float, y: float, cards: Sequence[str]) -> Iterator[str]:
    for place, (rank, suit) in enumerate(cards):
        left = x + 48 * place
        colour = RED if suit in "dh" else INK
        yield box(left, y, 42, 52, "#ffffff", LINE, 5)
        yield write(left + 21, y + 25, rank, 20, colour, f"{BOLD} {MIDDLE}")
        yield write(left + 21, y + 45, SUITS[suit], 18, colour, MIDDLE)


def _bar(y: float, name: str, share: float) -> Iterator[str]:
    """A name, its share (0..1) as a bar, and as a number."""
    yield write(14, y + 12, name, 12)
    yield box(130, y, 110, 16, PAPER)
    yield box(130, y, round(110 * share, 1), 16, BLUE)
    yield write(282, y + 12, f"{share:.2f}", 12, INK, RIGHT)


def _belief(belief: Belief) -> Iterator[str]:
    likeliest = sorted(belief.types.items(), key=lambda item: -item[1])
    for place, (name, share) in enumerate(likeliest[:5]):
        yield from _bar(62 + 24 * place, name, share)
    for place, (situation, action) in enumerate(belief.evidence.items()):
        yield write(14, 204 + 18 * place, f"evidence: {situation.split('. ')[-1]}: {action}", 12, MUTED)


def _range(classes: Sequence[Sequence[float]]) -> Iterator[str]:
    ranks = "AKQJT98765432"
    for row, weights in enumerate(classes):
        yield write(26, 74 + 12 * row, ranks[row], 9, MUTED, RIGHT)
        yield write(37 + 12 * row, 62, ranks[row], 9, MUTED, MIDDLE)
        for column, weight in enumerate(weights):
            shade = f'{BLUE}" fill-opacity="{0.06 + 0.94 * round(weight, 1):.2f}'
            yield box(31.5 + 12 * column, 65.5 + 12 * row, 11, 11, shade)
    for line, words in enumerate(("suited hands", "above the", "diagonal of", "pairs")):
        yield write(206, 110 + 15 * line, words, 11, MUTED)


def _strength(values: Mapping[str, Any]) -> Iterator[str]:
    lines = (
        ("hand_strength", "hand strength", "ahead now"),
        ("positive_potential", "pos. potential", "gets ahead from behind"),
        ("negative_potential", "neg. potential", "falls behind from ahead"),
    )
    for place, (name, words, meaning) in enumerate(lines):
        yield from _bar(66 + 48 * place, words, values[name])
        yield write(130, 98 + 48 * place, meaning, 11, MUTED)


def _cases(retrieval: Mapping[str, Any], reuse: Mapping[str, Any]) -> Iterator[str]:
    found, stored = retrieval["cases"], retrieval["stored"]
    yield write(14, 72, f"{found} of {stored:,} cases are similar; the nearest:", 12)
    for place, case in enumerate(retrieval["nearest"][:3]):
        words = f"similarity {case['similarity']:.3f}: {case['solution']}, outcome {case['outcome']:+g}"
        yield write(14, 96 + 20 * place, words, 12, MUTED)
    votes = reuse["memories"][0]["votes"]
    for place, (name, count) in enumerate(votes.items()):
        yield from _bar(158 + 24 * place, f"{name}: {count} votes", count / sum(votes.values()))


def _action(decided: baycarp.Decision) -> Iterator[str]:
    stage = stage_of(decided.trace, ValueStage)
    assert stage is not None
    yield write(14, 80, str(decided.action), 28, BLUE, BOLD)
    for line, words in enumerate(wrap(decided.reason, 44)[:3]):
        yield write(14, 101 + 16 * line, words)
    for place, each in enumerate(stage.values):
        worth, error = each.chips / stage.big_blind, each.error / stage.big_blind
        yield from _bar(146 + 38 * place, str(each.action), decided.policy.get(each.action, 0.0))
        yield write(130, 175 + 38 * place, f"worth {worth:.2f} ± {error:.2f}", 11, MUTED)


# The tree of a spot

SPOT = baycarp.Spot("Td9d6hQc2s", pot=100, stack=100, oop="QQ,54s", ip="TT", sizes="oop: a", raises="")
DEEP, APART = 300, 64
"""Pixels from a node to the next one, and between two ends."""


def spot_tree() -> str:
    """A box a decision, with the range and the shares of the actions on the lines that leave it."""
    solution = baycarp.solve(SPOT, target=0.01)
    parts, height = list[str](), -20.0

    def drawn(line: str, x: float) -> float:
        """Draw what a line leads to; the height of its middle."""
        nonlocal height
        view = solution.at(line)
        if not view.player:
            height += APART
            parts.append(box(x, height - 21, 150, 42, "#ffffff", LINE, 6))
            won = "showdown" if "fold" not in line else "oop wins"
            parts.append(write(x + 75, height + 5, f"{won}, pot {view.pot:g}", 13, INK, MIDDLE))
            return height
        ends = [drawn(f"{line}, {action}" if line else action, x + DEEP) for action in view.actions]
        middle = _mean(ends)
        for end, (action, share) in zip(ends, view.frequencies().items(), strict=True):
            half = x + 130 + (DEEP - 130) / 2
            curve = f"M{x + 130:g} {middle:g} C{half:g} {middle:g} {half:g} {end:g} {x + DEEP:g} {end:g}"
            parts.append(
                f'<path d="{curve}" fill="none" stroke="{BLUE}" stroke-width="{1 + 7 * share:.1f}"/>'
            )
            label = end + 20 if end > middle else end - 10
            parts.append(write(x + DEEP - 8, label, f"{action} {share:.0%}", 13, INK, RIGHT))
        parts.append(box(x, middle - 27, 130, 54, "#ffffff", BLUE, 6))
        parts.append(write(x + 65, middle - 5, view.player, 15, INK, f"{BOLD} {MIDDLE}"))
        parts.append(write(x + 65, middle + 14, str(getattr(SPOT, view.player)), 13, MUTED, MIDDLE))
        return middle

    drawn("", 20)
    return svg(790, int(height) + 50, "The tree of a river spot, with its solution", parts)


# The method

METHOD = (
    ("Network", "what actions and shown cards", "say about an opponent"),
    ("Range", "a weight for each of the", "opponent's 1,326 holdings"),
    ("Strength", "own cards against it: ahead,", "behind, and what may come"),
    ("Cases", "what was done in similar", "situations: a proposal"),
    ("Values", "what each action wins, by", "look-ahead or a solved river"),
    ("Action", "drawn from the proposal,", "without what is worth less"),
)
"""The parts in order: a name, and two lines of what it computes."""
TURN = "M 250 {0:g} h 20 m -7 -5 l 7 5 l -7 5"
DOWN = "M 395 {0:g} v 14 h -270 v 14 m -5 -7 l 5 7 l 5 -7"


def method() -> str:
    """Six boxes in rows of two, with arrows; its colours are those of the page's theme, light or dark."""
    ink, muted, line = (
        f"fill: var(--pst-color-{name}, {other})"
        for name, other in (("text-base", INK), ("text-muted", MUTED), ("surface", PAPER))
    )
    style = (
        f".method-ink {{{ink}}} .method-muted {{{muted}}} .method-box {{{line}; stroke: {BLUE}}}"
        f" .method-way {{fill: none; stroke: {BLUE}; stroke-width: 2}}"
    )
    parts = [f"<style>{style}</style>", "<title>From what is observed to the action</title>"]
    for number, (name, *lines) in enumerate(METHOD):
        x, y = 10 + 270 * (number % 2), 6 + 112 * (number // 2)
        parts.append(f'<rect class="method-box" x="{x}" y="{y}" width="240" height="84" rx="8"/>')
        parts.append(
            _classed(x + 14, y + 28, f"{number + 1}  {name}", "method-ink", f'font-size="18" {BOLD}')
        )
        parts += [
            _classed(x + 14, y + 50 + 19 * place, words, "method-muted", 'font-size="15"')
            for place, words in enumerate(lines)
        ]
        way = DOWN.format(y + 84) if number % 2 else TURN.format(y + 42)
        if number < len(METHOD) - 1:
            parts.append(f'<path class="method-way" d="{way}"/>')
    head = (
        '<svg class="method" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 530 322" role="img"'
        ' font-family="Helvetica, Arial, sans-serif">'
    )
    return "\n".join([head, *parts, "</svg>", ""])


def _classed(x: float, y: float, words: str, name: str, style: str) -> str:
    return f'<text class="{name}" x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


# The starting hands


def starting_hands() -> str:
    """An empty grid of the starting hands for a sheet of paper: pairs are framed, suited hands above them."""
    parts = ['<rect width="536" height="536" fill="#ffffff"/>']
    for number, name in enumerate(CLASSES):
        row, column = divmod(number, 13)
        x, y = 8 + 40 * column, 8 + 40 * row
        parts.append(box(x, y, 40, 40, "#eeeeee" if row == column else "#ffffff", "#555555"))
        parts.append(write(x + 20, y + 24, name, 12, "#000000", MIDDLE))
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 536 536" role="img" font-family="sans-serif">'
    )
    return "\n".join([head, "<title>The 169 starting hands</title>", *parts, "</svg>", ""])


# The rooms


def purposes() -> dict[str, str]:
    """The purpose of each room, from the ground up, as the package's docstring lists it."""
    return dict(re.findall(r"^    (\w+) +(\S.*)$", baycarp.__doc__ or "", flags=re.M))


def imports() -> dict[str, set[str]]:
    """For each room the rooms that its modules import anywhere, read from their source."""
    rooms: dict[str, set[str]] = {name: set() for name in purposes()}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in rooms:
            rooms[parts[0]] |= (_imported(path) & {*rooms}) - {parts[0]}
    return rooms


def _imported(path: Path) -> set[str]:
    """Rooms of the package that a module imports, statements inside functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module="baycarp", names=names):
                found |= {f"baycarp.{alias.name}" for alias in names}
            case ast.ImportFrom(module=str(module)):
                found.add(module)
    return {name.split(".")[1] for name in found if name.startswith("baycarp.")}


def floors(rooms: Mapping[str, set[str]]) -> list[list[str]]:
    """The rooms by floor, from the ground: each on the lowest one above all that it imports."""
    floor: dict[str, int] = {}
    for room in TopologicalSorter(rooms).static_order():
        floor[room] = max((floor[below] + 1 for below in rooms[room]), default=0)
    return [[room for room in rooms if floor[room] == number] for number in range(max(floor.values()) + 1)]


def direct(rooms: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The imports of each room that no other of its imports has, directly or through others."""
    reached: dict[str, set[str]] = {}
    for room in TopologicalSorter(rooms).static_order():
        reached[room] = rooms[room].union(*(reached[below] for below in rooms[room]))
    return {room: below - set().union(*(reached[other] for other in below)) for room, below in rooms.items()}


WIDTH, STEP, ROOM_WIDTH, ROOM_HEIGHT = 1100, 74, 148, 46


def rooms() -> str:
    """A box a room, a row a floor; the C core is the ground, what measures the package lies above it."""
    imported = imports()
    storeys = floors(imported)
    below = direct({room: others - {*storeys[0]} for room, others in imported.items()})
    bottom = 60 + STEP * len(storeys)
    places: dict[str, tuple[float, float]] = {}
    for number, names in enumerate(storeys):
        ordered = sorted(names, key=lambda room: _mean([places[other][0] for other in below[room]]))
        for column, room in enumerate(ordered):
            places[room] = WIDTH * (column + 0.5) / len(names), bottom - STEP * (number + 1)
    top = "experiments and benchmarks, outside the wheel, measure the package"
    ground = "csrc: the compiled core in C, which knows no Python"
    parts = [
        write(WIDTH / 2, 34, top, 13, MUTED, MIDDLE),
        *(_line(places[room], places[other]) for room in below for other in sorted(below[room])),
        *(part for room, purpose in purposes().items() for part in _room(places[room], room, purpose)),
        box(10, bottom, WIDTH - 20, 30, "#e4e1d5", LINE, 6),
        write(WIDTH / 2, bottom + 20, ground, 13, INK, MIDDLE),
    ]
    return svg(WIDTH, bottom + 44, "The rooms of the package; each imports only rooms below it", parts)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (u, v) = start, end
    y += ROOM_HEIGHT
    middle = (y + v) / 2
    curve = f"M{x:g} {y:g} C{x:g} {middle:g} {u:g} {middle:g} {u:g} {v:g}"
    return f'<path d="{curve}" fill="none" stroke="#9aa5b1" stroke-width="1.2"/>'


def _room(place: tuple[float, float], name: str, purpose: str) -> Iterator[str]:
    x, y = place
    yield box(x - ROOM_WIDTH / 2, y, ROOM_WIDTH, ROOM_HEIGHT, "#ffffff", LINE, 6)
    yield write(x, y + 16, name, 13, INK, f"{BOLD} {MIDDLE}")
    for number, words in enumerate(wrap(purpose, 27)[:2]):
        yield write(x, y + 28 + 11 * number, words, 9.5, MUTED, MIDDLE)


DRAWINGS = {
    "decision.svg": decision,
    "grid.svg": starting_hands,
    "method.svg": method,
    "rooms.svg": rooms,
    "spot-tree.svg": spot_tree,
}


def main() -> None:
    """Draw them."""
    for name, draw in DRAWINGS.items():
        (PICTURES / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
