"""The first examples of pgmpy's and scikit-learn's documentation, with one import line changed.

Each program is run twice, with the peer's import line and with ours; the results are compared. The programs
are shaped as those examples: a model fitted to random columns and queried, a few points on a line. Shares of
votes are rounded: ours weigh a vote by its similarity, as those of scikit-learn do by an option. Places of
neighbours are compared, not distances: ours are shares of the range of each column.
"""

import numpy as np
import pytest

pytest.importorskip("pgmpy")
pytest.importorskip("sklearn")

QUERY = """
import numpy as np
import pandas as pd
from pgmpy.models import DiscreteBayesianNetwork

values = pd.DataFrame(np.random.default_rng(4).integers(0, 2, (1000, 5)), columns=list("ABCDE"))
model = DiscreteBayesianNetwork([("A", "B"), ("C", "B"), ("C", "D"), ("B", "E")])
model.fit(values)
inference = VariableElimination(model)
joint = inference.query(["A", "B"])
given = inference.query(["A"], evidence={"E": 1}, show_progress=False)
apart = inference.query(["A", "B"], joint=False)
results = [
    joint.get_value(A=a, B=b) for a in (0, 1) for b in (0, 1)
] + [*given.values, *apart["A"].values, *apart["B"].values]
likeliest = inference.map_query(["A", "B"])
"""

CLASSES = """
X = [[0], [1], [2], [3]]
y = [0, 0, 1, 1]
neigh = KNeighborsClassifier(n_neighbors=3)
neigh.fit(X, y)
results = [*neigh.predict([[1.1]]), *neigh.predict_proba([[0.9]])[0].round(), neigh.score(X, y)]
"""

NUMBERS = """
X = [[0], [1], [2], [3]]
y = [0, 0, 1, 1]
neigh = KNeighborsRegressor(n_neighbors=2)
neigh.fit(X, y)
results = [*neigh.predict([[1.5]])]
"""

NEAREST = """
samples = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [1.0, 1.0, 0.5]]
neigh = NearestNeighbors(n_neighbors=1)
neigh.fit(samples)
results = [
    *neigh.kneighbors([[1.0, 1.0, 1.0]])[1].ravel(),
    *neigh.kneighbors([[0.0, 1.0, 0.0]], return_distance=False).ravel(),
]
"""

PROGRAMS = {
    "VariableElimination": (
        QUERY,
        "from pgmpy.inference import VariableElimination",
        "from baycarp.bn.pgmpy import VariableElimination",
    ),
    "KNeighborsClassifier": (
        CLASSES,
        "from sklearn.neighbors import KNeighborsClassifier",
        "from baycarp.cases.neighbors import CaseClassifier as KNeighborsClassifier",
    ),
    "KNeighborsRegressor": (
        NUMBERS,
        "from sklearn.neighbors import KNeighborsRegressor",
        "from baycarp.cases.neighbors import CaseRegressor as KNeighborsRegressor",
    ),
    "NearestNeighbors": (
        NEAREST,
        "from sklearn.neighbors import NearestNeighbors",
        "from baycarp.cases.neighbors import CaseNeighbors as NearestNeighbors",
    ),
}


def outcome(line, program):
    names = {}
    exec(line + program, names)
    return names["results"], names.get("likeliest")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_the_first_example_runs_with_one_import_line_changed(name):
    program, theirs, ours = PROGRAMS[name]
    expected, found = outcome(theirs, program), outcome(ours, program)
    np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=1e-9)
    assert found[1] == expected[1]
