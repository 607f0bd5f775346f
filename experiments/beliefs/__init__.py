"""Models of opponents, measured: ``python -m experiments beliefs``.

The models:

``decision_points``  where beliefs are evaluated, and the interface of a model (``Model``)
``preflop``          the pre-flop of a no-limit hand, as the models of limit play can follow it
``networks``         the thesis' network, each extension of it, all of them
``acting``           beliefs by hand -> action: all players alike, or a model of each player
``by_player``        the networks by style and by opponent, adapted while watching
``earned``           the network as far as each player's showdowns support it
``gambler``          the reading of Gambler's networks
``shipped``          the opponent models of the shipped agents

The measure:

``scores``           log loss, place of the truth, ranks with ties by share; many beliefs at once
``intervals``        means with intervals over hands or players; the calibration error
``columns``          decision points and their scores as columns
``measure``          models at the decision points of sessions, scored
``base_lines``       the deal, and cross-fitted shares of the judged population
``summary``          one line of a table
``reports``          the forms of the command: what each measures and prints

One population left out:

``populations``      the sessions of populations, played or from archives
``fitting``          models fitted on the sessions of several populations
``leave_out``        models fitted on all populations but one, judged on that one
``stored_sessions``  judged sessions as files, so that an interrupted measurement continues
``style_change``     players that change their style
``goals``            which goals a model meets there

The share of the attainable information:

``oracle``           exact Bayes over the 1,326 holdings with the watched player's own policy
``strengths``        the inputs of that policy, of every holding at once
``information``      one line of its table
``benchmark_files``  the same as files, and the scores of another program's beliefs

Next actions:

``next_actions``     the true holding and the next action by two topologies; folds of strong hands
``learning_curve``   a player unlike the population, by the hands that were watched
``no_limit``         models of moves on the no-limit population
"""
