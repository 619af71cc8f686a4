"""A stand-in for an Ollama server: its published API over a real socket, with any misbehaviour.

It speaks `/api/version`, `/api/tags`, `/api/chat` and `/api/generate`, streamed or not, holds its
answers to the JSON schema in `format`, and gives `logprobs`. What it says is a function of what it
is asked, so that it answers the same question alike.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import socket
import struct
import time
from collections import deque
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODEL = "tiny:latest"
DIGEST = "sha256:" + "0123456789ab" * 5 + "cdef"

FAULTS = ("500", "503", "reset", "truncated", "garbage", "slow", "cut", "nonsense", "refuse")
"""Ways to fail: server errors; a connection reset; a body shorter than announced; a body that is
no JSON; an answer after `delay` seconds; one cut off at the limit of tokens; one that is prose
where JSON was asked for; a request refused."""


def obedient(schema: dict[str, Any] | None, question: str) -> str:
    """An answer that keeps to the schema, made from the question's hash."""
    if schema is None:
        return f"Some words, {_number(question, 1000)} of them."
    return json.dumps(_value(schema, question))


def _value(schema: dict[str, Any], seed: str) -> Any:  # noqa: ANN401
    if "enum" in schema:
        return schema["enum"][_number(seed, len(schema["enum"]))]
    match schema["type"]:
        case "object":
            return {
                name: _value(inner, f"{seed}/{name}")
                for name, inner in schema["properties"].items()
            }
        case "array":
            number = _number(seed, 4)
            items = [_value(schema["items"], f"{seed}/{place}") for place in range(number)]
            return items[: schema.get("maxItems", number)]
        case "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 9)
            return low + _number(seed, high - low + 1)
        case "boolean":
            return bool(_number(seed, 2))
    return f"About matter {_number(seed, 1000)}."


def _number(seed: str, below: int) -> int:
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") % below


def even_chances(token: str) -> dict[str, float]:
    """What could have stood for a token: a digit, as likely the next; else only itself."""
    if not token.isdigit():
        return {token: 1.0}
    return {token: 0.5, str((int(token) + 1) % 10): 0.5}


class OllamaServer:
    """A server that is running.

    Attributes:
        url: where.
        models: digests of the models that it has, by name.
        answer: what is said to a request to chat or generate.
        chances: for each token of an answer, what could have stood there; None for a server that
            knows no log-probabilities.
        faults: how the next requests to chat go wrong, in order; "" for well.
        delay: seconds that a slow answer takes.
        asked: bodies of the requests to chat, in order of arrival.
        loads: how often a model was loaded by an empty prompt.
        most_at_once: most requests to chat that were under way together.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.models = {MODEL: DIGEST}
        self.answer: Callable[[dict[str, Any]], str] = lambda body: obedient(
            body.get("format"), json.dumps(body["messages"])
        )
        self.chances: Callable[[str], dict[str, float]] | None = even_chances
        self.faults: deque[str] = deque()
        self.delay = 0.5
        self.asked: list[dict[str, Any]] = []
        self.loads = 0
        self.most_at_once = 0
        self._at_once = 0
        self._lock = Lock()

    def begin(self, body: dict[str, Any]) -> str:
        """Note a request to chat; the fault it meets."""
        with self._lock:
            self.asked.append(body)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return self.faults.popleft() if self.faults else ""

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1

    def spoken(self, body: dict[str, Any], fault: str) -> dict[str, Any]:
        """The fields of a whole answer."""
        text = self.answer(body)
        if fault == "cut":
            text = text[: len(text) // 2]
        elif fault == "nonsense":
            text = "I would rather say it in prose."
        said: dict[str, Any] = {
            "model": body["model"],
            "created_at": "2026-01-01T00:00:00Z",
            "done": True,
            "done_reason": "length" if fault == "cut" else "stop",
            "total_duration": 5_000_000,
            "load_duration": 1_000_000,
            "eval_count": len(text),
            "text": text,
        }
        if body.get("logprobs") and self.chances is not None:
            said["logprobs"] = []
            for token in re.findall(r"\d|\D+", text):
                chances = self.chances(token)
                rows = [
                    {"token": other, "logprob": math.log(chance)}
                    for other, chance in chances.items()
                ]
                said["logprobs"].append(
                    {"token": token, "logprob": math.log(chances[token]), "top_logprobs": rows}
                )
        return said


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    ollama: OllamaServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        if self.path == "/api/version":
            self._send({"version": "0.12.11"})
        elif self.path == "/api/tags":
            models = [
                {"name": name, "model": name, "digest": digest.removeprefix("sha256:"), "size": 1}
                for name, digest in self.ollama.models.items()
            ]
            self._send({"models": models})
        else:
            self._send({"error": "not found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = body["model"] if ":" in body["model"] else f"{body['model']}:latest"
        if name not in self.ollama.models:
            self._send({"error": f"model '{body['model']}' not found"}, 404)
        elif self.path == "/api/chat":
            fault = self.ollama.begin(body)
            try:
                self._chat(body, fault)
            finally:
                self.ollama.end()
        elif self.path == "/api/generate" and not body.get("prompt"):
            self.ollama.loads += 1
            self._send({"model": name, "response": "", "done": True, "done_reason": "load"})
        elif self.path == "/api/generate":
            said = self.ollama.spoken(
                {**body, "messages": [{"role": "user", "content": body["prompt"]}]}, ""
            )
            self._say(body, said, lambda text: {"response": text})
        else:
            self._send({"error": "not found"}, 404)

    def _chat(self, body: dict[str, Any], fault: str) -> None:
        match fault:
            case "500" | "503":
                self._send({"error": "the runner has stopped"}, int(fault))
                return
            case "refuse":
                self._send({"error": "invalid format"}, 400)
                return
            case "reset":
                # closed with no time to linger: a reset
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                for end in (self.rfile, self.wfile, self.connection):
                    end.close()
                self.close_connection = True
                return
            case "truncated":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"model": "tiny", "mess')
                self.close_connection = True
                return
            case "garbage":
                self.send_response(200)
                self.send_header("Content-Length", "13")
                self.end_headers()
                self.wfile.write(b"<html></html>")
                return
            case "slow":
                time.sleep(self.ollama.delay)
        self._say(
            body,
            self.ollama.spoken(body, fault),
            lambda text: {"message": {"role": "assistant", "content": text}},
        )

    def _say(
        self,
        body: dict[str, Any],
        said: dict[str, Any],
        content: Callable[[str], dict[str, Any]],
    ) -> None:
        text = said.pop("text")
        if body.get("stream", True):
            middle = len(text) // 2
            lines = [
                {"model": said["model"], "done": False, **content(text[:middle])},
                {**said, **content(text[middle:])},
            ]
            raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
            self._send_raw(raw, 200, "application/x-ndjson")
        else:
            self._send({**said, **content(text)})

    def _send(self, content: dict[str, Any], status: int = 200) -> None:
        self._send_raw(json.dumps(content).encode(), status, "application/json")

    def _send_raw(self, raw: bytes, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        try:
            self.wfile.write(raw)
        except OSError:  # whoever asked has not waited
            self.close_connection = True


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever asked may leave at any time."""


@contextmanager
def ollama_server(port: int = 0) -> Iterator[OllamaServer]:
    """A server on this machine; on any free port, unless one is named."""
    handler = type("Handler", (_Handler,), {})
    listener = _Listener(("127.0.0.1", port), handler)
    handler.ollama = OllamaServer(f"http://127.0.0.1:{listener.server_port}")  # type: ignore[attr-defined]
    thread = Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield handler.ollama  # type: ignore[attr-defined]
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
