"""From a stated to a hand by the rules of the game: the one way for every room.

Every action is applied to the compiled rules, every amount that the text states must be theirs, and the
chips must add up: what was paid in is paid out, but for the rake. A text that fails in any of it is refused,
with the reason.
"""

from decimal import Decimal

from baycarp.errors import NotationError
from baycarp.game.action import Action
from baycarp.game.notation.hand import Hand, Origin, Refused, Transcript
from baycarp.game.notation.rooms.amounts import PARTS, worth
from baycarp.game.notation.rooms.cards import card_rows
from baycarp.game.notation.rooms.posts import game_of, positions, readings
from baycarp.game.notation.rooms.results import Ending, settle
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["hand_of"]

_SHOWN = (0, 3, 4, 5)


def hand_of(stated: Statement, room: str, anonymous: bool = False) -> Hand:
    """The hand of a stated: of the first of its readings that adds up.

    Raises
    ------
    NotationError
        What the text lacks, or how it contradicts the rules or itself.
    """
    first: NotationError | None = None
    for reading in readings(stated):
        try:
            return _build(reading, room, anonymous)
        except NotationError as error:
            first = first or error
    assert first is not None
    raise first


def _build(stated: Statement, room: str, anonymous: bool) -> Hand:
    order = positions(stated)
    chip = worth(_amounts(stated))
    variant, stacks = game_of(stated, order, chip)
    holes, board = _known_cards(stated, order)
    script = Transcript(variant, stacks, holes, board)
    play = _Play(stated, order, chip, script)
    play.run()
    _check_board(script, play.gone)
    results = settle(Ending(stated, order, chip, script, play.surplus, tuple(play.gone)))
    for seat in results.mucked:
        script.muck(seat)
    names = list(stated.names)
    hero = stated.names.get(stated.hero) if stated.hero is not None else None
    origin = Origin(
        room=stated.room or room,
        table=stated.table,
        time=stated.time,
        currency=stated.currency,
        tournament=stated.tournament,
        hero=order.index(hero) if hero in order else None,
        rake=results.rake,
        anonymous=anonymous,
    )
    return script.hand(
        stacks=stacks,
        players=tuple(names[player] for player in order),
        payoffs=results.payoffs,
        id=stated.id,
        unit=Decimal(chip) / PARTS,
        origin=origin,
    )


def _amounts(stated: Statement) -> list[int]:
    found = [
        *(stack or 0 for stack in stated.stacks),
        stated.pot or 0,
        stated.rake or 0,
        stated.added,
        stated.big_blind,
    ]
    for rows in (stated.posts, stated.acts):
        found += [row[2] for row in rows]
    for name_rows in (stated.collected, stated.returned):
        found += [amount for _, amount in name_rows]
    return found


def _known_cards(stated: Statement, order: list[int]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Hole cards by position, and the longer of the two boards that the text has, which must not differ."""
    board, final = stated.board, stated.final_board
    shorter = min(len(board), len(final))
    if board[:shorter] != final[:shorter]:
        raise Refused("chips do not add up", f"board {' '.join(board)}: the summary has {' '.join(final)}")
    longer = board if len(board) >= len(final) else final
    *holes, last = card_rows([stated.holes.get(player, "") for player in order] + [" ".join(longer)])
    if any(len(hole) not in (0, 2) for hole in holes) or len(last) != len(longer):
        raise Refused("wrong number of cards", "expected two in each hand")
    return tuple(holes), last


def _check_board(script: Transcript, gone: set[int]) -> None:
    state = script.state
    if state.to_act is not None:
        raise Refused("cut off", f"the text ends where position {state.to_act} is to act")
    if gone and len(gone) + 1 == len(state.seats_in):
        return  # nothing was left to play for, and rooms differ in what they deal
    expected = 5 if len(state.seats_in) > 1 else _SHOWN[state.street]
    if len(script.board) != expected:
        detail = f"{len(script.board)} cards at the end of the hand: expected {expected}"
        raise Refused("cut off" if len(script.board) < expected else "board of another street", detail)


class _Play:
    """The actions of a stated, one after the other under the rules."""

    def __init__(self, stated: Statement, order: list[int], chip: int, script: Transcript) -> None:
        self.stated, self.chip, self.script = stated, chip, script
        self.place = {player: position for position, player in enumerate(order)}
        self.left = [0] * len(order)
        for player, *_ in stated.acts:
            if player in self.place:
                self.left[self.place[player]] += 1
        self.stays = {self.place[p] for p in (*stated.mucked, *stated.holes) if p in self.place}
        self.stays |= {self.place[stated.names[name]] for name, _ in stated.collected if name in stated.names}
        self.surplus: tuple[int, int] | None = None
        """The position of a raise that nobody could answer, and its chips beyond the call: they go back."""
        self.gone: set[int] = set()
        """Positions that are all-in and fold: players that are away, with their last chips in a blind."""

        self.early: set[int] = set()
        """Positions that fold before their turn."""

    def run(self) -> None:
        """Apply all of them."""
        state, streets = self.script.state, bool(self.stated.board)
        for player, verb, amount, cards in self.stated.acts:
            if player not in self.place:
                continue
            seat = self.place[player]
            self.left[seat] -= 1
            if verb == "fold" and seat in state.all_in:
                self.gone.add(seat)
                continue
            self._pass_to(seat)
            if verb == "fold" and state.to_act not in (None, seat):
                self.early.add(seat)
                continue
            if state.to_act is None:
                if verb not in ("fold", "check"):
                    raise Refused("action after the end", f"position {seat}: {verb}")
                continue
            if streets and _SHOWN[state.street] != cards:
                detail = f"position {seat}: {verb} with {cards} cards on the board"
                raise Refused("wrong round", f"{detail}: expected {_SHOWN[state.street]}")
            self._do(seat, verb, amount // self.chip)
        self._pass_to(None)

    def _pass_to(self, seat: int | None) -> None:
        """Fold those that are due before a player, and have no action left: they are away from the table."""
        state = self.script.state
        while state.to_act not in (None, seat):
            due = state.to_act
            if due in self.early:
                self.script.fold()
                continue
            if self.left[due] or (due in self.stays and not self._is_hero(due)):
                return
            if seat is None and len(state.seats_in) > 2:
                return
            self.script.fold()

    def _is_hero(self, seat: int) -> bool:
        hero = self.stated.names.get(self.stated.hero or "")
        return hero is not None and self.place.get(hero) == seat and len(self.stays) == 1

    def _do(self, seat: int, verb: str, amount: int) -> None:
        script, state = self.script, self.script.state
        if state.to_act != seat:
            raise Refused("wrong turn", f"position {seat}: {verb}, where position {state.to_act} is to act")
        if verb == "fold":
            script.fold()
            return
        owed, least, _, bets = state.bounds()
        if verb == "check":
            if owed:
                raise Refused("chips do not add up", f"position {seat} checks, where {owed} is owed")
            script.act(Action("check"))
        elif verb in ("call", "call-to"):
            self._call(seat, amount - (state.bets[seat] if verb == "call-to" else 0), owed)
        else:
            total = amount if verb == "to" else state.bets[seat] + amount
            if total <= state.bets[seat] + owed:
                self._call(seat, total - state.bets[seat], owed)
            elif not least and total <= state.bets[seat] + state.stacks[seat]:
                self.surplus = seat, total - state.bets[seat] - owed
                script.stay()
            else:
                script.act(Action("raise" if bets else "bet", total))

    def _call(self, seat: int, amount: int, owed: int) -> None:
        """A call; after a dead post some rooms print less than is put in, and the totals decide."""
        posted = [kind for player, kind, _ in self.stated.posts if self.place.get(player) == seat]
        loose = "dead" in posted and self.stated.rake is not None and amount < owed
        if amount != owed and not loose:
            raise Refused("chips do not add up", f"position {seat} calls {amount}, where {owed} is owed")
        self.script.stay()
