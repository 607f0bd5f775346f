"""Other machines: the only module that imports Dask's ``distributed`` (the extra ``cluster``)."""

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager

from baycarp.arena.workers import Workers
from baycarp.errors import TableError, WorkerError

__all__ = ["cluster"]

RETRIES = 5
"""How often a unit is given to another worker when the one that played it is gone."""


GOES_ON = "finished units are in the journal, and the same command goes on from there"


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Connect to a Dask scheduler of your own, whose workers ``arena.run.run`` then plays on.

    Units and results are unpickled at both ends: connect only to a scheduler whose workers are all trusted.

    Parameters
    ----------
    address
        ``"tcp://HOST:PORT"`` of the scheduler.

    Raises
    ------
    ImportError
        ``distributed`` is not installed.
    TableError
        An address of another form.
    OSError
        No scheduler answers at the address.
    WorkerError
        The scheduler ended; or a unit was given to ``RETRIES`` + 1 workers, and each of them ended.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ImportError(
            "a cluster needs Dask: pip install 'baycarp[cluster]' (in a clone '.[cluster]')"
        ) from error
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except ValueError as error:
        raise TableError(f"cluster {address!r}: expected tcp://HOST:PORT of a scheduler ({error})") from error
    with _without_tracebacks(), client:
        threads = sum(client.nthreads().values())
        try:
            yield Workers(max(1, threads), client.get_executor(retries=RETRIES, pure=False))
        except KilledWorker as error:
            raise WorkerError(f"workers of the cluster ended abruptly: {error}; {GOES_ON}") from error
        except CancelledError as error:  # all units are cancelled without a scheduler
            raise WorkerError(f"the scheduler of the cluster {address!r} ended; {GOES_ON}") from error


@contextmanager
def _without_tracebacks() -> Iterator[None]:
    """Dask logs tracebacks for connections that a dead scheduler closed; ours is one line."""
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)
