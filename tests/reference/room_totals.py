"""The totals that the texts of rooms state, by plain regular expressions: no rules, no replay.

``hands`` parts a text into hands; ``totals`` has what a hand's own lines state: stacks, amounts collected and
returned, the pot, the rake. What a room does not print is None.
"""

import re
from collections import Counter
from decimal import Decimal
from typing import NamedTuple

HEADS = {
    "Stars": r"(?:PokerStars|POKERSTARS|Full Tilt|Run It Once Poker|PokerBros|Hive Poker|PokerMaster|"
    r"BetOnline)(?: (?:Zoom|Rush|Home Game))? ?(?:Hand|Game|GAME) #\d+:",
    "GGPoker": r"Poker Hand #\w+:",
    "Winamax": r"Winamax Poker - ",
    "PacificPoker": r"\*{5} (?:Cassava|888)\S*(?: \w+)* Hand History for Game \d+",
    "PartyPoker": r"\*{5} Hand History [Ff]or Game \w+ \*{5}",
    "FTP": r"Full Tilt Poker Game #\d+:",
    "Bovada": r"(?:Bovada|Ignition|Bodog\S*(?: UK| Canada)?) Hand #C?\d+",
    "iPoker": r'<game gamecode="\d+"',
}
"""What begins a hand, by the name of a room's folder."""

NUMBER = r"[^\d\s(\[]{0,4} ?(\d[\d.,\u00a0 ]*\d|\d)"
SEAT = {
    "iPoker": r'<player\b(?=[^>]* seat="(\d+)")(?=[^>]* name="([^"]+)")(?=[^>]* chips="\D*([\d.,]+)")',
    None: r"^ ?[Ss]eat (\d+): (.+?)(?: \[ME\])? \( ?"
    + NUMBER
    + r"\s?[^\d,;)]{0,5}(?: in chips)?(?:, \S+ bounty)? ?\)",
}
COLLECTED = {
    "Stars": r"^ ?(?!Seat )(.+?) (?:collected )?" + NUMBER + r" from (?:main |side )?pot(?:-\d)?\s*$",
    "Winamax": r"^(.+?) collected " + NUMBER + r"\S* from ",
    "PacificPoker": r"^(.+?) collected \[ ?" + NUMBER,
    "PartyPoker": r"^(.+?)(?: wins | balance .*? collected )" + NUMBER,
    "FTP": r"^(.+?) (?:wins|ties for) .*?pot.*? ?\(" + NUMBER + r"\)",
    "Bovada": r"^(.+?) +(?:\[ME\] )?: Hand [rR]esult(?:-[Ss]ide [Pp]ot)? " + NUMBER,
    "iPoker": r'<player\b(?=[^>]* name="([^"]+)")(?=[^>]* win="\D*([\d.,]+)")',
}
RETURNED = {
    "Stars": r"^ ?Uncalled bet \(" + NUMBER + r"\) returned to (.+?)\s*$",
    "FTP": r"^Uncalled bet of " + NUMBER + r" returned to (.+?)\s*$",
    "Bovada": r"^(.+?) +(?:\[ME\] )?: Return uncalled portion of bet " + NUMBER,
}
POT = r"^ ?Total [Pp]ot ?\(?" + NUMBER
RAKE = r"\| (?:Rake|Jackpot|Bingo|Fortune|Tax) \(?" + NUMBER
ADDED = r"^(?:STP added:|Cash Drop to Pot : total) " + NUMBER


class Totals(NamedTuple):
    """The amounts of a hand by its text."""

    stacks: dict[str, Decimal]
    collected: Counter[str]
    returned: Counter[str]
    pot: Decimal | None
    rake: Decimal | None
    added: Decimal


def hands(text: str, room: str) -> list[str]:
    """The hands of a text, each from its first line on."""
    starts = [found.start() for found in re.finditer(HEADS[room], text)]
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def totals(hand: str, room: str) -> Totals:
    """What the lines of a hand state."""
    kind = "Stars" if room == "GGPoker" else room
    head = re.split(r"^\*\*\* SUMMARY", hand, maxsplit=1, flags=re.M)[0]
    seats = re.findall(SEAT.get(kind, SEAT[None]), head, re.M)
    collected, returned = Counter(), Counter()
    for name, chips in re.findall(COLLECTED[kind], head, re.M):
        collected[name] += number(chips)
    for pair in re.findall(RETURNED[kind], head, re.M) if kind in RETURNED else []:
        name, chips = pair if kind == "Bovada" else pair[::-1]
        returned[name] += number(chips)
    pot, rakes = re.search(POT, hand, re.M), re.findall(RAKE, hand)
    rounded = pot and re.match("k", hand[pot.end() :])
    return Totals(
        {name: number(chips) for _, name, chips in reversed(seats)},
        +collected,
        +returned,
        number(pot[1]) if pot and not rounded else None,
        sum(map(number, rakes)) if rakes else Decimal(0) if "No rake" in hand else None,
        sum(map(number, re.findall(ADDED, hand, re.M)), Decimal(0)),
    )


def number(text: str) -> Decimal:
    """A number in any country's format; three digits after the only mark are thousands."""
    digits = re.sub(r"[\s\u00a0]", "", text)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits) and not digits.startswith("0"):
        return Decimal(re.sub(r"[.,]", "", digits))
    whole, _, cents = digits.replace(",", ".").rpartition(".")
    return Decimal(f"{whole.replace('.', '')}.{cents}" if whole else digits)
