"""Opponents of known exploitability in Leduc hold'em, recognised by a network and exploited at a stated risk.

``archetypes``  the opponents; ``hands``  what a player observes of a hand; ``style_network``  the styles'
posterior; ``frequencies``  own decisions beside the style; ``sessions``  what a response wins, exactly
"""
