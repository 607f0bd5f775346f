"""``baycarp play --tour``: five fixed hands at the ordinary table, with words on what to look at."""

from collections.abc import Callable
from dataclasses import dataclass

from baycarp.agents.registry import DEFAULT
from baycarp.cli.terminal import Terminal
from baycarp.game.variant import Variant
from baycarp.web.sitting import Seating, Sitting

__all__ = ["STOPS", "TourStop", "tour"]

OPPONENTS = ("jake", "karma")


@dataclass(frozen=True, slots=True)
class TourStop:
    """A hand of the tour.

    Parameters
    ----------
    seed
        Of its cards.
    hole
        The person's cards, which the words are about.
    before, after
        What is printed before the hand, and once it is over.
    """

    seed: int
    hole: str
    before: str
    after: str


STOPS = (
    TourStop(
        4756,
        "AhAc",
        """Fixed limit, three seats: jake, karma and you on the button. The mark > is at
the player to act, and every action has a number.
You hold two aces. Nothing beats them now: raise, with r and Enter, also later.
c checks or calls, f folds, ? lists the rest.""",
        """Every decision of a finished hand can be opened, the opponents' too. Find the
number of your first raise above and type why and the number, such as: why 3
You see what the adviser would have done, and why. Enter goes on.""",
    ),
    TourStop(
        24,
        "7d3h",
        """Seven and three of two suits. A bad hand loses less the sooner it is folded: f.""",
        """Open your fold with why. Its first line compares two numbers: your share of
the pot, and what a call needs (the pot odds). Below it is the value of each
action in big blinds, with its error: where two overlap, either is fine.""",
    ),
    TourStop(
        468,
        "TsQs",
        """Ten and queen of spades: call, with c, and look at the flop. With two spades
there, nine cards make a flush: about one in three comes by the river. Compare
that with the price of each call, in the line of the player to act.""",
        """Open your call on the turn with why. A draw wins seldom, but much: its value
counts the bets that come once it is made.""",
    ),
    TourStop(
        421,
        "QcAh",
        """Ace and queen: on the flop, a pair of aces. Who bets there, and what does that
player hold? Each action makes some hands likelier: keep your guess.
hint, before you act, has what the adviser would do.""",
        """Open your decision on the flop with why, then one of the turn. The grid is
a belief about an opponent: suited hands above the pairs, # where all suits are
likely, digits for tenths. Was your guess in it? On the turn it is narrower.""",
    ),
    TourStop(
        863,
        "7s7h",
        """A pair of sevens; the flop will have higher cards, and somebody bets. This one
is yours, without advice.""",
        """Open your last decision: what would the adviser have done, and what would have
changed its mind? hand 1 shows the hand with all cards.""",
    ),
)

END = """
That was the tour. From here:
  baycarp play                          the table in your browser
  baycarp play --terminal               the table here
  baycarp review HANDS --player NAME    your own hands, costliest first
  baycarp decide AhKd --board Qs7d2c    one spot"""


def tour(read: Callable[[str], str] = input, write: Callable[[str], None] = print) -> None:
    """Play the hands of the tour, until the last one is over or the person leaves.

    Parameters
    ----------
    read
        Returns the next line of the person after a prompt; raises EOFError at the end.
    write
        Prints a text.
    """
    variant = Variant.load("holdem.limit.3p")
    for number, stop in enumerate(STOPS, 1):
        write(f"\n[{number} of {len(STOPS)}]\n{stop.before}")
        seating = Seating(variant, OPPONENTS, OPPONENTS, DEFAULT, stop.seed)
        terminal = Terminal(Sitting(seating), read, write, open_cards=True)
        if not terminal.play(last=1, after=stop.after):
            return
    write(END)
