"""A hand of the IRC database: a row of each of its tables."""

# Three players; Ann and Cid see the river, Cid shows a pair of nines. Pots as the server counts them.
HDB = "100 1 7 3 2/50 2/50 2/90 2/130 9h 2d 5s Kc 3h"
ROSTER = "100 3 ann bob cid"
PDB = """\
ann 100 3 1 Bc k kc kc 500 60 0 Qh Jh
bob 100 3 2 Bf - - - 600 10 0
cid 100 3 3 r k b b 700 60 130 9s 8s
"""
