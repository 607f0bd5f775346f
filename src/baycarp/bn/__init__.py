"""Bayesian networks over named nodes and states, independent of poker.

``network``  structure and CPTs; ``learn``  CPTs from complete rows; ``bif``  the interchange format;
``em``  CPTs from rows with missing values;
``plan``  posteriors from evidence, hard and soft; ``explanation``  the most probable explanation;
``elimination``  compilation of both, in the order of ``orders``; ``missing``  both for rows in which
different nodes are missing; ``sampling``  posteriors by sampling, and rows sampled from a network;
``pgmpy``  the methods of pgmpy over all of this;
``io``  networks on disk.
"""

from baycarp.bn.bif import read_bif, write_bif
from baycarp.bn.em import FittedNetwork, Sample, em, random_network
from baycarp.bn.explanation import Explainer, Explanation
from baycarp.bn.inference import Inference
from baycarp.bn.io import load, save
from baycarp.bn.learn import counts, fit
from baycarp.bn.network import Network, Structure
from baycarp.bn.plan import Posterior, QueryPlan, compile, cost

__all__ = [
    "Explainer",
    "Explanation",
    "FittedNetwork",
    "Inference",
    "Network",
    "Posterior",
    "QueryPlan",
    "Sample",
    "Structure",
    "compile",
    "cost",
    "counts",
    "em",
    "fit",
    "load",
    "random_network",
    "read_bif",
    "save",
    "write_bif",
]
