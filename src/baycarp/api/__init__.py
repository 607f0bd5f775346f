"""The package as functions: ``baycarp.table``, ``match``, ``tournament``, ``train``, ``solve``, ``exploit``.

Each is the command of the same name: it parses what it is given, carries out a plan, and returns a frozen
``Result``, which prints the command's tables, gives records for a data frame, and is saved; some are drawn.

``table``       hands at one table
``match``       the same cards in every seating
``tournament``  every agent against every other
``train``       a model, from watched hands or logs; ``train_tables``  what is printed of it
``solve``       an equilibrium of a small game
``exploit``     what a best response wins
``result``, ``settings``, ``players``, ``printing``, ``figures``  what these share
"""
