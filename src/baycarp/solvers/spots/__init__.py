"""Spots of hold'em, range against range, from the flop on: their betting, equilibria and best answers.

``sizes``     bet sizes as people write them; ``betting``, the rules; ``tree``, built of both or by hand
``spot``      what is solved: board, pot, stack, ranges, sizes
``locks``     fixed parts of a strategy: at a node, of a model, as a frequency
``suits``     suits that are alike; ``given``, all of it as the engine has it (``kernels.spots``)
``solver``    iterations and measurements; ``memory`` and ``smaller``, what fits
``solution``  the result; ``view``, one node of it; ``equity``; ``saved``, the file; ``play``, against it
"""
