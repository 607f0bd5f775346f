"""A cluster whose scheduler or worker is killed loses nothing, and what loses is found."""

import os

import pytest

pytest.importorskip("distributed")

from experiments.gates import cluster
from experiments.gates.gate import Share

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kills by signal"),
]


@pytest.mark.parametrize("which", cluster.KILLED)
def test_a_killed_process_of_a_cluster_loses_nothing(which):
    result = cluster.killed(which, Share(0, 5))
    assert (result.done, result.found) == (5, {}), result.examples


@pytest.mark.parametrize("which", cluster.KILLED)
def test_a_command_that_does_not_go_on_is_found(which):
    assert cluster.killed(which, Share(0, 1), goes_on=False).found["losses"] == 1
