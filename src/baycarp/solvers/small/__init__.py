"""Small games, solved exactly.

``game``  the protocol of a small game; ``kuhn``, ``leduc``  two of them
``tree``, ``sequences``  a game as arrays; ``strategy``  what both players do, ``saved``  on disk
``best_response``  exact values and exploitability
``cfr``  CFR and CFR+, ``restricted``  a response to a model that may be wrong
``mccfr``  external sampling; ``solve``  the equilibria, measured on the way
"""
