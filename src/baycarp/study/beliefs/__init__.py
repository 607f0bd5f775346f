"""What a model knows of hidden cards, measured against an oracle that knows the player.

``queries``     when a belief is asked for, and the interface of the model that is asked (``Model``)
``oracle``      exact Bayes over the 1,326 holdings with the watched player's own policy
``strengths``   what that policy looks at, of every holding at once
``contest``     who is measured: the network that was built, each extension, all of them
``acting``      beliefs by hand -> action: everybody alike, or a model of each player
``scores``      log loss, calibration, Brier score, places of group and type, intervals over hands
``measure``     models asked the queries of sessions, and their line in the table
``frozen``      the same as files, and the judge of a stranger's beliefs
``people``      the same on hands that people played
``confusion``   what a network takes for what
"""
