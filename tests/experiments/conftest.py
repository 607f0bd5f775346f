"""What the tests of several experiments play."""

import pytest

from baycarp.training.watch import hands_of, watch


@pytest.fixture(scope="session")
def watched(tmp_path_factory, watched_table):
    """The first 60 hands of one session of the watched table."""
    log = watch(watched_table, [0], 60, tmp_path_factory.mktemp("watched"))[0]
    return list(hands_of(log, watched_table))
