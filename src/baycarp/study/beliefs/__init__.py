"""A model's beliefs about hidden cards, measured against an oracle that has the player's policy.

``queries``     the decision points of a belief, and the interface of the model that gives it (``Model``)
``oracle``      exact Bayes over the 1,326 holdings with the watched player's own policy
``strengths``   the inputs of that policy, of every holding at once
``contest``     the measured models: the thesis' network, each extension, all of them
``acting``      beliefs by hand -> action: all players alike, or a model of each player
``scores``      log loss, calibration, Brier score, ranks of group and type, intervals over hands
``measure``     models' beliefs at the queries of sessions, and their line in the table
``frozen``      the same as files, and the scores of another program's beliefs
"""
