"""The page where a person studies a spot: typed or opened from a hand, solved, walked, locked, compared.

``fields`` reads the spot that the page has, ``locks`` its fixed strategies, ``opened`` the decision of a hand
with what is believed there; ``work`` solves in a thread, ``views`` describes a node; ``study`` joins them.
"""
