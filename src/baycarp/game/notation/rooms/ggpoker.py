"""GGPoker and its network: PokerStars' lines, with its own first line, and names of others that are codes.

    Poker Hand #RC1234567890: Hold'em No Limit ($0.02/$0.05) - 2024/05/01 20:15:02
    Poker Hand #TM600571038: Tournament #25313426, Daily Main Hold'em No Limit - Level14(300/600) - 2021/04/04 20:43:56
"""

import re

from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.events import Match
from baycarp.game.notation.rooms.grammar import Grammar
from baycarp.game.notation.rooms.stars import LOOSE, PLAYER, SUMMARY, TABLE, begin, events

__all__ = ["GGPOKER"]


def _begin(deal: Deal, found: Match) -> None:
    begin(deal, found)
    deal.id = f"{found['code']}{found['id']}"
    deal.room = ""


GGPOKER = Grammar(
    name="GGPoker",
    header=re.compile(
        r"(?<![A-Za-z] )(?P<room>Poker) Hand #(?P<code>[A-Z]{0,3})(?P<id>\d{1,18}): +"
        r"(?P<game>.+?) +- +(?P<time>\d{4}[/-].*)$"
    ),
    begin=_begin,
    table=TABLE,
    player=PLAYER,
    summary=SUMMARY,
    loose=((LOOSE, events.nameless),),
    anonymous=True,
)
