"""Other machines: the only module that imports Dask's ``distributed`` (the extra ``cluster``)."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from baycarp.arena.workers import Workers
from baycarp.errors import TableError, WorkerError

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Remote

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
            yield Workers(max(1, threads), _Pool(client))
        except KilledWorker as error:
            raise WorkerError(f"workers of the cluster ended abruptly: {error}; {GOES_ON}") from error
        except CancelledError as error:  # all units are cancelled without a scheduler
            raise WorkerError(f"the scheduler of the cluster {address!r} ended; {GOES_ON}") from error


class _Pool(Executor):
    """The workers of a scheduler; Dask's own executor never ends a future whose result is lost on its way."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call a function."""
        remote = self._client.submit(fn, *args, retries=RETRIES, pure=False, **kwargs)
        local = Future[Any]()

        def cancel(done: Future[Any]) -> None:
            if done.cancelled() and remote.status == "pending":
                remote.cancel()

        local.add_done_callback(cancel)
        remote.add_done_callback(partial(_hand_over, local))
        return local


def _hand_over(local: Future[Any], remote: "Remote") -> None:
    """Give a future what became of the remote one."""
    if not local.set_running_or_notify_cancel():
        return
    try:
        result = remote.result()
    except BaseException as error:
        is_lost = remote.status != "error" and isinstance(error, OSError)  # its worker or the scheduler ended
        local.set_exception(CancelledError() if is_lost else error)
    else:
        local.set_result(result)


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
