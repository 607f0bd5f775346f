"""Other people's programs as agents: in processes of their own, under limits, in JSON lines.

``program``   the agent; a fault costs it the hand
``process``   the process and its limits, which ``launch`` sets
``wire``      the messages of the engine protocol, which both sides check alike
"""
