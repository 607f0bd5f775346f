"""Other libraries and plain forms that the kernels are compared with; no part of the package.

Each of ``kernels``, ``bn``, ``cases``, ``networks``, ``retrieval`` and ``solve`` has ``goals``, which
``benchmarks`` of that name calls in a clone of the repository. Results are compared first, then both
sides are timed in turn, in one process. A library that is not installed has no line.
"""
