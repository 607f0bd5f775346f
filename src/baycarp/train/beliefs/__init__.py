"""What a model knows of hidden cards, measured against an oracle that knows the player.

``moments``   when a belief is asked for, and the interface of whoever is asked (``Model``)
``oracle``    exact Bayes over the 1,326 holdings with the watched player's own policy
``scores``    log loss, share of oracle information, calibration, Brier score, top groups and types
"""
