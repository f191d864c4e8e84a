"""Everything that can end a run, each with its exit code.

PipelineError
├── UsageError      2  wrong options or configuration
├── InputError      3  an input that cannot be read, or with no layout that can be told
├── OutputError     4  output that cannot be written
└── InternalError   5  a fault of our own, such as an account that does not add up
"""

from __future__ import annotations

from typing import ClassVar


class PipelineError(Exception):
    """A fault that ends the reading of an input, or the run; its text is one message for the user."""

    exit_code: ClassVar[int]


class UsageError(PipelineError):
    """Wrong usage or configuration."""

    exit_code = 2


class InputError(PipelineError):
    """An input that cannot be read (missing, zero bytes, damaged, refused) or has no layout that can be told."""

    exit_code = 3


class OutputError(PipelineError):
    """Output that cannot be written."""

    exit_code = 4


class InternalError(PipelineError):
    """A fault of our own."""

    exit_code = 5
