"""A hand in the words of players: what is made, with its ranks, and what is drawn to.

``top pair``, ``overpair``, ``set``, ``trips`` and so on name a hand by the part that the hole cards have in
it. A draw needs a hole card; a flush draw is four cards of a suit, and a straight draw is open where two or
more ranks complete it (a double gutshot too), else a gutshot.
"""

from collections import Counter
from dataclasses import dataclass

from baycarp.card import CLASS_OF, CLASSES, Cards, as_cards, holding_index
from baycarp.hand_names import RANK_NAMES, best_five, plural
from baycarp.kernels.hands import rank

__all__ = ["HandWords", "hand_words"]

_MADE = (
    *("high card", "pair", "two pair", "three of a kind", "straight", "flush"),
    *("full house", "four of a kind", "straight flush"),
)
"""Made hands from the weakest on."""


@dataclass(frozen=True, slots=True)
class HandWords:
    """A hand in words.

    Parameters
    ----------
    start
        The starting hand: ``AKs``.
    made
        One of ``high card``, ``pair``, ``two pair``, ``three of a kind``, ``straight``, ``flush``,
        ``full house``, ``four of a kind``, ``straight flush``.
    ranks
        Of the made hand, 0 (two) to 12, the leading one first: pair, pairs, three and pair, or the highest.
    part
        A name by the hole cards' part: ``top pair``, ``middle pair``, ``bottom pair``, ``overpair``,
        ``underpair``, ``pair of the board``, ``set``, ``trips``; or none.
    kicker
        The hole card beside a pair that the other one makes; None = there is none.
    draws
        ``flush draw``, ``open-ended straight draw``, ``gutshot``: those to a better hand than is made.
    """

    start: str
    made: str
    ranks: tuple[int, ...]
    part: str = ""
    kicker: int | None = None
    draws: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = [RANK_NAMES[each] for each in self.ranks]
        many = [plural(each) for each in self.ranks]
        named = {
            "high card": f"{words[0]} high",
            "pair": f"{self.part or 'pair'}, {many[0]}",
            "two pair": " and ".join(many[:2]).join(("two pair, ", "")),
            "three of a kind": f"{self.part or 'three of a kind'}, {many[0]}",
            "straight": f"straight to the {words[0]}",
            "flush": f"flush, {words[0]} high",
            "full house": " full of ".join(many[:2]).join(("full house, ", "")),
            "four of a kind": f"four of a kind, {many[0]}",
            "straight flush": f"straight flush to the {words[0]}",
        }[self.made]
        kicker = f", {RANK_NAMES[self.kicker]} kicker" if self.kicker is not None else ""
        return ", ".join([named + kicker, *self.draws])


def hand_words(hole: Cards, board: Cards = "") -> HandWords:
    """Name a hand, on a board or before the flop.

    Parameters
    ----------
    hole
        Two cards, text or ids.
    board
        None, three, four or five cards, text or ids.

    Raises
    ------
    CardError
        An unknown or a duplicate card, or a wrong number.

    Examples
    --------
    >>> str(hand_words("AhKd", "Ks7d2c")), str(hand_words("8h7h", "9h6c2h"))
    ('top pair, kings, ace kicker', 'nine high, flush draw, open-ended straight draw')
    >>> str(hand_words("7c7d", "Ah7s2s")), str(hand_words("QsQd"))
    ('set, sevens', 'pocket pair, queens')
    """
    own, table = as_cards(hole, "hole", 2), as_cards(board, "board", (0, 3, 4, 5))
    both = as_cards([*own.tolist(), *table.tolist()], "hole and board", (2, 5, 6, 7)).tolist()
    high, low = sorted((card // 4 for card in own.tolist()), reverse=True)
    start = CLASSES[CLASS_OF[holding_index(*own.tolist())]]
    if not len(table):
        made = ("pair", (high,), "pocket pair") if high == low else ("high card", (high, low), "")
        return HandWords(start, *made)
    name = _MADE[(int(rank(both)) >> 12) - 1]
    counts = Counter(card // 4 for card in both)
    lying = sorted({card // 4 for card in table.tolist()}, reverse=True)
    leading = dict.fromkeys(card // 4 for card in best_five(both))
    ranks = tuple(leading)[: 2 if name in ("two pair", "full house") else 1]
    part = _part(name, ranks[0], (high, low), lying, counts)
    beside = [each for each in (high, low) if each != ranks[0]]
    kicker = beside[0] if part in ("top pair", "middle pair", "bottom pair", "trips") else None
    draws = tuple(_draws(both, table.tolist(), name)) if len(table) < 5 else ()
    return HandWords(start, name, ranks, part, kicker, draws)


def _part(name: str, leading: int, hole: tuple[int, int], lying: list[int], counts: Counter[int]) -> str:
    """The name of a pair or three of a kind by the hole cards' part in it."""
    pocket = hole[0] == hole[1]
    if name == "three of a kind":
        return "set" if pocket and hole[0] == leading else "trips" if leading in hole else ""
    if name != "pair":
        return ""
    if pocket:
        return "overpair" if leading > lying[0] else "underpair" if leading < lying[-1] else "pocket pair"
    if leading not in hole:
        return "pair of the board"
    return "top pair" if leading == lying[0] else "bottom pair" if leading == lying[-1] else "middle pair"


def _draws(cards: list[int], table: list[int], made: str) -> list[str]:
    """Draws that a hole card takes part in, to better than is made."""
    found = []
    if _MADE.index(made) < _MADE.index("flush") and any(
        sum(card % 4 == suit for card in cards) == 4 > sum(card % 4 == suit for card in table)
        for suit in range(4)
    ):
        found.append("flush draw")
    if _MADE.index(made) < _MADE.index("straight"):
        ranks, lying = ({card // 4 for card in each} for each in (cards, table))
        completing = sum(_is_straight(ranks | {new}) and not _is_straight(lying | {new}) for new in range(13))
        found += [("gutshot", "open-ended straight draw")[completing > 1]] if completing else []
    return found


def _is_straight(ranks: set[int]) -> bool:
    wheel = ranks | {-1} if 12 in ranks else ranks
    return any({top - back for back in range(5)} <= wheel for top in range(3, 13))
