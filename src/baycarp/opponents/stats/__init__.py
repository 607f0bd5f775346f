"""The statistics of players that every tracker shows, counted once for the whole package.

``turns``        a hand as each of its players played it
``definitions``  each statistic: its definition, and how often it was done in a hand, of how many chances
``players``      the counts of every player of a record of hands, by position and depth
"""

from baycarp.opponents.stats.definitions import STATISTICS, Statistic
from baycarp.opponents.stats.players import HandStatistics, PlayerCounts

__all__ = ["STATISTICS", "HandStatistics", "PlayerCounts", "Statistic"]
