"""Bayesian networks over names and states; no poker.

``network``  what a network is; ``learn``  its numbers from rows, and the way to and from pgmpy and BIF;
``em``  its numbers from rows that do not show everything;
``plan``  posteriors from evidence, hard and soft; ``explanation``  the likeliest states of all nodes at once;
``elimination``  how both are compiled; ``sampling``  posteriors by sampling, and rows drawn from a network;
``io``  networks on disk.
"""

from baycarp.bn.em import Fitted, Sample, em, random_network
from baycarp.bn.explanation import Explainer, Explanation
from baycarp.bn.io import load, save
from baycarp.bn.learn import counts, fit
from baycarp.bn.network import Network, Structure
from baycarp.bn.plan import Inference, Plan, Posterior, compile

__all__ = [
    "Explainer",
    "Explanation",
    "Fitted",
    "Inference",
    "Network",
    "Plan",
    "Posterior",
    "Sample",
    "Structure",
    "compile",
    "counts",
    "em",
    "fit",
    "load",
    "random_network",
    "save",
]
