"""Where agents meet.

``hand``      the only loop that plays a hand
``session``   500 hands with fresh statistics: the unit of parallel work
``measure``   the counts of a statistics table, win rates and their intervals
``report``    what sessions came to
``workers``   processes
"""
