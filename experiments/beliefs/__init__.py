"""A model's beliefs about hidden cards, measured: on any record, on a population left out, against an oracle.

The beliefs:

``queries``       the decision points of a belief, and the interface of the model that gives it (``Model``)
``preflop``       the pre-flop of a no-limit hand, as the models of limit play can follow it
``contest``       the measured networks: the thesis', each extension, all of them
``acting``        beliefs by hand -> action: all players alike, or a model of each player
``gambler``       the reading of Gambler's networks
``shipped``       the opponent models of the shipped agents

The measure:

``scores``        log loss, place of the truth, ranks with ties by share; many beliefs at once
``intervals``     means with intervals over hands or players; the calibration error
``moments``       decision points and their scores as columns
``measure``       models' beliefs at the queries of sessions, scored
``shares``        base lines: the deal, and cross-fitted shares of the judged population
``summary``       one line of the table of ``python -m experiments beliefs``

One population left out:

``populations``   the sessions of populations, played or from archives; ``sessions`` plays them
``fitting``       models fitted on the sessions of several populations
``leave_out``     models fitted on all populations but one, judged on that one
``kept``          judged sessions as files, so that an interrupted measurement continues
``style_change``  players that change their style
``goals``         which goals a model meets there

The share of the attainable information, ``python -m experiments oracle``:

``oracle``        exact Bayes over the 1,326 holdings with the watched player's own policy
``strengths``     the inputs of that policy, of every holding at once
``information``   one line of its table
``frozen``        the same as files, and the scores of another program's beliefs
"""
