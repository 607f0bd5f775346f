"""GGPoker and its network: PokerStars' lines, with its own first line, and names of others that are codes.

Poker Hand #RC1234567890: Hold'em No Limit ($0.02/$0.05) - 2024/05/01 20:15:02
Poker Hand #TM600571038: Tournament #25313426, Daily Main Hold'em No Limit - Level14(300/600) - ...
"""

import re
from dataclasses import replace

from baycarp.game.notation.rooms.events import Match
from baycarp.game.notation.rooms.stars import STARS
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["GGPOKER"]


def _begin(stated: Statement, found: Match) -> None:
    STARS.begin(stated, found)
    stated.id = f"{found['code']}{found['id']}"
    stated.room = ""


GGPOKER = replace(
    STARS,
    name="GGPoker",
    header=re.compile(
        r"(?<![A-Za-z] )(?P<room>Poker) Hand #(?P<code>[A-Z]{0,3})(?P<id>[0-9]{1,18}): ++"
        r"(?P<game>.+?)(?<! ) ++- ++(?P<time>[0-9]{4}[/-].*)$"
    ),
    begin=_begin,
    anonymous=True,
)
