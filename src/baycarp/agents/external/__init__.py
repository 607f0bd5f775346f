"""External programs as agents: in processes of their own, under limits, in JSON lines.

``program``   the agent; a fault costs it the hand
``process``   the process, its limits and its environment
``launch``    sets the limits, supervises the program and ends all of its descendants
``wire``      the messages of the engine protocol, which both sides check alike
"""
