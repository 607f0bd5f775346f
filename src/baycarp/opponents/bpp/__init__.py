"""The Bayesian Poker Player's network (Nicholson, Korb and Boulton 2006), and a table of actions a player."""
