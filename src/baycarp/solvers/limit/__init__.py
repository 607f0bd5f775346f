"""Heads-up fixed limit hold'em: a solver over an abstraction, and what it finds.

``betting``      the betting as data; ``boards``  boards up to the suits' names
``abstraction``  which holdings are one; ``histograms``  clusters of them; ``tables``  on all boards
``solver``       public chance sampling; ``response``  best responses inside the abstraction
``checkpoint``   what a run continues from; ``solution``  the strategy, as a file
"""
