"""Models of moves for the tree search: clusters of players, and each player's own."""
