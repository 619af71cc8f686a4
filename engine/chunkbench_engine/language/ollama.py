"""The client of Ollama, for the strategies that ask a language model and for the judge."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from contextlib import asynccontextmanager
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.language.answer import Answer, AnswerToken, Message
from chunkbench_engine.language.cache import AnswerCache
from chunkbench_engine.language.server import identify, no_model, no_server
from chunkbench_engine.language.window import Window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    import ollama

CONTEXT_TOKENS = 8192
"""The model's window, in its own tokens. Ollama cuts a longer prompt without a word, and loads
the model anew for another window, so all calls have the same and every prompt is far below it,
or the window is widened first."""

_OPTIONS = {"temperature": 0.0, "top_p": 0.1}
_ALTERNATIVES = 20
_LEAST_LOGPROB = -6.9  # one in a thousand
_SURROGATE = re.compile("[\ud800-\udfff]")


def open_language_model(urls: Sequence[str], model: str, answers: Path) -> LanguageModel:
    """A model that is there, with the cache of its answers.

    Raises `Unavailable`, with the command that mends it, where it cannot be asked.
    """
    return LanguageModel(urls, model, identify(urls, model), AnswerCache(answers))


class LanguageModel:
    """A model at one or several Ollama servers, asked at temperature 0 and top_p 0.1.

    To be used within one event loop, and closed there.

    Attributes:
        id: name and digest; two models with the same id give the same answers.
        window: longest prompt and answer together, in the model's own tokens.
    """

    def __init__(
        self,
        urls: Sequence[str],
        model: str,
        id: str,  # noqa: A002 - as of an embedder
        cache: AnswerCache,
        *,
        timeout: float = 300.0,
        attempts: int = 5,
        pause: float = 0.5,
    ) -> None:
        """A call is made up to `attempts` times, `timeout` seconds each, with pauses between that
        begin at `pause` seconds and double."""
        self.id = id
        self.window = CONTEXT_TOKENS
        self._servers = [_Server(url, model, timeout) for url in urls]
        self._model = model
        self._cache = cache
        self._attempts = attempts
        self._pause = pause
        self._turn = count()
        self._freed = asyncio.Condition()
        self._asking: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._clock = _SharedClock()

    @property
    def concurrency(self) -> int:
        """Calls that the servers take at a time, as far as that is known by now."""
        return sum(server.window.limit for server in self._servers)

    async def ask(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any] | None = None,
        *,
        limit: int,
        logprobs: bool = False,
    ) -> Answer:
        """An answer of at most `limit` of the model's tokens, as JSON if there is a schema.

        Log-probabilities are there only where the server has them. Raises `Unavailable` if no
        server answers.
        """
        request = _request(messages, schema, limit, logprobs)
        key = _key(request)
        # The same question is asked once, also when it comes again while the first is under way.
        async with self._asking.setdefault(key, asyncio.Lock()):
            answer = self._cache.get(self.id, key)
            if answer is None:
                answer = await self._call(request)
                self._cache.put(self.id, key, answer)
            return answer

    def forget(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any] | None = None,
        *,
        limit: int,
        logprobs: bool = False,
    ) -> None:
        """Let an answer go, so that the same question reaches the model when it comes again."""
        self._cache.forget(self.id, _key(_request(messages, schema, limit, logprobs)))

    def widen(self, tokens: int) -> None:
        """Have a window of at least so many tokens from here on; the model is loaded anew."""
        while self.window < tokens:
            self.window *= 2

    async def close(self) -> None:
        for server in self._servers:
            await server.close()
        self._cache.close()

    async def _call(self, request: dict[str, Any]) -> Answer:
        """Ask the server whose turn it is; after a failure that may pass, the next."""
        import httpx
        import ollama

        pause = self._pause
        problem = ""
        tried: list[_Server] = []
        for attempt in range(max(self._attempts, len(self._servers))):
            if attempt:
                await asyncio.sleep(pause)
                pause *= 2
            server, place = await self._server_with_room(tried)
            tried.append(server)
            try:
                async with self._place_at(server, place):
                    window = self.window
                    await server.load(window)
                    begun = self._clock.begin()
                    try:
                        response = await server.chat(request, window)
                    finally:
                        seconds = self._clock.end(begun)
                return Answer(response.message.content or "", _tokens(response), seconds)
            except ConnectionError:
                problem = no_server(server.url)
            except ollama.ResponseError as error:
                if error.status_code == 404:
                    raise Unavailable(no_model(server.url, self._model)) from error
                if error.status_code < 500 and error.status_code != 429:
                    raise Unavailable(
                        f"Ollama at {server.url} refuses to answer: {error.error}"
                    ) from error
                problem = _gave_up(server.url, f"status {error.status_code}, {error.error}")
            except (httpx.RequestError, ValueError) as error:
                problem = _gave_up(server.url, type(error).__name__)
        raise Unavailable(problem)

    async def _server_with_room(self, tried: Sequence[_Server]) -> tuple[_Server, int]:
        """Wait for room: of the servers tried least, the one with most of it, in turn."""
        async with self._freed:
            first = next(self._turn)
            in_turn = [
                self._servers[(first + at) % len(self._servers)] for at in range(len(self._servers))
            ]
            least = min(map(tried.count, in_turn))
            open_to = [server for server in in_turn if tried.count(server) == least]
            await self._freed.wait_for(lambda: any(s.window.room > 0 for s in open_to))
            server = max(open_to, key=lambda s: s.window.room)
            return server, server.window.begin()

    @asynccontextmanager
    async def _place_at(self, server: _Server, begun: int) -> AsyncIterator[None]:
        """Around a call that has a place at a server: how it ends is what the window learns."""
        import httpx
        import ollama

        try:
            yield
        except BaseException as error:
            busy = isinstance(error, ollama.ResponseError) and error.status_code in (429, 503)
            if busy or isinstance(error, httpx.TimeoutException):
                server.window.refused(begun)
            else:
                server.window.failed()
            raise
        else:
            server.window.answered()
        finally:
            async with self._freed:
                self._freed.notify_all()


class _Server:
    """One server; its connections are made with the first call."""

    def __init__(self, url: str, model: str, timeout: float) -> None:
        self.url = url
        self._model = model
        self._timeout = timeout
        self._opened: ollama.AsyncClient | None = None
        self._loading = asyncio.Lock()
        self._loaded = 0
        self.window = Window()

    async def load(self, window: int) -> None:
        """Have the model in memory, so that no answer is charged with its loading."""
        async with self._loading:
            if self._loaded < window:
                options = {**_OPTIONS, "num_ctx": window}
                await self._client().generate(self._model, options=options)
                self._loaded = window

    async def chat(self, request: dict[str, Any], window: int) -> ollama.ChatResponse:
        options = {**request["options"], "num_ctx": window}
        response: ollama.ChatResponse = await self._client().chat(
            self._model, think=False, **{**request, "options": options}
        )
        return response

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()  # type: ignore[no-untyped-call]

    def _client(self) -> ollama.AsyncClient:
        if self._opened is None:
            import ollama

            # No proxy: a server is named by the address at which it is reached.
            self._opened = ollama.AsyncClient(self.url, timeout=self._timeout, trust_env=False)
        return self._opened


class _SharedClock:
    """Seconds while several calls are under way, in equal shares: they add up to the time."""

    def __init__(self) -> None:
        self._calls = 0
        self._share = 0.0
        self._read = 0.0

    def begin(self) -> float:
        self._advance()
        self._calls += 1
        return self._share

    def end(self, begun: float) -> float:
        """Seconds of a call since `begin` returned `begun`."""
        self._advance()
        self._calls -= 1
        return self._share - begun

    def _advance(self) -> None:
        now = perf_counter()
        if self._calls:
            self._share += (now - self._read) / self._calls
        self._read = now


def _request(
    messages: Sequence[Message], schema: dict[str, Any] | None, limit: int, logprobs: bool
) -> dict[str, Any]:
    return {
        "messages": [
            {"role": role, "content": _SURROGATE.sub("\ufffd", content)}
            for role, content in messages
        ],
        "format": schema,
        "options": {**_OPTIONS, "num_predict": limit},
        "logprobs": logprobs,
        "top_logprobs": _ALTERNATIVES if logprobs else None,
    }


def _key(request: dict[str, Any]) -> bytes:
    """Names a question. The window is no part of it: what fits is answered alike in any."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).digest()


def _tokens(response: ollama.ChatResponse) -> tuple[AnswerToken, ...]:
    return tuple(
        AnswerToken(
            token.token,
            {
                other.token: other.logprob
                for other in (token, *(token.top_logprobs or ()))
                if other.logprob > _LEAST_LOGPROB
            },
        )
        for token in response.logprobs or ()
    )


def _gave_up(url: str, reason: str) -> str:
    return (
        f"the Ollama server at {url} gave no answer ({reason}): see the log of ollama serve, "
        "then try again"
    )
