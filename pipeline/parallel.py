"""Works on a few things at a time, and hands the results on in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

import polars as pl

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKERS: Final = min(2, pl.thread_pool_size())
"""How many batches are worked on at a time; more would hold more memory and find no more cores idle."""


def in_order(items: Iterator[Item], work: Callable[[Item], Result]) -> Iterator[tuple[Item, Result]]:
    """Every item with the result of ``work`` on it, in order.

    ``work`` runs in threads, and items are taken one ahead, in a thread of their own. When taking an item fails, what
    was taken before is still handed on, and then the error raised.
    """
    pending: deque[tuple[Item, Future[Result]]] = deque()
    failure: Exception | None = None
    taker, pool = ThreadPoolExecutor(1), ThreadPoolExecutor(WORKERS)
    taken = taker.submit(_next, items)
    try:
        while True:
            try:
                item = taken.result()
            except Exception as error:  # noqa: BLE001 - raised again below
                failure = error
                break
            if item is None:
                break
            taken = taker.submit(_next, items)
            pending.append((item, pool.submit(work, item)))
            if len(pending) > WORKERS:
                item, result = pending.popleft()
                yield item, result.result()
        while pending:
            item, result = pending.popleft()
            yield item, result.result()
    finally:
        # Whoever stops early does not wait for work that is of no use any more, but what items come from is let go.
        pool.shutdown(wait=False, cancel_futures=True)
        taker.shutdown(cancel_futures=True)
        # It may hold the error too, see below.
        del taken
    if failure is not None:
        try:
            raise failure
        finally:
            # Else the error and this frame would hold each other, and with them all that was taken.
            failure = None


def _next(items: Iterator[Item]) -> Item | None:
    """The next item, or None at the end: a thread cannot hand on the exception that says so."""
    return next(items, None)
