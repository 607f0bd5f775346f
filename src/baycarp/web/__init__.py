"""A table in the browser: a person plays with agents, opens their decisions, and replays hands.

``sitting`` plays and journals the session, ``frames`` describes a hand to one seat, ``panels`` describes a
decision, ``review`` replays hands, and ``server`` serves them; only the last needs the extra ``web``.
"""
