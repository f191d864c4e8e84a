"""Opens URLs as streams of bytes."""

from __future__ import annotations

import http.client
import io
import urllib.error
import urllib.request
from typing import Any, BinaryIO, cast

from pyarrow import fs

from pipeline.errors import InputError


def fetch(url: str) -> BinaryIO:
    """The bytes at a URL.

    Raises:
        InputError: nothing can be read there.
    """
    try:
        if url.startswith(("http://", "https://")):
            return cast("BinaryIO", _Body(urllib.request.urlopen(url)))  # noqa: S310 - of a known scheme
        filesystem, path = fs.FileSystem.from_uri(url)
        return cast("BinaryIO", filesystem.open_input_stream(path, compression=None))
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        raise InputError(f"{url}: cannot be read: {error}") from error


class _Body(io.RawIOBase):
    """The body of an HTTP response, which is no end of file where it breaks off."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._response.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        try:
            count = self._response.readinto(buffer)
        except http.client.HTTPException as error:
            raise OSError(f"the connection broke off: {error}") from error
        if count == 0 and self._response.length:
            raise OSError(f"the connection broke off with {self._response.length} bytes to come")
        return count
