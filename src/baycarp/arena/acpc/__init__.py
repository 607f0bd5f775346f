"""The protocol of the Annual Computer Poker Competition (version 2.0.0): a client and a dealer.

``wire``     lines over a connection, each with a greatest length and a deadline
``answer``   a client's answer to a state: written, read, and mended as the original dealer does
``client``   an agent of this package in a seat of an external dealer
``remote``   an external client in a seat of this package's dealer: to the hand loop, an agent
``door``     the ports of a match: one for each client; connections are greeted side by side
``dealer``   a match: seats rotate, cards come from a seed, every hand is logged
"""
