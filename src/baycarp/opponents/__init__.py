"""What we think of the others.

``stats``      running counts of what each player does, by name
``topology``   the network's nodes and arcs, as built and as the thesis would extend them
``belief``     the network asked about one opponent
``shift``      how much each thing that was seen shifted a belief
``dealt``      what cards alone say of the hidden nodes
``holdings``   the network's posterior over all 1,326 holdings
``ranges``     from a posterior over hand groups to weights of holdings
``weights``    weights of holdings, updated by each action: the formula players' model
``moves``      what each act meant: the betting situation, and what was chosen in it
``buckets``    holdings that are played alike
``actions``    the topology hand -> action: beliefs and the next choice by Bayes
``styles``     the kinds of players that are known
``adapt``      such a model of each opponent, from its style's to its own; ``player_models``: of everybody
``model``      what an opponent model is: the network, the action-conditioned model, or none
"""
