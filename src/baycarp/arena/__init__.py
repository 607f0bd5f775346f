"""Where agents meet.

``hand``         the only loop that plays a hand
``session``      500 hands with fresh statistics: the unit of parallel work
``match``        the same decks in every seating
``decks``        which decks are for what
``run``          units in processes or on a ``cluster``, kept in a ``journal``
``acpc``         matches with other programs, through this package's dealer or theirs
``scores``       win rates and paired differences; ``sequential``: when they are significant
``series``       several matches on the same decks: ``tournament`` and its ``ranking``
``variance``     win rates with some of the luck taken out
``tally``        the counts of a statistics table; ``report``, the results of sessions
``measure``      means and shares with their intervals
"""
