"""Bayesian networks over named nodes and states, independent of poker.

``network``  structure and CPTs; ``learn``  CPTs from complete rows, conversion to and from pgmpy and BIF;
``backoff``  CPTs in which a row without observations is that of fewer parents, by the levels of
``backoff_levels``; ``em``  CPTs from rows with missing values;
``plan``  posteriors from evidence, hard and soft; ``explanation``  the most probable explanation;
``elimination``  compilation of both; ``sampling``  posteriors by sampling, and rows sampled from a network;
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
