"""Ends a run within a second of SIGINT or SIGTERM, whatever it is doing then, and leaves nothing unfinished."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from pipeline.report.unfinished import give_up

INTERRUPTED: Final = 130
TERMINATED: Final = 143
EXIT_CODES: Final = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
_WORDS: Final = {INTERRUPTED: "interrupted", TERMINATED: "terminated"}
_GRACE_SECONDS: Final = 0.4
_DONE: Final = b"\0"


class Terminated(BaseException):
    """The process was asked to end."""


@contextmanager
def interruptible(say: Callable[[str], None]) -> Iterator[None]:
    """Raises ``KeyboardInterrupt`` on SIGINT and ``Terminated`` on SIGTERM, whichever comes first, in the block.

    Python does so between two steps of its own, and a step may be a long call of Polars. If the block has not been
    left soon after the signal, another thread clears away what is unfinished, says so and ends the process.
    """
    watched, woken = socket.socketpair()
    woken.setblocking(False)
    left = threading.Event()
    watch = threading.Thread(target=_watch, args=(watched, left, say), daemon=True)
    watch.start()
    before = {one: signal.getsignal(one) for one in EXIT_CODES}
    wakeup_before = signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    try:
        signal.signal(signal.SIGTERM, _raise)
        if before[signal.SIGINT] is signal.default_int_handler:
            # Polars puts a handler below Python's that lets a read from a pipe go on after Ctrl-C.
            signal.signal(signal.SIGINT, _raise)
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(wakeup_before)
        for one, handler in before.items():
            signal.signal(one, handler)
        woken.send(_DONE)
        watch.join()
        watched.close()
        woken.close()


def take_back() -> None:
    """Take SIGINT back from Polars, which when imported puts a handler below Python's.

    With that one a read from a pipe goes on after Ctrl-C.
    """
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        signal.signal(signal.SIGINT, handler)


def message(exit_code: int) -> str:
    """What to say when a run ends with ``INTERRUPTED`` or ``TERMINATED``; nothing unfinished is left after it."""
    written = give_up()
    return f"{_WORDS[exit_code]}: " + ("the report had been written by then" if written else "nothing was written")


def _raise(number: int, _frame: FrameType | None) -> None:
    for one in EXIT_CODES:
        signal.signal(one, signal.SIG_IGN)
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def _watch(watched: socket.socket, left: threading.Event, say: Callable[[str], None]) -> None:
    """Wait for a signal, or for the block to be left."""
    while (number := watched.recv(1)) != _DONE:
        exit_code = EXIT_CODES.get(signal.Signals(number[0]))
        if exit_code is not None and not left.wait(_GRACE_SECONDS):
            say(message(exit_code))
            os._exit(exit_code)
