"""The package as functions: ``baycarp.table``, ``match``, ``tournament``, ``train``, ``solve``, ``exploit``.

Each does what a command does: it parses what it is given, carries out a plan, and returns a frozen
``Result``, which prints the command's tables, gives records for a data frame, and is saved; some are drawn.

``table``       hands at one table
``match``       the same cards in every seating
``tournament``  every agent against every other
``train``       a model, from watched hands; ``imitate``: from logs; ``train_tables``: what is printed of it
``solve``       an equilibrium of a small game; ``solve_holdem``: of hold'em, in an abstraction
``exploit``     what a best response wins
``stats``       the statistics of players of a record
``decide``      a decision in a spot as people describe it; ``equity``: ranges against ranges
``result``, ``settings``, ``players``, ``printing``, ``figures``  what these share
"""
