"""From watched hands to the models that agents load; called, it trains one: ``baycarp.train(folder)``.

``watch``       sessions, as logs
``rows``        the network's rows, of every player in after the pre-flop
``networks``    fitted on showdowns, measured on held-out hands; ``priors`` with the deal as the prior
``cells``       rows as the input of EM; ``actions`` EM for hand -> action, ``styles`` groups of players
``casebases``   every action of every player as a case
``model``       all of it, in one command
``logs``        hands of new players, streamed from PHH and ACPC files
``imitate``     a model of a named player from such logs; ``account`` counts hands and reasons to skip,
              ``agreement`` the model's agreement with the player
``tune``        the similarity of cases; ``imitation`` its loss on held-out cases, ``evolve`` the search
``retrieval_cases``  cases of one street, to measure retrieval
``income``      the income rates of the 169 starting hands
``calibrate``   the default table's styles, to Unger's figure 7.4
``people_table``  the people's table, fitted to the ``habits`` of IRC players
"""
