"""The protocol of the Annual Computer Poker Competition (version 2.0.0), both ways.

``wire``     lines over a connection, each with a greatest length and a deadline
``answer``   what a client says to a state: written, read, and mended as the original dealer does
``client``   one of our agents in a seat of somebody's dealer
``remote``   somebody's client in a seat of ours: to the hand loop, an agent
``dealer``   a match: seats go round, cards come from a seed, every hand is logged
"""
