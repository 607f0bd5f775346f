"""The review of a player's recorded hands: a few remarks, and a drill of the costliest spots."""
