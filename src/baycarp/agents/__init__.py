"""The players: what an agent is, and everything that decides.

``base``         what an agent is, and the decision that it returns
``registry``     every agent by name: ``baycarp.load``
``case_player``  plays any case-based strategy (``baycarp.strategies``); ``commitment``, its plans
``network``      the network alone, a control
``formula``      Pokibot; ``simulation``, Simbot; ``preflop``, their play before the flop
``rulebot``      static rules; ``simple``, the controls; ``responder``, a trained best response
``sizer``        no-limit rules with bet sizes, a policy that is known; ``sizer_style``, their settings
``equilibrium``  a solved strategy, of limit and of no-limit
``table``        the players of the default table and of the people's table, by name
``anytime``      tiers under a deadline; ``sampling``, drawing an action; ``policy``, probabilities by action
``trace``        the stages of a decision; ``trace_json``, as JSON; ``report``, as text and HTML
``citation``     the cases that had most influence
``plugins``      agents of other packages; ``external``, programs in processes of their own
"""
