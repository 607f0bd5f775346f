"""Populations of players: kinds of players with drawn settings, and tables where they are watched.

``formula`` and ``simulation`` are the players of Poki with drawn styles, ``static`` players of fixed rules,
``blind`` players that ignore their cards. At a table about half of the seats belong to the population, the
others to drawn formula players, so that every population is met by the same company; the range of each
setting is our choice. One seed fixes every draw.
"""

from collections.abc import Callable, Mapping

import numpy as np

from baycarp.agents.poki.preflop import LEVELS
from baycarp.arena.session import Table
from baycarp.game.variant import Variant

__all__ = ["POPULATIONS", "members", "tables"]

SEATS = range(2, 11)
"""The sizes of tables."""

Draw = Callable[[np.random.Generator], str]


def _formula(rng: np.random.Generator) -> str:
    """Poker Academy's parameters over most of their ranges."""
    mixing = float(rng.choice([0.0, rng.uniform(0, 100)]))
    return _spec("formula", {**_style(rng), "mixing": round(mixing, 1)})


def _simulation(rng: np.random.Generator) -> str:
    return _spec("simulation", {"playouts": 100, "margin": round(rng.uniform(0.0, 0.8), 2), **_style(rng)})


def _style(rng: np.random.Generator) -> dict[str, object]:
    return {
        "level": str(rng.choice(sorted(LEVELS))),
        "shift": round(rng.normal(0, 80), 1),
        "tightness": round(rng.uniform(0.1, 0.9), 2),
        "aggression": round(rng.uniform(0.0, 1.0), 2),
        "deception": round(float(rng.choice([0.0, rng.uniform(0, 0.4)])), 2),
        "model": round(rng.uniform(0.3, 1.0), 2),
    }


def _static(rng: np.random.Generator) -> str:
    """One of the static rules, its thresholds moved."""
    return _spec(
        str(rng.choice(["rule", "jag", "maniac", "station", "folder"])),
        {"strong": round(rng.uniform(0.5, 0.95), 2), "good": round(rng.uniform(0.2, 0.7), 2)}
        if rng.random() < 0.5
        else {},
    )


def _blind(rng: np.random.Generator) -> str:
    """Random, always call, always raise, or drawn frequencies."""
    kind = str(rng.choice(["random", "call", "raise", "frequency"], p=[0.2, 0.15, 0.1, 0.55]))
    if kind != "frequency":
        return kind
    fold, raises, _ = rng.dirichlet([1.5, 1.5, 2.0])
    return _spec(kind, {"fold": _floor(fold), "raises": _floor(raises), "bet": _floor(rng.beta(1.5, 1.5))})


def _floor(share: float) -> float:
    return int(100 * share) / 100


def _spec(kind: str, settings: Mapping[str, object]) -> str:
    return f"{kind}({', '.join(f'{name}={value!r}' for name, value in settings.items())})"


_DRAW: Mapping[str, Draw] = {
    "formula": _formula,
    "simulation": _simulation,
    "static": _static,
    "blind": _blind,
}

POPULATIONS = tuple(_DRAW)
"""The names of the populations."""


def tables(population: str, sessions: int, seed: int) -> list[Table]:
    """The tables of a population, one for each session.

    Parameters
    ----------
    population
        One of ``POPULATIONS``.
    sessions
        The number of tables; sizes of 2 to 10 seats are equally frequent.
    seed
        Fixes players, seats and cards. The n-th table is the same, however many follow.

    Raises
    ------
    ValueError
        Another population.

    Examples
    --------
    >>> [table.variant.seats for table in tables("static", 3, seed=1)]
    [2, 3, 4]
    """
    if population not in _DRAW:
        raise ValueError(f"population {population!r}: expected one of {', '.join(POPULATIONS)}")
    return [_table(population, number, seed) for number in range(sessions)]


def members(population: str, table: Table) -> frozenset[str]:
    """The names at a table that belong to the population; the others are its company."""
    return frozenset(name for name in table.players if name.startswith(f"{population}-"))


def _table(population: str, number: int, seed: int) -> Table:
    rng = np.random.default_rng((seed, POPULATIONS.index(population), number))
    seats = SEATS[number % len(SEATS)]
    own = (rng.permutation(seats) < (seats + 1) // 2) | (population == "formula")
    kinds = [population if mine else "company" for mine in own]
    specs = tuple(_DRAW[population if mine else "formula"](rng) for mine in own)
    names = tuple(f"{kind}-{number}-{seat}" for seat, kind in enumerate(kinds))
    return Table(Variant.ring(seats), names, specs, seed)
