"""Heads-up no-limit hold'em: external sampling over buckets of holdings and a few sizes of bets.

``betting``   the betting of the abstract game as arrays; ``deals``  sampled deals with their buckets
``solver``    iterations; ``response``  players that learn against a strategy; ``run``  a solve, measured
"""
