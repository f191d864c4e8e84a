"""Text over HTTP, from a server on this machine: whole, packed, broken off, and not there."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from conftest import Command

TEXT = b"board\nXO.......\nOO.......\n"


class Handler(BaseHTTPRequestHandler):
    bodies: ClassVar[dict[str, tuple[bytes, int]]] = {
        "/whole.csv": (TEXT, 0),
        "/packed.csv.gz": (gzip.compress(TEXT), 0),
        "/short.csv": (TEXT, 100),
    }

    def do_GET(self) -> None:
        if self.path not in self.bodies:
            self.send_error(404)
            return
        body, missing = self.bodies[self.path]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + missing))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("name", ["whole.csv", "packed.csv.gz"])
def test_text_is_read(name: str, server: str, command: Command) -> None:
    done = command("run", f"{server}/{name}", "--json")
    assert (done.exit_code, done.err) == (1, "")
    assert done.json["records"] == {"read": 2, "valid": 1, "invalid": 1}
    assert done.json["inputs"][0]["file"] == f"{server}/{name}"


def test_a_body_that_breaks_off_is_no_end_of_file(server: str, command: Command) -> None:
    done = command("run", f"{server}/short.csv", "--json")
    assert done.exit_code == 3
    assert "broke off with 100 bytes to come" in done.err
    assert done.json["complete"] is False
    assert done.json["records"]["read"] == 2


def test_what_is_not_there_is_one_message(server: str, command: Command) -> None:
    done = command("run", f"{server}/nothing.csv")
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)


@pytest.mark.parametrize("url", ["foo://bar.csv", "http://a b/x.csv", "http://[::1/x.csv", "x://"])
def test_an_impossible_url_is_one_message(url: str, command: Command) -> None:
    done = command("run", url)
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)
