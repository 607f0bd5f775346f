"""Networks and cases coupled in every way of the TLCPC framework (Bruland et al., in Unger 2011, chapter 4).

    player         a case player whose decisions an architecture makes
    discretised    features as states, and a network of actions over them, learned from cases
    deciding       the network that decides
    filtered       BN-CBR-1: the network switches cases on and off
    planned        BN-CBR-1: the network chooses the action, plan cases carry it out
    posterior      BN-CBR-2: P(case on | evidence) is the similarity
    exemplars      BN-CBR-2: exemplars by prototypicality
    adapted        CBR-BN-1: a network of the retrieved cases adapts their solution
    parallel       both decide, and the larger calibrated margin acts
    architectures  all of them by name

Two more are readers of opponents, in ``opponents.shown``: CBR-BN-1 with local tables, and CBR-BN-2.
Variables: I = inputs, A = mediating variables, D = derived by the first system, D* = switches of cases or
networks, C = the final classification, which is the action.
"""
