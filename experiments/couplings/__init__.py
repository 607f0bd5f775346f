"""How should networks and cases be coupled: the question of Unger's chapter 4, answered at the table."""
