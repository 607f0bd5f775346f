"""All systems in one field: a round robin heads-up, one at six seats, one at no-limit.

``plan``  the fields: agents, hands and seeds fixed beforehand; ``lesson``  the cases that CASEY begins with
``play``  the order of the work, and the journal; ``standing``  win rates and rankings of unequal cells
``page``  the tables and the picture of the results page
"""
