"""What we think of the others.

``stats``    running counts of what each player does, by name
``ranges``   from a posterior over hand groups to weights of holdings
``weights``  weights of holdings, updated by each action
"""
