"""The kit that an agent passes: ``baycarp.check_agent``.

``check``   the function: every check in turn
``checks``  one function a check; another check is a function there, and a name in ``CHECKS``
``trial``   the agent at tables of random games, beside players that act at random; a witness of its decisions
``games``   random games of every kind that a game file can state
``report``  the result of each check, as text
"""
