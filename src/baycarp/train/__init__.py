"""From watched hands to what agents load.

``watch``       sessions, kept as logs
``rows``        the network's rows, of every player in after the pre-flop
``networks``    fitted on showdowns, measured on held-out hands
``cells``       rows for a learner of acts; ``actions`` EM over them, ``styles`` the kinds of players,
              ``compare`` both topologies on the same hands
``casebases``   every action of every player as a case
``model``       the whole, in one command
``logs``        hands of new players, streamed from PHH and ACPC files
``imitate``     a model of a named player from such logs; ``account`` counts hands and reasons to skip,
              ``agreement`` how often the model does as the player did
``income``      the income rates of the 169 starting hands
``calibrate``   the default table's styles, to Unger's figure 7.4
"""
