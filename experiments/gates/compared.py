"""What must equal something else: shared pots those of pokerkit, a network what its file gives back."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from baycarp.bn.bif import parse_bif, read_bif, write_bif
from baycarp.bn.io import load, save
from baycarp.card import cards
from baycarp.errors import BaycarpError
from baycarp.game import State, pots
from baycarp.kernels.hands import rank
from experiments.gates.clone import from_tests
from experiments.gates.gate import Result, Share

__all__ = ["SEATS", "odd_chips", "read_back", "to_the_first", "without_properties"]

SEATS = (4, 5, 6, 7, 8, 9)
"""Of the games, in turn."""

BROADWAY = tuple(cards("Tc Jd Qh Ks Ac").tolist())
LOW = range(BROADWAY[0])
"""A board that every holding of lower cards plays, and those cards."""


def odd_chips(share: Share, payoffs: Callable[[State], tuple[int, ...]] = State.payoffs) -> Result:
    """A share of hands whose pots are shared, side pots among them, state by state beside pokerkit.

    The chips over of a pot go one each from the first seat left of the button. That pots and winners are the
    same is pokerkit's word; it gives all chips over to one player.
    """
    result = Result()
    betting, games, referee = (from_tests(f"reference.{each}") for each in ("betting", "games", "referee"))
    for number in share:
        draw, kinds = Random(f"{share.seed} {number}"), Counter[str]()
        kind, caps = draw.choice((("limit", (4,) * 4), ("no-limit", (None,) * 4)))
        game = games.random_game(draw, SEATS[number % len(SEATS)], betting=kind, caps=caps)
        deck = [*draw.sample(LOW, 2 * game.seats), *BROADWAY] if draw.random() < 0.5 else None
        result.done += 1
        try:
            state = referee.play(draw, game, games.random_stacks(draw, game), kinds, deck)
        except (AssertionError, BaycarpError) as error:
            result.find("other", f"hand {number}: {type(error).__name__} {str(error)[:120]!r}")
            continue
        result.counts += kinds
        if state is None or len(state.seats_in) < 2:
            continue
        ranks = [int(rank(hole + state.board)) for hole in state.holes]
        given = [(pot.chips, pot.contenders) for pot in pots(state)]
        each, first = (betting.settle(state.committed, given, ranks, rule) for rule in ("each", "first"))
        result.counts["shared with two or more chips over"] += each != first
        if tuple(payoffs(state)) != each:
            result.find("other", f"hand {number}: {payoffs(state)}, expected {each}")
    return result


def to_the_first(share: Share) -> Result:
    """The same with the planted fault: all chips over go to the first winner."""
    settle = from_tests("reference.betting").settle

    def payoffs(state: State) -> tuple[int, ...]:
        ranks = [int(rank(hole + state.board)) for hole in state.holes]
        given = [(pot.chips, pot.contenders) for pot in pots(state)]
        return tuple(settle(state.committed, given, ranks, "first"))

    return odd_chips(share, payoffs)


def read_back(share: Share, read: Callable[[Path], Any] = read_bif) -> Result:
    """A share of networks with hostile names: what is written as BIF and as ``.npz`` is what is read."""
    result, tests = Result(), from_tests("bn.test_bif_programs")
    with TemporaryDirectory() as folder:
        for number in share:
            network = tests.random_network(share.seed * 10**9 + number)
            result.done += 1
            for path, write, back in (
                (Path(folder, "a.bif"), write_bif, read),
                (Path(folder, "a.npz"), save, load),
            ):
                try:
                    write(network, path)
                    same = back(path) == network
                except Exception as error:
                    result.find(
                        "untyped", f"{path.suffix} {number}: {type(error).__name__}: {str(error)[:120]!r}"
                    )
                else:
                    if not same:
                        result.find("other", f"{path.suffix} {number}: another network")
    return result


def without_properties(share: Share) -> Result:
    """The same with the planted fault: properties are taken away wherever their word stands."""

    def read(path: Path) -> Any:
        return parse_bif(re.sub(r"property\b[^;]*;", "", path.read_text("utf-8")))

    return read_back(share, read)
