"""Case-based strategies as frozen values: what CASPER, CASEY and BayCaRP differ in, one file each.

``spec``      what a strategy is: case-bases, description, solutions, policy, outcome, opponent model
``episode``   the decisions of one position in one hand, from the question to the settled case
``weights``   how cases are compared, as a file of its own
``model``     what was learned, as a folder; what a user's player learns, as a memory
``kinds``     solutions that are kinds of actions
``readings``  descriptions that need no beliefs
``baycarp``   the strategies of Unger (2011)
``registry``  the strategies by name
"""
