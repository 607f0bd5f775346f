"""The published results of the papers, and the results of this package beside them.

``entry``      a published table or figure: read from ``data``, a file a paper
``verdict``    our result beside it: same, same order, not, cannot be compared
``run``        the size of a measurement; sessions that several entries share
``registry``   every entry, and the function of our result
``unger_examples``, ``unger_network``, ``unger_table``,
``gambler``, ``casper``, ``kleij``    how our result is made
``experiment`` the thesis' experiment with the controls that it lacked
"""
