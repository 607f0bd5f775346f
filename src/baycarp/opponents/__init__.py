"""Models of the opponents.

``stats``      running counts of what each player does, by name
``topology``   the network's nodes and arcs, as built and as the thesis would extend them
``belief``     the posterior of the network about one opponent
``shift``      how much each observation shifted a belief
``dealt``      the distribution of the hidden nodes by the cards alone
``holdings``   the network's posterior over all 1,326 holdings
``ranges``     from a posterior over hand groups to weights of holdings
``weights``    weights of holdings, updated by each action: the formula players' model
``moves``      each act as a betting situation and a choice in it
``buckets``    holdings that are played alike
``actions``    the topology hand -> action: beliefs and the next choice by Bayes
``styles``     the player styles
``adapt``      such a model of each opponent, from its style's to its own; ``player_models``: of all players
``model``      what an opponent model is: the network, the action-conditioned model, or none
"""
