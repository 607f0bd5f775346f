"""Clusters of players by their moves (van der Kleij 2010), and each player's own model."""
