"""Heads-up no-limit hold'em: a sampling solver over buckets of holdings and a few sizes of bets.

``betting``     the betting of the abstract game as arrays; ``deals``  sampled deals with their buckets
``solver``      external sampling; ``response``  what a strategy loses inside the abstraction
``checkpoint``  what a run continues from; ``solution``  the strategy, as a file
"""
