"""The table of ``baycarp play`` in a terminal: the session of the page, read and printed line by line."""

import re
from collections.abc import Callable, Iterator

import numpy as np

from baycarp.agents.trace import trace_record
from baycarp.agents.value.shown import values_line
from baycarp.agents.value.stages import ValueStage
from baycarp.api.printing import folded
from baycarp.errors import BaycarpError, NotationError
from baycarp.game import Observation
from baycarp.game.action import action_text
from baycarp.game.situation import act_in_words, as_text
from baycarp.ranges import grid_as_text
from baycarp.web.frames import choices
from baycarp.web.panels import Panel, combos
from baycarp.web.sitting import PERSON, Sitting

__all__ = ["Terminal"]

HELP = """f            fold
c            check or call
r            bet or raise, as far as the rules set the size
r 40         bet or raise to 40 in this round; also: r pot, r 1/2 pot, r 2 pots, r least, r all-in
hint         what the adviser would do now; the hand is in no win rate then
why 3        open the third decision of the hand: policy, beliefs as grids, what flips it
why 3 all    the same with every stage: the nearest cases feature by feature, votes, values
why 2 3      the third decision of hand 2; also: why 2 3 all
hands        the hands played, and what you won in each
hand 2       hand 2 again, with all cards, its actions numbered
results      big blinds per 100 hands (bb/100), 95 % intervals, and with luck taken out
Enter, n     the next hand, once one is over
q            leave; the same command goes on with the session"""


LUCK = "Taken out is the luck of all cards (control variates); stats adjusts all-ins alone."

WIDTH = 80
"""Columns of the lines that are printed."""

NEXT = ("", "n", "next")
"""What leads to the next hand."""


class Terminal:
    """A session at a terminal.

    Parameters
    ----------
    sitting
        The session.
    read
        Returns the next line of the person after a prompt; raises EOFError at the end.
    write
        Prints a text.
    open_cards
        Study mode: decisions can be opened before the hand is over.
    """

    def __init__(
        self,
        sitting: Sitting,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        open_cards: bool = False,
    ) -> None:
        self._sitting, self._read, self._print, self._open = sitting, read, write, open_cards

    def run(self) -> None:
        """Play until the person leaves or the input ends; the results are printed then."""
        self._write("? for help; q or Ctrl-C leaves")
        self.play()
        self._results()

    def play(self, last: int = 0, after: str = "") -> bool:
        """Play until the person leaves or the input ends.

        Parameters
        ----------
        last
            The number of the hand after which it ends; 0 = none.
        after
            Printed once a hand is over.

        Returns
        -------
        bool
            Whether the last hand was over and the person went on.
        """
        shown = -1
        try:
            while True:
                self._wait_for_agents()
                at = len(self._sitting.observe().acts)
                if shown != (now := self._sitting.hand * 1000 + at):
                    shown = now
                    self._show()
                    if after and self._sitting.over:
                        self._write(f"\n{after}")
                line = self._read("next hand [Enter]> " if self._sitting.over else "your action> ").strip()
                if line in ("q", "quit"):
                    return False
                if line in NEXT and self._sitting.over and len(self._sitting.finished) == last:
                    return True
                try:
                    self._command(line.split())
                except BaycarpError as error:
                    self._write(f"{error}; ? for help")
        except EOFError:
            self._write("")
            return False

    def _write(self, text: str) -> None:
        self._print(folded(text, WIDTH))

    def _wait_for_agents(self) -> None:
        while not self._sitting.waits:
            self._sitting.step()
            self._print_last()

    def _print_last(self) -> None:
        acts = self._sitting.observe().acts
        name = self._sitting.names[acts[-1].seat]
        self._write(f"{len(acts):>3}. {'you' if name == PERSON else name}: {act_in_words(acts[-1])}")

    def _show(self) -> None:
        """The table as the person observes it; a hand that is over with what each player won."""
        self._write(f"\n{as_text(self._sitting.observe())}")
        if self._sitting.over:
            last = self._sitting.finished[-1]
            won = zip(last.names, last.state.payoffs(), strict=True)
            self._write("won      " + ", ".join(f"{name} {chips:+}" for name, chips in won))

    def _command(self, words: list[str]) -> None:
        match words:
            case [] | ["n" | "next"]:
                if self._sitting.over:
                    self._sitting.next_hand(self._sitting.hand)
            case ["?" | "h" | "help"]:
                self._write(HELP)
            case ["results"]:
                self._results()
            case ["hands"]:
                for number, each in enumerate(self._sitting.finished, 1):
                    self._write(f"{number:>4}  {each.chips:+}")
            case ["hand", number]:
                self._hand(_whole(number))
            case ["hint"]:
                hand, at = self._sitting.hand, len(self._sitting.observe().acts)
                for text in advised(self._sitting.hint(hand, at)):
                    self._write(text)
            case ["why", *numbers]:
                self._why(numbers)
            case ["f" | "fold"]:
                self._act("fold")
            case ["c" | "check" | "call"]:
                self._act(self._stay())
            case ["r" | "b" | "raise" | "bet", *size]:
                self._act(self._bet(" ".join(size)))
            case _:
                raise NotationError(
                    f"{' '.join(words)[:40]!r}: expected f, c, r, hint, why, hands, results or q"
                )

    def _act(self, text: str) -> None:
        self._sitting.act(text, self._sitting.hand, len(self._sitting.observe().acts))
        self._print_last()

    def _stay(self) -> str:
        found = choices(self._sitting.observe())
        return str(found["stay"]) if found else "check"

    def _bet(self, size: str) -> str:
        """The text of a bet or raise: of a number of chips, of a usual size by name, or of the only size."""
        found = choices(self._sitting.observe())
        bet = found and found["bet"]
        if not bet:
            return "bet 1"  # the session states why it is illegal
        sizes = bet["sizes"] or {"": bet["least"]}
        if size not in sizes and not re.fullmatch("[0-9]+", size):
            expected = (
                f"a number from {bet['least']} to {bet['most']}, or one of {', '.join(filter(None, sizes))}"
            )
            raise NotationError(f"size {size[:40]!r}: expected {expected}")
        return f"{bet['kind']} {sizes.get(size, size)}"

    def _hand(self, number: int) -> None:
        if not 1 <= number <= len(self._sitting.finished):
            raise NotationError(f"hand {number}: expected a finished one, 1 to {len(self._sitting.finished)}")
        hand = self._sitting.finished[number - 1]
        names = hand.names
        self._write(as_text(Observation(hand.state, hand.seat, names, hand.hand)))
        for at, act in enumerate(hand.state.acts, 1):
            self._write(f"{at:>3}. {names[act.seat]}: {act_in_words(act)}")
        self._write(hand.line())

    def _why(self, words: list[str]) -> None:
        everything = words[-1:] == ["all"]
        numbers = [_whole(word) for word in words[: len(words) - everything]]
        if not 1 <= len(numbers) <= 2:
            raise NotationError("why: expected the number of an action, or of a hand and of an action")
        hand = numbers[0] - 1 if len(numbers) == 2 else self._sitting.hand
        if hand == self._sitting.hand and not (self._sitting.over or self._open):
            raise NotationError(
                "why: this hand's decisions can be opened once it is over, or with --open-cards"
            )
        panel = self._sitting.opened(hand, numbers[-1] - 1, self._open)
        for text in opened(panel, everything):
            self._write(text)

    def _results(self) -> None:
        found = self._sitting.results()
        self._write(f"hands {found['hands']}, chips {found['chips']:+}")
        for title, name in (("bb/100", "won"), ("luck taken out", "withoutLuck")):
            mean, margin = found[name]["mean"], found[name]["margin"]
            if mean is not None:
                interval = f" ± {margin:.1f} (95 %)" if margin is not None else ""
                self._write(f"{title:<18} {mean:+.1f}{interval}")
        if found["counted"]:
            self._write(LUCK)


def opened(panel: Panel, everything: bool = False) -> Iterator[str]:
    """A decision as texts: the situation, what was done, the advice, and the least change that flips it."""
    assert panel.observation.seat is not None
    actor = panel.observation.players[panel.observation.seat]
    verdict = (
        f", which {panel.verdict}"
        if panel.verdict.startswith("costs")
        else panel.verdict and f": {panel.verdict}"
    )
    yield as_text(panel.observation)
    yield f"\n{actor}: {panel.taken}{verdict if actor == PERSON else ''}"
    yield from advised(panel, "would" if actor == PERSON else "decided to")
    if flips := panel.flips():
        yield f"\nthe least change that would flip it: {flips}"
    if everything:
        yield f"\n{panel.decision.explain()}"


def advised(panel: Panel, verb: str = "would") -> Iterator[str]:
    """What an agent decides, as texts: the action and why, values, policy, and ranges as grids."""
    decision = panel.decision
    close = f" ({panel.close})" if panel.close else ""
    yield f"{panel.agent} {verb} {decision.action}{close}: {panel.reason}"
    for record in trace_record(each for each in decision.trace if isinstance(each, ValueStage)):
        yield f"  {values_line(record)}"
    for action, share in decision.policy.items():
        yield f"  {action_text(action):<10} {share:6.1%}"
    for belief in panel.beliefs:
        found = combos(belief.weights, (*panel.observation.hole, *panel.observation.board))
        held, of = (np.array(found[name], np.float64) for name in ("held", "of"))
        yield f"\n{belief.player} may hold {held.sum():,.0f} of {of.sum():,.0f} combos; tenths of each:"
        yield grid_as_text((held / np.maximum(of, 1)).reshape(13, 13).tolist())


def _whole(word: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word):
        raise NotationError(f"{word[:40]!r}: expected a number")
    return int(word)
