"""The players, one file each, and what they share.

``base``         what an agent is, and the decision that it gives
``registry``     every agent by name: ``baycarp.load``
``case_player``  plays any strategy; ``citation``, the cases that an action rests on; ``commitment``, plans
``formula``      Pokibot; ``simulation``, Simbot; ``preflop``, what both play by before the flop
``rulebot``      static rules; ``simple``, the controls; ``network``, the network of Unger (2011) alone
``responder``    local best response to a fitted model
``table``        the players of the default table, by name
``anytime``      tiers of answers under a deadline; ``policy``, probabilities of actions; ``sampling``, draws
``trace``        the stages of a decision; ``trace_json``, as JSON; ``report``, as text and HTML
``plugins``      agents of other packages; ``external``, programs in processes of their own
"""
