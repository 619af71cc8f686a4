"""A stand-in for a Qdrant server: the few calls that are used of its published REST API.

It keeps the points in memory, searches exactly, and returns equal scores in an order of its own
(the highest id first), which a real server is free to do as well.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

_COLLECTION = re.compile(r"/collections/([^/?]+)(/exists|/points(?:/query|/count|/scroll)?)?")


class Collections(dict[str, dict[str, Any]]):
    """Collections by name; each has `params`, as it was made with, and `points` by id."""


def _unit(vector: list[float]) -> np.ndarray:
    row = np.array(vector, dtype=np.float32)
    return row / (np.linalg.norm(row) or 1.0)


def _query(points: dict[int, Any], body: dict[str, Any]) -> dict[str, Any]:
    assert body["params"]["exact"] is True, "an approximate search was asked for"
    wanted = _unit(body["query"]["nearest"])
    scored = [(float(point["vector"] @ wanted), key) for key, point in points.items()]
    scored.sort(reverse=True)
    return {
        "points": [
            {"id": key, "version": 1, "score": score} for score, key in scored[: body["limit"]]
        ]
    }


def _scroll(points: dict[int, Any], body: dict[str, Any]) -> dict[str, Any]:
    keys = sorted(key for key in points if key >= (body.get("offset") or 0))
    page, rest = keys[: body["limit"]], keys[body["limit"] :]
    return {
        "points": [{"id": key, "payload": points[key]["payload"]} for key in page],
        "next_page_offset": rest[0] if rest else None,
    }


def _info(collection: dict[str, Any]) -> dict[str, Any]:
    return {
        "status": "green",
        "optimizer_status": "ok",
        "points_count": len(collection["points"]),
        "segments_count": 1,
        "payload_schema": {},
        "config": {
            "params": {"vectors": collection["params"]["vectors"]},
            "hnsw_config": {"m": 0, "ef_construct": 100, "full_scan_threshold": 10000},
            "optimizer_config": {
                "deleted_threshold": 0.2,
                "vacuum_min_vector_number": 1000,
                "default_segment_number": 0,
                "flush_interval_sec": 5,
            },
        },
    }


class _Handler(BaseHTTPRequestHandler):
    collections: Collections

    def do_GET(self) -> None:
        name, call = self._target()
        if call == "/exists":
            self._answer({"exists": name in self.collections})
        elif name in self.collections:
            self._answer(_info(self.collections[name]))
        else:
            self._answer(f"Not found: Collection `{name}` doesn't exist!", status=404)

    def do_PUT(self) -> None:
        name, call = self._target()
        body = self._body()
        if not call:
            assert body["hnsw_config"]["m"] == 0, "an approximate index was asked for"
            self.collections[name] = {"params": body, "points": {}}
            self._answer(True)
            return
        size = self.collections[name]["params"]["vectors"]["size"]
        batch = body["batch"]
        if any(len(vector) != size for vector in batch["vectors"]):
            self._answer(f"Wrong input: Vector dimension error: expected dim: {size}", status=400)
            return
        for key, vector, payload in zip(
            batch["ids"], batch["vectors"], batch["payloads"], strict=True
        ):
            self.collections[name]["points"][key] = {"vector": _unit(vector), "payload": payload}
        self._answer({"operation_id": 1, "status": "completed"})

    def do_POST(self) -> None:
        name, call = self._target()
        points, body = self.collections[name]["points"], self._body()
        if call == "/points/query":
            self._answer(_query(points, body))
        elif call == "/points/count":
            self._answer({"count": len(points)})
        else:
            self._answer(_scroll(points, body))

    def do_DELETE(self) -> None:
        name, _ = self._target()
        self._answer(self.collections.pop(name, None) is not None)

    def _target(self) -> tuple[str, str]:
        found = _COLLECTION.match(self.path)
        assert found, f"a call that the stand-in does not know: {self.path}"
        return found[1], found[2] or ""

    def _body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return body

    def _answer(self, result: object, status: int = 200) -> None:
        state: object = "ok" if status == 200 else {"error": result}
        content = json.dumps({"time": 0.001, "status": state, "result": result}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing: a test's output is its own."""


@contextmanager
def serve() -> Iterator[str]:
    """A server on a free port of this machine, by its URL."""
    handler = type("Handler", (_Handler,), {"collections": Collections()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def qdrant_rest() -> Callable[[], AbstractContextManager[str]]:
    """Starts a server, and stops it where the context ends."""
    return serve
