"""Drawings in characters, for terminals."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["bars_as_text", "curve_as_text", "decay_as_text", "sparkline"]


def curve_as_text(curve: NDArray[np.float64], width: int = 72, height: int = 12) -> str:
    """Draw a win-rate curve in characters.

    Parameters
    ----------
    curve
        Small bets per hand up to each hand, shape (n,), n >= 1.
    width, height
        Size of the drawing, in characters.
    """
    shown = curve[len(curve) // 50 :]  # the large variation of the first hands would flatten the curve
    values = shown[np.linspace(0, len(shown) - 1, width).round().astype(int)]
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    span = high - low or 1.0
    rows = ((high - values) / span * (height - 1)).round().astype(int)
    zero = round(high / span * (height - 1))

    def line(row: int) -> str:
        dots = "".join("•" if r == row else "─" if row == zero else " " for r in rows)
        return f"{high - span * row / (height - 1):+7.3f} ┤{dots}"

    first = str(len(curve) - len(shown) + 1)
    last = f"{len(curve)} hands"
    axis = [" " * 8 + "└" + "─" * width, " " * 9 + first + last.rjust(width - len(first))]
    return "\n".join([*map(line, range(height)), *axis])


def decay_as_text(
    at: Sequence[float], values: Sequence[float], unit: str, width: int = 60, height: int = 10
) -> str:
    """Draw positive values by positive numbers in characters, both axes logarithmic.

    Parameters
    ----------
    at
        Increasing, at least one, above 0.
    values
        As many; those below 1e-18 are drawn there.
    unit
        Of ``at``.
    width, height
        Size of the drawing, in characters.
    """
    steps, logs = np.log10(at), np.log10(np.maximum(values, 1e-18))
    drawn = np.interp(np.linspace(steps[0], steps[-1], width), steps, logs)
    high = float(logs.max())
    low = float(logs.min())
    span = high - low or 1.0
    rows = ((high - drawn) / span * (height - 1)).round().astype(int)

    def line(row: int) -> str:
        dots = "".join("•" if r == row else " " for r in rows)
        return f"{10 ** (high - span * row / (height - 1)):8.1e} ┤{dots}".rstrip()

    first = f"{at[0]:,}"
    last = f"{at[-1]:,} {unit}"
    axis = [" " * 9 + "└" + "─" * width, " " * 10 + first + last.rjust(width - len(first))]
    return "\n".join([*map(line, range(height)), *axis])


def bars_as_text(chances: Mapping[str, float], width: int = 40) -> str:
    """Draw probabilities as bars of characters, one per line.

    Parameters
    ----------
    chances
        By name, 0..1, in the order of the lines.
    width
        Width of a bar of probability 1, in characters.

    Examples
    --------
    >>> print(bars_as_text({"Busted": 0.75, "LowPair": 0.25}, width=8))
    Busted   ██████    75.0 %
    LowPair  ██        25.0 %
    """
    longest = max(map(len, chances))

    def line(name: str, chance: float) -> str:
        whole, eighths = divmod(round(8 * width * chance), 8)
        bar = "█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()
        return f"{name:<{longest}}  {bar:<{width}} {100 * chance:5.1f} %"

    return "\n".join(line(*each) for each in chances.items())


def sparkline(shares: Sequence[float]) -> str:
    """Draw shares as bars of one character; the largest is full.

    Examples
    --------
    >>> sparkline([0.1, 0.2, 0.4, 0.0])
    '▂▄█ '
    """
    most = max(shares)
    return "".join(" ▁▂▃▄▅▆▇█"[round(8 * share / most) if most else 0] for share in shares)
