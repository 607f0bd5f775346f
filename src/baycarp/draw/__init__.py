"""Drawings of results: in characters, or as pictures (``baycarp[viz]``).

A function ``save_...`` writes a picture, PNG, SVG or PDF by the ending of its path (``drawable``), and
raises ImportError with a hint where matplotlib is absent.
"""

from baycarp.draw.cases import save_nearest, save_spreads
from baycarp.draw.frames import as_frame
from baycarp.draw.mixture import mixture_as_svg, mixture_as_text
from baycarp.draw.network import save_network
from baycarp.draw.picture import drawable
from baycarp.draw.ranges import save_equities, save_range
from baycarp.draw.rates import save_cross_table, save_curve, save_rates, save_shares
from baycarp.draw.text import bars_as_text, curve_as_text, decay_as_text, sparkline

__all__ = [
    "as_frame",
    "bars_as_text",
    "curve_as_text",
    "decay_as_text",
    "drawable",
    "mixture_as_svg",
    "mixture_as_text",
    "save_cross_table",
    "save_curve",
    "save_equities",
    "save_nearest",
    "save_network",
    "save_range",
    "save_rates",
    "save_shares",
    "save_spreads",
    "sparkline",
]
