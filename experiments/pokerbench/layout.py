"""Rows of PokerBench as spots.

The files have six seats and 100 big blinds. Their lines leave out players who fold before they put money in;
before the flop sizes are totals in big blinds (``2.0bb``), after it whole big blinds, rounded, as totals of
the street (``OOP_RAISE_14``). Amounts here are chips, ``BIG_BLIND`` of them a big blind.
"""

import csv
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from baycarp.errors import IllegalAction, NotationError
from baycarp.game import Action, Observation, State, Variant

__all__ = ["POSTFLOP", "PREFLOP", "BenchMove", "BenchSpot", "read_rows", "spot_of"]

SEATS = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
"""The names of the positions, from the first left of the button."""

GAME = "holdem.nolimit.6p.100bb"
BIG_BLIND = 100

PREFLOP = (
    *("prev_line", "hero_pos", "hero_holding", "correct_decision"),
    *("num_players", "num_bets", "available_moves", "pot_size"),
)
POSTFLOP = (
    *("preflop_action", "board_flop", "board_turn", "board_river", "aggressor_position", "postflop_action"),
    *("evaluation_at", "available_moves", "pot_size", "hero_position", "holding", "correct_decision"),
)

_AMOUNT = re.compile(r"(\d{1,6}(?:\.\d{1,4})?)")


@dataclass(frozen=True, slots=True)
class BenchMove:
    """A move: ``fold``, ``check``, ``call`` or ``raise`` (a bet too), with its total in big blinds."""

    kind: str
    size: float | None = None


@dataclass(frozen=True, slots=True)
class BenchSpot:
    """A row.

    Parameters
    ----------
    observation
        The hand as the deciding seat sees it.
    correct
        The move that the files call correct.
    moves
        Those that they offer.
    pot
        Their pot, in big blinds; the replayed one differs by their rounding.
    """

    observation: Observation
    correct: BenchMove
    moves: tuple[BenchMove, ...]
    pot: float

    @property
    def rounding(self) -> float:
        """Big blinds between the replayed pot and theirs."""
        return abs(self.observation.state.pot / BIG_BLIND - self.pot)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file with their line numbers.

    Raises
    ------
    NotationError
        Neither of the two layouts, or no CSV.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        names = {*(rows.fieldnames or ())}
        if not (names >= {*PREFLOP} or names >= {*POSTFLOP}):
            raise NotationError(
                f"{path}: expected the columns {', '.join(PREFLOP)}; or {', '.join(POSTFLOP)}"
            )
        try:
            for row in rows:
                found = {name: str(row[name] or "").strip() for name in names & {*PREFLOP, *POSTFLOP}}
                yield rows.line_num, found
        except csv.Error as error:  # a field that is too long, a NUL
            raise NotationError(f"{path}, line {rows.line_num}: {error}") from error


def spot_of(row: Mapping[str, str]) -> BenchSpot:
    """The spot of a row.

    Raises
    ------
    NotationError
        A row that is not understood, or that the rules forbid.
    """
    try:
        state = State(Variant.load(GAME))
        line = row["prev_line"] if "prev_line" in row else row["preflop_action"]
        _before_flop(state, line)
        if "prev_line" in row:
            seat = SEATS.index(row["hero_pos"].upper())
            _fold_until(state, seat)
        else:
            seat = _after_flop(state, row)
        holding = row.get("hero_holding") or row["holding"]
        state.deal({seat: re.sub(r"[\s,]", "", holding)})
        if state.to_act != seat:
            raise NotationError(f"position {seat}: to act is {state.to_act}")
        moves = tuple(_move(each) for each in _listed(row["available_moves"]))
        return BenchSpot(state.observe(seat), _move(row["correct_decision"]), moves, float(row["pot_size"]))
    except (KeyError, ValueError, SyntaxError, IllegalAction) as error:
        raise NotationError(f"row {dict(row)!r:.300}: {error}") from error


def _before_flop(state: State, line: str) -> None:
    """Play ``UTG/2.0bb/BTN/call``; players between them fold."""
    words = [word for word in line.split("/") if word]
    for name, move in zip(words[::2], words[1::2], strict=True):
        _fold_until(state, SEATS.index(name.upper()))
        _play(state, _move(move))


def _fold_until(state: State, seat: int) -> None:
    while state.to_act is not None and state.to_act != seat:
        state.apply(state.named("fold" if state.owed else "check"))


def _after_flop(state: State, row: Mapping[str, str]) -> int:
    """Play the streets after the flop; returns the deciding position."""
    while state.street == 0:
        state.apply(state.named("fold"))  # who is not named before the flop
    board = re.sub(r"[\s,]", "", row["board_flop"])
    state.deal(board=board)
    for word in filter(None, row["postflop_action"].split("/")):
        if word.lower() in ("dealcards", "dealcard"):
            continue
        if re.fullmatch(r"[2-9TJQKA][cdhs]", word):
            board += word
            state.deal(board=board)
            continue
        seat, move = _acted(word)
        if seat and state.to_act != _seat(state, seat):
            raise NotationError(f"{word}: to act is position {state.to_act}")
        _play(state, _move(move))
    later = {"flop": "", "turn": row["board_turn"], "river": row["board_turn"] + row["board_river"]}
    wanted = re.sub(r"[\s,]", "", row["board_flop"] + later[row["evaluation_at"].lower()])
    if len(wanted) > len(board):
        state.deal(board=wanted)
    return _seat(state, row["hero_position"].upper())


def _acted(word: str) -> tuple[str, str]:
    """``OOP_BET_5`` as the place and the move; ``CALL`` without a place."""
    place, _, move = word.partition("_")
    if place.upper() in ("OOP", "IP"):
        return place.upper(), move.replace("_", " ")
    return "", word.replace("_", " ")


def _seat(state: State, place: str) -> int:
    """The position of OOP, IP, or of a name."""
    if place in SEATS:
        return SEATS.index(place)
    first, *_, last = sorted(state.seats_in)
    return {"OOP": first, "IP": last}[place]


def _listed(text: str) -> list[str]:
    """The moves of ``['Check', 'Bet 24']``."""
    moves = literal_eval(text) if text.startswith("[") else text.split(",")
    if not isinstance(moves, list) or not all(isinstance(each, str) for each in moves):
        raise NotationError(f"moves {text!r:.80}: expected a list of words")
    return moves


def _move(text: str) -> BenchMove:
    """``call``, ``11.0bb``, ``allin``, ``Bet 24`` and the like."""
    words = text.strip().lower()
    amount = _AMOUNT.search(words)
    for kind in ("fold", "check", "call"):
        if words.startswith(kind):
            return BenchMove(kind)
    if words.replace("-", "").replace(" ", "").startswith("allin"):
        return BenchMove("raise", 100.0)
    if amount and re.fullmatch(r"(?:bet|raise)?(?: to)?\s*[\d.]+\s*(?:bb)?", words):
        return BenchMove("raise", float(amount[1]))
    raise NotationError(f"move {text!r:.40}: expected one like 'call', '2.5bb', 'Bet 24' or 'allin'")


def _play(state: State, move: BenchMove) -> None:
    """Apply a move; a size is rounded in the files, so that the nearest legal one is meant."""
    if move.size is None:
        state.apply(state.named(move.kind if state.owed or move.kind != "call" else "check"))
        return
    legal = [action for action in state.legal_actions() if action.name in ("bet", "raise")]
    if not legal:
        state.apply(state.named("call"))
        return
    total = round(move.size * BIG_BLIND)
    least, most = legal[0].amount, legal[-1].amount
    state.apply(Action(legal[0].name, min(max(total, least), most)))
