"""PokerBench (Zhuang et al. 2025): its CSV files read, and agents scored on them; users bring the files.

``layout``  a row as a spot: the hand in big blinds replayed by the rules, the moves, the correct decision
``score``   an agent's answers: by kind and with their size, and what wrong ones lose by rollouts
"""
