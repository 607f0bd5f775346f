"""Best responses to a player in the real game of heads-up fixed limit: how much it can lose.

``bounds``       what is found: an exact value, or estimates
``flops_run``    the exact best response after the flop, on some flops or on all, in parallel
``flop``         one flop, every turn and river; ``betting``, its betting; ``suits``, its boards
``preflop``      the best response before the flop, from the values of flops
``local_run``    the local best response in play, in parallel: of any agent, a lower bound
``local``        one hand of it; ``belief``, about the player's cards; ``luck``, taken out of results
``journalled``   units of work in a journal, which both runs continue

Best responses inside an abstraction are in ``solvers.limit.response`` and ``solvers.nolimit.response``.
"""
