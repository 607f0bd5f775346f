"""Where agents meet.

``hand``      the only loop that plays a hand
``session``   500 hands with fresh statistics: the unit of parallel work
``tally``     what one player did and what came of it, as counts that add up
``measure``   means and shares, with their intervals
``report``    what sessions came to
``workers``   processes
"""
