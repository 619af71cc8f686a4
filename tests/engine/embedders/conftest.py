"""A stand-in for the model hub: the calls that are used of its published HTTP API."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    Hub = Callable[..., AbstractContextManager[str]]

COMMIT = "c" * 40
_FILE = re.compile(r"/([^/]+/[^/]+)/resolve/[^/]+/(.+)")


class _Handler(BaseHTTPRequestHandler):
    models: dict[str, dict[str, bytes]]
    silent: Event | None

    def do_HEAD(self) -> None:
        self._serve(with_content=False)

    def do_GET(self) -> None:
        self._serve(with_content=True)

    def _serve(self, *, with_content: bool) -> None:
        if self.silent is not None:
            self.silent.wait(120)
            return
        file = _FILE.match(self.path)
        if file is not None and file[1] in self.models:
            content = self.models[file[1]][file[2]]
            self._answer(content if with_content else b"", len(content), file=True)
            return
        listed = re.match(r"/api/models/([^/]+/[^/?]+)(/tree/)?", self.path)
        if listed is not None and listed[1] in self.models:
            files = self.models[listed[1]]
            tree = [
                {"type": "file", "path": name, "size": len(content), "oid": "0" * 40}
                for name, content in files.items()
            ]
            names = [{"rfilename": name} for name in files]
            described = {"id": listed[1], "sha": COMMIT, "siblings": names, "tags": []}
            content = json.dumps(tree if listed[2] else described).encode()
            self._answer(content, len(content), file=False)
            return
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, content: bytes, length: int, *, file: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        if file:
            self.send_header("ETag", f'"{hashlib.sha256(self.path.encode()).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing: a test's output is its own."""


@contextmanager
def serve(models: dict[str, dict[str, bytes]], *, silent: bool = False) -> Iterator[str]:
    """A hub with the given files by repository; a silent one takes requests and never answers."""
    ended = Event()
    handler = type("Handler", (_Handler,), {"models": models, "silent": ended if silent else None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def model_hub() -> Hub:
    """Starts a hub, and stops it where the context ends."""
    return serve
