"""Heads-up fixed limit hold'em: public chance sampling over an abstraction.

``betting``   the betting as data; ``solver``  iterations; ``against_best``  for each position apart
``response``  best responses inside the abstraction; ``run``  what a solve walks and measures
"""
