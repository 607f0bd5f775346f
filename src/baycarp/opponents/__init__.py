"""Models of the opponents: beliefs about their cards, a folder a family.

``model``    what every family implements, and the specification that makes one
``belief``   the belief about one opponent; ``uniform`` that without a model: every holding alike
``acts``     models whose evidence is the opponent's acts; ``model_file`` the file of a shipped model

``known``    what is known of a player from its recorded hands, for every agent that models opponents

``stats``    the statistics that trackers show, counted once for the whole package

  ``definitions``  each of them; ``turns`` a hand as each player played it; ``players`` the counts

``network``  the Bayesian network of Unger (2011), in which cards depend on actions

  ``model``       it as an opponent model, as far as it has earned it (``earned``)
  ``topology``    nodes and arcs, as built and as the thesis would extend them; ``meanings`` in words
  ``statistics``  running counts of what each player does, by name, for the nodes of habits
  ``ranges``      from a posterior over hand groups to a range; ``holdings`` over all 1,326 holdings
  ``dealt``       the distribution of the hidden nodes by the cards alone

``actions``  the action-conditioned model: actions depend on cards; fixed limit

  ``model``         a model of each player, kept between hands; ``adapt`` one of them
  ``hypotheses``    what a player may be: a style more or less, or blind; ``styles`` the learned ones
  ``table_prior``   how common each kind of player is at a table
  ``hand_actions``  P(action | bucket, situation), and Bayes
  ``situations``    each act as a betting situation and a choice in it
  ``buckets``       holdings that are played alike

``moves``    clusters of players (van der Kleij 2010), for the tree search; any betting

  ``reading``      the cluster and the holding of each opponent from its acts; ``individual`` its own model
  ``players``      the models of the clusters and their file; ``tree_policy`` those without holdings
  ``learned``      the model of one player, learned from a record of its hands
  ``buckets``      intervals of strength

``gambler``  Gambler's networks (Matthews 2005), reversed; fixed limit

  ``model``     the reading as an opponent model, with each player's own tables
  ``reading``   a hand followed act by act: every player's hole cards as all may infer them
  ``reverse``   what each holding does, and what an action says about the holding
  ``preflop``   the network before the flop; ``postflop`` those after it, and of a re-raise
  ``tables``    what they share: stakes, recommendation, bias and action
  ``draws``     the exact draws on a board, the scare pool, and bigger hands
  ``learning``  tables from observed hands

``bpp``  the network of the Bayesian Poker Player (Nicholson, Korb and Boulton 2006); two players, fixed limit

  ``network``  nodes, arcs, tables, and its queries
  ``hands``    25 types of a hand, flush draws, and segments that are played alike
  ``acts``     eight states of an action; the table of a player by segments
"""
