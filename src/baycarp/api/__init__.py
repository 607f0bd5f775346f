"""The package as functions: ``baycarp.play``, ``match``, ``tournament``, ``train``, ``solve``, ``exploit``.

Each plays or computes, and returns a frozen ``Result``: it prints the tables of the command of the same name
(``play``: of ``baycarp table``), gives records for a data frame, and is saved; some are drawn as pictures.

``play``        hands at one table
``match``       the same cards in every seating
``tournament``  every agent against every other
``train``       a model, from watched hands or logs; ``train_tables``  what is printed of it
``solve``       an equilibrium of a small game
``exploit``     what a best response wins
``result``, ``settings``, ``players``, ``printing``, ``figures``  what these share
"""
