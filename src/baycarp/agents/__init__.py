"""The players, one file a paper: its tables first, then one class.

``base``         what an agent is, and the decision that it gives
``registry``     every agent by name: ``baycarp.load``
``baycarp``      the thesis' player; ``model`` is what it loads, ``ladder`` its clock
``formula``      Pokibot; ``simulation``, Simbot; ``preflop`` and ``choice`` are what both play by
``rulebot``      static rules; ``simple``, the controls; ``network``, the thesis' network alone
``table``        the players of the default table, by name
``explain``      a decision's record as text and HTML; ``grounds``, what it rests on, and its action again
``whatif``       a decision on other grounds: ``evidence``, what it hangs on; ``flips``, what would flip it
``plugins``      agents of other packages; ``foreign``, programs in processes of their own
"""
