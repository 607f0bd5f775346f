"""Does the stated reason hold? Reasons of players and of language models, verified against the hand.

``claims``   what a reason claims, as JSON values, and whether each claim is true of a hand
``extract``  from a sentence to its claims; what is not understood gives none
``check``    a text or claims against an observation, and the score on sentences of known truth
``data``     300 sentences about 20 situations, written before the extractor; 100 of them held back
"""
