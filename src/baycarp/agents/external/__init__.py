"""External programs as agents: in processes of their own, under limits, in JSON lines.

``program``   the agent; a fault costs it the hand
``process``   the process, its limits and its environment
``launch``    sets the limits, supervises the program and ends all of its descendants

The messages of the protocol, which both sides check alike, are those of ``game.notation.wire``.
"""
