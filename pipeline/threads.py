"""Bounds the threads of the libraries; imports none of them, for they read it only once, when they are imported."""

from __future__ import annotations

import os


def limit_threads(threads: int) -> None:
    """Let Polars and Arrow use so many threads at most, if neither is imported yet."""
    for name in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "ARROW_IO_THREADS"):
        os.environ[name] = str(threads)
