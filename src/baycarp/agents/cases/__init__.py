"""The case player: what it retrieves, how it chooses, and how its settings make it."""
