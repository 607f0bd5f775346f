"""From hands to the models that agents load; ``model`` trains one whole model.

Hands

  ``watch``       sessions of agents, played and kept as logs; ``curriculum`` at which tables
  ``sizers``      the tables of the no-limit population
  ``log_writer``  long logs: ``table_play`` plays players that answer as tables many hands at once, by
                  ``holding_classes``, and ``hand_texts`` writes their hands
  ``logs``        hands of any source, streamed from PHH and ACPC files

Case models

  ``rows``        the network's rows, of every player in after the pre-flop
  ``networks``    fitted on showdowns, measured on held-out hands; ``priors`` those with the deal as the prior
  ``casebases``   every action of every player as a case
  ``imitate``     a model of a named player, from logs; ``account`` counts hands and reasons to skip,
                  ``agreement`` the model's agreement with the player
  ``tune``        the similarity of cases; ``held_out`` its loss on held-out cases, ``evolve`` the search

Models of players, for the tree search

  ``player_models``  all of it in one command
  ``kmodels``        clusters of players by their public moves
  ``player_trees``   their trees, from hands with known cards
  ``hidden_trees``   the same from showdowns, by EM from an ``ordered_start``
"""
