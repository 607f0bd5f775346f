"""Case-based reasoning over a schema, independent of poker.

The modules, in the order of the cycle (Aamodt and Plaza 1994; Unger 2011, section 5.4):

    schema       the form of a case: features, solutions, threshold, provenance
    similarity   the local similarities of numbers and slots: Linear, Exponential, PredictedStates
    symbols      those of symbols: Matrix, Nested, Aligned
    vocabulary   the symbols that occur in a case-base
    columns      cases as arrays
    casebase     the cases of a schema, merged or not, with the index (index.py, by FAISS)
    retrieve     all similar cases, sums over them, or the most similar ones, exactly; the explanation of one
    reuse        from the retrieved cases to a distribution over solutions
    influence    the retrieved cases that decided, and the decision without some of them
    retain       add settled cases to their case-bases
    retriever    retrieval by the protocol of cbrkit
    neighbors    the case-base as an estimator of scikit-learn (imported by no other module)
    store        the cases on disk, in SQLite (tables.py: tables and versions; rows.py; digests.py)
    salvage      the cases of a damaged store that are whole
    exchange     cases as CSV, for other programs
    spread       how cases are distributed, column by column, and how two parts of them differ
    maintain     coverage; near-duplicates are merged, the least useful cases forgotten
"""

from baycarp.cases.casebase import CaseBase, Snapshot
from baycarp.cases.columns import Columns
from baycarp.cases.exchange import export_csv, import_csv
from baycarp.cases.influence import influences, without
from baycarp.cases.maintain import Competence, competence, forget, merge, utility
from baycarp.cases.retain import Settled, retain
from baycarp.cases.retrieve import (
    ColumnMatch,
    Retrieved,
    Totals,
    explain,
    local_similarities,
    retrieve,
    retrieve_all,
    totals,
)
from baycarp.cases.retriever import CaseRetriever
from baycarp.cases.reuse import (
    COMBINATIONS,
    POLICIES,
    BestOutcome,
    Distribution,
    Majority,
    MostSimilar,
    Otherwise,
    Policy,
    Proportional,
    Repair,
    Weighing,
    combine,
    tally,
    vote,
)
from baycarp.cases.salvage import salvage
from baycarp.cases.schema import Case, Feature, Schema, Situation
from baycarp.cases.similarity import Exponential, Linear, PredictedStates
from baycarp.cases.spread import Drift, Spread, drift, spreads
from baycarp.cases.store import CaseStore, Ticket
from baycarp.cases.symbols import Aligned, Matrix, Nested

__all__ = [
    "COMBINATIONS",
    "POLICIES",
    "Aligned",
    "BestOutcome",
    "Case",
    "CaseBase",
    "CaseRetriever",
    "CaseStore",
    "ColumnMatch",
    "Columns",
    "Competence",
    "Distribution",
    "Drift",
    "Exponential",
    "Feature",
    "Linear",
    "Majority",
    "Matrix",
    "MostSimilar",
    "Nested",
    "Otherwise",
    "Policy",
    "PredictedStates",
    "Proportional",
    "Repair",
    "Retrieved",
    "Schema",
    "Settled",
    "Situation",
    "Snapshot",
    "Spread",
    "Ticket",
    "Totals",
    "Weighing",
    "combine",
    "competence",
    "drift",
    "explain",
    "export_csv",
    "forget",
    "import_csv",
    "influences",
    "local_similarities",
    "merge",
    "retain",
    "retrieve",
    "retrieve_all",
    "salvage",
    "spreads",
    "tally",
    "totals",
    "utility",
    "vote",
    "without",
]
