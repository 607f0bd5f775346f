"""What the papers published, and what this package makes of it.

``entry``      a published table or figure: read from ``data/papers``, a file a paper
``verdict``    ours beside it: same, same order, not, cannot be compared
``run``        how long ours is measured; sessions that several entries share
``registry``   every entry, and what makes ours
``unger_examples``, ``unger_network``, ``unger_table``, ``gambler``, ``casper``    how ours is made
``experiment`` the thesis' experiment with the controls that it lacked
"""
