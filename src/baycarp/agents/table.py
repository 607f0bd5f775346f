"""The players of the default table, named after those of Unger (2011), figures 7.4 and 7.9.

There Absinthe was a simulation player, and Erasmus, Jake and Karma were formula players, Karma readier to
raise after the flop than Erasmus. Our choices: Frida, with Absinthe's figures, is the second
simulation player; the levels and aggressions. The other numbers are results of ``python -m
baycarp.train.calibrate``, which fits the players' statistics to Unger's.
"""

__all__ = ["EIGHTH", "PLAYERS", "TABLE"]

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
