"""Gambler (Matthews 2005): two networks that play, and that infer the cards of others from their actions.

``tables``   what both networks share: recommend, bias and action, and the table that makes pot odds a
threshold ``preflop``  the pre-flop network, and the positions and earlier actions that it observes
``postflop`` the post-flop network in both forms, and the network of a re-raise ``draws``    the exact draws
on a board, the scare pool, and bigger hands ``reverse``  the queries: actions of every holding, from the
viewpoint of each player ``reading``  a hand followed act by act: the distribution of every player's hole
cards ``learning`` tables from shown hands ``model``    the reading as an opponent model; the players' own
tables
"""
