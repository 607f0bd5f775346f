"""Players of solved strategies.

``equilibrium``  the player, of fixed limit and of no-limit
``followed``     a real hand in the betting of a solved no-limit game
"""
