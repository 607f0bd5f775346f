"""How strong an agent is: one table, whose rows name their opponents, games, hands and seeds beforehand.

``rows``  the table; ``seats``  an agent and its rivals in one seat, on the same decks
``folds``  how often it folds to bets, beside the equilibrium; ``losses``  what best responses win
``line``  a line of a result
"""
