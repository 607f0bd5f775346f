"""The players of the default table, named after those of Unger (2011), figures 7.4 and 7.9.

There Absinthe was a simulation player, and Erasmus, Jake and Karma were formula players, Karma readier to
raise after the flop than Erasmus. Our choices: Frida, with Absinthe's figures, is the second
simulation player; the levels and aggressions. The other numbers are results of
``python -m experiments.recipes.calibrate``, which fits the players' statistics to Unger's. A second table is
fitted to people.
"""

__all__ = ["EIGHTH", "PEOPLE", "PLAYERS", "TABLE", "TABLES"]

PLAYERS = {
    "absinthe": "simulation(level='moderate', shift=-21, margin=0.68, model=0.7)",
    "anders": "formula(level='moderate', shift=-16, tightness=0.41)",
    "doyle": "formula(level='moderate', shift=47, tightness=0.41)",
    "erasmus": "formula(level='tight', shift=60, tightness=0.48, aggression=0.3, model=0.8, implied=4)",
    "frida": "simulation(level='moderate', shift=-16, margin=0.23, model=0.7)",
    "hari": "formula(level='tight', shift=86, tightness=0.51)",
    "jake": "formula(level='loose', shift=-95, tightness=0.54, aggression=0.6)",
    "karma": "formula(level='tight', shift=66, tightness=0.45, aggression=0.65)",
}
"""The specification of each player."""

TABLE = ("absinthe", "doyle", "erasmus", "frida", "hari", "jake", "karma")
"""The seven of figure 7.4."""

EIGHTH = "anders"
"""The player that joined for figure 7.9; it fills the eighth seat where the seven are watched."""

PEOPLE = {
    "tight-1": "formula(level='moderate', shift=-79, raising=161, tightness=0.541, aggression=0.746)",
    "tight-2": "formula(level='loose', mixing=60, deception=0.2, shift=-12, raising=160, tightness=0.535, "
    "aggression=0.7)",
    "tight-3": "formula(level='tight', model=0.5, implied=2, shift=-136, raising=167, tightness=0.699, "
    "aggression=0.676)",
    "median-1": "formula(level='moderate', mixing=30, shift=-200, raising=296, tightness=0.471, "
    "aggression=0.839)",
    "median-2": "formula(level='loose', deception=0.3, model=0.6, shift=-145, raising=275, tightness=0.556, "
    "aggression=0.78)",
    "loose-1": "formula(level='moderate', model=0.8, shift=-313, raising=391, tightness=0.447, "
    "aggression=1.0)",
    "loose-2": "formula(level='loose', mixing=100, deception=0.1, shift=-254, raising=368, tightness=0.411, "
    "aggression=1.0)",
    "loose-3": "formula(level='tight', model=0.4, implied=3, shift=-391, raising=422, tightness=0.628, "
    "aggression=0.996)",
}
"""The people's table: results of ``python -m experiments.recipes.people_table``."""

TABLES = {"default": TABLE, "people": tuple(f"{name}={text}" for name, text in PEOPLE.items())}
"""The tables that have names, each with its players."""
