"""Six archetypes of Leduc opponents at two strengths, and opponents that are none of them.

An archetype is the equilibrium in which a share of the decisions follows a style. StratFormer (Caen, Winands
and Soemers 2026, arXiv:2604.25796) has six archetypes at two strengths, whose exploitability is 0.15 to 1.26
big blinds a hand. Only its abstract was available to us. Three styles are named in the authors' public code
(``acaen007/StratFormer``, ``policies``: too many bluffs, too many folds, calls); the other three are ours. So
are the two shares: with them the exploitability of the twelve has the published range, in antes.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from baycarp.solvers import CFR, StrategyProfile

__all__ = ["LEVELS", "STYLES", "archetype", "archetypes", "equilibrium", "outsiders"]

LEVELS: Mapping[str, float] = {"mild": 0.23, "strong": 0.375}
"""The share of a style's decisions by strength."""

ITERATIONS = 5000
"""Of CFR+ for the equilibrium: exploitability below 2e-5 chips."""

Row: TypeAlias = Mapping[str, float]
Style: TypeAlias = Callable[[str, str, Row], Row]
"""From own card, public card ("" before it) and the equilibrium's row, the style's row."""


def _weak(card: str, public: str) -> bool:
    """A jack; after the public card neither a pair nor a king."""
    return card not in (public, "K") if public else card == "J"


def _strong(card: str, public: str) -> bool:
    """A king; after the public card a pair."""
    return card == (public or "K")


def _only(row: Row, *wanted: str) -> Row:
    """The first wanted action that is legal; the equilibrium's row where none is."""
    return next(({action: 1.0} for action in wanted if action in row), row)


def _bluffs(card: str, public: str, row: Row) -> Row:
    return _only(row, "bet", "raise") if _weak(card, public) else row


def _folds(card: str, public: str, row: Row) -> Row:
    return row if _strong(card, public) else _only(row, "fold")


def _calls(card: str, public: str, row: Row) -> Row:
    return _only(row, "call")


def _raises(card: str, public: str, row: Row) -> Row:
    return _only(row, "bet", "raise", "call")


def _never_bets(card: str, public: str, row: Row) -> Row:
    kept = {action: chance for action, chance in row.items() if action not in ("bet", "raise")}
    return {action: chance / sum(kept.values()) for action, chance in kept.items()}


def _bets_only_strong(card: str, public: str, row: Row) -> Row:
    return _raises(card, public, row) if _strong(card, public) else _only(row, "fold", "check")


STYLES: Mapping[str, Style] = {
    "over-bluffs": _bluffs,
    "over-folds": _folds,
    "station": _calls,
    "maniac": _raises,
    "passive": _never_bets,
    "tight": _bets_only_strong,
}
"""By name; the first three are published, the others ours."""


def equilibrium(solver: CFR) -> StrategyProfile:
    """The average strategy of a solver of Leduc hold'em after ``ITERATIONS``."""
    while solver.iterations < ITERATIONS:
        solver.step()
    return solver.average()


def archetype(base: StrategyProfile, shares: Mapping[str, float]) -> StrategyProfile:
    """The equilibrium in which shares of the decisions follow styles.

    Parameters
    ----------
    base
        The equilibrium.
    shares
        By style, the share of its decisions, 0..1; their sum is at most 1.
    """
    kept = 1 - sum(shares.values())

    def row(information: str, own: Row) -> Row:
        cards = information.partition(":")[0]
        styled = [(share, STYLES[name](cards[0], cards[1:], own)) for name, share in shares.items()]
        return {
            action: kept * chance + sum(share * each.get(action, 0.0) for share, each in styled)
            for action, chance in own.items()
        }

    first, second = ({key: row(key, own) for key, own in table.items()} for table in base.tables())
    return StrategyProfile.of(base.tree, (first, second))


def archetypes(base: StrategyProfile, levels: Mapping[str, float]) -> dict[str, StrategyProfile]:
    """Every style at every strength, by name."""
    return {
        f"{style}, {level}": archetype(base, {style: share})
        for style in STYLES
        for level, share in levels.items()
    }


def outsiders(base: StrategyProfile, seed: int) -> dict[str, StrategyProfile]:
    """Opponents that are no archetype: mixed styles, strengths beyond the range, random departures."""
    rng = np.random.default_rng(seed)
    tree = base.tree
    noise = [side.proportions(rng.exponential(size=side.sequences)) for side in tree.sides]
    noisy = [0.6 * own + 0.4 * other for own, other in zip(base.probabilities, noise, strict=True)]
    return {
        "station and over-folds": archetype(base, {"station": 0.3, "over-folds": 0.3}),
        "maniac and tight": archetype(base, {"maniac": 0.2, "tight": 0.2}),
        "station, beyond": archetype(base, {"station": 0.9}),
        "over-folds, beyond": archetype(base, {"over-folds": 0.7}),
        "random departures": StrategyProfile(tree, (noisy[0], noisy[1])),
        "uniform": StrategyProfile.uniform(tree),
        "equilibrium": base,
    }
