"""Readers in the place of the thesis' network: weights of an opponent's holdings, and no more.

``arms``         all of them by name: made from the watched hands of a table, seated, and compared
``terry_mihok``  pot odds, position, players and one action -> strength and potential -> holdings
``learned``      the thesis' nodes with arcs that hill climbing found; ours
``by_style``     the thesis' network of each style, and of each opponent

Three more are the thesis' network with nodes of aggression, of calls by price, and of pot odds; two are
models of the package behind the contract: Gambler's, and the action-conditioned one.
"""
