"""The vocabulary of betting: how acts, amounts and sequences are named, for every paper alike.

``acts``       an act by its context: check-raise, three-bet, donk bet; the most aggressive one of a street
``amounts``    chips in small blinds, in bets of the street, as a share of the pot
``context``    the betting situation of a player, as the rules of Loki need it
``sequence``   betting sequences as texts, and the raises of each player in them
``switching``  three-player sequences, and the heads-up ones that they are mapped to
``sizes``      bet sizes of no-limit as letters; bets into letters, and back
``letters``    no-limit sequences in these letters, and the part of the stack that is committed

The readings that a paper makes of them are in a module named after it: ``rules.unger``, ``rules.casper``.
"""
