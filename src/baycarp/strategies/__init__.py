"""Case-based strategies as frozen values: what CASPER, CASEY and BayCaRP differ in, one file each.

``spec``      what a strategy is: case-bases, description, solutions, policy, outcome, opponent model
``episode``   the decisions of one position in one hand, from the question to the settled case
``weights``   weights of similarity, as a file of their own
``model``     a trained model, as a folder; the cases of a user's player, as a memory
``kinds``     solutions that are kinds of actions
``readings``  descriptions that need no beliefs
``baycarp``   the strategies of Unger (2011)
``registry``  the strategies by name
"""
