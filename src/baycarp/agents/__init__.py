"""The players: what an agent is, and everything that decides.

``base``       what an agent is, and the decision that it returns
``registry``   every agent by name: ``baycarp.load``; ``factory``, how settings make one; ``catalogue``, the
               agents in words
``cases``      case-based agents: ``system``, one as a value; ``systems``, those of the registry;
               ``case_player``, which plays any strategy (``baycarp.strategies``); ``reuse``, from retrieved
               cases to an action; ``stages``, of its decisions
``network``    the network alone, a control
``poki``       ``formula``, Pokibot; ``simulation``, Simbot; ``preflop``, their play before the flop
``static``     ``rulebot``, static rules; ``simple``, the controls; ``sizer``, no-limit rules with bet sizes
``solved``     players of solved strategies; ``responder``, a trained best response
``resolve``    the rest of a hand of two solved anew at the table: ranges carried, promises, the solve
``gambler``    two Bayesian networks; ``bpp``, a decision network; ``mcts``, a tree search
``table``      the players of the default table and of the people's table, by name
``anytime``    tiers under a deadline; ``sampling``, drawing an action; ``policy``, probabilities by action
``trace``      the stages of a decision; ``trace_json``, from JSON; ``report``, as text and HTML
``plugins``    agents of other packages; ``external``, programs in processes of their own

Another player is one file: its class, the stages of its decisions, and its ``Factory`` with its one line; and
one name in the registry.
"""
