"""Gambler, measured.

``spots``        hands in which every player plays by the networks
``bayes``        the reversal by its definition, without plans or kernels: the reference
``calibration``  inferred hole cards against those dealt
``equity``       P(win) of both forms against exact and sampled equity
``curves``       sampled against exact inference on both networks
``tables``       tables learned from shown hands, judged on held-out ones
"""
